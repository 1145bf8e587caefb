"""Which runs a board shows, and in which order. Pure; the same from any order of runs."""

from collections.abc import Iterable
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
