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
from app.papers.cells import fill_cells, only_shown
from app.papers.definitions import (
    Counts,
    Effort,
    PaperTables,
    Ranking,
    TableAnswer,
    TableQuestion,
    TableRules,
    TableRun,
    find_paper,
    paper_of,
)
from app.papers.models import PaperCell, PaperReport, PaperRow, PaperRun, PaperTable
from app.papers.ranking import rank_table
from app.questions.gold import DEFAULT_KEY, UNANSWERABLE
from app.scores.intervals import METHOD
from app.scores.paper_rules import find_profile_for
from app.scores.profiles import Profile
from app.solvers.run_kinds import ANSWERS, JUDGEMENT
from app.templates.catalogue import find_reference
from app.templates.reference import Reference, ReferencePart

MOST_RUNS = 20
"""Rows of ours in one table."""


@dataclass(frozen=True)
class RunScores:
    """A run, the questions of it that count, and what it answered to each."""

    run: PaperRun
    benchmark: str
    asked: TableRun
    questions: Sequence[TableQuestion]
    answers: Mapping[str, Sequence[TableAnswer]]


def read_paper(connection: Connection, name: str, run_ids: Sequence[int]) -> PaperReport:
    """The tables of the paper with these runs, each once; with none of ours where no run is given.

    Raises NotFound for a paper or a run that there is not, UsageError for a run of another benchmark or kind,
    Conflict for one that is not complete, or lacks scores by the paper's rules.
    """
    if not connection.in_transaction():
        connection.execution_options(isolation_level="REPEATABLE READ")
    papers = {one.benchmark: one for one in find_paper(name)}
    references = {benchmark: _reference(one) for benchmark, one in papers.items()}
    first = next(iter(references.values()))
    wanted = list(dict.fromkeys(run_ids))
    if len(wanted) > MOST_RUNS:
        raise UsageError(f"A table shows {MOST_RUNS} runs at most; {len(wanted)} are given.")
    profiles = {benchmark: _profiles(one) for benchmark, one in papers.items()}
    runs = [_read_run(connection, name, papers, profiles, run_id) for run_id in wanted]
    return PaperReport(
        paper=name,
        title=first.paper,
        url=first.url,
        benchmarks=list(papers),
        map=first.map,
        profiles={rules.name: rules.version for found in profiles.values() for rules in found},
        interval=METHOD,
        systems={label: told for one in references.values() for label, told in one.columns.items()},
        runs=[one.run for one in runs],
        tables=sorted(
            (
                table
                for benchmark, one in papers.items()
                for table in _tables(
                    one, references[benchmark], [run for run in runs if run.benchmark == benchmark]
                )
            ),
            key=lambda table: (table.table == 0, table.table),
        ),
        notes=[
            notes.published(first),
            *(note for one in papers.values() for note in one.notes),
            *notes.READING,
        ],
        attribution=ATTRIBUTION,
        licence_url=LICENCE_URL,
    )


def _reference(paper: PaperTables) -> Reference:
    found = find_reference(paper.benchmark, paper.figures)
    assert found is not None, "tables are defined over the paper's figures"
    return found


def _profiles(paper: PaperTables) -> list[Profile]:
    """The rules of the paper's scores, those that give its boards first."""
    return [find_profile_for(paper.benchmark, one) for one in (paper.profile, *paper.further_profiles)]


def _tables(paper: PaperTables, reference: Reference, runs: Sequence[RunScores]) -> list[PaperTable]:
    """The tables of one benchmark, ranks after what they are ranks of."""
    made = [_count_table(one, part_of(reference, one), reference, runs) for one in paper.counts]
    made += [_table(one, part_of(reference, one), reference, runs) for one in paper.tables]
    by_number = {table.table: table for table in made}
    ranked = [
        rank_table(one, part_of(reference, one), reference, by_number[one.by], [run.run for run in runs])
        for one in paper.rankings
    ]
    return [*made, *ranked]


def part_of(reference: Reference, rules: TableRules | Ranking | Counts) -> ReferencePart:
    """The published figures of a measure."""
    (found,) = [
        part for part in reference.parts if part.table == rules.table and part.measure == rules.measure
    ]
    return found


def _read_run(
    connection: Connection,
    name: str,
    papers: Mapping[str, PaperTables],
    profiles: Mapping[str, Sequence[Profile]],
    run_id: int,
) -> RunScores:
    run = connection.execute(queries.RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    _check(name, papers, run)
    paper, rules = papers[run.benchmark], profiles[run.benchmark]
    binds = {"version_id": run.version_id, "sample": run.sample}
    rows = connection.execute(queries.QUESTIONS, binds).all()
    counted = [row for row in rows if _counts(row, paper, rules[0])]
    questions = [
        TableQuestion(
            row.id,
            row.template,
            row.place,
            row.register,
            row.parameters,
            row.rubric,
            row.tier,
            tuple(row.stations or ()),
        )
        for row in counted
    ]
    answers: dict[str, list[TableAnswer]] = {one.id: [] for one in questions}
    for profile in rules:
        _add_answers(connection, run_id, profile, paper, answers)
    hidden = connection.execute(queries.HIDDEN, {"version_id": run.version_id}).scalar_one()
    differences = notes.of_run(run, paper, questions, len(rows), hidden)
    asked = TableRun(run.solver, run.presentation)
    return RunScores(
        _run(connection, run, len(questions), differences), run.benchmark, asked, questions, answers
    )


def _counts(row: Row[Any], paper: PaperTables, profile: Profile) -> bool:
    if paper.run_kind == JUDGEMENT:
        return row.rubric is not None
    return row.scorer in profile.scorers and (paper.counts_unanswerable or row.gold_kind != UNANSWERABLE)


def _check(name: str, papers: Mapping[str, PaperTables], run: Row[Any]) -> None:
    if run.benchmark not in papers:
        fitting = paper_of(run.benchmark, run.kind)
        hint = (
            f"`trigpoint paper {fitting} {run.id}` shows it." if fitting else "Its paper has no tables here."
        )
        told = " and ".join(papers)
        raise UsageError(
            f"Run {run.id} is of the benchmark {run.benchmark}, and the paper {name} is about {told}. {hint}"
        )
    wanted = papers[run.benchmark].run_kind
    if run.kind != wanted and wanted == ANSWERS:
        raise UsageError(f"Run {run.id} is a judge's: only runs of answers stand in these tables.")
    if run.kind != wanted:
        raise UsageError(
            f"Run {run.id} is of answers, and these tables count the marks of judges: `trigpoint run judge {run.id} "
            "--endpoint URL` makes a judge's run."
        )
    if run.status != "complete":
        raise Conflict(
            f"Run {run.id} is {run.status}: only complete runs stand in a paper's tables. `trigpoint run "
            f"{'resume' if run.status == 'paused' else 'retry'} {run.id}` asks for what is missing."
        )


def _add_answers(
    connection: Connection,
    run_id: int,
    profile: Profile,
    paper: PaperTables,
    found: Mapping[str, list[TableAnswer]],
) -> None:
    """Append to each question its answers as a profile scores them."""
    unscored = 0
    binds = {
        "run_id": run_id,
        "profile": profile.name,
        "scorers": canonical_json(profile.stored_versions()),
        "gold_key": DEFAULT_KEY,
    }
    moves = count_moves(connection, run_id, paper)
    efforts = _read_efforts(connection, run_id, paper)
    for row in connection.execute(queries.ANSWERS, binds):
        if row.question_id in found:
            counted = None if moves is None else moves.get(row.prediction, 0)
            told = TableAnswer(*row[1:-1])._replace(
                profile=profile.name, moves=counted, effort=efforts.get(row.prediction)
            )
            found[row.question_id].append(told)
            unscored += row.state == "answered" and row.outcome is None
    if unscored:
        raise Conflict(
            f"Run {run_id} has {unscored} answers without scores by the rules {profile.name} {profile.version}. "
            f"`trigpoint run rescore {run_id}` makes them from the stored answers."
        )


def count_moves(connection: Connection, run_id: int, paper: PaperTables) -> Mapping[int, int] | None:
    """The moves on the way to each prediction that had any, by its number; None where no table asks for them."""
    if paper.move_tool is None:
        return None
    rows = connection.execute(queries.MOVES, {"run_id": run_id, "tool": paper.move_tool})
    return {row.prediction: row.moves for row in rows}


def _read_efforts(connection: Connection, run_id: int, paper: PaperTables) -> Mapping[int, Effort]:
    """What each prediction took whose calls are stored, by its number; nothing where no table asks for it."""
    if not paper.reads_effort:
        return {}
    rows = connection.execute(queries.EFFORTS, {"run_id": run_id})
    return {row.prediction: Effort(row.seconds, row.input_tokens, row.output_tokens) for row in rows}


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
        judged=run.presentation["judging"]["run"] if run.kind == JUDGEMENT else None,
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
        place=part.place or f"Table {part.table}",
        title=part.title,
        measure=part.measure,
        better=part.better,
        unit=rules.unit,
        decimals=rules.decimals,
        columns=rules.names,
        rows=published + mine,
        notes=[*([part.note] if part.note else []), *rules.notes],
    )


def _count_table(
    rules: Counts, part: ReferencePart, reference: Reference, runs: Sequence[RunScores]
) -> PaperTable:
    """The table of what the data are: whole numbers, without intervals."""
    published = [
        PaperRow(
            kind="published",
            key=key,
            name=reference.columns[key],
            cells={name: _count_cell(part.rows[name][place]) for name in rules.columns},
        )
        for place, key in enumerate(part.columns)
    ]
    mine = [
        PaperRow(
            kind="mine",
            key=str(one.run.run),
            name=one.run.name,
            cells={name: PaperCell(value=count(one.questions)) for name, count in rules.columns.items()},
        )
        for one in runs
    ]
    return PaperTable(
        table=part.table,
        place=part.place or f"Table {part.table}",
        title=part.title,
        measure=part.measure,
        better=part.better,
        unit="count",
        decimals=0,
        columns=list(rules.columns),
        rows=published + mine,
        notes=[*([part.note] if part.note else []), *rules.notes],
    )


def _count_cell(figure: float | None) -> PaperCell | None:
    return None if figure is None else PaperCell(value=figure)


def _published(rules: TableRules, figures: Mapping[str, float | None]) -> dict[str, PaperCell | None]:
    known = {**figures, **{name: follows(figures) for name, follows in rules.derived.items()}}
    values = {name: None if one is None else PaperCell(value=one) for name, one in known.items()}
    return only_shown(rules, values)
