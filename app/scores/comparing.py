"""Compares a run that was just scored with every other complete run of its version, scope by scope.

Reads scores, of hidden questions too, as the worker role; writes run_comparison, which boards read. Both answered all
questions of the version; the same scores give bit-equal rows, whichever run was scored first.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row

from app.core.identity import canonical_json
from app.db.engine import without_nested_loops
from app.scores import queries_standing as queries
from app.scores.aggregating import ALL
from app.scores.grouping import Traits, groups_of
from app.scores.pairs import Clusters, Values, compare
from app.scores.profiles import Profile


def compare_with_others(
    connection: Connection, run: Row[Any], profile: Profile, traits: Sequence[Traits]
) -> None:
    """Write the run's comparisons anew; a run that is not complete has none. The caller commits.

    Until then other runs of the version wait with theirs.
    """
    key = {"version_id": run.version_id, "profile": profile.name}
    scored = {**key, "profile_version": profile.version}
    connection.execute(queries.LOCK_VERSION, {"version_id": run.version_id})
    connection.execute(queries.DELETE_COMPARISONS, {"run_id": run.id, "profile": profile.name})
    runs = list(connection.execute(queries.COMPARABLE, scored).scalars())
    if run.id not in runs or len(runs) < 2 or not traits:
        return
    binds = {"profile": profile.name, "scorers": canonical_json(dict(profile.scorers))}
    (own,) = _values(connection, {**binds, "runs": [run.id]}, len(traits))
    scopes = scopes_to_compare(traits)
    rows = [
        paired
        for other in _values(
            connection, {**binds, "runs": [one for one in runs if one != run.id]}, len(traits)
        )
        for paired in _compare(own, other, scopes)
    ]
    connection.execute(queries.INSERT_COMPARISONS, {**scored, "rows": canonical_json(rows)})


Scopes = Mapping[str, tuple[NDArray[np.int64], Clusters]]
"""By scope: which questions, by their places in the version, and their clusters."""


def scopes_to_compare(traits: Sequence[Traits]) -> Scopes:
    """The scopes that aggregates have. A question that names no place is a place of its own."""
    names = [one.place or f"question {one.id}" for one in traits]
    clusters = Clusters.make(np.array([one.template for one in traits]), np.array(names))
    found: dict[str, list[int]] = {ALL: list(range(len(traits)))}
    for number, one in enumerate(traits):
        found.setdefault(f"template:{one.template}", []).append(number)
    number_of = {one.id: number for number, one in enumerate(traits)}
    found |= {scope: sorted(number_of[name] for name in ids) for scope, ids in groups_of(traits).items()}
    which = {scope: np.array(numbers, dtype=np.int64) for scope, numbers in found.items()}
    return {scope: (numbers, clusters.of(numbers)) for scope, numbers in which.items()}


def _values(connection: Connection, binds: Mapping[str, Any], questions: int) -> Iterator[tuple[int, Values]]:
    """Each run with its questions' values, in the version's order; a question's is the mean over its predictions."""
    one_by_one = {"yield_per": 1}
    with without_nested_loops(connection):
        rows = connection.execute(queries.VALUES_OF_RUNS, binds, execution_options=one_by_one)
    for row in rows:
        places = np.array(row.positions, dtype=np.int64)
        starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
        sums = np.add.reduceat(np.array(row.answer_values, dtype=np.float64), starts)
        assert len(starts) == questions, "a complete run has answered every question"
        yield row.run_id, sums / np.diff(np.r_[starts, len(places)])


def _compare(
    one: tuple[int, Values], another: tuple[int, Values], scopes: Scopes
) -> Iterator[dict[str, Any]]:
    (run_id, values), (other_id, others) = sorted((one, another), key=lambda pair: pair[0])
    differences = values - others
    for scope, (which, clusters) in scopes.items():
        yield {
            "run_id": run_id,
            "other_id": other_id,
            "scope": scope,
            **compare(differences[which], clusters)._asdict(),
        }
