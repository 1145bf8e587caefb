"""Frames that a snapshot cannot fill: they reach beyond its outline, or their water is not closed.

A picture of such a frame would show land where there is water, or nothing where there is a town.
"""

from dataclasses import dataclass

import shapely
from sqlalchemy import Connection

from app.db.engine import use_schema
from app.drawing import queries
from app.drawing.frame import Frame


@dataclass(frozen=True)
class FrameRefusal:
    """Why a frame is not drawn: a word for counts of reasons, and a sentence."""

    reason: str
    sentence: str


def find_refusal(
    connection: Connection, schema: str, outline: str | None, frame: Frame
) -> FrameRefusal | None:
    """Why this frame of a snapshot cannot be drawn, None where it can. `outline` is hexadecimal WKB in degrees.

    `no_outline`: it is not known where the map ends. `beyond_outline`: the frame leaves the map. `open_water`: a water
    in the frame is not whole in the map. `sea`: there is sea in the frame, which the map does not hold as an area.
    """
    box = shapely.box(*frame.degrees_around())
    if outline is None:
        return FrameRefusal("no_outline", "This map has no outline, so it is not known where it ends.")
    if not shapely.from_wkb(bytes.fromhex(outline)).covers(box):
        return FrameRefusal("beyond_outline", "The picture would reach beyond the outline of the map.")
    use_schema(connection, schema)
    binds = dict(zip(("west", "south", "east", "north"), frame.degrees_around(), strict=True))
    row = connection.execute(queries.OPEN_WATER, binds).first()
    if row:
        return FrameRefusal(
            "open_water", f"The water {row.osm_key} in the picture is not whole in this map ({row.reason})."
        )
    row = connection.execute(queries.SEA, binds).first()
    if row:
        return FrameRefusal(
            "sea", f"There is sea in the picture ({row.told}), and this map holds the sea not as an area."
        )
    return None
