"""`trigpoint evaluate`: make a run or go on with it, wait until it is answered and scored, tell of it."""

from dataclasses import dataclass
from typing import Annotated

import typer
from rich.table import Table
from sqlalchemy import Connection

from app.cli.cells import cell, words
from app.cli.embeddings import Wanted as WantedEmbeddings
from app.cli.embeddings import embed_version, find_embedder
from app.cli.following import why_stopped
from app.cli.local_worker import LocalWorker
from app.cli.output import emit, say
from app.cli.pace_options import Concurrency, KeyVariable, Timeout, Tries
from app.cli.spending import cut_off
from app.cli.tables import pairs
from app.cli.waiting import FINISHED, leave, see_through
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.bodies import read_body
from app.inference.checking import base_url, check_endpoint, read_key
from app.inference.limits import paced
from app.leaderboard.numbers import share, span
from app.leaderboard.states import Result, read_result
from app.predictions.accounts import Budget
from app.predictions.costs import cost_of
from app.predictions.messages import Messenger, make_celery
from app.predictions.planning import PROMPTS, Wanted, draft_run
from app.predictions.progress import Progress, progress_of
from app.predictions.runs import (
    EndpointRow,
    Terms,
    error_reasons,
    find_complete,
    find_endpoint,
    known_endpoint,
    plan_run,
    store_endpoint,
)
from app.questions.versions import find_version

STANDS_STILL = ("paused", "cancelled")


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    dataset: str
    wanted: Wanted
    endpoint: str | None
    model: str | None
    key_variable: str | None
    embeddings: WantedEmbeddings


def evaluate(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    solver: Annotated[str, typer.Option(help="random, options_only, oracle, direct, text_to_sql, rag")],
    endpoint: Annotated[
        str | None, typer.Option(help="URL up to /v1, or the name of a stored endpoint")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="the model to ask; needed if the endpoint lists several")
    ] = None,
    key_variable: KeyVariable = None,
    repeats: Annotated[int, typer.Option(min=1, max=100, help="how many times each question is asked")] = 1,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 101)] = 0,
    temperature: Annotated[
        float | None, typer.Option(min=0, max=2, help="by default that of the published benchmark")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1)] = None,
    prompt: Annotated[
        str, typer.Option(help="trigpoint, or published: the rules of GS-QA's baselines")
    ] = PROMPTS[0],
    rotate: Annotated[
        bool, typer.Option("--rotate", help="ask each question in every rotation of its options")
    ] = False,
    guided: Annotated[
        bool,
        typer.Option("--guided", help="allow only a letter as the answer to a question with options"),
    ] = False,
    embeddings: Annotated[
        str | None,
        typer.Option(help="rag: find entries by this endpoint's embeddings; a URL up to /v1, or a name"),
    ] = None,
    embeddings_model: Annotated[
        str | None, typer.Option(help="the embedding model; needed if the endpoint lists several or none")
    ] = None,
    embeddings_key_variable: Annotated[
        str | None, typer.Option(help="environment variable that holds the key for embeddings")
    ] = None,
    body: Annotated[
        str | None, typer.Option(help="JSON object of fields to set in each call; null removes a field")
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="ask only this many questions, drawn by the seed over all templates"),
    ] = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    tries: Tries = None,
    budget_tokens: Annotated[
        int | None, typer.Option(min=1, help="pause the run before its calls use more tokens than this")
    ] = None,
    budget_money: Annotated[
        str | None,
        typer.Option(help="pause the run before its calls cost more than this, in the endpoint's currency"),
    ] = None,
    reuse: Annotated[
        bool, typer.Option("--reuse", help="reuse answers to identical calls of other runs")
    ] = False,
    detach: Annotated[bool, typer.Option("--detach", help="do not wait")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Run a solver over a data set and score it. Given again, the command continues the run or returns its result."""
    settings = Settings.load()
    wanted = Wanted(
        solver,
        repeats,
        seed,
        temperature,
        max_tokens,
        prompt,
        rotate,
        guided,
        sample,
        Terms(Budget.given(budget_tokens, budget_money), reuse, paced(concurrency, timeout, tries)),
        None if body is None else read_body(body),
    )
    dense = WantedEmbeddings(embeddings, embeddings_model, embeddings_key_variable)
    request = Request(dataset, wanted, endpoint, model, key_variable, dense)
    _run(settings, request, detach, as_json)


def _run(settings: Settings, request: Request, detach: bool, as_json: bool) -> None:
    """Plans or finds the run, waits for it unless told not to, and tells of it."""
    with LocalWorker(settings) as worker:
        if not detach:
            worker.stand_by()
        messenger = Messenger(make_celery(settings))
        with connect(settings, Role.WORKER) as connection:
            run_id = _plan(connection, settings, request, messenger)
            found = progress_of(connection, run_id)
            if found.status in FINISHED:
                _renew_scores(connection, run_id)
        if found.status != "paused" and not (found.status == "complete" and found.scored):
            if detach:
                leave(settings, messenger, run_id)
                emit(found.as_json(), as_json, _table(found))
                return
            found = see_through(settings, messenger, worker, run_id)
    _report(settings, found, as_json)


def _renew_scores(connection: Connection, run_id: int) -> None:
    # What scores loads what a run that is only waited for needs not.
    from app.scores.scoring import runs_of_old_profile, score_run

    if run_id in runs_of_old_profile(connection):
        say("Its scores are of an older version of the rules: it is scored again.")
        score_run(connection, run_id)
        connection.commit()


def _plan(connection: Connection, settings: Settings, request: Request, messenger: Messenger) -> int:
    """The id of the run to wait for, made if need be."""
    version = find_version(connection, request.dataset)
    draft = draft_run(connection, version, request.wanted)
    solver = draft.solver
    embedder = find_embedder(connection, settings, request.embeddings, solver.name)
    plan = draft.plan
    if solver.calls_endpoint:
        known = _known(connection, request)
        plan = draft.asking(connection, known, embedder)
        finished = None if known is None else find_complete(connection, plan)
        if finished is not None:
            say(f"Run {finished} has exactly these settings and is complete. Nothing is asked again.")
            return finished
        stored = _checked_endpoint(connection, settings, request, known)
        plan = draft.asking(connection, stored, embedder)
    elif request.endpoint or request.model:
        raise UsageError(
            f"The solver `{solver.name}` does not use an endpoint; remove --endpoint and --model."
        )
    messenger.check()
    if embedder is not None:
        embed_version(settings, version.id, embedder)
    terms = request.wanted.terms
    planned = plan_run(connection, plan, SystemClock().now(), settings.batch_size, terms)
    connection.commit()
    said = {
        "new": f"Run {planned.id}: {solver.name} over {version.reference}.",
        "open": f"Run {planned.id} is under way and continues.",
        "paused": f"Run {planned.id} has exactly these settings and is paused.",
        "interrupted": f"Run {planned.id} was paused when its command was stopped; it continues.",
        "finished": f"Run {planned.id} has exactly these settings and is complete. Nothing is asked again.",
        "errors": f"Run {planned.id} was incomplete. Only its questions that ended in an error are asked again.",
    }
    say(said[planned.was])
    return planned.id


def _known(connection: Connection, request: Request) -> EndpointRow | None:
    """The endpoint as stored, where it can be told without asking it."""
    if request.endpoint is None:
        raise UsageError(
            f"The solver `{request.wanted.solver}` needs an endpoint: give --endpoint URL (and --model)."
        )
    if "://" not in request.endpoint:
        stored = find_endpoint(connection, request.endpoint)
        if request.model not in (None, stored.model):
            raise UsageError(
                f"The endpoint {stored.name!r} is for the model {stored.model!r}, not {request.model!r}."
            )
        return stored
    if request.model is None:
        return None
    return known_endpoint(connection, base_url(request.endpoint), request.model, request.key_variable)


def _checked_endpoint(
    connection: Connection, settings: Settings, request: Request, known: EndpointRow | None
) -> EndpointRow:
    """The endpoint after a look at it. Raises what `check_endpoint` raises, and SettingsError without its key."""
    given = request.endpoint or ""
    by_url = "://" in given
    url = known.url if known and not by_url else base_url(given)
    variable = known.key_variable if known else request.key_variable
    asked = known.model if known else request.model
    model = check_endpoint(url, asked, read_key(variable), settings.request_timeout_seconds)
    if known and not by_url:
        return known
    return store_endpoint(connection, url, model, variable, SystemClock().now())


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
    with connect(settings, Role.WORKER) as connection:
        result = read_result(connection, found.run)
        reasons = error_reasons(connection, found.run, limit=3)
        cost = cost_of(connection, found.run)
    for warning in cut_off(cost, found.states["answered"] + found.states["no_answer"]):
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
        "an error of ours or the endpoint's, so it is not ranked. Remove the cause, then give the same command again: "
        "it asks only these questions."
    )
    raise typer.Exit(1)
