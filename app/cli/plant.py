"""`trigpoint plant`: add invented places, such as charging stations, to a copy of an extract."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli import output
from app.cli.stopping import unwound_by_signals
from osm_import import planting


def plant(
    extract: Annotated[Path, typer.Argument(metavar="EXTRACT", help="the map file to copy")],
    out: Annotated[Path, typer.Option(help="the file to write, NAME.osm.pbf; it must not exist")],
    klass: Annotated[
        str, typer.Option("--class", help=f"what to plant: {', '.join(planting.CLASSES)}")
    ] = "charging_station",
    number: Annotated[int, typer.Option(min=1, help="how many places")] = 150,
    seed: Annotated[int, typer.Option(help="the same seed gives the same places")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Add invented places to a copy of an extract, for tests. All that is made of the copy is labelled synthetic."""
    with unwound_by_signals():
        done = planting.plant(extract, out, klass, number, seed)
    output.emit(
        done.as_json(),
        as_json,
        f"{done.path} is {extract.name} with {done.places:,} invented places of {klass} ({done.points:,} points). "
        f"They are not in OpenStreetMap. Next: trigpoint import {done.path}",
    )
