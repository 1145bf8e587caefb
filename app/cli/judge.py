"""`trigpoint run judge`: have a model mark a finished run's answers by rubrics, and score its verdicts."""

from typing import Annotated

import typer
from rich.table import Table

from app.cli.cells import cell, words
from app.cli.local_worker import LocalWorker
from app.cli.output import emit, say
from app.cli.spending import spent
from app.cli.tables import pairs
from app.cli.waiting import leave, see_through
from app.core.settings import Settings
from app.leaderboard import formatting
from app.operations.endpoints import EndpointChoice
from app.operations.judge import JudgeRequest, read_verdicts, start_judge
from app.operations.score import score_again
from app.predictions.messages import Messenger, make_celery
from app.predictions.progress import Progress
from app.scores.verdicts import JudgedRun


def judge(
    run_id: Annotated[int, typer.Argument(help="the number of the run whose answers are judged")],
    endpoint: Annotated[
        str, typer.Option(help="the judge's endpoint: URL up to /v1, or the name of a stored endpoint")
    ],
    model: Annotated[
        str | None, typer.Option(help="the judge's model; needed if the endpoint lists several")
    ] = None,
    key_variable: Annotated[str | None, typer.Option(help="environment variable that holds the key")] = None,
    temperature: Annotated[float, typer.Option(min=0, max=2, help="temperature of the judge")] = 0.6,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 101, help="sent to the judge")] = 0,
    schema: Annotated[
        bool, typer.Option("--schema/--no-schema", help="send the verdict's JSON schema to the endpoint")
    ] = True,
    detach: Annotated[bool, typer.Option("--detach", help="do not wait")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Ask a model to mark a complete run's answers by rubrics. The same command again continues or shows the result."""
    settings = Settings.load()
    choice = EndpointChoice(endpoint, model, key_variable)
    request = JudgeRequest(run_id, choice, temperature, seed, schema)
    with LocalWorker(settings) as worker:
        if not detach:
            worker.stand_by()
        messenger = Messenger(make_celery(settings))
        started = start_judge(settings, request, messenger)
        found = started.progress
        if started.has_old_scores:
            say(
                f"The verdicts of run {found.run} were scored by older rules. They are scored again, without calls."
            )
            score_again(settings, found.run)
        say(f"Run {found.run}: {started.judge} judges run {run_id}.")
        if not started.is_over:
            if detach:
                leave(settings, messenger, found.run)
                emit(found.as_json(), as_json)
                return
            found = see_through(settings, messenger, worker, found.run)
    _report(settings, found, run_id, as_json)


def _report(settings: Settings, found: Progress, run_id: int, as_json: bool) -> None:
    """Print what the verdicts came to; exit 1 where some are lacking."""
    outcome = read_verdicts(settings, found.run, run_id)
    result = outcome.judged
    marks = [
        formatting.mark(one["step"], one["n"]) for one in result.scores.values() if one["step"] is not None
    ]
    emit(found.as_json() | result.as_json(), as_json, _table(found, result), *marks[:1])
    if found.status == "complete":
        return
    for reason, count in outcome.reasons:
        say(f"{count:,} × {reason}")
    say(
        f"trigpoint: run {found.run} is {found.status}: {found.states['error']:,} of {found.total:,} verdicts are "
        "missing, because the judge or Trigpoint failed: the run has no score. Remove the cause, then give the same "
        "command again: it asks only for these verdicts."
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
