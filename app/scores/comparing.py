"""Compares a run that was just scored with every other complete run of its version, scope by scope.

Reads scores, of hidden questions too, as the worker role; writes run_comparison, which boards read. Both answered all
questions of the version; the same scores give bit-equal rows, whichever run was scored first.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row

from app.core.identity import canonical_json
from app.db.engine import without_nested_loops
from app.scores import queries_standing as queries
from app.scores.aggregating import Groups, Marked, Part, scopes_of
from app.scores.grouping import Traits
from app.scores.pairs import Clusters, Values, compare
from app.scores.profiles import Profile
from app.scores.withholding import in_steps

MOST_AHEAD = 1_000_000
"""Values of other runs that are kept while a run is worked: 8 MB."""


class Scope(NamedTuple):
    """Questions that are compared together, by their places in the version: all, those that are hidden, clusters."""

    which: NDArray[np.int64]
    hidden: NDArray[np.int64]
    clusters: Clusters

    def shown_mean(self, values: Values) -> float:
        """The mean of the questions' values, that of the hidden ones in steps, as in aggregates."""
        total = float(np.sum(values[self.which]))
        if len(self.hidden):
            exact = math.fsum(values[self.hidden])
            total += in_steps(exact, len(self.hidden), len(self.hidden)) - exact
        return total / len(self.which)


class OtherRuns:
    """Values of a version's runs, read before anything is compared; each holds while its row on boards is the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], Values] = {}

    def read_ahead(self, connection: Connection, version_id: int, profile: Profile, questions: int) -> None:
        """Read what runs there are, as far as there is room."""
        found = connection.execute(queries.COMPARABLE, _scored(version_id, profile)).all()
        room = MOST_AHEAD // max(1, questions)
        standing = (
            {row.id: (row.id, row.digest) for row in found[-room:] if row.digest is not None} if room else {}
        )
        self._known = {key: values for key, values in self._known.items() if standing.get(key[0]) == key}
        missing = [run_id for run_id, key in standing.items() if key not in self._known]
        for run_id, values in _values(connection, profile, missing, questions):
            self._known[standing[run_id]] = values

    def each(
        self, connection: Connection, profile: Profile, runs: Sequence[Row[Any]], questions: int
    ) -> Iterator[tuple[int, Values]]:
        """The values of each of the runs; those that are not known as they stand are read now."""
        known = {row.id: self._known.get((row.id, row.digest)) for row in runs}
        yield from ((run_id, values) for run_id, values in known.items() if values is not None)
        missing = [run_id for run_id, values in known.items() if values is None]
        yield from _values(connection, profile, missing, questions)


def compare_with_others(
    connection: Connection,
    run: Row[Any],
    profile: Profile,
    scopes: Mapping[str, Scope],
    others: OtherRuns,
    marks: Sequence[Marked],
) -> None:
    """Write the run's comparisons anew; a run that is not complete has none. The caller commits.

    `marks` are what became of its predictions, in the order of the version's questions. Until then other runs of the
    version wait with theirs.
    """
    scored = _scored(run.version_id, profile)
    connection.execute(queries.LOCK_VERSION, {"version_id": run.version_id})
    connection.execute(queries.DELETE_COMPARISONS, {"run_id": run.id, "profile": profile.name})
    runs = connection.execute(queries.COMPARABLE, scored).all()
    rest = [row for row in runs if row.id != run.id]
    if not rest or len(rest) == len(runs) or not marks:
        return
    starts = [
        place
        for place, mark in enumerate(marks)
        if not place or mark.question_id != marks[place - 1].question_id
    ]
    own = run.id, _means(np.array([mark.value for mark in marks]), np.array(starts, dtype=np.int64))
    rows = [
        paired
        for other in others.each(connection, profile, rest, len(starts))
        for paired in _compare(own, other, scopes)
    ]
    connection.execute(queries.INSERT_COMPARISONS, {**scored, "rows": canonical_json(rows)})


def scopes_to_compare(traits: Sequence[Traits], groups: Groups) -> dict[str, Scope]:
    """The scopes that aggregates have, with those of `groups`. A question that names no place is a place of its own."""
    names = [one.place or f"question {one.id}" for one in traits]
    clusters = Clusters.make(np.array([one.template for one in traits]), np.array(names))
    number_of = {one.id: number for number, one in enumerate(traits)}
    parts = [Part(one.id, one.template, graded=False, hidden=one.hidden) for one in traits]
    scopes = {}
    for name, of_scope in scopes_of(parts, groups).items():
        which = np.array([number_of[part.question_id] for part in of_scope], dtype=np.int64)
        hidden = np.array([part.hidden for part in of_scope], dtype=bool)
        scopes[name] = Scope(which, which[hidden], clusters.of(which))
    return scopes


def _scored(version_id: int, profile: Profile) -> dict[str, Any]:
    return {"version_id": version_id, "profile": profile.name, "profile_version": profile.version}


def _values(
    connection: Connection, profile: Profile, runs: Sequence[int], questions: int
) -> Iterator[tuple[int, Values]]:
    """Each run with its questions' values, in the version's order; a question's is the mean over its predictions."""
    if not runs:
        return
    binds = {"profile": profile.name, "scorers": canonical_json(dict(profile.scorers)), "runs": list(runs)}
    one_by_one = {"yield_per": 1}
    with without_nested_loops(connection):
        rows = connection.execute(queries.VALUES_OF_RUNS, binds, execution_options=one_by_one)
    for row in rows:
        places = np.array(row.positions, dtype=np.int64)
        starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
        assert len(starts) == questions, "a complete run has answered every question"
        yield row.run_id, _means(np.array(row.answer_values, dtype=np.float64), starts)


def _means(values: Values, starts: NDArray[np.int64]) -> Values:
    """The mean of each group of values; groups begin at `starts`."""
    means: Values = np.add.reduceat(values, starts) / np.diff(np.r_[starts, len(values)])
    return means


def _compare(
    one: tuple[int, Values], another: tuple[int, Values], scopes: Mapping[str, Scope]
) -> Iterator[dict[str, Any]]:
    (run_id, values), (other_id, others) = sorted((one, another), key=lambda pair: pair[0])
    differences = values - others
    for name, scope in scopes.items():
        shown = scope.shown_mean(values) - scope.shown_mean(others) if len(scope.hidden) else None
        paired = compare(differences[scope.which], scope.clusters, shown)
        yield {"run_id": run_id, "other_id": other_id, "scope": name, **paired._asdict()}
