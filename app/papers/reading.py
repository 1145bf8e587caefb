"""Reads a paper's tables with runs: the one function behind `trigpoint paper`, GET /v1/papers/{paper} and the page.

Reads stored scores, predictions and proofs as the api role: row-level security leaves out those of hidden questions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, UsageError
from app.core.identity import canonical_json
from app.leaderboard.board import ATTRIBUTION, LICENCE_URL
from app.leaderboard.models import MapSource
from app.leaderboard.queries import SNAPSHOTS
from app.papers import notes, queries
from app.papers.cells import fill_cells
from app.papers.definitions import (
    PaperTables,
    TableAnswer,
    TableQuestion,
    TableRules,
    TableRun,
    find_paper,
    paper_of,
)
from app.papers.models import PaperCell, PaperReport, PaperRow, PaperRun, PaperTable
from app.questions.gold import DEFAULT_KEY, UNANSWERABLE
from app.scores.intervals import METHOD
from app.scores.paper_rules import find_profile_for
from app.scores.profiles import Profile
from app.solvers.run_kinds import ANSWERS
from app.templates.catalogue import find_reference
from app.templates.reference import Reference, ReferencePart

MOST_RUNS = 20
"""Rows of ours in one table."""


@dataclass(frozen=True)
class RunScores:
    """A run, the questions of it that count, and what it answered to each."""

    run: PaperRun
    asked: TableRun
    questions: Sequence[TableQuestion]
    answers: Mapping[str, Sequence[TableAnswer]]


def read_paper(connection: Connection, name: str, run_ids: Sequence[int]) -> PaperReport:
    """The tables of the paper with these runs, each once; with none of ours where no run is given.

    Raises NotFound for a paper or a run that there is not, UsageError for a run of another benchmark or of a judge,
    Conflict for one that is not complete, or lacks scores by the paper's rules.
    """
    if not connection.in_transaction():
        connection.execution_options(isolation_level="REPEATABLE READ")
    paper = find_paper(name)
    reference = find_reference(paper.benchmark)
    assert reference is not None, "tables are defined over the paper's figures"
    wanted = list(dict.fromkeys(run_ids))
    if len(wanted) > MOST_RUNS:
        raise UsageError(f"A table shows {MOST_RUNS} runs at most; {len(wanted)} are given.")
    profile = find_profile_for(paper.benchmark, paper.profile)
    runs = [_read_run(connection, name, paper, profile, run_id) for run_id in wanted]
    return PaperReport(
        paper=name,
        title=reference.paper,
        url=reference.url,
        benchmark=paper.benchmark,
        map=reference.map,
        profile=profile.name,
        profile_version=profile.version,
        interval=METHOD,
        systems=reference.columns,
        runs=[one.run for one in runs],
        tables=[_table(one, part_of(reference, one), reference, runs) for one in paper.tables],
        notes=[notes.published(reference), *paper.notes, *notes.READING],
        attribution=ATTRIBUTION,
        licence_url=LICENCE_URL,
    )


def part_of(reference: Reference, rules: TableRules) -> ReferencePart:
    """The published figures of a measure."""
    (found,) = [
        part for part in reference.parts if part.table == rules.table and part.measure == rules.measure
    ]
    return found


def _read_run(
    connection: Connection, name: str, paper: PaperTables, profile: Profile, run_id: int
) -> RunScores:
    run = connection.execute(queries.RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    _check(name, paper, run)
    binds = {"version_id": run.version_id, "sample": run.sample}
    rows = connection.execute(queries.QUESTIONS, binds).all()
    counted = [
        row
        for row in rows
        if row.scorer in profile.scorers and (paper.counts_unanswerable or row.gold_kind != UNANSWERABLE)
    ]
    questions = [
        TableQuestion(row.id, row.template, row.place, row.register, row.parameters) for row in counted
    ]
    answers = _answers(connection, run_id, profile, questions)
    hidden = connection.execute(queries.HIDDEN, {"version_id": run.version_id}).scalar_one()
    differences = notes.of_run(run, paper, questions, len(rows), hidden)
    asked = TableRun(run.solver, run.presentation)
    return RunScores(_run(connection, run, len(questions), differences), asked, questions, answers)


def _check(name: str, paper: PaperTables, run: Row[Any]) -> None:
    if run.benchmark != paper.benchmark:
        fitting = paper_of(run.benchmark)
        hint = (
            f"`trigpoint paper {fitting} {run.id}` shows it." if fitting else "Its paper has no tables here."
        )
        raise UsageError(
            f"Run {run.id} is of the benchmark {run.benchmark}, and the paper {name} is about {paper.benchmark}. {hint}"
        )
    if run.kind != ANSWERS:
        raise UsageError(f"Run {run.id} is a judge's: only runs of answers stand in a paper's tables.")
    if run.status != "complete":
        raise Conflict(
            f"Run {run.id} is {run.status}: only complete runs stand in a paper's tables. `trigpoint run retry"
            f" {run.id}` asks for what is missing."
        )


def _answers(
    connection: Connection, run_id: int, profile: Profile, questions: Sequence[TableQuestion]
) -> dict[str, list[TableAnswer]]:
    found: dict[str, list[TableAnswer]] = {one.id: [] for one in questions}
    unscored = 0
    binds = {
        "run_id": run_id,
        "profile": profile.name,
        "scorers": canonical_json(dict(profile.scorers)),
        "gold_key": DEFAULT_KEY,
    }
    for row in connection.execute(queries.ANSWERS, binds):
        if row.question_id in found:
            found[row.question_id].append(TableAnswer(*row[1:]))
            unscored += row.state == "answered" and row.outcome is None
    if unscored:
        raise Conflict(
            f"Run {run_id} has {unscored} answers without scores by the rules {profile.name} {profile.version}. "
            f"`trigpoint run rescore {run_id}` makes them from the stored answers."
        )
    return found


def _run(connection: Connection, run: Row[Any], questions: int, differences: list[str]) -> PaperRun:
    snapshots = connection.execute(SNAPSHOTS, {"version_id": run.version_id})
    return PaperRun(
        run=run.id,
        name=run.label,
        dataset=run.dataset,
        snapshots=[MapSource(**row._mapping) for row in snapshots],
        solver=run.solver,
        endpoint=run.endpoint,
        model=run.model,
        finished_at=run.finished_at,
        questions=questions,
        notes=differences,
    )


def _table(
    rules: TableRules, part: ReferencePart, reference: Reference, runs: Sequence[RunScores]
) -> PaperTable:
    published = [
        PaperRow(
            kind="published",
            key=key,
            name=reference.columns[key],
            cells=_published(rules, {row: figures[place] for row, figures in part.rows.items()}),
        )
        for place, key in enumerate(part.columns)
    ]
    mine = [
        PaperRow(
            kind="mine",
            key=str(one.run.run),
            name=one.run.name,
            cells=fill_cells(rules, one.questions, one.answers),
        )
        for one in runs
        if rules.takes(one.asked)
    ]
    return PaperTable(
        table=part.table,
        title=part.title,
        measure=part.measure,
        better=part.better,
        unit=rules.unit,
        decimals=rules.decimals,
        columns=rules.names,
        rows=published + mine,
        notes=[*([part.note] if part.note else []), *rules.notes],
    )


def _published(rules: TableRules, figures: Mapping[str, float | None]) -> dict[str, PaperCell | None]:
    values = {name: figures.get(name) for name in rules.names}
    return {name: None if value is None else PaperCell(value=value) for name, value in values.items()}
