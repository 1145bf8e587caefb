"""`option`: multiple choice; 1 for the key, 0 for any other option. Gold: {"index"}, the key's place in the options."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable


@scorer("option", version=3, graded=False)
def score_option(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Accuracy of one answer; needs the question's options."""
    if not options:
        raise ValueError("scorer 'option' needs options, and the question has none")
    # Its patterns are of forty languages: a process that judges no choices is spared them.
    from app.scores.reading.options import read_option

    reading = read_option(answer, options)
    if reading.value is None:
        return unparseable(reading.reason or "", choice=1.0)
    right = reading.value == gold["index"]
    value = 1.0 if right else 0.0
    return Score(
        Outcome.CORRECT if right else Outcome.WRONG,
        value,
        {"choice": Component(value, 1.0, True)},
        {"index": reading.value},
    )
