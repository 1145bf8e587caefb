"""Makes a report card of stored runs: the one function behind the command, REST and the page. Read as the api role."""

import math
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from app import __version__
from app.core.errors import UsageError
from app.inference.bodies import MAX_COMPLETION_TOKENS, MAX_TOKENS
from app.leaderboard.board import LICENCE_URL, attribution_of_versions
from app.leaderboard.contamination import find_canaries
from app.report_cards import queries_measuring as queries
from app.report_cards.entries import CardRun
from app.report_cards.measuring_dials import measure_dials
from app.report_cards.measuring_errors import count_errors
from app.report_cards.measuring_examples import choose_examples
from app.report_cards.measuring_figures import figure_of, pool_of, skill_figures, template_figures
from app.report_cards.measuring_forms import measure_forms
from app.report_cards.measuring_fresh import measure_fresh
from app.report_cards.measuring_others import OtherRuns, headline, names_of, reference_row
from app.report_cards.measuring_pairs import compare_all, compare_by_skill, pair_up
from app.report_cards.measuring_runs import MeasuredRun, measure_runs
from app.report_cards.models import (
    CardContent,
    CardSpent,
    Comparison,
    JudgedRun,
    MapOfCard,
    OtherWay,
    PaperFigures,
    RunOfCard,
)
from app.scores.intervals import METHOD
from app.scores.pairs import TEST
from app.scores.profiles import TRIGPOINT
from app.scores.verdicts import HYBRID
from app.templates.catalogue import find_reference
from app.templates.reference import ReferencePart


def make_card(
    connection: Connection,
    runs: Sequence[CardRun],
    *,
    others: Sequence[OtherRuns] = (),
    suite: str | None = None,
    endpoint: str | None = None,
    left_out: Sequence[str] = (),
) -> CardContent:
    """The card of these runs of one model, in the order of its suite, beside runs of others.

    Of each data set version the first run without tools counts in overall figures; other runs of it are compared with
    that one, and so are its variants (`variants.py`). Runs that are not complete give no score, and the card says why.
    `endpoint` is the name of its record; `left_out` says in sentences what the suite asks for besides. Raises NotFound
    for a run that there is not, UsageError without runs and for the run of a judge.
    """
    if not runs:
        raise UsageError("A report card needs a run at least.")
    _at_one_moment(connection)
    beside = [entry for other in others for entry in other.runs]
    measured = measure_runs(connection, [*runs, *beside])
    asked, rest = measured[: len(runs)], measured[len(runs) :]
    own = [run for run in asked if run.entry.variant is None] or asked
    of_model = [run for run in own if run.calls_model] or own
    counted = headline(of_model)
    pool = pool_of(counted)
    model = _name(counted)
    groups = _grouped(others, rest)
    references = [
        *(reference_row(run.about.label, [run]) for run in own if run not in of_model),
        *(reference_row(name, of_name) for name, of_name in groups),
    ]
    shown = [run for run in asked if run in of_model or run not in own]
    spent = _read_spent(connection, shown)
    versions = list(dict.fromkeys(run.about.version_id for run in asked))
    templates = template_figures(pool)
    return CardContent(
        trigpoint=__version__,
        answered_until=_end_of(shown),
        model=model,
        endpoint=endpoint,
        suite=suite,
        maps=_read_maps(connection, versions),
        attribution=attribution_of_versions(connection, versions),
        licence_url=LICENCE_URL,
        interval=METHOD,
        test=TEST,
        overall=figure_of(pool),
        skills=skill_figures(pool),
        templates=templates,
        examples=choose_examples(connection, pool, templates),
        errors=count_errors(connection, counted),
        ways=_ways(of_model, counted),
        forms=measure_forms(connection, shown),
        fresh=measure_fresh(connection, shown),
        canaries=find_canaries(connection, [run.about.id for run in shown]),
        dials=measure_dials(connection, counted),
        judged=_read_judged(connection, own),
        references=references,
        papers=_papers(list(dict.fromkeys(run.about.benchmark for run in counted))),
        comparisons=[
            _compare(counted, name, of_name, model)
            for name, of_name in groups
            if any(run.calls_model for run in of_name)
        ],
        runs=[_run(run, spent.get(run.about.id), is_counted=run in counted) for run in shown],
        spent=_sum([spent[run.about.id] for run in shown if run.about.id in spent]),
        left_out=list(left_out),
    )


def _at_one_moment(connection: Connection) -> None:
    if not connection.in_transaction():
        connection.execution_options(isolation_level="REPEATABLE READ")


def _end_of(runs: Sequence[MeasuredRun]) -> datetime | None:
    """When the last run ended; None where one has not. No clock is read: the same runs give the same card."""
    ends = [run.about.finished_at for run in runs]
    return None if None in ends else max(ends)


def _name(runs: Sequence[MeasuredRun]) -> str:
    """What boards call the model: whom runs asked besides is told to keys alone."""
    return ", ".join(dict.fromkeys(names_of(run.about for run in runs).values()))


def _grouped(
    others: Sequence[OtherRuns], measured: Sequence[MeasuredRun]
) -> list[tuple[str, list[MeasuredRun]]]:
    """The runs of others by name; those that call no model by name and solver."""
    left = iter(measured)
    found: dict[tuple[str, str | None], list[MeasuredRun]] = {}
    for other in others:
        for _ in other.runs:
            run = next(left)
            key = (other.name, None if run.calls_model else run.about.solver)
            found.setdefault(key, []).append(run)
    return [(name, of_name) for (name, _), of_name in found.items()]


def _compare(
    counted: Sequence[MeasuredRun], name: str, theirs: Sequence[MeasuredRun], model: str
) -> Comparison:
    pairs = [(one, two) for one, two in pair_up(counted, headline(theirs)) if one.has_tools == two.has_tools]
    return Comparison(
        name=name,
        datasets=[run.about.reference for run, _ in pairs],
        rows=compare_by_skill(pairs, model, name),
    )


def _ways(runs: Sequence[MeasuredRun], counted: Sequence[MeasuredRun]) -> list[OtherWay]:
    """The runs that overall figures do not count, by solver and set of tools, each beside those that they count."""
    found: dict[tuple[str, str | None], list[MeasuredRun]] = {}
    for run in runs:
        if run not in counted:
            found.setdefault((run.about.solver, run.entry.tool_set), []).append(run)
    return [_way(solver, tools, of_way, counted) for (solver, tools), of_way in found.items()]


def _way(
    solver: str, tools: str | None, runs: Sequence[MeasuredRun], counted: Sequence[MeasuredRun]
) -> OtherWay:
    versions = {run.about.version_id for run in runs}
    beside = [run for run in counted if run.about.version_id in versions]
    pairs = pair_up(runs, beside)
    usual = ", ".join(dict.fromkeys(run.about.solver for run in beside))
    beside_tools = next((run.entry.tool_set for run in beside if run.has_tools), None)
    what = name_way(solver, tools, is_usual_with_tools=beside_tools is not None)
    waiting = [run for run in (*runs, *beside) if not run.is_complete]
    why = "; ".join(f"run {run.about.id} is {run.about.status}" for run in waiting) or None
    return OtherWay(
        name=what,
        solver=solver,
        tool_set=tools,
        beside=usual,
        beside_tool_set=beside_tools,
        datasets=[run.about.reference for run, _ in pairs],
        difference=None if waiting else compare_all(pairs, what, usual),
        why=why,
    )


def name_way(solver: str, tools: str | None, *, is_usual_with_tools: bool = False) -> str:
    """What a way of asking is called in sentences."""
    if tools is None:
        return f"{solver} without tools" if is_usual_with_tools else solver
    return "with tools" if solver == "tools" else f"{solver} with tools"


def _run(run: MeasuredRun, spent: CardSpent | None, *, is_counted: bool) -> RunOfCard:
    return RunOfCard(
        run=run.about.id,
        key=run.entry.key,
        dataset=run.about.reference,
        benchmark=run.about.benchmark,
        solver=run.about.solver,
        tool_set=run.entry.tool_set,
        solver_version=run.about.solver_version,
        seed=run.about.seed,
        repeats=run.about.repeats,
        temperature=run.about.sampling.get("temperature"),
        max_tokens=run.about.sampling.get(MAX_TOKENS) or run.about.sampling.get(MAX_COMPLETION_TOKENS),
        variant=run.entry.variant,
        status=run.about.status,
        counted=is_counted,
        figure=figure_of(pool_of([run])),
        spent=spent,
        started_at=run.about.created_at,
        finished_at=run.about.finished_at,
    )


def _read_spent(connection: Connection, runs: Sequence[MeasuredRun]) -> dict[int, CardSpent]:
    """What the calls of each run took, as boards tell it; none of runs that call no model."""
    binds = {"runs": [run.about.id for run in runs], "profile": TRIGPOINT.name}
    return {
        row.run_id: CardSpent(
            calls=row.calls,
            prompt_tokens=row.prompt_tokens,
            completion_tokens=row.completion_tokens,
            cost=row.cost,
            currency=row.currency,
            latency_median_ms=row.latency_median_ms,
        )
        for row in connection.execute(queries.SPENT, binds)
        if row.calls or row.prompt_tokens
    }


def _read_judged(connection: Connection, runs: Sequence[MeasuredRun]) -> list[JudgedRun]:
    """What judges say of the runs; nothing of versions with hidden questions."""
    binds = {
        **HYBRID.version_binds(),
        "runs": [run.about.id for run in runs],
        "versions": sorted({run.about.version_id for run in runs}),
    }
    return [
        JudgedRun(
            run=row.id,
            judged=row.judged,
            name=row.label,
            dataset=row.reference,
            n=row.n,
            score=row.score,
            low=row.low,
            high=row.high,
        )
        for row in connection.execute(queries.JUDGEMENTS, binds)
    ]


def _sum(spent: Sequence[CardSpent]) -> CardSpent | None:
    if not spent:
        return None
    currencies = {one.currency for one in spent}
    costs = [one.cost for one in spent if one.cost is not None]
    is_known = len(costs) == len(spent) and len(currencies) == 1
    return CardSpent(
        calls=sum(one.calls for one in spent),
        prompt_tokens=sum(one.prompt_tokens for one in spent),
        completion_tokens=sum(one.completion_tokens for one in spent),
        cost=math.fsum(costs) if is_known else None,
        currency=next(iter(currencies)) if is_known else None,
        latency_median_ms=spent[0].latency_median_ms if len(spent) == 1 else None,
    )


def _read_maps(connection: Connection, versions: Sequence[int]) -> list[MapOfCard]:
    return [
        MapOfCard(
            name=row.name,
            timestamp=row.data_timestamp,
            checksum=row.checksum,
            planted=sum(row.planted.values()),
        )
        for row in connection.execute(queries.MAPS, {"versions": list(versions)})
    ]


def _papers(benchmarks: Sequence[str]) -> list[PaperFigures]:
    """Of each benchmark whose paper reports scores as shares: the first of these tables, a row a model."""
    found = []
    for benchmark in benchmarks:
        reference = find_reference(benchmark)
        part = next(filter(_has_scores, reference.parts), None) if reference else None
        if reference is None or part is None:
            continue
        found.append(
            PaperFigures(
                benchmark=benchmark,
                paper=reference.paper,
                url=reference.url,
                map=reference.map,
                title=part.title,
                measure=part.measure,
                columns=list(part.rows),
                rows={
                    reference.columns[column]: [cells[place] for cells in part.rows.values()]
                    for place, column in enumerate(part.columns)
                },
            )
        )
    return found


def _has_scores(part: ReferencePart) -> bool:
    """Whether a table says how good answers are, and not how many there are."""
    return part.unit == "share" and part.better == "higher" and part.measure != "share attempted"
