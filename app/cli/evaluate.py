"""`trigpoint evaluate`: make a run or go on with it, wait until it is answered and scored, tell of it."""

from pathlib import Path

import typer
from rich.table import Table

from app.cli import agent_options, run_options
from app.cli.cells import cell, words
from app.cli.embedding_bar import embedding_bar
from app.cli.local_worker import LocalWorker
from app.cli.output import emit, say
from app.cli.pace_options import Concurrency, KeyVariable, Timeout, Tries
from app.cli.spending import cut_off
from app.cli.tables import pairs
from app.cli.waiting import leave, see_through
from app.core.settings import Settings
from app.inference.bodies import read_body
from app.inference.limits import paced
from app.leaderboard.numbers import share, span
from app.leaderboard.states import Result
from app.operations.endpoints import EndpointChoice
from app.operations.evaluate import (
    RunRequest,
    StartedRun,
    read_outcome,
    start_evaluation,
)
from app.predictions.accounts import Budget
from app.predictions.messages import Messenger, make_celery
from app.predictions.progress import Progress, why_stopped
from app.predictions.sampling import ChosenQuestions

STANDS_STILL = ("paused", "cancelled")


def evaluate(
    dataset: run_options.DatasetName,
    solver: run_options.SolverName,
    endpoint: run_options.EndpointName = None,
    model: run_options.Model = None,
    key_variable: KeyVariable = None,
    repeats: run_options.Repeats = 1,
    seed: run_options.Seed = 0,
    temperature: run_options.Temperature = None,
    max_tokens: run_options.MaxTokens = None,
    prompt: run_options.Prompt = "trigpoint",
    rotate: run_options.Rotate = False,
    guided: run_options.Guided = False,
    embeddings: run_options.Embeddings = None,
    embeddings_model: run_options.EmbeddingsModel = None,
    embeddings_key_variable: run_options.EmbeddingsKeyVariable = None,
    body: run_options.Body = None,
    sample: run_options.Sample = None,
    only: run_options.Only = None,
    image_detail: run_options.Detail = None,
    with_context: run_options.WithContext = None,
    tools: agent_options.ToolSet = None,
    manner: agent_options.Manner = None,
    strict: agent_options.Strict = False,
    steps: agent_options.Steps = None,
    shots: agent_options.Shots = None,
    episode_tokens: agent_options.EpisodeTokens = None,
    episode_money: agent_options.EpisodeMoney = None,
    episode_seconds: agent_options.EpisodeSeconds = None,
    context: agent_options.Context = None,
    without: agent_options.Without = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    tries: Tries = None,
    budget_tokens: run_options.BudgetTokens = None,
    budget_money: run_options.BudgetMoney = None,
    reuse: run_options.Reuse = False,
    detach: run_options.Detach = False,
    as_json: run_options.AsJson = False,
) -> None:
    """Run a solver on a data set and score its answers. The same command again continues or shows the result."""
    request = RunRequest(
        dataset,
        solver,
        EndpointChoice(endpoint, model, key_variable),
        EndpointChoice(embeddings, embeddings_model, embeddings_key_variable),
        repeats,
        seed,
        temperature,
        max_tokens,
        prompt,
        rotate,
        guided,
        sample,
        None if body is None else read_body(body),
        Budget.given(budget_tokens, budget_money),
        reuse,
        paced(concurrency, timeout, tries),
        agent_options.agent_terms(
            {
                "tools": tools,
                "manner": manner,
                "steps": steps,
                "shots": shots,
                "tokens": episode_tokens,
                "money": episode_money,
                "seconds": episode_seconds,
                "context": context,
                "without": without,
            },
            strict=strict,
        ),
        image_detail,
        with_context,
        _questions(only),
    )
    _run(Settings.load(), request, detach, as_json)


def _questions(only: Path | None) -> ChosenQuestions | None:
    """The questions of a lite set's file; its reader is loaded only where there is one."""
    if only is None:
        return None
    from app.item_response.lite_file import read_lite

    lite = read_lite(only)
    return ChosenQuestions(lite.recipe.dataset, tuple(item.id for item in lite.items))


def _run(settings: Settings, request: RunRequest, detach: bool, as_json: bool) -> None:
    """Start the run, wait for it unless told not to, and tell what came of it."""
    with LocalWorker(settings) as worker:
        if not detach:
            worker.stand_by()
        messenger = Messenger(make_celery(settings))
        with embedding_bar() as tell:
            started = start_evaluation(settings, request, messenger, tell)
        say(_told_start(started))
        found = started.progress
        if started.has_old_scores:
            from app.operations.score import score_again  # loads what a run that is only waited for needs not

            say("Its scores are of an older version of the rules: it is scored again.")
            score_again(settings, found.run)
        if not started.is_over:
            if detach:
                leave(settings, messenger, found.run)
                emit(found.as_json(), as_json, _table(found))
                return
            found = see_through(settings, messenger, worker, found.run)
    _report(settings, found, as_json)


def _told_start(started: StartedRun) -> str:
    run = started.progress.run
    told = {
        "new": f"Run {run}: {started.solver} over {started.version}.",
        "open": f"Run {run} is under way and continues.",
        "paused": f"Run {run} has exactly these settings and is paused.",
        "interrupted": f"Run {run} was paused when its command was stopped; it continues.",
        "finished": f"Run {run} has exactly these settings and is complete. Nothing is asked again.",
        "errors": f"Run {run} was incomplete. Only its questions that ended in an error are asked again.",
    }
    return told[started.was]


def _table(found: Progress) -> Table:
    counted = {"status": found.status, "answers wanted": found.total, **found.states}
    requests = {
        "endpoint requests": found.endpoint_requests,
        "of these asked again after a worker was lost": found.reasked,
    }
    rows = [(words(name), cell(value)) for name, value in (counted | requests).items()]
    return pairs(rows, f"run {found.run}: {found.label} on {found.dataset}")


def _told_score(result: Result, found: Progress) -> str:
    return (
        f"Score: {share(result.score, result.step)} %, 95 % interval {span(result.low, result.high)} %. The board: "
        f"`trigpoint leaderboard {found.dataset}`. The answers: `trigpoint run answers {found.run}`."
    )


def _report(settings: Settings, found: Progress, as_json: bool) -> None:
    """Print the result, and a warning where answers could not be read; exit 1 where the run is not complete."""
    emit(found.as_json(), as_json, _table(found))
    outcome = read_outcome(settings, found.run)
    result, reasons = outcome.result, outcome.reasons
    for warning in cut_off(outcome.cost, found.states["answered"] + found.states["no_answer"]):
        say(warning)
    if result is not None and result.states.is_badly_read:
        # What words boards loads all that they are made of.
        from app.leaderboard.formatting import printable, reading

        for warning in reading(printable(found.label), result.states):
            say(warning)
    if found.status == "complete":
        if result is not None and result.score is not None:
            say(_told_score(result, found))
        return
    if found.status in STANDS_STILL:
        say(f"trigpoint: {why_stopped(found)}")
        raise typer.Exit(1)
    for reason, count in reasons:
        say(f"{count:,} × {reason}")
    if any("HTTP 400" in reason or "HTTP 422" in reason for reason, _ in reasons):
        say(
            "If the server refuses a field of the calls, remove it with `--body`; `trigpoint endpoint check NAME` of a "
            "stored endpoint finds out which field it is."
        )
    say(
        f"trigpoint: run {found.run} is {found.status}: {found.states['error']:,} of {found.total:,} answers ended in "
        "an error of Trigpoint or the endpoint, so the run is not ranked. Remove the cause, then give the same command "
        "again: it asks only these questions."
    )
    raise typer.Exit(1)
