"""`urban_distance`: as UrbanGeoEval scores it: 10 points, less one for each kilometre of error, never below 0.

Gold: {"distance"} in metres. The paper's rule (appendix, rubric of Distance; rounded to two decimals); the value is a
tenth of the points. Correct is what earns all ten.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.lengths import read_length
from app.scores.registry import scorer
from app.scores.score import Score, unparseable
from app.scores.scorers._points import MOST_POINTS, score_points


@scorer("urban_distance", version=1, graded=True)
def score_urban_distance(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """The points of a distance; one without a unit is taken for metres, as everywhere."""
    reading = read_length(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", points=MOST_POINTS)
    error = abs(reading.value - gold["distance"]) / 1000
    return score_points(MOST_POINTS - error, {"metres": reading.value})
