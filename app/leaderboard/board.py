"""Reads a board: the one function behind `trigpoint leaderboard`, GET /v1/leaderboards/{dataset} and the page.

Reads run, board_aggregate and expectation as the api role: hidden questions enter through aggregates alone.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.benchmarks.catalogue import find_reference
from app.core.errors import NotFound
from app.leaderboard import models, queries
from app.leaderboard.ranking import Candidate, in_order, rank, select_runs
from app.predictions.presentations import is_rotated
from app.questions.versions import find_version
from app.reviews.card import read_review
from app.scores.aggregating import ALL
from app.scores.intervals import choose_method
from app.scores.profiles import TRIGPOINT
from app.scores.registry import get_scorer

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0"
LICENCE_URL = "https://opendatacommons.org/licenses/odbl/1-0/"
LONGEST_REFERENCE = 200

Aggregates = Mapping[tuple[int, str], Row[Any]]


class Size(NamedTuple):
    """How many questions a scope has, and how many ways to show them all in every rotation."""

    n: int
    rotations: int


def read_board(connection: Connection, reference: str) -> models.Board:
    """The board of `name` (its newest published version) or `name@version`, under profile `trigpoint`.

    All of it is of one moment. Raises NotFound naming the data sets that there are.
    """
    if len(reference) > LONGEST_REFERENCE or not reference.isprintable():
        raise NotFound("There is no data set of that name: names are short and printable.")
    _at_one_moment(connection)
    version = find_version(connection, reference)
    key = {"version_id": version.id}
    profile = TRIGPOINT
    scored = {**key, "profile": profile.name, "profile_version": profile.version}
    about = connection.execute(queries.VERSION, key).one()
    parts = connection.execute(queries.TEMPLATES, key).all()
    aggregates = {(row.run_id, row.scope): row for row in connection.execute(queries.AGGREGATES, scored)}
    expected = {(row.scope, row.kind): row for row in connection.execute(queries.EXPECTATIONS, scored)}
    runs = _runs_to_show(connection.execute(queries.RUNS, key).all(), aggregates)
    sizes = dict.fromkeys((part.template for part in parts), Size(0, 0))
    for part in parts:
        size = sizes[part.template]
        sizes[part.template] = Size(size.n + part.n, size.rotations + part.rotations)
    whole = Size(sum(size.n for size in sizes.values()), sum(size.rotations for size in sizes.values()))
    graded = any(get_scorer(part.scorer).graded for part in parts)
    return models.Board(
        dataset=about.name,
        version=about.number,
        benchmark=about.benchmark,
        published_at=about.published_at,
        profile=profile.name,
        profile_version=profile.version,
        metric="mean_value" if graded else "accuracy",
        interval=choose_method(graded).name,
        n=whole.n,
        hidden=sum(part.hidden for part in parts),
        variant=about.variant,
        rows=_rows(runs, aggregates, ALL, whole),
        chance=_expectation(expected, ALL, "chance", whole.n),
        random_expectation=_expectation(expected, ALL, "random", whole.n),
        templates={
            template: models.Section(
                n=size.n,
                chance=_expectation(expected, f"template:{template}", "chance", size.n),
                random_expectation=_expectation(expected, f"template:{template}", "random", size.n),
                rows=_rows(runs, aggregates, f"template:{template}", size),
            )
            for template, size in sizes.items()
        },
        snapshots=[models.MapSource(**row._mapping) for row in connection.execute(queries.SNAPSHOTS, key)],
        review=read_review(connection, version.id),
        reference=find_reference(about.benchmark),
        attribution=_attribution(about.licence),
        licence_url=about.licence.get("url", LICENCE_URL),
    )


def list_datasets(
    connection: Connection, after: str | None = None, limit: int | None = None
) -> models.DatasetList:
    """The data sets with a published version, by name; versions from the newest down.

    All of them, or at most `limit` behind the one called `after`; whether there are more, the caller finds out.
    """
    rows = connection.execute(queries.DATASETS, {"after": after, "limit": limit}).all()
    entries = []
    for (name, benchmark), versions in groupby(rows, lambda row: (row.name, row.benchmark)):
        entries.append(
            models.DatasetEntry(
                name=name,
                benchmark=benchmark,
                versions=[
                    models.VersionEntry(
                        version=row.number,
                        questions=row.questions,
                        complete_runs=row.complete_runs,
                        published_at=row.published_at,
                    )
                    for row in versions
                ],
            )
        )
    return models.DatasetList(datasets=entries, attribution=ATTRIBUTION, licence_url=LICENCE_URL)


def read_states(connection: Connection, run_id: int) -> models.States | None:
    """How the run's predictions ended, once it is scored."""
    binds = {"run_id": run_id, "profile": TRIGPOINT.name, "profile_version": TRIGPOINT.version}
    states = connection.execute(queries.STATES_OF_RUN, binds).scalar_one_or_none()
    return None if states is None else models.States(**states)


def check_alive(connection: Connection) -> None:
    """Ask the database for an answer; raises where it gives none."""
    connection.execute(queries.ALIVE)


def _at_one_moment(connection: Connection) -> None:
    """See one state of the database through all statements of a board, where a transaction has not begun yet."""
    if not connection.in_transaction():
        connection.execution_options(isolation_level="REPEATABLE READ")


def _runs_to_show(runs: Sequence[Row[Any]], aggregates: Aggregates) -> list[Row[Any]]:
    def complete(run: Row[Any]) -> bool:
        whole = aggregates.get((run.id, ALL))
        return bool(run.status == "complete" and whole is not None and whole.score is not None)

    shown = {
        c.run for c in select_runs(Candidate(run.id, run.label, run.solver, complete(run)) for run in runs)
    }
    return [run for run in runs if run.id in shown]


def _rows(runs: Sequence[Row[Any]], aggregates: Aggregates, scope: str, size: Size) -> list[models.Row]:
    rows = [_row(run, aggregates.get((run.id, scope)), _size_of(run, scope, size)) for run in runs]
    whole = [row for row in rows if row.sample is None]
    samples = [row for row in rows if row.sample is not None]
    return [row.model_copy(update={"rank": rank(row, whole)}) for row in in_order(whole)] + in_order(samples)


def _size_of(run: Row[Any], scope: str, size: Size) -> Size:
    """What a run that is not scored there lacks of a scope; which questions of a template a sample has is not told."""
    if run.sample is None:
        return size
    return Size(run.sample, run.sample) if scope == ALL else Size(0, 0)


def _row(run: Row[Any], aggregate: Row[Any] | None, size: Size) -> models.Row:
    rotated = is_rotated(run.presentation)
    known = {"rank": None, "name": run.label, "solver": run.solver, "run": run.id, "status": run.status}
    known |= {"rotated": rotated, "sample": run.sample}
    if aggregate is None:
        states = models.States(missing=run.repeats * (size.rotations if rotated else size.n))
        return models.Row(**known, score=None, low=None, high=None, n=size.n, states=states)
    states = models.States(**aggregate.states)
    known["sql"] = None if aggregate.sql is None else models.Sql(**aggregate.sql)
    if run.status != "complete":
        return models.Row(**known, score=None, low=None, high=None, n=aggregate.n, states=states)
    return models.Row(
        **known, score=aggregate.score, low=aggregate.low, high=aggregate.high, n=aggregate.n, states=states
    )


def _expectation(expected: Mapping[tuple[str, str], Row[Any]], scope: str, kind: str, n: int) -> float | None:
    """Only where it stands for every question of the scope: half a data set's chance is no line to compare with."""
    row = expected.get((scope, kind))
    return row.value if row is not None and row.n == n else None


def _attribution(licence: Mapping[str, Any]) -> str:
    holders = licence.get("attribution", "© OpenStreetMap contributors")
    return f"{holders}, {licence.get('name', 'ODbL-1.0').replace('-', ' ')}"
