"""A town of one crossing, as a scene in degrees: roads, a park, a lake and places that a test adds."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from PIL import Image

from app.drawing.frame import Frame
from app.drawing.scene import Area, Line, Place, Scene

LON, LAT = 9.5, 47.1
FRAME = Frame(LON, LAT, 17, 600, 400)
STEP = 1e-5
"""Degrees; about a pixel in FRAME."""


def spot(east: int, north: int) -> tuple[float, float]:
    """A place by steps from the town's middle."""
    return LON + east * STEP, LAT + north * STEP


def road(key: str, name: str | None, *spots: tuple[int, int], **other: Any) -> Line:
    told = {"klass": "residential", "ref": None, "level": 0, "tunnel": False, **other}
    return Line(
        osm_key=key,
        kind="road",
        name=name,
        geometry=shapely.LineString([spot(*one) for one in spots]),
        **told,
    )


def area(
    key: str, kind: str, klass: str, name: str | None, west: int, south: int, east: int, north: int
) -> Area:
    shape = shapely.box(*spot(west, south), *spot(east, north))
    return Area(key, kind, klass, name, shape, (shape.centroid.x, shape.centroid.y), shape.area)


def place(key: str, klass: str, name: str | None, east: int, north: int, weight: int = 0) -> Place:
    return Place(key, "place", klass, [klass, "amenity"], name, *spot(east, north), weight)


def town(*places: Place) -> Scene:
    """The crossing of Mill Road and Church Street, with a park, a lake, and these places."""
    return Scene(
        areas=[
            area("w20", "park", "park", "Elm Park", 60, 60, 240, 120),
            area("w21", "water", "lake", "Long Lake", -260, -130, -80, -60),
        ],
        lines=[
            road("w1", "Mill Road", (-400, 0), (400, 0), klass="primary", ref="A 7"),
            road("w2", "Church Street", (0, -300), (0, 300)),
            road("w3", None, (100, -300), (100, 0), klass="service"),
        ],
        places=list(places),
    )


def pixels_of(png: bytes) -> Any:
    """The pixels of a picture: height x width x RGB."""
    return np.asarray(Image.open(io.BytesIO(png)))


def box_of_difference(one: bytes, other: bytes) -> tuple[int, int, int, int] | None:
    """The box of all pixels that differ; None where none does."""
    differ = (pixels_of(one) != pixels_of(other)).any(axis=2)
    rows, columns = np.flatnonzero(differ.any(axis=1)), np.flatnonzero(differ.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def around(boxes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The box around all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
