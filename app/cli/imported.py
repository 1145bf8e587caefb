"""`trigpoint imported …`: data sets that others published; opening one of them to everybody."""

from typing import Annotated

import typer
from rich.text import Text

from app.access.audit import AT_THE_COMMAND_LINE, note
from app.cli.cells import cell
from app.cli.output import emit
from app.cli.tables import listing
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.imported.opening import OPENED, list_imported, open_dataset

imported = typer.Typer(help="Data sets that others published: list, open.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


@imported.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the data sets that were loaded from the files of others, and whether everybody sees them."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = list_imported(connection)
    table = listing("data set", "format", "questions", "licence", "seen by", right=["questions"])
    for one in found:
        seen = "maintainers" if one.opened_at is None else "everybody"
        licence = one.opened_under or one.stated_licence
        cells = (f"{one.dataset}@{one.version}", one.format, cell(one.questions), licence, seen)
        table.add_row(*(Text(str(value)) for value in cells))
    emit({"imported": [one.model_dump(mode="json") for one in found]}, as_json, table)


@imported.command("open")
def open_(
    dataset: Annotated[str, typer.Argument(metavar="NAME", help="the name of the data set")],
    licence: Annotated[str, typer.Option(help="the licence that allows it, in one line")],
    as_json: AsJson = False,
) -> None:
    """Let everybody see an imported data set: its questions, gold, boards and pages. It stays in no export."""
    now = SystemClock().now()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = open_dataset(connection, dataset, licence, now)
        note(connection, AT_THE_COMMAND_LINE, OPENED, f"data set {dataset}", now, {"licence": licence})
        connection.commit()
    emit(found.model_dump(mode="json"), as_json, f"Everybody sees {dataset} now, under {found.opened_under}.")
