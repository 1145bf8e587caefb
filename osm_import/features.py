"""Import stage: what reading makes and loading stores.

Geometry is little-endian 2D WKB in lon, lat (EPSG:4326), in lower-case hexadecimal.
"""

import struct
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import shapely
from pyproj import Geod
from shapely.geometry.base import BaseGeometry

from app.core.identity import content_hash_of

GEOD = Geod(ellps="WGS84")


class Reason(StrEnum):
    """Why an object is not in a layer; the sentence is what a mapper reads."""

    MISSING_NODES = "missing_nodes"
    """Some nodes of the way are not in the extract: its edge cuts the way."""
    MISSING_MEMBERS = "missing_members"
    """Some member ways of the relation are not in the extract: its edge cuts the area."""
    NO_MEMBERS = "no_members"
    """The relation has no way that could be a ring."""
    OPEN_RING = "open_ring"
    """The member ways do not close into rings."""
    CROSSING_RINGS = "crossing_rings"
    """The rings cross or overlap each other."""
    NO_AREA = "no_area"
    """The ring encloses nothing."""
    LINE_NOT_AREA = "line_not_area"
    """The tags ask for an area, and the way is a line: not closed, a closed highway, or area=no."""
    RELATION_NOT_AREA = "relation_not_area"
    """The relation has the tags of an area, but is of no type that makes one (multipolygon, boundary)."""
    TOO_FEW_POINTS = "too_few_points"
    """The way has fewer than two different points."""
    BAD_LOCATION = "bad_location"
    """The node is no place on earth."""
    BAD_TEXT = "bad_text"
    """A tag holds text that is not valid."""


@dataclass(slots=True)
class Feature:
    """One row of a layer."""

    layer: str
    osm_type: str
    osm_id: int
    version: int
    klass: str
    tags: dict[str, str]
    tags_json: str
    """The tags as canonical JSON."""
    wkb: str
    repaired: bool = False
    columns: dict[str, Any] = field(default_factory=dict)
    """The layer's own columns."""

    @property
    def osm_key(self) -> str:
        """OSM type and id, such as w55."""
        return f"{self.osm_type}{self.osm_id}"

    @property
    def name(self) -> str | None:
        """The name tag, None where it is empty."""
        return self.tags.get("name") or None

    def hash(self) -> str:
        """Changes when name, class, tags or geometry do."""
        return content_hash_of(self.osm_key, self.name, self.klass, self.tags_json, self.wkb)


@dataclass(slots=True)
class Reject:
    """An object whose tags belong to a layer, and that is not in it."""

    layer: str
    osm_type: str
    osm_id: int
    name: str | None
    reason: Reason
    detail: str
    place: str | None = None
    """WKB of where to look, where known."""


@dataclass(slots=True)
class Junction:
    """A node that several roads share."""

    node_id: int
    way_ids: list[int]
    wkb: str


POINT = "0101000000"
LINE = "0102000000"
POLYGON = "0103000000"
MULTI_POLYGON = "0106000000"
_WITH_SRID = {
    kind: f"{kind[:8]}20e6100000"
    for kind in (POINT, LINE, POLYGON, "0104000000", MULTI_POLYGON, "0107000000")
}


def to_wkb(geometry: BaseGeometry) -> str:
    """Little-endian 2D WKB without SRID, as PostGIS's ST_AsBinary gives it."""
    wkb: bytes = shapely.to_wkb(geometry, byte_order=1, output_dimension=2, include_srid=False)
    return wkb.hex()


def point_wkb(lon: float, lat: float) -> str:
    """The WKB of one point."""
    return POINT + struct.pack("<dd", lon, lat).hex()


def count_hex(count: int) -> str:
    """A count as WKB writes it."""
    return count.to_bytes(4, "little").hex()


def ewkb_hex(wkb: str) -> str:
    """The same geometry as PostGIS's COPY reads it: SRID 4326 added."""
    return _WITH_SRID[wkb[:10]] + wkb[10:]


def spheroid_area(geometry: BaseGeometry) -> float:
    """Square metres on the WGS84 spheroid; holes count off, whatever way the rings turn."""
    area, _ = GEOD.geometry_area_perimeter(shapely.orient_polygons(geometry))
    return abs(float(area))
