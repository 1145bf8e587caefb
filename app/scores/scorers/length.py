"""`length`: metres; 1 at no error, 0 at a relative error of 20 %. Gold: {"length"} in metres, never zero."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.lengths import read_length
from app.scores.registry import scorer
from app.scores.score import Score
from app.scores.scorers._relative import score_relative


@scorer("length", version=3, graded=True)
def score_length(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """How near the length in `answer` comes, whatever unit it is given in."""
    return score_relative(read_length(answer), float(gold["length"]), "metres")
