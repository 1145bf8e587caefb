"""`distance`: metres; 1 at no error, 0 at 20 %. Gold: {"distance"}, or {"objects", "tolerated"}, any of whose."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.lengths import read_length
from app.scores.registry import scorer
from app.scores.score import Score
from app.scores.scorers._any_of import accepted_numbers
from app.scores.scorers._relative import score_relative


@scorer("distance", version=3, graded=True)
def score_distance(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """How near the distance in `answer` comes to the accepted one that it fits best, whatever unit it is given in."""
    reading = read_length(answer)
    scores = [score_relative(reading, truth, "metres") for truth in accepted_numbers(gold, "distance")]
    return max(scores, key=lambda score: score.value)
