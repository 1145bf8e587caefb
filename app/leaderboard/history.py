"""Boards beside one another: of a data set's versions, or of a benchmark's data sets; a model's rank on each."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from app.core.errors import NotFound
from app.leaderboard import models, queries
from app.leaderboard.board import LICENCE_URL, ProfileName, attribution_of_versions
from app.leaderboard.comparing import Compared
from app.leaderboard.ranking import Candidate, select_runs
from app.leaderboard.setups import ranks_apart, tools_of
from app.questions.versions import find_version
from app.scores.paper_rules import find_profile_for
from app.scores.profiles import Profile
from app.scores.withholding import LEAST_HIDDEN, step_of_mean


def read_history(
    connection: Connection, name: str, versions: int = 20, profile: ProfileName = "trigpoint"
) -> models.History:
    """The boards of the newest versions, so many of them. Raises NotFound naming what there is."""
    found = find_version(connection, name)
    rules = find_profile_for(found.benchmark, profile)
    newest = connection.execute(queries.NEWEST_VERSIONS, {"name": found.name, "limit": versions}).all()
    return models.History(
        dataset=found.name,
        profile=rules.name,
        profile_version=rules.version,
        versions=[row.number for row in newest],
        rows=_rows(connection, newest, rules),
        attribution=attribution_of_versions(connection, [row.id for row in newest]),
        licence_url=LICENCE_URL,
    )


def read_benchmark_board(
    connection: Connection, benchmark: str, datasets: int = 50, profile: ProfileName = "trigpoint"
) -> models.BenchmarkBoard:
    """The newest boards of a benchmark's data sets, so many of them by name. Raises NotFound where it has none."""
    newest = connection.execute(
        queries.NEWEST_OF_BENCHMARK, {"benchmark": benchmark, "limit": datasets}
    ).all()
    if not newest:
        raise NotFound(f"No data set of benchmark {benchmark!r} is published.")
    rules = find_profile_for(benchmark, profile)
    return models.BenchmarkBoard(
        benchmark=benchmark,
        profile=rules.name,
        profile_version=rules.version,
        datasets=[models.DatasetVersion(dataset=row.name, version=row.number) for row in newest],
        rows=_rows(connection, newest, rules),
        attribution=attribution_of_versions(connection, [row.id for row in newest]),
        licence_url=LICENCE_URL,
    )


def _rows(connection: Connection, versions: Sequence[Row[Any]], rules: Profile) -> list[models.HistoryRow]:
    """Models by name, each with its rows on these boards in their order."""
    binds = {"versions": [row.id for row in versions], **rules.version_binds(), "run_kind": rules.run_kind}
    runs: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(queries.RUNS_OF_VERSIONS, binds):
        runs[row.version_id].append(row)
    compared = [Compared(*row) for row in connection.execute(queries.COMPARISONS_OF_VERSIONS, binds)]
    rows: dict[tuple[str, str], list[models.HistoryEntry]] = defaultdict(list)
    for version in versions:
        counted = version.hidden if version.hidden >= LEAST_HIDDEN and not rules.of_paper else 0
        for (label, solver), entry in _entries(version, runs[version.id], compared, counted):
            rows[label, solver].append(entry)
    return [
        models.HistoryRow(name=label, solver=solver, entries=entries)
        for (label, solver), entries in sorted(rows.items())
    ]


def _entries(
    version: Row[Any], runs: list[Row[Any]], compared: Iterable[Compared], counted: int
) -> Iterable[tuple[tuple[str, str], models.HistoryEntry]]:
    """The rows of one version's board, which counts so many hidden questions.

    Runs that ask a sample, or count public questions alone, are on none of them.
    """
    whole = [run for run in runs if run.sample is None and not run.public_only]
    candidates = (Candidate(run.id, run.label, run.solver, _has_score(run)) for run in whole)
    shown = {one.run for one in select_runs(candidates)}
    scored = sorted(
        (run for run in whole if run.id in shown and _has_score(run)),
        key=lambda run: (-run.score, run.label, run.id),
    )
    with_tools = frozenset(run.id for run in scored if tools_of(run.presentation) is not None)
    places = ranks_apart([run.id for run in scored], with_tools, list(compared))
    for run in whole:
        if run.id not in shown:
            continue
        told = _has_score(run)
        yield (
            (run.label, run.solver),
            models.HistoryEntry(
                dataset=version.name,
                version=version.number,
                run=run.id,
                rank=places.get(run.id),
                score=run.score if told else None,
                step=step_of_mean(counted, run.n or 0),
                low=run.low if told else None,
                high=run.high if told else None,
                n=run.n or 0,
                status=run.status,
            ),
        )


def _has_score(run: Row[Any]) -> bool:
    return bool(run.status == "complete" and run.score is not None)
