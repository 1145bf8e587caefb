"""`trigpoint facts …`: load external facts from a file, fetch them from Wikidata, list what is stored."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from app.cli import output
from app.cli.cells import cell
from app.cli.tables import listing
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.facts.fetching import fetch_facts
from app.facts.files import read_facts
from app.facts.storing import count_facts, store_file_facts
from app.facts.wikidata import WikidataClient
from app.questions.snapshots import find_snapshots

AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]

facts = typer.Typer(help="External facts about places; T7 and T8 ask about them.", no_args_is_help=True)


@facts.command()
def load(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines, or CSV if its name ends in .csv")],
    snapshot: Annotated[
        str | None, typer.Option(help="use the facts only for maps of this name; by default for every map")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check every line of a facts file and load it. A file with a fault is not loaded at all."""
    clock = SystemClock()
    found = read_facts(file, clock.now())
    with connect(Settings.load(), Role.WORKER) as connection:
        name = find_snapshots(connection, [snapshot])[0].name if snapshot else None
        loaded = store_file_facts(connection, found, name)
        connection.commit()
    result = {"file": file.name, "snapshot": name, **loaded._asdict()}
    said = f"{file.name}: {loaded.added} added, {loaded.changed} changed, {loaded.unchanged} unchanged."
    output.emit(result, as_json, said)


@facts.command()
def fetch(
    snapshot: Annotated[str, typer.Option(help="NAME (its newest map) or NAME@TIMESTAMP")],
    max_age_days: Annotated[
        float,
        typer.Option(min=0, help="do not request items again that were requested within this many days"),
    ] = 30,
    as_json: AsJson = False,
) -> None:
    """Ask Wikidata for statements about a map's places. Continues where an earlier fetch stopped."""
    settings = Settings.load()
    client = WikidataClient(settings)
    with connect(settings, Role.WORKER) as connection:
        (found,) = find_snapshots(connection, [snapshot])
        use_schema(connection, found.schema)
        with Progress(console=output.progress, transient=True) as bar:
            task = bar.add_task(f"asking {settings.wikidata_url}", total=None)
            result = fetch_facts(
                connection,
                client,
                SystemClock(),
                timedelta(days=max_age_days),
                lambda done, total: bar.update(task, completed=done, total=total),
            )
    said = (
        f"{found.reference}: {result.items} items, {result.cached} known already, {result.asked} asked for in "
        f"{result.requests} requests: {result.facts} facts, {result.refused} statements that cannot be used as facts, "
        f"{result.absent} items that Wikidata does not have."
    )
    output.emit({"snapshot": found.reference, **result.as_json()}, as_json, said)


@facts.command(name="list")
def list_(as_json: AsJson = False) -> None:
    """Show how many facts are stored, by source and attribute, and when they were read."""
    with connect(Settings.load(), Role.WORKER) as connection:
        counted = count_facts(connection)
    table = listing("source", "named as", "attribute", "maps", "facts", "read", right=["facts"])
    table.title = "Stored facts (tags of OpenStreetMap are read from the map itself)"
    for row in counted:
        read = row["oldest"] if row["oldest"] == row["newest"] else f"{row['oldest']} to {row['newest']}"
        table.add_row(
            row["source"], row["credit"], row["attribute"], row["snapshot"] or "all", cell(row["facts"]), read
        )
    empty = "No fact is stored. `trigpoint facts load FILE` or `trigpoint facts fetch` brings some."
    output.emit({"facts": counted}, as_json, table if counted else empty)
