"""`trigpoint map …`: pictures of a snapshot, with a record of what they show."""

import hashlib
import json
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli import output
from app.core.errors import Conflict, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.drawing.drawing import draw_frame
from app.drawing.edges import FrameRefusal
from app.drawing.engine import engine_versions
from app.drawing.frame import Frame
from app.drawing.picture import DrawnMap
from app.questions.records import SnapshotRef
from app.questions.snapshots import find_snapshots

_NUMBER = r"-?\d+(?:\.\d+)?"
_PLACE = re.compile(rf"({_NUMBER}),({_NUMBER})")
_SIZE = re.compile(r"(\d+)x(\d+)")

map_ = typer.Typer(help="Maps: draw a picture of a snapshot.", no_args_is_help=True)


@map_.callback()
def group() -> None:
    """Maps: draw a picture of a snapshot."""


@map_.command()
def draw(
    snapshot: Annotated[
        str, typer.Argument(metavar="NAME[@TIMESTAMP]", help="the map: its newest, or that of a timestamp")
    ],
    at: Annotated[
        str,
        typer.Option(
            metavar="LON,LAT", help="the centre, in degrees; with a minus sign write --at=-73.9,40.7"
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE.png", help="the picture; FILE.png.json is the record of what it shows"),
    ],
    zoom: Annotated[int, typer.Option(help="8 (a region) to 21 (a house)")] = 17,
    size: Annotated[str, typer.Option(metavar="WxH", help="pixels: width x height")] = "1000x800",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Draw a map as PNG, and write down every label, symbol and named road that it shows."""
    if out.suffix != ".png":
        raise UsageError(f"The picture is a PNG: name a file that ends in .png, not {out.name}.")
    frame = _read_frame(at, zoom, size)
    versions = engine_versions()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        (found,) = find_snapshots(connection, [snapshot])
        drawn = draw_frame(connection, found.schema, found.layer_schema_version, found.outline, frame)
    if isinstance(drawn, FrameRefusal):
        raise Conflict(f"{found.reference} is not drawn so: {drawn.sentence}")
    told = _write(out, drawn, found, versions)
    record = drawn.record
    output.emit(
        told,
        as_json,
        f"{out} shows {found.reference} at zoom {zoom}: {len(record.symbols)} symbols, {len(record.labels)} labels, "
        f"{len(record.roads)} roads with a name. {told['record']} says where each of them is.",
    )


def _read_frame(at: str, zoom: int, size: str) -> Frame:
    place, sides = _PLACE.fullmatch(at.replace(" ", "")), _SIZE.fullmatch(size)
    if not place:
        raise UsageError(f"--at takes longitude and latitude in degrees, such as 9.52,47.14, not {at!r}.")
    if not sides:
        raise UsageError(f"--size takes pixels as WIDTHxHEIGHT, such as 1000x800, not {size!r}.")
    return Frame(float(place[1]), float(place[2]), zoom, int(sides[1]), int(sides[2]))


def _write(out: Path, drawn: DrawnMap, snapshot: SnapshotRef, versions: dict[str, Any]) -> dict[str, Any]:
    """Write picture and record; gives what --json prints."""
    beside = out.with_name(f"{out.name}.json")
    told = {
        **snapshot.as_json(),
        "picture": out.name,
        "sha256": hashlib.sha256(drawn.png).hexdigest(),
        "engine": versions,
    }
    text = json.dumps({**told, **drawn.record.as_json()}, ensure_ascii=False, indent=1) + "\n"
    try:
        for path, content in ((beside, text.encode()), (out, drawn.png)):
            fresh = path.with_name(f"{path.name}.new")
            fresh.write_bytes(content)
            fresh.replace(path)
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be written: {error.strerror}.") from error
    counts = {name: len(getattr(drawn.record, name)) for name in ("symbols", "labels", "roads", "left_out")}
    return {
        **snapshot.as_json(),
        "picture": str(out),
        "record": str(beside),
        "sha256": told["sha256"],
        "frame": dict(drawn.record.frame),
        **counts,
    }
