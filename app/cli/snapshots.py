"""`trigpoint snapshots`: which maps are published."""

from typing import Annotated

import typer
from rich.table import Table

from app.cli import output
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import.importing import list_snapshots

SHOWN_LAYERS = ("poi", "road", "region")


def snapshots(
    all_states: Annotated[
        bool, typer.Option("--all", help="also those that failed or are being imported")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """List the published snapshots."""
    with connect(Settings.load(), Role.OWNER) as connection:
        found = list_snapshots(connection, all_states)
    table = Table()
    for column in ("snapshot", *(["state"] if all_states else []), "outline"):
        table.add_column(column, no_wrap=True)
    for column in SHOWN_LAYERS:
        table.add_column(column, justify="right", no_wrap=True)
    for one in found:
        kept = [f"{one['layers'].get(layer, {}).get('kept', 0):,}" for layer in SHOWN_LAYERS]
        table.add_row(one["snapshot"], *([one["state"]] if all_states else []), one["outline_source"], *kept)
    empty = "No snapshot is published yet. Import one: trigpoint import PBF|REGION."
    output.emit({"snapshots": found}, as_json, table if found else empty)
