"""Import stage: what reading makes and loading stores.

Geometry is text as wkb.py makes it.
"""

from dataclasses import dataclass
from typing import Any

import shapely
from pyproj import Geod
from shapely.geometry.base import BaseGeometry

from osm_import.reasons import Reason
from osm_import.travelling import Barrier

GEOD = Geod(ellps="WGS84")


@dataclass(slots=True)
class Description:
    """What tags make of an object in one layer; objects with the same tags share it."""

    layer: str
    klass: str
    tags: dict[str, str]
    tags_json: str
    """The tags as canonical JSON."""
    columns: dict[str, Any]
    """The layer's own columns, but for what is measured."""
    cells: tuple[str, str, str] | None = None
    """As loading.py writes it, once it has."""

    @property
    def name(self) -> str | None:
        """The name tag, None where it is empty."""
        return self.tags.get("name") or None


@dataclass(slots=True)
class Feature:
    """One row of a layer."""

    description: Description
    osm_type: str
    osm_id: int
    version: int
    wkb: str
    repaired: bool = False
    area_m2: float | None = None
    """Square metres, where the layer has them."""

    @property
    def osm_key(self) -> str:
        """OSM type and id, such as w55."""
        return f"{self.osm_type}{self.osm_id}"

    @property
    def layer(self) -> str:
        """The layer that it is a row of."""
        return self.description.layer


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
class PlaceArea:
    """The ground of a place that is mapped as an area."""

    osm_key: str
    wkb: str
    repaired: bool


@dataclass(slots=True)
class Junction:
    """A node that several roads share."""

    node_id: int
    way_ids: list[int]
    wkb: str


@dataclass(slots=True)
class RoadBarrier:
    """A node on an edge of the road network that stops somebody, or may."""

    node_id: int
    barrier: Barrier
    wkb: str


def to_wkb(geometry: BaseGeometry) -> str:
    """Little-endian 2D WKB without SRID, as PostGIS's ST_AsBinary gives it."""
    wkb: bytes = shapely.to_wkb(geometry, byte_order=1, output_dimension=2, include_srid=False)
    return wkb.hex()


def spheroid_area(geometry: BaseGeometry) -> float:
    """Square metres on the WGS84 spheroid; holes count off, whatever way the rings turn."""
    area, _ = GEOD.geometry_area_perimeter(shapely.orient_polygons(geometry))
    return abs(float(area))
