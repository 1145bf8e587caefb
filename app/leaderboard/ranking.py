"""Which runs a board shows, and their shared ranks. Pure; the same from any order of runs."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar


class Scored(Protocol):
    """What is needed to place a row."""

    @property
    def name(self) -> str:
        """The run's label."""

    @property
    def run(self) -> int:
        """The run's key; a later run has a higher one."""

    @property
    def score(self) -> float | None:
        """The mean, None for a run that is not complete."""

    @property
    def low(self) -> float | None:
        """The interval's lower end."""

    @property
    def high(self) -> float | None:
        """The interval's upper end."""


S = TypeVar("S", bound=Scored)


class Candidate(NamedTuple):
    """A run that might be shown."""

    run: int
    label: str
    solver: str
    complete: bool


def select_runs(candidates: Iterable[Candidate]) -> list[Candidate]:
    """One row a label and solver: the newest complete run, so that running often picks no lucky one.

    A run that is not complete is shown beside it, unranked, while it is newer than that one; only the newest.
    """
    newest: dict[tuple[str, str, bool], Candidate] = {}
    for candidate in sorted(candidates):
        newest[candidate.label, candidate.solver, candidate.complete] = candidate
    return sorted(
        candidate
        for (label, solver, complete), candidate in newest.items()
        if complete or (label, solver, True) not in newest or newest[label, solver, True].run < candidate.run
    )


def in_order(rows: Iterable[S]) -> list[S]:
    """Complete rows from the highest score down, equal ones by name; then the others by name."""
    return sorted(
        rows,
        key=lambda row: (
            row.score is None,
            -(row.score if row.score is not None else 0.0),
            row.name,
            row.run,
        ),
    )


def rank(row: Scored, rows: Sequence[Scored]) -> int | None:
    """1 + the number of complete rows whose whole interval lies above this row's; None where it has no score.

    Rows that the data cannot tell apart so share a rank. A row with a wide interval may share rank 1 while one with
    a higher score and a narrow interval has rank 2: of that one alone is it known that another is better.
    """
    if row.score is None or row.high is None:
        return None
    high = row.high
    return 1 + sum(other.low is not None and other.low > high for other in rows)
