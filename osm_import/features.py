"""Import stage: what reading makes and loading stores.

Geometry is text as wkb.py makes it.
"""

from dataclasses import dataclass, field
from typing import Any

import shapely
from pyproj import Geod
from shapely.geometry.base import BaseGeometry

from app.core.identity import content_hash_of
from osm_import.reasons import Reason

GEOD = Geod(ellps="WGS84")


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


def to_wkb(geometry: BaseGeometry) -> str:
    """Little-endian 2D WKB without SRID, as PostGIS's ST_AsBinary gives it."""
    wkb: bytes = shapely.to_wkb(geometry, byte_order=1, output_dimension=2, include_srid=False)
    return wkb.hex()


def spheroid_area(geometry: BaseGeometry) -> float:
    """Square metres on the WGS84 spheroid; holes count off, whatever way the rings turn."""
    area, _ = GEOD.geometry_area_perimeter(shapely.orient_polygons(geometry))
    return abs(float(area))
