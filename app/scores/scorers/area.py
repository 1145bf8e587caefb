"""`area`: square metres; 1 at no error, 0 at a relative error of 20 %. Gold: {"area"} in square metres, never zero."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.areas import read_area
from app.scores.registry import scorer
from app.scores.score import Score
from app.scores.scorers._relative import score_relative


@scorer("area", version=4, graded=True)
def score_area(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """How near the area in `answer` comes, whatever unit it is given in."""
    return score_relative(read_area(answer), float(gold["area"]), "square_metres")
