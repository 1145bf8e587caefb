"""`count`: how many; 1 at no error, 0 at a relative error of 20 %. Gold: {"count"}, never zero."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.counts import read_count
from app.scores.registry import scorer
from app.scores.score import Score
from app.scores.scorers._relative import score_relative


@scorer("count", version=4, graded=True)
def score_count(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """How near the count in `answer` comes."""
    return score_relative(read_count(answer), float(gold["count"]), "count")
