"""The scores of a run by what makes questions hard, as a small drawing. Pure; one unit is about a pixel."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.leaderboard.dials import DialPoint
from app.report_cards.models import DialOfCard
from app.report_cards.words import amount

LEFT, RIGHT, TOP, BOTTOM = 56.0, 228.0, 10.0, 122.0
RINGS = (0, 50, 100)


@dataclass(frozen=True)
class Curve:
    """A drawing 260 wide and 150 high: a dot for each group of questions, with its interval."""

    dataset: str
    dial: str
    meaning: str
    run: int
    points: Sequence[DialPoint]
    rings: Sequence[tuple[int, float]]
    """Shares in %, and their heights."""
    dots: Sequence[tuple[float, float, float, float, str]]
    """Where each stands, the ends of its interval, and the median of its amounts."""
    path: str


def draw_curves(dials: Sequence[DialOfCard]) -> list[tuple[str, list[Curve]]]:
    """The curves by what the amount is, in the order of the dials."""
    found: dict[str, list[Curve]] = {}
    for one in dials:
        for curve in one.dial.runs:
            drawn = _draw(one, curve.run, curve.points)
            found.setdefault(one.dial.meaning, []).append(drawn)
    return list(found.items())


def _draw(one: DialOfCard, run: int, points: Sequence[DialPoint]) -> Curve:
    step = (RIGHT - LEFT) / max(1, len(points) - 1)
    dots = [
        (
            round(LEFT + step * number, 1),
            _height(point.score),
            _height(point.low),
            _height(point.high),
            amount(point.middle, point.middle),
        )
        for number, point in enumerate(points)
    ]
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y, *_ in dots) if dots else ""
    rings = [(share, _height(share / 100)) for share in RINGS]
    return Curve(one.dataset, one.dial.dial, one.dial.meaning, run, points, rings, dots, path)


def _height(share: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * share, 1)
