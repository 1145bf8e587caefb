"""`urban_bearing`: a bearing and its direction in words, as UrbanGeoEval scores them.

Gold: {"azimuth"} in degrees. The paper's rule (appendix, rubric of Direction): 10 points, less 0.25 for each degree of
error, and less 2 where the direction in words is not that of the answer's own bearing; never below 0. (The worked case
of Figure 34 takes 0.4 a degree.) The error is circular, which the paper does not say. A direction is taken for that of
a bearing if it is the nearest of the 4, 8 or 16 points of the compass to which it belongs; none costs nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.angles import read_azimuth
from app.scores.reading.axes import azimuths_from_axes
from app.scores.reading.cleaning import plain
from app.scores.reading.compass import points_in
from app.scores.reading.mentions import answer_section
from app.scores.registry import scorer
from app.scores.score import Component, Score, unparseable
from app.scores.scorers._points import MOST_POINTS, score_points
from app.scores.scorers.angle import circular_error

POINTS_A_DEGREE = 0.25
FOR_ANOTHER_DIRECTION = 2.0


@scorer("urban_bearing", version=1, graded=True)
def score_urban_bearing(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """The points of a bearing, and whether its direction in words agrees with it."""
    reading = read_azimuth(answer)
    if reading.value is None:
        # A direction beside a bearing that contradicts it costs points; it does not make the bearing unreadable.
        reading = read_azimuth(_without_directions(answer))
    if reading.value is None:
        return unparseable(reading.reason or "", points=MOST_POINTS)
    named = _direction_in(answer)
    agrees = named is None or is_direction_of(named, reading.value)
    points = MOST_POINTS - POINTS_A_DEGREE * circular_error(reading.value, gold["azimuth"])
    parsed = {"azimuth": reading.value, **({} if named is None else {"direction": named})}
    agreement = Component(1.0 if agrees and named is not None else 0.0, 1.0, named is not None)
    return score_points(points if agrees else points - FOR_ANOTHER_DIRECTION, parsed, agreement=agreement)


def is_direction_of(named: float, azimuth: float) -> bool:
    """Whether a point of the compass is the nearest of its kind to an azimuth; both in degrees.

    North is one of 4 points, north-east one of 8, and north-north-east one of 16: each stands for half the step between
    the points of its kind to either side.
    """
    points = next(count for count in (4, 8, 16) if named % (360 / count) == 0)
    return circular_error(named, azimuth) <= 360 / points / 2


def _direction_in(answer: str) -> float | None:
    """The middle of the direction that an answer's section names last; None where it names none beside its bearing."""
    text = plain(answer_section(answer))
    points = [] if any(True for _ in azimuths_from_axes(text)) else points_in(text)
    return points[-1].azimuth if points else None


def _without_directions(answer: str) -> str:
    text = plain(answer_section(answer))
    for point in reversed(points_in(text)):
        text = f"{text[: point.start]} {text[point.end :]}"
    return text
