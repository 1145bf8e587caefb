"""Frames that a snapshot cannot fill: they reach beyond its outline, or their water is not closed.

A picture of such a frame would show land where there is water, or nothing where there is a town.
"""

from dataclasses import dataclass
from math import cos, radians

import numpy as np
import shapely
from scipy.ndimage import label
from sqlalchemy import Connection

from app.db.engine import use_schema
from app.drawing import queries
from app.drawing.frame import Frame
from app.drawing.ground import draw_ground
from app.drawing.scene import Scene
from app.drawing.style import LAND

NO_SEA = "This map does not hold the sea as an area, so it would look like land."
NEAR_SEA_M = 5000
"""Metres around a frame in which signs of the sea are looked for."""
METRES_PER_DEGREE = 111_320
MOST_EMPTY = 1 / 8
"""The share of a picture near the sea that may be empty in one piece."""


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
    in the frame is not whole in the map. `sea`: there is sea in the frame, which no map holds as an area.
    """
    box = shapely.box(*frame.degrees_around())
    if outline is None:
        return FrameRefusal("no_outline", "This map has no outline, so it is not known where it ends.")
    if not shapely.from_wkb(bytes.fromhex(outline)).covers(box):
        return FrameRefusal(
            "beyond_outline",
            "The picture would reach beyond the outline of the map. "
            "Choose another centre, a higher zoom or a smaller size.",
        )
    use_schema(connection, schema)
    binds = dict(zip(("west", "south", "east", "north"), frame.degrees_around(), strict=True))
    row = connection.execute(queries.OPEN_WATER, binds).first()
    if row:
        return FrameRefusal(
            "open_water", f"The water {row.osm_key} in the picture is not whole in this map ({row.reason})."
        )
    row = connection.execute(queries.SEA, binds).first()
    if row:
        return FrameRefusal("sea", f"There is sea in the picture ({row.told}). {NO_SEA}")
    return None


def find_sea(connection: Connection, schema: str, scene: Scene, frame: Frame) -> FrameRefusal | None:
    """The refusal of a frame near the sea in which a large part is empty: it may be sea. None for all others."""
    use_schema(connection, schema)
    near = dict(zip(("west", "south", "east", "north"), _around(frame), strict=True))
    row = connection.execute(queries.SEA, near).first()
    if row and largest_empty_share(scene, frame) >= MOST_EMPTY:
        return FrameRefusal(
            "sea", f"A large part of the picture is empty, and the sea is near ({row.told}). {NO_SEA}"
        )
    return None


def _around(frame: Frame) -> tuple[float, float, float, float]:
    """The frame's edges in degrees, so many metres further out."""
    west, south, east, north = frame.degrees_around()
    up = NEAR_SEA_M / METRES_PER_DEGREE
    along = up / cos(radians(frame.lat))
    return west - along, south - up, east + along, north + up


def largest_empty_share(scene: Scene, frame: Frame) -> float:
    """The share of the picture of its largest part on which nothing is drawn, and which holds no place and no house."""
    colour = tuple(int(LAND[start : start + 2], 16) for start in (1, 3, 5))
    parts, count = label((draw_ground(scene, frame) == colour).all(axis=2))
    sizes = np.bincount(parts.ravel(), minlength=count + 1)
    sizes[0] = 0
    for one in scene.places:
        ((x, y),) = frame.pixels(np.array([[one.lon, one.lat]]))
        if one.kind != "region" and 0 <= x < frame.width and 0 <= y < frame.height:
            sizes[parts[int(y), int(x)]] = 0
    return float(sizes.max() / parts.size)
