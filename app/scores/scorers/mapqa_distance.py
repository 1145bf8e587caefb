"""`mapqa_distance`: metres; right up to an error of 1 %, and worth nothing beyond it. Gold: {"distance"}.

MapQA's authors measured on the plane of Web Mercator, so that exact distances over the ground are 19 to 35 % away from
their answers. Gold under the key `webmercator` is measured as theirs: the same answers can be scored by it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.lengths import read_length
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable

CORRECT_UP_TO = 0.01


@scorer("mapqa_distance", version=1, graded=False)
def score_mapqa_distance(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Whether a distance is right, whatever unit it is given in."""
    reading = read_length(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", relative_error=1.0)
    error = abs(reading.value - gold["distance"]) / gold["distance"]
    right = error <= CORRECT_UP_TO
    return Score(
        Outcome.CORRECT if right else Outcome.WRONG,
        1.0 if right else 0.0,
        {"relative_error": Component(min(error, 1.0), 1.0, True)},
        {"metres": reading.value},
    )
