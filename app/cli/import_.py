"""`trigpoint import`: an OSM extract becomes a published snapshot. Bars on stderr, the result on stdout."""

from typing import Annotated

import typer
from rich.table import Table

from app.cli import output
from app.cli.bars import Bars
from app.cli.stopping import unwound_by_signals
from app.core.settings import Settings
from app.operations.import_map import ImportRequest, import_map
from osm_import.gating import held_note
from osm_import.importing import ALL_LAYERS, ImportResult

OUTLINES = {
    "box": "the box in the file's header, where objects lie in it (a .poly file beside it gives a more exact outline)",
    "none": "unknown, so no area is marked as cut by the map's edge",
}
"""What is said of an outline of a source that tells little."""


def import_(
    source: Annotated[
        str,
        typer.Argument(metavar="PBF|REGION", help="a map file, its URL, or the name of a Geofabrik region"),
    ],
    name: Annotated[
        str | None,
        typer.Option(help="the snapshot's name; by default the file's name up to its first - or ."),
    ] = None,
    layers: Annotated[
        str,
        typer.Option(
            help="the layers to import, separated by commas; templates that need other layers refuse the map"
        ),
    ] = ",".join(ALL_LAYERS),
    no_preflight: Annotated[
        bool, typer.Option("--no-preflight", help="import even if disk or memory seem too small")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Import an OpenStreetMap extract as a snapshot, and publish it."""
    request = ImportRequest(source, name, layers, check_room=not no_preflight)
    with unwound_by_signals(), Bars() as bars:
        result = import_map(Settings.load(), request, bars)
    if result.reused:
        output.say("This file is published under this name already; nothing was done.")
    for note in result.notes:
        output.say(note)
    for reference in result.held:
        output.say(held_note(reference))
    output.emit(result.as_json(), as_json, *_render(result))


def _render(result: ImportResult) -> tuple[Table, str]:
    answer = result.as_json()
    table = Table(title=f"{answer['snapshot']}  ({answer['schema']})")
    table.add_column("layer")
    counts = ("found", "kept", "repaired", "rejected")
    for column in counts:
        table.add_column(column, justify="right")
    for layer, count in result.layers.items():
        table.add_row(layer, *(f"{count[column]:,}" for column in counts))
    outline = OUTLINES.get(result.outline_source, result.outline_source)
    return table, (
        f"Outline: {outline}. Map data © OpenStreetMap contributors, ODbL 1.0. "
        f"{answer['schema']}.reject lists the rejected objects and the reasons."
    )
