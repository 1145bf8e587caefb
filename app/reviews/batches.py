"""Quality control in batches: every question inspected, a second look at 15 % of each batch, below 90 % again. Pure.

After UrbanGeoEval, appendix A.3. Batches and second looks are functions of the version's questions, of the number of
questions in a batch and of the seed: they can be drawn again at any time.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from app.core import seeds

SECOND_LOOK = Fraction(15, 100)
"""The share of a batch that a second person inspects, at least."""
AGREED = Fraction(90, 100)
"""The share of equal marks below which a batch is to be inspected again."""
NATURAL = "natural"
State = Literal["open", "done", "redo"]


class Batch(NamedTuple):
    """Questions that one person inspects, and those of them that a second person looks at, too."""

    number: int
    questions: Sequence[str]
    second_look: Sequence[str]


class Inspected(NamedTuple):
    """Where a batch stands. `agreement` is over the second looks that there are; None without one.

    State: open while marks are lacking; redo where agreement is below 90 %; else done.
    """

    number: int
    questions: int
    inspected: int
    second_wanted: int
    second: int
    agreement: float | None
    not_natural: int
    state: State


def cut_batches(ids: Sequence[str], size: int, seed: int) -> list[Batch]:
    """Batches of `size` questions in their order, the last one as large as what is left."""
    batches = []
    for number, start in enumerate(range(0, len(ids), size), start=1):
        part = ids[start : start + size]
        wanted = math.ceil(SECOND_LOOK * len(part))
        drawn = {*sorted(part, key=lambda one: (seeds.draw(seed, "second look", one), one))[:wanted]}
        batches.append(Batch(number, part, [one for one in part if one in drawn]))
    return batches


def inspect_batch(batch: Batch, marks: Sequence[tuple[str, str, str]]) -> Inspected:
    """The state of a batch from all marks that count, as (question, reviewer, mark)."""
    given: dict[str, dict[str, str]] = defaultdict(dict)
    for question, reviewer, mark in marks:
        given[question][reviewer] = mark
    inspected = sum(bool(given.get(one)) for one in batch.questions)
    twice = [given[one] for one in batch.second_look if len(given.get(one, {})) > 1]
    agreement = Fraction(sum(map(_agree, twice)), len(twice)) if twice else None
    whole = inspected == len(batch.questions) and len(twice) == len(batch.second_look)
    state: State = "open"
    if whole and agreement is not None:
        state = "done" if agreement >= AGREED else "redo"
    return Inspected(
        number=batch.number,
        questions=len(batch.questions),
        inspected=inspected,
        second_wanted=len(batch.second_look),
        second=len(twice),
        agreement=None if agreement is None else float(agreement),
        not_natural=sum(
            any(mark != NATURAL for mark in given.get(one, {}).values()) for one in batch.questions
        ),
        state=state,
    )


def _agree(marks: Mapping[str, str]) -> bool:
    return len({*marks.values()}) == 1
