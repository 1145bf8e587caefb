"""`trigpoint permute`: the same town under exchanged names, or moved, to tell memory of the map from reasoning."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli import output
from app.cli.stopping import unwound_by_signals
from osm_import import permuting


def permute(
    extract: Annotated[Path, typer.Argument(metavar="EXTRACT", help="the map file to copy")],
    out: Annotated[Path, typer.Option(help="the file to write, NAME.osm.pbf; it must not exist")],
    seed: Annotated[int, typer.Option(help="the same seed gives the same map")] = 1,
    names: Annotated[
        bool, typer.Option("--names", help="exchange names within each class of objects")
    ] = False,
    shift: Annotated[
        bool, typer.Option("--shift", help="move the map along its parallels: distances stay as they are")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Write a copy of an extract under exchanged names, or moved. All that is made of it is labelled synthetic."""
    with unwound_by_signals():
        done = permuting.permute(extract, out, seed, names=names, shift=shift)
    changes = []
    if done.names is not None:
        alone = f", {done.names.unchanged:,} of which stay" if done.names.unchanged else ""
        changes.append(f"its {done.names.names:,} names exchanged{alone}")
    if done.degrees:
        changes.append(f"moved by {done.degrees:.7f} degrees of longitude")
    output.emit(
        done.as_json(),
        as_json,
        f"{done.path} is {extract.name} with {' and '.join(changes)}. It shows no real place. "
        f"Next: trigpoint import {done.path}",
    )
