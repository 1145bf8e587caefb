"""`name`: an entity's name; 1 when the name given equals an accepted one, else 0.

Gold: {"names", "tolerated"}: any of `names`; what is tolerated lies within the margin and is accepted too.
Names are compared in NFKC, case folded, without punctuation; words in common earn nothing (no token F1).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.cleaning import MAX_SEGMENT, loose_key_of
from app.scores.reading.names import keys_of_name, read_name
from app.scores.reading.reading import Reading
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable


@scorer("name", version=3, graded=False)
def score_name(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Whether `answer` names one of the accepted entities."""
    tolerated = (entity["name"] for entity in gold.get("tolerated", []))
    accepted = {loose_key_of(name) for name in (*gold["names"], *tolerated)}
    verbatim = answer[:MAX_SEGMENT].strip()
    reading = Reading(verbatim) if loose_key_of(verbatim) in accepted else read_name(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", name=1.0)
    right = not accepted.isdisjoint(keys_of_name(reading.value))
    value = 1.0 if right else 0.0
    return Score(
        Outcome.CORRECT if right else Outcome.WRONG,
        value,
        {"name": Component(value, 1.0, True)},
        {"name": reading.value},
    )
