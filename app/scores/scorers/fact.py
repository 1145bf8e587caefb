"""`fact`: what an external source says of a place. Gold: {"fact": {kind, value, unit, names}}.

A name is right in any of its accepted forms; a year is right or not; a number counts by its relative error, in metres
or as a bare count.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.counts import read_count
from app.scores.reading.lengths import read_length
from app.scores.reading.years import read_year
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable
from app.scores.scorers._relative import score_relative
from app.scores.scorers.name import score_name


@scorer("fact", version=3, graded=True)
def score_fact(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Whether, or how nearly, `answer` says what the fact's source does."""
    fact = gold["fact"]
    if fact["kind"] == "name":
        return score_name(answer, {"names": fact["names"]}, None)
    if fact["kind"] == "year":
        return _score_year(answer, int(fact["value"]))
    reading = read_length(answer) if fact["unit"] == "m" else read_count(answer)
    return score_relative(reading, float(fact["value"]), "metres" if fact["unit"] == "m" else "count")


def _score_year(answer: str, year: int) -> Score:
    reading = read_year(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", year=1.0)
    value = 1.0 if reading.value == year else 0.0
    return Score(
        Outcome.CORRECT if value else Outcome.WRONG,
        value,
        {"year": Component(value, 1.0, True)},
        {"year": reading.value},
    )
