"""A map file read by pyosmium alone, for the reader of multiple-choice questions: features with their tags and shapes.

No layer, no derivation and no other code of the product has a hand in it. Coordinates: lon, lat in degrees on WGS84;
lengths in metres, areas in square metres.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, radians
from operator import itemgetter
from pathlib import Path
from typing import Any

import osmium
import shapely
from osmium.osm.types import Area, Node, Way
from pyproj import Geod, Transformer
from shapely import MultiPolygon, Point, Polygon, STRtree

from tests.readers.knowledge_words import BY_DEFAULT, KIND_KEYS, Counted, street_of

GEOD = Geod(ellps="WGS84")
Shape = Any
"""A geometry of shapely, which has no types."""


@dataclass(frozen=True, eq=False)
class Feature:
    """An object of the map with tags: a point, a line or an area."""

    key: str
    tags: Mapping[str, str]
    shape: Shape
    nodes: tuple[tuple[int, float, float], ...] = ()
    """Of a way: id, lon and lat of each node."""

    @property
    def name(self) -> str:
        """Its name with single blanks; empty where it has none."""
        return " ".join(self.tags.get("name", "").split())

    @property
    def is_area(self) -> bool:
        return isinstance(self.shape, Polygon | MultiPolygon)

    @property
    def is_road(self) -> bool:
        return bool(self.nodes) and "highway" in self.tags

    @cached_property
    def point(self) -> Point:
        """Itself, or a point inside it."""
        return self.shape if isinstance(self.shape, Point) else self.shape.representative_point()

    @property
    def square_metres(self) -> float:
        """Of the ground that an area covers, without its holes."""
        parts = self.shape.geoms if isinstance(self.shape, MultiPolygon) else [self.shape]
        rings = ((part.exterior, part.interiors) for part in parts)
        return sum(_inside(outer) - sum(map(_inside, holes)) for outer, holes in rings)

    @property
    def metres(self) -> float:
        """Length of a way."""
        return float(GEOD.line_length([lon for _, lon, _ in self.nodes], [lat for _, _, lat in self.nodes]))


def _inside(ring: Any) -> float:
    lons, lats = ring.xy
    return abs(float(GEOD.polygon_area_perimeter(lons, lats)[0]))


def metres_between(one: Point, other: Point) -> float:
    """Along the geodesic of WGS84."""
    return float(GEOD.inv(one.x, one.y, other.x, other.y)[2])


def reach(area: Shape, metres: float) -> Shape:
    """An area, and all that lies up to so many metres around it."""
    middle = area.centroid
    plane = f"+proj=aeqd +lat_0={middle.y} +lon_0={middle.x} +datum=WGS84"
    there = Transformer.from_crs("EPSG:4326", plane, always_xy=True)
    back = Transformer.from_crs(plane, "EPSG:4326", always_xy=True)
    flat = shapely.transform(area, there.transform, interleaved=False)
    return shapely.transform(flat.buffer(metres, quad_segs=64), back.transform, interleaved=False)


def square(middle: Point, metres: float) -> Shape:
    """A box that holds all that lies so many metres around a point."""
    north = metres / 110_000
    east = north / cos(radians(middle.y))
    return shapely.box(middle.x - east, middle.y - north, middle.x + east, middle.y + north)


class MapFile:
    """All features of a map file that have tags."""

    def __init__(self, file: Path) -> None:
        self.features = list(_features(file))

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[Feature]]:
        """Features that have a name, by it."""
        found: dict[str, list[Feature]] = defaultdict(list)
        for feature in self.features:
            if feature.name:
                found[feature.name].append(feature)
        return found

    def areas_called(self, name: str) -> list[Feature]:
        """Areas of that name."""
        return [one for one in self.by_name.get(name, ()) if one.is_area]

    def places_called(self, name: str) -> list[Feature]:
        """Points of interest of that name; other features of that name where there is none."""
        called = [one for one in self.by_name.get(name, ()) if not one.is_road]
        return [one for one in called if BY_DEFAULT.takes(one.tags)] or called

    @cached_property
    def places(self) -> list[Feature]:
        """All that may be a point of interest."""
        return [one for one in self.features if not one.is_road and any(key in one.tags for key in KIND_KEYS)]

    @cached_property
    def _place_tree(self) -> STRtree:
        return STRtree([one.point for one in self.places])

    def places_inside(self, area: Shape, counted: Counted) -> list[Feature]:
        """Points of interest whose point lies in an area."""
        found = (self.places[index] for index in self._place_tree.query(area, predicate="covers"))
        return [one for one in found if counted.takes(one.tags)]

    def places_around(self, point: Point, metres: float) -> list[Feature]:
        """Points of interest within so many metres, the nearest first."""
        found = (self.places[index] for index in self._place_tree.query(square(point, metres)))
        far = ((metres_between(point, one.point), one) for one in found if BY_DEFAULT.takes(one.tags))
        return [one for distance, one in sorted(far, key=itemgetter(0)) if distance <= metres]

    @cached_property
    def roads(self) -> list[Feature]:
        """Ways that are mapped as a highway."""
        return [one for one in self.features if one.is_road]

    @cached_property
    def _addressed(self) -> tuple[list[Feature], STRtree]:
        found = [one for one in self.features if street_of(one.tags)]
        return found, STRtree([one.point for one in found])

    def street_at(self, place: Feature) -> str:
        """Its own street, else that of the nearest feature with an address; empty where there is none."""
        found, tree = self._addressed
        own = street_of(place.tags)
        if own or not found:
            return own
        around = tree.query(square(place.point, 100.0))
        nearest = min(
            (found[index] for index in around),
            key=lambda one: metres_between(place.point, one.point),
            default=None,
        )
        return street_of(nearest.tags) if nearest else ""


# --- reading ----------------------------------------------------------------------------------------------


def _features(file: Path) -> Iterator[Feature]:
    factory = osmium.geom.WKBFactory()
    wanted = osmium.filter.KeyFilter("name", "highway", "addr:housenumber", *KIND_KEYS)
    for entity in osmium.FileProcessor(str(file)).with_locations().with_areas(wanted).with_filter(wanted):
        tags = dict(entity.tags)
        if isinstance(entity, Node):
            yield Feature(f"n{entity.id}", tags, Point(entity.location.lon, entity.location.lat))
        elif isinstance(entity, Way):
            yield from _way(entity, tags)
        elif isinstance(entity, Area) and not entity.from_way() and entity.num_rings()[0]:
            shape = shapely.from_wkb(bytes.fromhex(factory.create_multipolygon(entity)))
            yield Feature(f"r{entity.orig_id()}", tags, _whole(shape))


def _way(way: Way, tags: Mapping[str, str]) -> Iterator[Feature]:
    nodes = tuple((node.ref, node.lon, node.lat) for node in way.nodes if node.location.valid())
    places = [(lon, lat) for _, lon, lat in nodes]
    if len(set(places)) < 2:
        return
    closed = len(set(places)) > 2 and nodes[0][0] == nodes[-1][0] and tags.get("area") != "no"
    if closed and ("highway" not in tags or tags.get("area") == "yes"):
        shape = _whole(Polygon(places))
        if not shape.is_empty:
            yield Feature(f"w{way.id}", tags, shape)
    else:
        yield Feature(f"w{way.id}", tags, shapely.LineString(places), nodes)


def _whole(shape: Shape) -> Shape:
    """The shape, or its areas after mending where a ring crosses itself."""
    if shape.is_valid:
        return shape
    parts = shapely.get_parts(shapely.get_parts(shapely.make_valid(shape)))
    return MultiPolygon([part for part in parts if isinstance(part, Polygon)])


def plain(text: str) -> str:
    """For comparing words: small letters, blanks for underscores."""
    return re.sub(r"[\s_]+", " ", text).strip().lower()
