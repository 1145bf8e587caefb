"""`trigpoint report-card`: from an endpoint and a map to a card of what its model can do; `report-cards` shows them."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from app.cli import run_options
from app.cli.bars import Bars
from app.cli.cities import named_maps
from app.cli.embedding_bar import embedding_bar
from app.cli.generate import generating_bars
from app.cli.local_worker import LocalWorker
from app.cli.output import emit, say
from app.cli.pace_options import Concurrency, KeyVariable, Timeout, Tries
from app.cli.stopping import unwound_by_signals
from app.cli.waiting import see_through, warn_without_worker
from app.core.errors import ServiceUnavailable, UsageError
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.inference.limits import paced
from app.operations.endpoints import EndpointChoice
from app.operations.import_map import ImportRequest, import_map
from app.operations.judge import JudgeRequest, start_judge
from app.operations.report_card import (
    CardRequest,
    begin,
    estimate,
    judged_entries,
    make_questions,
    start_runs,
    stored_card,
    write_report_card,
)
from app.operations.score import score_again
from app.predictions.messages import WORK, Messenger, make_celery
from app.report_cards.stored import StoredCard, list_cards, read_card
from app.report_cards.suites import DEFAULT, find_suite
from app.report_cards.writing import check_folder

MOST_LISTED = 50
JUDGE_TEMPERATURE = 0.6
"""As `run judge` asks where nothing is said."""


def report_card(
    endpoint: Annotated[str, typer.Option(help="URL up to /v1, or the name of a stored endpoint")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="the folder that the card is written to")],
    model: run_options.Model = None,
    key_variable: KeyVariable = None,
    extract: Annotated[
        str | None, typer.Option(help="the map: a file, its URL, or the name of a Geofabrik region")
    ] = None,
    city: Annotated[
        str | None, typer.Option(help="the map: a city, such as berlin; it is imported and cut if missing")
    ] = None,
    snapshot: Annotated[
        str | None, typer.Option(help="the map: one that is imported, NAME (the newest) or NAME@TIMESTAMP")
    ] = None,
    suite: Annotated[str, typer.Option(help="what is asked: geo-lite, geo-full, or a file")] = DEFAULT,
    judge: Annotated[
        str | None, typer.Option(help="a model that marks answers by rubrics: URL up to /v1, or a name")
    ] = None,
    judge_model: Annotated[
        str | None, typer.Option(help="the judge's model; needed if the endpoint lists several")
    ] = None,
    judge_key_variable: Annotated[
        str | None, typer.Option(help="environment variable that holds the judge's key")
    ] = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    tries: Tries = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="also print a PDF, if Chromium is installed")] = False,
    detach: run_options.Detach = False,
    as_json: run_options.AsJson = False,
) -> None:
    """Make a report card of a model: import, generate, run, score. The same command again continues."""
    settings = Settings.load()
    asked = find_suite(suite)
    if not detach:
        check_folder(to)
    request = CardRequest(
        asked,
        EndpointChoice(endpoint, model, key_variable),
        _named_map(settings, extract, city, snapshot),
        EndpointChoice(judge, judge_model, judge_key_variable),
        paced(concurrency, timeout, tries),
    )
    card = begin(settings, request)
    say(f"Report card {card.card}: {card.name}.")
    with generating_bars(max(one.bank for one in asked.entries)) as tell:
        card = make_questions(settings, card.card, say, tell)
    say(estimate(settings, card.card).told())
    card = _run(settings, card.card, request, detach)
    emit(card.model_dump(mode="json"), as_json, _table(card))
    if not detach:
        _refuse_open(card)
        _write(settings, card.card, to, pdf)


def report_cards(
    card: Annotated[int | None, typer.Argument(metavar="[CARD]", help="the number of a card")] = None,
    as_json: run_options.AsJson = False,
) -> None:
    """List report cards, the newest first; or show one with its entries and runs."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        if card is not None:
            found = read_card(connection, card)
            emit(found.model_dump(mode="json"), as_json, _table(found))
            return
        cards = list_cards(connection, None, MOST_LISTED)
    emit({"report_cards": [one.model_dump(mode="json") for one in cards]}, as_json, _list(cards))


def _named_map(settings: Settings, extract: str | None, city: str | None, snapshot: str | None) -> str:
    """The snapshot of the card, imported where it is missing. Raises UsageError where several maps are named."""
    given = [one for one in (extract, city, snapshot) if one is not None]
    if len(given) > 1:
        raise UsageError("A report card is of one map: give one of --extract, --city and --snapshot.")
    if snapshot is not None:
        return snapshot
    if city is not None:
        maps = named_maps(settings, [], city)
        if len(maps) != 1:
            raise UsageError(f"--city {city}: a report card is of one map; name one city.")
        return maps[0]
    if extract is None:
        say("No map is named, so it is the one of the demo: the centre of Helsinki.")
        extract = _demo_extract()
    with unwound_by_signals(), Bars() as bars:
        return import_map(settings, ImportRequest(extract), bars).reference


def _demo_extract() -> str:
    """The file of the demo's map, fetched where it is missing."""
    done = subprocess.run(
        ["sh", str(PROJECT_ROOT / "scripts" / "extract")], check=False, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        raise ServiceUnavailable("The demo's map could not be fetched; name a map with --extract FILE.")
    return done.stdout.strip()


def _run(settings: Settings, card_id: int, request: CardRequest, detach: bool) -> StoredCard:
    """Start the runs, and wait for each, unless told not to; the card as it stands then."""
    messenger = Messenger(make_celery(settings))
    with embedding_bar() as tell:
        started = start_runs(settings, card_id, messenger, tell, say, request.pace)
    for one in started:
        if one.has_old_scores:
            score_again(settings, one.progress.run)
    if detach:
        messenger.send(WORK)
        with connect(settings, Role.WORKER) as connection:
            warn_without_worker(connection, settings)
        say(f"Its {len(started)} runs are queued. `trigpoint report-cards {card_id}` shows how far they are.")
        return stored_card(settings, card_id)
    for one in started:
        if not one.is_over:
            _wait(settings, messenger, one.progress.run)
    card = stored_card(settings, card_id)
    for run in judged_entries(settings, card_id):
        _judge(settings, messenger, run, EndpointChoice(card.judge))
    return card


def _wait(settings: Settings, messenger: Messenger, run: int) -> None:
    with LocalWorker(settings) as worker:
        see_through(settings, messenger, worker, run)


def _judge(settings: Settings, messenger: Messenger, run: int, judge: EndpointChoice) -> None:
    """Have the judge mark a run, and wait for it; what was marked already is not asked again."""
    request = JudgeRequest(run, judge, JUDGE_TEMPERATURE, 0, schema=True)
    started = start_judge(settings, request, messenger)
    say(f"Run {started.progress.run}: {started.judge} judges run {run}.")
    if not started.is_over:
        _wait(settings, messenger, started.progress.run)


def _write(settings: Settings, card_id: int, folder: Path, pdf: bool) -> None:
    """Write the files of a card, and say where they are."""
    written = write_report_card(settings, card_id, folder, pdf=pdf)
    say(f"The card is written: {written.html}")
    if written.no_pdf is not None:
        say(f"There is no PDF: {written.no_pdf}.")


def _refuse_open(card: StoredCard) -> None:
    """Exit 1 where a run has no scores: a card of a part of the answers would mislead."""
    left = [one for one in card.entries if not one.is_over]
    for one in left:
        say(f"Run {one.run} of {one.key} is {one.status}; `trigpoint run show {one.run}` says why.")
    if left:
        say(
            f"trigpoint: {len(left)} of the runs of report card {card.card} are not complete, so no card is written. "
            "Remove the cause, then give the same command again: it asks only for what is missing."
        )
        raise typer.Exit(1)


def _table(card: StoredCard) -> Table:
    table = Table(title=f"report card {card.card}: {card.name}, {card.state}")
    for column in ("entry", "data set", "run", "status"):
        table.add_column(column, overflow="fold")
    for one in card.entries:
        run = "" if one.run is None else str(one.run)
        table.add_row(one.key, one.dataset or "", run, one.left_out or one.status or "not started")
    return table


def _list(cards: Sequence[StoredCard]) -> Table:
    table = Table(title="report cards")
    for column in ("card", "suite", "endpoint", "map", "state", "begun"):
        table.add_column(column, overflow="fold")
    for one in cards:
        begun = f"{one.created_at:%Y-%m-%d %H:%M}"
        table.add_row(str(one.card), one.suite, one.endpoint, one.snapshot, one.state, begun)
    return table
