"""The scores of skills as a drawing: a spoke a skill, its length the score. Pure; one unit is about a pixel."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from app.report_cards.models import Figure, SkillFigure

RADIUS = 118.0
"""Of the circle of 100 %."""
RINGS = (25, 50, 75, 100)
FEWEST = 3


@dataclass(frozen=True)
class Spoke:
    """A skill around the circle: where its line ends, and where its name stands."""

    title: str
    x: float
    y: float
    label_x: float
    label_y: float
    anchor: str


@dataclass(frozen=True)
class Dot:
    """A score on its spoke, with the two ends of its interval."""

    x: float
    y: float
    low: tuple[float, float]
    high: tuple[float, float]


@dataclass(frozen=True)
class Radar:
    """The drawing, its middle at 0, 0."""

    spokes: Sequence[Spoke]
    rings: Sequence[tuple[int, float]]
    dots: Sequence[Dot]
    path: str
    other: str
    """The line of the model beside which it stands; empty without one, or where it lacks a skill."""
    other_dots: Sequence[tuple[float, float]]
    """Its scores: where it lacks a skill, these alone show it."""


def draw_radar(skills: Sequence[SkillFigure], beside: dict[str, Figure]) -> Radar | None:
    """The drawing of the skills that have a score; None of fewer than FEWEST, which make no figure."""
    skills = [one for one in skills if one.figure.score is not None]
    if len(skills) < FEWEST:
        return None
    angles = [2 * pi * number / len(skills) for number in range(len(skills))]
    scores = [one.figure.score for one in skills]
    others = [beside[one.skill].score if one.skill in beside else None for one in skills]
    return Radar(
        [_spoke(one.title, angle) for one, angle in zip(skills, angles, strict=True)],
        [(share, RADIUS * share / 100) for share in RINGS],
        [
            Dot(*_at(angle, score), _at(angle, one.figure.low or 0.0), _at(angle, one.figure.high or 0.0))
            for one, score, angle in zip(skills, scores, angles, strict=True)
            if score is not None
        ],
        _path(angles, scores),
        _path(angles, others),
        [_at(angle, score) for angle, score in zip(angles, others, strict=True) if score is not None],
    )


def _at(angle: float, share: float) -> tuple[float, float]:
    """A place on a spoke; angles run clockwise from the top."""
    return round(RADIUS * share * sin(angle), 1), round(-RADIUS * share * cos(angle), 1)


def _spoke(title: str, angle: float) -> Spoke:
    x, y = _at(angle, 1.0)
    label_x, label_y = _at(angle, 1.19)
    anchor = "middle" if abs(label_x) < 1 else "start" if label_x > 0 else "end"
    return Spoke(title, x, y, label_x, round(label_y + 4.5, 1), anchor)


def _path(angles: Sequence[float], scores: Sequence[float | None]) -> str:
    """A closed line through all spokes; empty where one has no score: what joins others would tell nothing."""
    places = [_at(angle, score) for angle, score in zip(angles, scores, strict=True) if score is not None]
    if len(places) < len(angles):
        return ""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places) + "Z"
