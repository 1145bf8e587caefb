"""`trigpoint run judge`: have a model mark a finished run's answers by rubrics, and score its verdicts."""

import os
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.table import Table
from sqlalchemy import Connection

from app.cli.cells import cell, words
from app.cli.local_worker import LocalWorker
from app.cli.output import emit, say
from app.cli.spending import spent
from app.cli.tables import pairs
from app.cli.waiting import leave, see_through
from app.core.clock import SystemClock
from app.core.errors import SettingsError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.bodies import BODY
from app.inference.checking import base_url, check_endpoint
from app.leaderboard import formatting
from app.predictions.messages import Messenger, make_celery
from app.predictions.progress import Progress, progress_of
from app.predictions.runs import (
    EndpointRow,
    RunPlan,
    error_reasons,
    find_complete,
    find_endpoint,
    known_endpoint,
    plan_run,
    store_endpoint,
)
from app.scores.scoring import runs_of_old_profile, score_run
from app.scores.verdicts import JudgedRun, judged_run
from app.solvers import find_solver
from app.solvers.judge import find_judged, judging
from app.solvers.names import JUDGE
from app.solvers.run_kinds import JUDGEMENT


def judge(
    run_id: Annotated[int, typer.Argument(help="the number of the run whose answers are judged")],
    endpoint: Annotated[
        str, typer.Option(help="the judge's endpoint: URL up to /v1, or the name of a stored endpoint")
    ],
    model: Annotated[
        str | None, typer.Option(help="the judge's model; needed if the endpoint lists several")
    ] = None,
    key_variable: Annotated[str | None, typer.Option(help="environment variable that holds the key")] = None,
    temperature: Annotated[float, typer.Option(min=0, max=2, help="of the judge")] = 0.6,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 101, help="sent to the judge")] = 0,
    schema: Annotated[
        bool, typer.Option("--schema/--no-schema", help="send the verdict's JSON schema to the endpoint")
    ] = True,
    detach: Annotated[bool, typer.Option("--detach", help="do not wait")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Ask a model to mark a complete run's answers by rubrics. The same command again goes on or returns the result."""
    settings = Settings.load()
    with LocalWorker(settings) as worker:
        if not detach:
            worker.stand_by()
        messenger = Messenger(make_celery(settings))
        with connect(settings, Role.WORKER) as connection:
            plan, judge_name = _plan(connection, run_id, seed, temperature, schema)
            stored = _endpoint(connection, endpoint, model, key_variable, settings)
            sampling = plan.sampling | ({BODY: dict(stored.body)} if stored.body else {})
            label = f"{judge_name}, judged by {stored.model}"
            plan = replace(plan, endpoint_id=stored.id, label=label, sampling=sampling)
            judge_id = find_complete(connection, plan)
            if judge_id is None:
                messenger.check()
                judge_id = plan_run(connection, plan, SystemClock().now(), settings.batch_size).id
            connection.commit()
            found = progress_of(connection, judge_id)
            if judge_id in runs_of_old_profile(connection):
                say("Its verdicts were scored by older rules: they are scored again, and nothing is asked.")
                score_run(connection, judge_id)
                connection.commit()
        say(f"Run {judge_id}: {stored.model} judges run {run_id}.")
        if not (found.status == "complete" and found.scored):
            if detach:
                leave(settings, messenger, judge_id)
                emit(found.as_json(), as_json)
                return
            found = see_through(settings, messenger, worker, judge_id)
    _report(settings, found, run_id, as_json)


def _plan(
    connection: Connection, run_id: int, seed: int, temperature: float, schema: bool
) -> tuple[RunPlan, str]:
    """The judge's run but for its endpoint, and the name of who is judged."""
    judged = find_judged(connection, run_id)
    told: dict[str, Any] = judging(run_id, schema=schema)
    if judged.presentation.get("rotate"):
        told |= {"rotate": True}
    plan = RunPlan(
        judged.version_id,
        JUDGE,
        find_solver(JUDGE).version,
        judged.label,
        seed,
        sampling={"temperature": temperature},
        repeats=judged.repeats,
        presentation=told,
        sample=judged.sample,
        kind=JUDGEMENT,
    )
    return plan, judged.label


def _endpoint(
    connection: Connection, given: str, model: str | None, variable: str | None, settings: Settings
) -> EndpointRow:
    """The judge's endpoint as stored; one whose model is named and known is not looked at before it is asked."""
    if "://" not in given:
        return find_endpoint(connection, given)
    url = base_url(given)
    known = known_endpoint(connection, url, model, variable) if model else None
    if known is not None:
        return known
    key = os.environ.get(variable) if variable else None
    if variable and not key:
        raise SettingsError(
            f"The environment variable {variable} is not set; it should hold the endpoint's key."
        )
    listed = check_endpoint(url, model, key, settings.request_timeout_seconds)
    return store_endpoint(connection, url, listed, variable, SystemClock().now())


def _report(settings: Settings, found: Progress, run_id: int, as_json: bool) -> None:
    """Print what the verdicts came to; exit 1 where some are lacking."""
    with connect(settings, Role.WORKER) as connection:
        result = judged_run(connection, found.run, run_id)
        reasons = error_reasons(connection, found.run, limit=3)
    marks = [
        formatting.mark(one["step"], one["n"]) for one in result.scores.values() if one["step"] is not None
    ]
    emit(found.as_json() | result.as_json(), as_json, _table(found, result), *marks[:1])
    if found.status == "complete":
        return
    for reason, count in reasons:
        say(f"{count:,} × {reason}")
    say(
        f"trigpoint: run {found.run} is {found.status}: {found.states['error']:,} of {found.total:,} verdicts are "
        "lacking, by a fault of the judge's or ours: nothing is ranked. Remove the cause, then give the same command "
        "again: it asks only for these verdicts."
    )
    raise typer.Exit(1)


def _table(found: Progress, result: JudgedRun) -> Table:
    rows = []
    for profile, score in result.scores.items():
        value = "none: verdicts are lacking"
        if score["score"] is not None:
            mean, step = 100 * score["score"], score["step"]
            value = f"{formatting.stepped(f'{mean:.2f}', step)} %"
        rows.append((profile, value))
    for task, points in result.tasks.items():
        answers = ", ".join(f"{points[name]:.2f} ({name})" for name in result.scores if name in points)
        rows.append((f"{task}, {points['n']:,} answers", f"reason {points['reason']:.2f}, answer {answers}"))
    rows += [(words(name), cell(count)) for name, count in result.asked.items()]
    return pairs([*rows, *spent(result.cost)], f"run {found.run}: {found.label} on {found.dataset}")
