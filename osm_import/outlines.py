"""Import stage: the outline inside which a snapshot is complete. Reads .poly text, the header's box and region areas.

Coordinates are lon, lat on WGS84. An outline is a MultiPolygon, or None where nothing tells.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import shapely
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from app.core.errors import BadExtract
from osm_import.antimeridian import box_area
from osm_import.heads import Box

COUNTRY_LEVELS = (2, 3, 4)
"""admin_level of areas that an extract may have been cut along."""
MOST = 0.5
"""An administrative area is the outline only where it covers more than this share of what was mapped."""


class OutlineSource(StrEnum):
    """What told the outline, from the surest to none."""

    POLY = "poly"
    AREA = "area"
    BOX = "box"
    NONE = "none"


class AdminArea(NamedTuple):
    """A complete administrative area of the extract."""

    osm_key: str
    level: int
    geometry: MultiPolygon


class Outline(NamedTuple):
    """Where a snapshot is complete, and how we know."""

    geometry: MultiPolygon | None
    source: OutlineSource
    detail: str


def parse_poly(text: str, where: str = "the .poly file") -> MultiPolygon:
    """An Osmosis polygon file: a name, then rings of `lon lat` lines; a ring named with `!` first is a hole.

    Raises BadExtract naming the line that cannot be read.
    """
    shells: list[Polygon] = []
    holes: list[Polygon] = []
    ring: list[tuple[float, float]] | None = None
    is_hole = is_finished = False
    for number, line in list(enumerate(text.splitlines(), 1))[1:]:
        words = line.split()
        if not words or is_finished:
            continue
        if ring is None:
            if words == ["END"]:
                is_finished = True
            else:
                ring, is_hole = [], words[0].startswith("!")
        elif words == ["END"]:
            (holes if is_hole else shells).append(_close(ring, f"{where}, line {number}"))
            ring = None
        else:
            ring.append(_parse_point(words, f"{where}, line {number}"))
    if not is_finished:
        raise BadExtract(f"{where} ends before its last END: it was cut off. Fetch it again, or remove it.")
    if not shells:
        raise BadExtract(f"{where} holds no ring. Fetch it again, or remove it.")
    covered = shapely.difference(shapely.union_all(shells), shapely.union_all(holes))
    outline = polygonal(covered)
    if outline is None:
        raise BadExtract(f"{where} encloses nothing. Fetch it again, or remove it.")
    return outline


def _parse_point(words: list[str], where: str) -> tuple[float, float]:
    try:
        lon, lat = (float(word) for word in words)
    except ValueError as error:
        raise BadExtract(f"{where}: expected `lon lat` or END, found {' '.join(words)[:40]!r}.") from error
    if not (abs(lon) <= 180 and abs(lat) <= 90):
        raise BadExtract(
            f"{where}: {lon} {lat} is not a place on earth; a .poly line is `lon lat` in degrees."
        )
    return lon, lat


def _close(ring: list[tuple[float, float]], where: str) -> Polygon:
    if len(set(ring)) < 3:
        raise BadExtract(f"{where}: a ring needs three different points, this one has {len(set(ring))}.")
    return shapely.make_valid(Polygon(ring))


def polygonal(geometry: BaseGeometry) -> MultiPolygon | None:
    """The areas of a geometry as one MultiPolygon; None where it has none."""
    parts = shapely.get_parts(shapely.get_parts(np.array([geometry])))
    areas = [part for part in parts if isinstance(part, Polygon) and part.area > 0]
    return MultiPolygon(areas) if areas else None


def choose_outline(
    poly: MultiPolygon | None,
    areas: Sequence[AdminArea],
    read_places: Callable[[], np.ndarray],
    box: Box | None,
) -> Outline:
    """The surest outline there is: .poly, else the one complete country or state, else the header's box, else none.

    `read_places` gives points of kept objects, an array of (lon, lat), shape (n, 2): an area counts only
    where it covers most of them, so that an enclave does not pass for the whole.
    """
    if poly is not None:
        return Outline(poly, OutlineSource.POLY, "the .poly file beside the extract")
    for level in COUNTRY_LEVELS:
        at_level = [area for area in areas if area.level == level]
        if len(at_level) != 1:
            continue
        places = read_places()
        shapely.prepare(at_level[0].geometry)
        covered = shapely.contains_xy(at_level[0].geometry, places[:, 0], places[:, 1])
        if len(places) and float(np.mean(covered)) > MOST:
            return Outline(
                at_level[0].geometry, OutlineSource.AREA, f"{at_level[0].osm_key}, admin_level {level}"
            )
    if box is not None:
        return Outline(box_area(box), OutlineSource.BOX, "the box in the file's header")
    return Outline(
        None, OutlineSource.NONE, "no .poly file, no complete country or state, no box in the header"
    )
