"""A run of a report card, and which part of the suite it answers for."""

from typing import NamedTuple


class CardRun(NamedTuple):
    """A run that is stored, and the entry of the suite that it was made for."""

    run: int
    key: str
    """The entry of the suite, as BENCHMARK/SOLVER; unique within a card."""
    benchmark: str
    solver: str
    tool_set: str | None
    """The set of tools that the solver is given; None for a solver that calls none."""
