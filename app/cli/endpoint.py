"""`trigpoint endpoint …`: chat endpoints as records: add, check, show, list."""

from dataclasses import replace
from decimal import Decimal
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from app.cli.cells import cell
from app.cli.endpoint_told import add_command, advice, rounds_table, told_round
from app.cli.output import emit, say
from app.cli.pace_options import Concurrency, KeyVariable, Timeout, Tries
from app.cli.tables import listing, pairs
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.abilities import told_abilities
from app.inference.bodies import read_body
from app.inference.checking import base_url
from app.inference.limits import Limits
from app.inference.measuring import keeps_up
from app.inference.probing import Health, chosen_guide
from app.operations.endpoints import EndpointChoice, find_model
from app.predictions.canaries import try_canaries
from app.predictions.checks import check_stored
from app.predictions.costs import Prices
from app.predictions.endpoints import (
    EndpointRecord,
    EndpointSpec,
    add_endpoint,
    check_name,
    list_endpoints,
    read_endpoint,
)

KNOWS = "the model knows the canary: it has seen the files of this version"
KNOWS_NOT = "the model does not know the canary"
endpoint = typer.Typer(help="Chat endpoints: add, check, show, list, canary.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
Name = Annotated[str, typer.Argument(help="the endpoint's name")]
SAID = {
    "new": "is stored.",
    "same": "says that already.",
    "changed": "has new settings. Existing runs keep the old ones.",
    "another": "now stands for a new endpoint. Existing runs keep the old one.",
    "earlier": "stands again for the endpoint that it had before.",
}


@endpoint.command()
def add(
    name: Name,
    url: Annotated[str, typer.Option(help="base URL up to /v1")],
    model: Annotated[
        str | None,
        typer.Option(help="the model to ask for; needed unless the endpoint lists exactly one model"),
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="revision of the model's weights, such as a commit; boards show it")
    ] = None,
    key_variable: KeyVariable = None,
    requests_per_minute: Annotated[
        int | None, typer.Option(min=1, help="limit for all workers together")
    ] = None,
    tokens_per_minute: Annotated[
        int | None, typer.Option(min=1, help="limit for all workers together")
    ] = None,
    concurrency: Concurrency = None,
    timeout: Timeout = None,
    tries: Tries = None,
    prompt_price: Annotated[float | None, typer.Option(min=0, help="price of a million tokens")] = None,
    completion_price: Annotated[float | None, typer.Option(min=0, help="price of a million tokens")] = None,
    currency: Annotated[str, typer.Option(help="currency of both prices")] = "USD",
    body: Annotated[
        str | None, typer.Option(help="JSON object of fields to set in each chat call; null removes a field")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Store an endpoint under a name, or change a stored endpoint. The options replace all fields of the record."""
    check_name(name)
    settings = Settings.load()
    prices = read_prices(prompt_price, completion_price, currency)
    limits = Limits(requests_per_minute, tokens_per_minute, concurrency, timeout, tries)
    address = base_url(url)
    if not address.startswith(("http://", "https://")):
        raise UsageError(f"{url!r} is not a URL such as http://127.0.0.1:8000/v1.")
    model = find_model(settings, EndpointChoice(address, model, key_variable))
    fields = None if body is None else read_body(body)
    wanted = EndpointSpec(name, address, model, revision, key_variable, limits, prices, fields)
    with connect(settings, Role.WORKER) as connection:
        record, added = add_endpoint(connection, wanted, SystemClock().now())
        connection.commit()
    say(f"The endpoint {name} {SAID[added]}")
    emit(record.as_json() | {"added": added}, as_json, _table(record))


@endpoint.command()
def check(name: Name, as_json: AsJson = False) -> None:
    """Test an endpoint: its models, engine, answer formats, tools and pictures, and how many calls it handles."""
    settings = Settings.load()
    with connect(settings, Role.WORKER) as connection:
        health = check_stored(
            connection, name, settings, SystemClock(), lambda one: say(told_round(one))
        ).health
        record = read_endpoint(connection, name)
    measured = (record.health or {}).get("measured")
    _show(record, as_json)
    if health.state == "failed":
        say(f"trigpoint: {health.said}")
        raise typer.Exit(1)
    say(_told(health))
    for sentence in (*health.needs, *health.remarks):
        say(sentence)
    if health.body:
        say(f"To send calls that it accepts: `{add_command(replace(record, body=health.body))}`.")
    for line in advice(record, measured) if measured else ():
        say(line)


@endpoint.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Show an endpoint and what its last check found. Nothing is asked."""
    with connect(Settings.load(), Role.WORKER) as connection:
        record = read_endpoint(connection, name)
    _show(record, as_json)
    for sentence in (*(record.health or {}).get("needs", ()), *(record.health or {}).get("remarks", ())):
        say(sentence)


@endpoint.command()
def canary(
    name: Name,
    dataset: Annotated[
        list[str], typer.Option("--dataset", help="NAME or NAME@VERSION; may be given several times")
    ],
    again: Annotated[
        bool, typer.Option("--again", help="ask also for canaries that were asked for before")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a model to continue the canaries of data sets: one that can has seen their files. One call a version."""
    settings = Settings.load()
    with connect(settings, Role.WORKER) as connection:
        found = try_canaries(connection, name, dataset, settings, SystemClock(), again=again)
    emit(
        {"endpoint": name, "canaries": [one.as_json() for one in found]},
        as_json,
        *(
            f"{one.dataset}@{one.version}: {KNOWS if one.knows else KNOWS_NOT} (asked {one.asked_at[:10]})."
            for one in found
        ),
    )


def _show(record: EndpointRecord, as_json: bool) -> None:
    measured = (record.health or {}).get("measured")
    rounds = [rounds_table(measured)] if measured and measured["rounds"] else []
    emit(record.as_json(), as_json, _table(record), *rounds)


@endpoint.command("list")
def list_(as_json: AsJson = False) -> None:
    """List all endpoints: first those with a name, then those that were given by their URL."""
    with connect(Settings.load(), Role.WORKER) as connection:
        records = list_endpoints(connection)
    table = listing("name", "URL", "model", "limits", "prices", "runs", "checked", right=["runs"])
    for record in records:
        checked = (
            f"{record.health['state']}, {record.checked_at:%Y-%m-%d %H:%M}" if record.health else "never"
        )
        cells = (
            record.name,
            record.url,
            _model(record),
            _limits(record),
            _prices(record),
            cell(record.runs),
            checked,
        )
        table.add_row(*map(Text, cells))
    emit({"endpoints": [record.as_json() for record in records]}, as_json, table)


def read_prices(prompt: float | None, completion: float | None, currency: str) -> Prices | None:
    """Prices for a million tokens. Raises UsageError where only one is given, or is not a number."""
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        raise UsageError("Give --prompt-price and --completion-price together; one of them may be 0.")
    given = Prices(Decimal(str(prompt)), Decimal(str(completion)), currency.strip().upper())
    if not (given.prompt.is_finite() and given.completion.is_finite()):
        raise UsageError("A price is a number, such as 0.15, for a million tokens.")
    if not (given.currency.isalpha() and len(given.currency) == 3):
        raise UsageError(f"{currency!r} is not a currency of three letters, such as USD or EUR.")
    return given


def _told(health: Health) -> str:
    guide = chosen_guide(health.as_json())
    return "It answers" + (
        f"; it keeps to guided choice ({guide})." if guide else "; it keeps to no guided choice."
    )


def _table(record: EndpointRecord) -> Table:
    rows: dict[str, Any] = {
        "name": record.name,
        "URL": record.url,
        "model": _model(record),
        "key": f"in {record.key_variable}" if record.key_variable else "none",
        "limits": _limits(record),
        "prices": _prices(record),
        "body": canonical_json(record.body) if record.body else "as ours",
    }
    if record.health is not None:
        health = record.health
        rows |= {
            "checked": f"{record.checked_at:%Y-%m-%d %H:%M} UTC",
            "found": health["said"],
            "engine": health["engine"] or "not told",
            "latency": "" if health["latency_ms"] is None else f"{cell(health['latency_ms'])} ms",
            "JSON schema": "yes" if "json_schema" in health["guides"] else "no",
            "needs": " ".join(health.get("needs", ())) or "nothing",
            "at once": keeps_up(health["measured"]) if health.get("measured") else "not measured",
            "guided choice": ", ".join(one for one in health["guides"] if one != "json_schema") or "no",
            **told_abilities(health),
        }
    return pairs(rows.items())


def _model(record: EndpointRecord) -> str:
    return record.model + (f" @ {record.revision}" if record.revision else "")


def _limits(record: EndpointRecord) -> str:
    limits = record.limits
    said = {
        "requests a minute": limits.requests_per_minute,
        "tokens a minute": limits.tokens_per_minute,
        "at once": limits.concurrency,
        "s for an answer": limits.timeout_seconds,
        "tries": limits.tries,
    }
    return ", ".join(f"{cell(value)} {name}" for name, value in said.items() if value is not None) or "none"


def _prices(record: EndpointRecord) -> str:
    prices = record.prices
    return f"{prices.prompt} / {prices.completion} {prices.currency} per M tokens" if prices else "none"
