"""Reads how complete runs of a version answered its public questions: the table that item response is fitted over.

Reads stored scores as the api role. A question's value is the mean over its repeats and rotations, as on boards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound
from app.item_response import queries
from app.item_response.fitting import Array
from app.questions.versions import PublishedVersion
from app.scores.comparing import public_values
from app.scores.profiles import Profile
from app.solvers import find_solver
from app.solvers.names import SOLVERS
from app.solvers.run_kinds import ANSWERS


class Item(NamedTuple):
    """A public question."""

    id: str
    template: str
    position: int


class AnsweringRun(NamedTuple):
    """A run whose values are read; `model` is what answered: its endpoint's model, or the run's label without one."""

    id: int
    label: str
    model: str


@dataclass(frozen=True)
class Responses:
    """Values of runs (rows) on items (columns). `equal` maps a run that is left out to the one that it is equal to."""

    runs: Sequence[AnsweringRun]
    items: Sequence[Item]
    values: Array
    equal: dict[int, int]


def read_responses(
    connection: Connection, version: PublishedVersion, rules: Profile, chosen: Sequence[int], least: int
) -> Responses:
    """The values of all runs that can be used, or of those `chosen`; runs with equal values count once.

    Used are complete, scored runs that were asked all questions, by solvers that read no gold. Raises NotFound or
    Conflict for a chosen run that is none of these, Conflict where fewer than `least` are left.
    """
    runs = _find_runs(connection, version, rules, chosen)
    values_of = {
        run: dict(zip(places.tolist(), means.tolist(), strict=True))
        for run, places, means in public_values(connection, rules, [run.id for run in runs])
    }
    runs = [run for run in runs if run.id in values_of]
    items = [item for item in read_items(connection, version, rules) if _is_answered(item, values_of)]
    first: dict[bytes, int] = {}
    equal: dict[int, int] = {}
    used, rows = [], []
    for run in runs:
        row = np.array([values_of[run.id][item.position] for item in items])
        other = first.setdefault(row.tobytes(), run.id)
        if other == run.id:
            used.append(run)
            rows.append(row)
        else:
            equal[run.id] = other
    if not items or len(used) < least:
        raise Conflict(_too_few(version, len(used), len(equal), least, items))
    return Responses(used, items, np.array(rows), equal)


def read_items(connection: Connection, version: PublishedVersion, rules: Profile) -> list[Item]:
    """The public questions of a version that the profile's scorers score, in its order."""
    binds = {"version_id": version.id, "scorers": rules.scorer_binds()["scorers"]}
    return [Item(*row) for row in connection.execute(queries.ITEMS, binds)]


def find_runs(
    connection: Connection, rules: Profile, version_id: int | None, chosen: Sequence[int]
) -> Sequence[Row[Any]]:
    """The rows of runs of a version, or of any; all, or those `chosen`. Raises NotFound for one that there is not."""
    binds = {**rules.version_binds(), "version_id": version_id, "runs": list(chosen) or None}
    found = connection.execute(queries.RUNS, binds).all()
    missing = sorted({*chosen} - {row.id for row in found})
    if missing:
        of_version = "" if version_id is None else " of this data set version"
        raise NotFound(f"There is no run {missing[0]}{of_version}; `trigpoint run list` shows all runs.")
    return found


def why_unscored(run: Row[Any]) -> str | None:
    """Why a run has no scores that can be read; None where it has them."""
    if run.kind != ANSWERS:
        return "it holds a judge's marks and no answers"
    if run.status != "complete":
        return "it is not complete"
    if not run.is_scored:
        return f"it is not scored yet (a worker will do it, or `trigpoint run rescore {run.id}`)"
    return None


def _find_runs(
    connection: Connection, version: PublishedVersion, rules: Profile, chosen: Sequence[int]
) -> list[AnsweringRun]:
    found = []
    for run in find_runs(connection, rules, version.id, chosen):
        reason = why_unscored(run)
        if reason is None and run.is_sample:
            reason = "it was asked a part of the questions"
        if reason is None and run.solver in SOLVERS and "gold" in find_solver(run.solver).reads:
            reason = f"its solver `{run.solver}` reads gold"
        if reason is None:
            found.append(AnsweringRun(run.id, run.label, run.model))
        elif chosen:
            raise Conflict(f"Run {run.id} cannot be used: {reason}. Leave it out of --runs.")
    return found


def _is_answered(item: Item, values_of: dict[int, dict[int, float]]) -> bool:
    return all(item.position in values for values in values_of.values())


def _too_few(version: PublishedVersion, used: int, equal: int, least: int, items: Sequence[Item]) -> str:
    if used and not items:
        return f"{version.reference} has no public question that all runs answered and Trigpoint scores."
    counted = f" ({equal} more are equal to one of them, value by value)" if equal else ""
    return (
        f"{version.reference} has {used} runs to learn from{counted}; {least} are needed. Used are complete runs over "
        "all questions, of solvers that read no gold: evaluate more models, or submit their answers."
    )
