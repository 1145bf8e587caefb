"""A run of a report card, and which part of the suite it answers for."""

from typing import NamedTuple

from app.report_cards.variants import Variant, read_key


class CardRun(NamedTuple):
    """A run that is stored, and the entry of the suite that it was made for."""

    run: int
    key: str
    """The entry of the suite, as BENCHMARK/SOLVER, or a variant of it; unique within a card."""
    benchmark: str
    solver: str
    tool_set: str | None
    """The set of tools that the solver is given; None for a solver that calls none."""

    @property
    def variant(self) -> Variant | None:
        """As which variant of its entry it asks; None for the entry itself."""
        return read_key(self.key)[1]

    @property
    def entry(self) -> str:
        """The key of its entry."""
        return read_key(self.key)[0]
