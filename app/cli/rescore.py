"""`trigpoint run rescore`: score a finished run again, or by another parser or geocoder beside the first."""

import os
from typing import Annotated

import typer
from rich.progress import Progress as Bars
from rich.table import Table
from sqlalchemy import Connection

from app.cli import output
from app.cli.cells import cell
from app.cli.tables import pairs
from app.core.clock import SystemClock
from app.core.errors import Held, SettingsError, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.chat import Endpoint
from app.inference.checking import base_url, check_endpoint
from app.map_tools.nominatim import NominatimClient, nominatim_base
from app.predictions.runs import find_endpoint
from app.predictions.scoring_lock import only_one
from app.scores.parsing.parsing import Pace
from app.scores.rescoring import (
    GAZETTEER,
    RULES,
    Parser,
    Rescored,
    Servers,
    check_finished,
)
from app.scores.rescoring import rescore as rescore_run

PARSERS = (RULES, "chat")


def rescore(
    run_id: Annotated[int, typer.Argument(help="the run's number")],
    geocoder: Annotated[
        str,
        typer.Option(help="gazetteer (the question's map), nominatim (of the settings), or a server's URL"),
    ] = GAZETTEER,
    parser: Annotated[str, typer.Option(help="rules, or chat: a model behind --endpoint")] = RULES,
    endpoint: Annotated[
        str | None,
        typer.Option(help="the parser's endpoint: URL up to /v1, or the name of a stored endpoint"),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="the parser's model; needed if the endpoint lists several")
    ] = None,
    key_variable: Annotated[str | None, typer.Option(help="environment variable that holds the key")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Score a finished run again from its stored answers. Another parser's or geocoder's scores are kept apart."""
    settings = Settings.load()
    if parser not in PARSERS:
        raise UsageError(f"There is no parser {parser!r}; there are: {', '.join(PARSERS)}.")
    if parser == RULES and (endpoint or model or key_variable):
        raise UsageError(
            "Only --parser chat uses an endpoint; remove --endpoint, --model and --key-variable."
        )
    nominatim = (
        None if geocoder == GAZETTEER else NominatimClient(settings, nominatim_base(settings, geocoder))
    )
    with connect(settings, Role.WORKER) as connection:
        check_finished(connection, run_id)
        asked = None if parser == RULES else _parser(connection, settings, endpoint, model, key_variable)
        with only_one(connection, run_id) as alone:
            if not alone:
                raise Held(
                    f"Run {run_id} is being scored at the moment; give the same command again when that is done."
                )
            found = _with_bar(connection, run_id, Servers(nominatim, asked))
    output.emit(found.as_json(), as_json, _table(found))


def _parser(
    connection: Connection, settings: Settings, given: str | None, model: str | None, variable: str | None
) -> Parser:
    """The parser; an endpoint whose model is named is not looked at before it is asked: all may be stored."""
    if given is None:
        raise UsageError("The parser `chat` needs an endpoint: give --endpoint URL (and --model).")
    url, body = base_url(given), None
    if "://" not in given:
        stored = find_endpoint(connection, given)
        connection.rollback()
        url, model, variable = stored.url, model or stored.model, stored.key_variable
        body = stored.body
    key = os.environ.get(variable) if variable else None
    if variable and not key:
        raise SettingsError(
            f"The environment variable {variable} is not set; it should hold the endpoint's key."
        )
    model = model or check_endpoint(url, None, key, settings.request_timeout_seconds)
    pace = Pace(
        settings.concurrency, settings.tries, settings.backoff_seconds, settings.request_timeout_seconds
    )
    return Parser(Endpoint(url, model, key, body), pace)


def _with_bar(connection: Connection, run_id: int, servers: Servers) -> Rescored:
    with Bars(console=output.progress, transient=True) as bars:
        task = bars.add_task(f"run {run_id}", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bars.update(task, description=what, completed=done, total=total)

        return rescore_run(connection, run_id, servers, SystemClock(), tell)


def _table(found: Rescored) -> Table:
    rows: list[tuple[str, object]] = [
        ("answers scored", found.answers),
        ("geocoder", found.geocoder),
        ("parser", found.parser),
    ]
    if found.locations is not None:
        rows += [(f"locations: {name.replace('_', ' ')}", n) for name, n in found.locations._asdict().items()]
    if found.geocoded is not None:
        rows += [(f"addresses: {name}", n) for name, n in found.geocoded.as_json().items()]
    if found.parsed is not None:
        told = found.parsed.as_json()
        rows += [(f"parsed: {name}", told[name]) for name in ("answers", "stored", "requests", "unparseable")]
        rows += [(name.replace("_", " "), n) for name, n in told["usage"].items()]
    if found.agreement is not None and found.agreement["agree"] is not None:
        rows.append(("model and rules read the same", f"{100 * found.agreement['agree']:.1f} %"))
    return pairs([(name, cell(value)) for name, value in rows], f"run {found.run}, profile {found.profile}")
