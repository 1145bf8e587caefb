"""Spatial errors as published: shares where 0 is right; lower is better.

Each is the least over all pairs of prediction and gold, whichever pair has the best words.
"""

from collections.abc import Iterable, Sequence

from pyproj import Geod

from app.scores.paper_rules import Point

FARTHEST = 500_000.0
"""Metres from which a distance error is 1."""
HALF_TURN = 180.0

_WGS84 = Geod(ellps="WGS84")


def angle_error(predicted: Iterable[int], gold: Sequence[float]) -> float:
    """The least circular difference in degrees, over 180; 1 where nothing was predicted. Source: GS-QA, Table 10."""
    turns = (abs(one - other) % 360.0 for one in predicted for other in gold)
    return min((min(turn, 360.0 - turn) / HALF_TURN for turn in turns), default=1.0)


def relative_error(predicted: Iterable[int], gold: Sequence[float]) -> float:
    """The least |p - a| / a, uncapped; 1 where nothing was predicted. A gold of 0 counts only as hit or missed.

    Source: GS-QA, Tables 11 and 12, which cap it at 1 before they average it.
    """
    return min((_relative(one, other) for one in predicted for other in gold), default=1.0)


def _relative(predicted: int, gold: float) -> float:
    if gold == 0:
        return 0.0 if predicted == 0 else 1.0
    return abs(predicted - gold) / abs(gold)


def distance_error(predicted: Iterable[Point], gold: Sequence[Point]) -> float | None:
    """The least geodesic over 500 km, at most 1; None where no predicted address could be placed.

    `predicted` are the places of the predicted addresses, `gold` the centroids. Source: GS-QA, Table 9.
    """
    metres = [_WGS84.inv(*one, *other)[2] for one in predicted for other in gold]
    return min(1.0, min(metres) / FARTHEST) if metres else None
