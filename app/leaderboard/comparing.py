"""Ranks of a board from its comparisons: Holm's adjustment over all pairs, ties, shared ranks. Pure.

The same from any order of pairs.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple, TypeVar

from app.scores.pairs import LEVEL, TEST_NUMBER

K = TypeVar("K", bound=Hashable)


class Compared(NamedTuple):
    """Two runs by their keys, `run` the lower one: its mean less that of `other`, and the test's p."""

    run: int
    other: int
    difference: float
    p: float | None
    detectable: float | None
    test: int = TEST_NUMBER
    """The number of the test (`app.scores.pairs.TESTS`)."""


def holm(values: Mapping[K, float | None]) -> dict[K, float]:
    """Adjusted p of each test of a family (Holm, Scandinavian Journal of Statistics 6, 1979, 65-70).

    A test that nothing could be told from (None) counts in the family, as 1.
    """
    known = {key: 1.0 if value is None else value for key, value in values.items()}
    adjusted: dict[K, float] = {}
    highest = 0.0
    for number, key in enumerate(sorted(known, key=lambda key: (known[key], str(key)))):
        highest = max(highest, min(1.0, (len(known) - number) * known[key]))
        adjusted[key] = highest
    return adjusted


def ranks(rows: Sequence[int], compared: Iterable[Compared]) -> dict[int, int | None]:
    """The rank of each of `rows`, runs from the highest score down; None for all where a pair was not compared.

    A row's count is 1 + the rows that are better with an adjusted p of at most 0.05. Its rank is the highest count of
    its own and of the rows above: so a row that is tied with all above shares their rank, and no rank falls from one
    row to the next.
    """
    shown = set(rows)
    pairs = {(one.run, one.other): one for one in compared if one.run in shown and one.other in shown}
    if len(pairs) < len(rows) * (len(rows) - 1) // 2:
        return dict.fromkeys(rows)
    adjusted = holm({key: one.p for key, one in pairs.items()})
    better = dict.fromkeys(rows, 0)
    for key, one in pairs.items():
        if adjusted[key] <= LEVEL and one.difference:
            better[one.other if one.difference > 0 else one.run] += 1
    found: dict[int, int | None] = {}
    highest = 1
    for row in rows:
        highest = max(highest, 1 + better[row])
        found[row] = highest
    return found


def typical(rows: Sequence[int], compared: Iterable[Compared]) -> float | None:
    """The median over pairs of rows of the smallest difference that would be found; None where no pair has one."""
    shown = set(rows)
    found = [
        one.detectable
        for one in compared
        if one.run in shown and one.other in shown and one.detectable is not None
    ]
    return median(found) if found else None
