"""Compares a run that was just scored with every other complete run of its version, scope by scope.

Reads scores of public questions, and the runs' aggregates, which tell of hidden ones in steps, as the worker role.
Writes run_comparison, which boards read. Both answered all questions of the version; the same scores give bit-equal
rows, whichever run was scored first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row

from app.core.identity import canonical_json
from app.db.engine import without_nested_loops
from app.scores import queries_standing as queries
from app.scores.aggregating import Groups, Marked, Part, scopes_of, strata_of_parts
from app.scores.grouping import Traits
from app.scores.pairs import compare
from app.scores.profiles import Profile
from app.scores.strata import Strata, Values
from app.scores.withholding import Told, step_width

MOST_AHEAD = 1_000_000
"""Values of other runs that are kept while a run is worked: 8 MB."""


class Scope(NamedTuple):
    """Questions that are compared together: public ones by their places among these, and strata; how many are hidden.

    Hidden questions count in the whole alone.
    """

    which: NDArray[np.int64]
    strata: Strata
    hidden: int = 0

    @property
    def questions(self) -> int:
        """How many there are."""
        return len(self.which) + self.hidden


@dataclass(frozen=True)
class Compared:
    """A run among those compared: its public questions' values, and the mean of the whole that boards show."""

    run_id: int
    values: Values
    shown: float


class OtherRuns:
    """Public values of a version's runs, read before anything is compared; each holds while its digest is the same."""

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
    ) -> Iterator[Compared]:
        """Each of the runs; values that are not known as they stand are read now."""
        shown = {row.id: row.score for row in runs}
        known = {row.id: self._known.get((row.id, row.digest)) for row in runs}
        for run_id, values in known.items():
            if values is not None:
                yield Compared(run_id, values, shown[run_id])
        missing = [run_id for run_id, values in known.items() if values is None]
        for run_id, values in _values(connection, profile, missing, questions):
            yield Compared(run_id, values, shown[run_id])


def compare_with_others(
    connection: Connection,
    run: Row[Any],
    profile: Profile,
    scopes: Mapping[str, Scope],
    others: OtherRuns,
    marks: Sequence[Marked],
) -> None:
    """Write the run's comparisons anew; a run that is not complete has none. The caller commits.

    `marks` are what became of its predictions of public questions, in their order. Its aggregates are written. Until
    then other runs of the version wait with theirs.
    """
    scored = _scored(run.version_id, profile)
    connection.execute(queries.LOCK_VERSION, {"version_id": run.version_id})
    connection.execute(queries.DELETE_COMPARISONS, {"run_id": run.id, "profile": profile.name})
    runs = connection.execute(queries.COMPARABLE, scored).all()
    rest = [row for row in runs if row.id != run.id]
    if not rest or len(rest) == len(runs):
        return
    (shown,) = (row.score for row in runs if row.id == run.id)
    own = Compared(run.id, _own_values(marks), shown)
    rows = [
        paired
        for other in others.each(connection, profile, rest, len(own.values))
        for paired in _compare(own, other, scopes)
    ]
    connection.execute(queries.INSERT_COMPARISONS, {**scored, "rows": canonical_json(rows)})


def scopes_to_compare(traits: Sequence[Traits], groups: Groups) -> dict[str, Scope]:
    """The scopes that aggregates have, with those of `groups`."""
    public = [one for one in traits if not one.hidden]
    strata = strata_of_parts([part_of(one) for one in public])
    number_of = {one.id: number for number, one in enumerate(public)}
    parts = [part_of(one) for one in traits]
    scopes = {}
    for name, of_scope in scopes_of(parts, groups).items():
        numbers = [number_of[part.question_id] for part in of_scope if not part.hidden]
        which = np.array(numbers, dtype=np.int64)
        scopes[name] = Scope(which, strata.of(which), len(of_scope) - len(numbers))
    return scopes


def part_of(traits: Traits) -> Part:
    """What comparisons ask of a question, whatever scores it."""
    return Part(traits.id, traits.template, graded=False, hidden=traits.hidden, place=traits.place)


def _scored(version_id: int, profile: Profile) -> dict[str, Any]:
    return {"version_id": version_id, "profile": profile.name, "profile_version": profile.version}


def _values(
    connection: Connection, profile: Profile, runs: Sequence[int], questions: int
) -> Iterator[tuple[int, Values]]:
    """Each run with its public questions' values, in their order; a question's is the mean over its predictions."""
    if not questions:
        yield from ((run_id, np.empty(0)) for run_id in runs)
        return
    for run_id, _, means in public_values(connection, profile, runs):
        assert len(means) == questions, "a complete run has answered every question"
        yield run_id, means


def public_values(
    connection: Connection, profile: Profile, runs: Sequence[int]
) -> Iterator[tuple[int, NDArray[np.int64], Values]]:
    """Each run with the positions of the public questions that it answered, and a value for each.

    A question's value is the mean over its predictions. Runs without such an answer are left out.
    """
    if not runs:
        return
    binds = {**profile.scorer_binds(), "runs": list(runs)}
    one_by_one = {"yield_per": 1}
    with without_nested_loops(connection):
        rows = connection.execute(queries.VALUES_OF_RUNS, binds, execution_options=one_by_one)
    for row in rows:
        places = np.array(row.positions, dtype=np.int64)
        starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
        yield row.run_id, places[starts], _means(np.array(row.answer_values, dtype=np.float64), starts)


def _own_values(marks: Sequence[Marked]) -> Values:
    if not marks:
        return np.empty(0)
    starts = [
        place
        for place, mark in enumerate(marks)
        if not place or mark.question_id != marks[place - 1].question_id
    ]
    return _means(np.array([mark.value for mark in marks]), np.array(starts, dtype=np.int64))


def _means(values: Values, starts: NDArray[np.int64]) -> Values:
    """The mean of each group of values; groups begin at `starts`."""
    means: Values = np.add.reduceat(values, starts) / np.diff(np.r_[starts, len(values)])
    return means


def _compare(one: Compared, another: Compared, scopes: Mapping[str, Scope]) -> Iterator[dict[str, Any]]:
    lower, higher = sorted((one, another), key=lambda compared: compared.run_id)
    differences = lower.values - higher.values
    shown = lower.shown - higher.shown
    for name, scope in scopes.items():
        n = scope.questions
        told = Told(n, shown, step_width(scope.hidden) / n) if scope.hidden else None
        paired = compare(differences[scope.which], scope.strata, told)
        yield {"run_id": lower.run_id, "other_id": higher.run_id, "scope": name, **paired._asdict()}
