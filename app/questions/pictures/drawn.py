"""A picture of a frame, drawn once for all questions of a bank about it, and what it tells the statements of templates.

A frame is a text: longitude and latitude of its centre in degrees, zoom, width and height in pixels, with commas.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import shapely
from sqlalchemy import Connection

from app.core.errors import UsageError
from app.drawing.drawing import draw_frame
from app.drawing.edges import FrameRefusal
from app.drawing.frame import BEYOND, Frame
from app.drawing.picture import MEDIA_TYPE
from app.drawing.record import Record
from app.questions.prompts import ImagePart
from app.questions.records import SnapshotRef
from app.templates.statements import PICTURE_BINDS

LICENCE = "© OpenStreetMap contributors, ODbL 1.0"
LISTS = ("symbols", "labels", "roads", "left_out")
"""The lists of a record, of which a template needs some."""
PARTS = 5


@dataclass(frozen=True)
class Picture:
    """A drawn frame: `frame` is its text, `png` the picture."""

    frame: str
    png: bytes
    record: Record

    @cached_property
    def part(self) -> ImagePart:
        """The part of a prompt that shows it. Its words are the same for equal pictures, and tell no answer."""
        told = self.record.frame
        words = f"a map at zoom {told['zoom']}, {told['width']} x {told['height']} pixels, north is up"
        return ImagePart(sha256(self.png).hexdigest(), MEDIA_TYPE, words)

    @cached_property
    def binds(self) -> Mapping[str, Any]:
        """What a template's statement may be told of the picture (`PICTURE_BINDS`)."""
        record = self.record
        drawn = {one.osm_key for one in record.symbols if one.whole}
        labelled = {one.osm_key for one in record.labels if one.whole and one.kind == "place"}
        roads = {key for one in record.roads if one.labelled for key in one.osm_keys}
        edges = {name: record.frame[name] for name in ("west", "south", "east", "north")}
        lists = {"drawn": drawn, "labelled": labelled, "drawn_roads": roads}
        return {name: ",".join(sorted(keys)) for name, keys in lists.items()} | edges

    @cached_property
    def area(self) -> str:
        """What of the map counts for it, as hexadecimal EWKB."""
        west, south, east, north = read_frame(self.frame).degrees_around(BEYOND)
        box = shapely.set_srid(shapely.box(west, south, east, north), 4326)
        return str(shapely.to_wkb(box, hex=True, include_srid=True)).lower()

    def record_with(self, lists: Sequence[str]) -> dict[str, Any]:
        """The record as JSON, with only those of its lists that are needed; what else is drawn, the picture shows."""
        return {
            name: [] if name in LISTS and name not in lists else value for name, value in self._json.items()
        }

    @cached_property
    def _json(self) -> dict[str, Any]:
        return self.record.as_json()


def read_frame(told: str) -> Frame:
    """The frame that a text says. Raises UsageError where it says none, or none that can be drawn."""
    parts = told.split(",")
    try:
        lon, lat = map(float, parts[:2])
        zoom, width, height = map(int, parts[2:])
    except ValueError as error:
        raise UsageError(f"{told!r} is no frame: LON,LAT,ZOOM,WIDTH,HEIGHT is wanted.") from error
    return Frame(lon, lat, zoom, width, height)


def draw_picture(
    connection: Connection, snapshot: SnapshotRef, told: str, drawn: dict[str, Picture | FrameRefusal]
) -> Picture | FrameRefusal:
    """The picture of a frame of the map, or why there is none; `drawn` keeps what was drawn of this map, by frames."""
    if told not in drawn:
        found = draw_frame(
            connection,
            snapshot.schema,
            snapshot.layer_schema_version,
            snapshot.outline,
            read_frame(told),
        )
        drawn[told] = found if isinstance(found, FrameRefusal) else Picture(told, found.png, found.record)
    return drawn[told]


def told_by_picture(binds: Mapping[str, Any]) -> dict[str, Any]:
    """What the second path is told of a picture, by the binds of a question: the same keys, as lists, and the edges."""
    return {
        name: [key for key in value.split(",") if key] if isinstance(value, str) else value
        for name, value in binds.items()
        if name in PICTURE_BINDS
    }
