"""`option`: multiple choice; 1 for the key, 0 for any other option. Gold: {"index"}, the key's place in the options.

Gold of questions that others published can also have `also`, the places of options with the key's own text. Where
there is a `reply`, options may be answered by numbers from 1, too, and 0 stands for "cannot be answered": its place is
that of the option that says so, or -1.
"""

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
    from app.scores.reading.numbered_options import read_numbered_option
    from app.scores.reading.options import read_option

    read = read_numbered_option if "reply" in gold else read_option
    reading = read(answer, _without(gold.get("also", ()), options))
    if reading.value is None:
        return unparseable(reading.reason or "", choice=1.0)
    right = reading.value in (gold["index"], *gold.get("also", ()))
    value = 1.0 if right else 0.0
    return Score(
        Outcome.CORRECT if right else Outcome.WRONG,
        value,
        {"choice": Component(value, 1.0, True)},
        {"index": reading.value},
    )


def _without(places: Sequence[int], options: Sequence[str]) -> Sequence[str]:
    """The options with no text at these places, so that a text which several share names one of them."""
    return ["" if place in places else one for place, one in enumerate(options)] if places else options
