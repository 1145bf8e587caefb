"""`trigpoint run rescore`: score a finished run again, or by another parser or geocoder beside the first."""

from typing import Annotated

import typer
from rich.table import Table

from app.cli import output
from app.cli.cells import cell
from app.cli.tables import pairs
from app.cli.transient_bar import transient_bar
from app.core.settings import Settings
from app.operations.endpoints import EndpointChoice
from app.operations.rescore import RescoreRequest, rescore_run
from app.questions.gold import DEFAULT_KEY
from app.scores.rescoring import GAZETTEER, RULES, Rescored


def rescore(
    run_id: Annotated[int, typer.Argument(help="the run's number")],
    geocoder: Annotated[
        str,
        typer.Option(
            help="gazetteer (the question's map), nominatim (the server in the settings), or a server's URL"
        ),
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
    gold_key: Annotated[
        str, typer.Option(help="the key of the gold to score by, such as driving; its scores are kept apart")
    ] = DEFAULT_KEY,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Score a finished run again from its stored answers. Another parser's or geocoder's scores are kept apart."""
    choice = EndpointChoice(endpoint, model, key_variable)
    request = RescoreRequest(run_id, geocoder, parser, choice, gold_key)
    with transient_bar() as tell:
        found = rescore_run(Settings.load(), request, tell)
    output.emit(found.as_json(), as_json, _table(found))


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
