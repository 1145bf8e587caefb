"""Second path: a snapshot's layers in memory, each read whole, once, when first asked for, with its own indexes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np
import shapely
from sqlalchemy import Connection

from app.core.identity import content_hash
from app.questions.second_path.geodesy import Boundary, Floats, Points, Positions, measure, spheroid_area
from app.questions.second_path.insides import Inside
from app.questions.second_path.names import normal_form
from app.questions.second_path.reading import (
    LAYER_NAMES,
    FactRow,
    RoadName,
    RoadNode,
    RoadRows,
    Row,
    read_facts,
    read_layer,
    read_place_areas,
    read_road_lines,
    read_road_names,
    read_road_nodes,
    read_roads,
)
from app.questions.second_path.road_graph import RoadGraph
from app.questions.second_path.travelling import Travelling

NAMED_LAYERS = ("poi", "park", "water", "region", "aoi", "other_place")
"""Layers whose objects have names of their own: a road's ways share theirs, and an address seldom has one."""
TWINS_WITHIN = 29.999
"""Metres: two points of one name and class that are no farther apart surely are one place, mapped twice."""
EDGE_DEGREES = 0.01
"""An outline's edges are cut into pieces no longer than this, as good as a geodesic (to 2 cm at 60 degrees)."""


class Layer:
    """One layer: columns as lists, in the order of osm_key; a position is an index into them."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = sorted(rows, key=lambda row: row.osm_key)
        self.keys = [row.osm_key for row in self.rows]
        self._points: dict[object, Points] = {}
        self._areas: dict[int, float] = {}
        self._boundaries: dict[int, Boundary] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def position(self) -> dict[str, int]:
        """The position of each osm_key."""
        return {key: position for position, key in enumerate(self.keys)}

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """The positions of each name, by its normal form."""
        positions: dict[str, list[int]] = {}
        for position, row in enumerate(self.rows):
            if is_named(row):
                positions.setdefault(normal_form(row.name or ""), []).append(position)
        return positions

    @cached_property
    def by_english(self) -> dict[str, list[int]]:
        """The positions of each name:en, by its normal form."""
        positions: dict[str, list[int]] = {}
        for position, row in enumerate(self.rows):
            if english := normal_form(row.tags.get("name:en", "")):
                positions.setdefault(english, []).append(position)
        return positions

    @cached_property
    def geometries(self) -> Any:
        """The shapely geometries, as an array of objects."""
        return shapely.from_wkb([row.wkb for row in self.rows])

    @cached_property
    def coordinates(self) -> Floats:
        """Lon and lat of each row, (n, 2), for a layer of points."""
        return np.column_stack((shapely.get_x(self.geometries), shapely.get_y(self.geometries)))

    @cached_property
    def classes(self) -> list[str]:
        """The first class of each row."""
        return [row.klass for row in self.rows]

    @cached_property
    def tree(self) -> Any:
        """An STRtree over the geometries, in degrees."""
        return shapely.STRtree(self.geometries)

    @cached_property
    def named(self) -> Positions:
        """The positions of the rows that have a name, ascending."""
        return np.array([position for position, row in enumerate(self.rows) if is_named(row)], dtype=np.intp)

    @cached_property
    def of_class(self) -> dict[str, Positions]:
        """The positions of each class, ascending; a row with several classes is under each."""
        positions: dict[str, list[int]] = {}
        for position, row in enumerate(self.rows):
            for klass in row.classes:
                positions.setdefault(klass, []).append(position)
        return {klass: np.array(sorted(set(found)), dtype=np.intp) for klass, found in positions.items()}

    @cached_property
    def twins(self) -> dict[int, set[str]]:
        """The positions of points mapped more than once, and the classes that they share with another of their name."""
        found: dict[int, set[str]] = {}
        for bearers in self.by_name.values():
            northward = sorted(bearers, key=lambda one: float(self.coordinates[one, 1]))
            for one, other in _pairs_within(northward, self.coordinates[:, 1], TWINS_WITHIN / 100_000):
                shared = {*self.rows[one].classes} & {*self.rows[other].classes}
                if shared and self._apart(one, other) <= TWINS_WITHIN:
                    found.setdefault(one, set()).update(shared)
                    found.setdefault(other, set()).update(shared)
        return found

    def _apart(self, one: int, other: int) -> float:
        """Metres between two points."""
        lon, lat = self.coordinates[one].tolist()
        metres, _ = measure(lon, lat, self.coordinates[[other], 0], self.coordinates[[other], 1])
        return float(metres[0])

    def points_of(self, classes: frozenset[str]) -> Points:
        """The points with any of the classes, named or not."""
        if classes not in self._points:
            found = [self.of_class[klass] for klass in sorted(classes) if klass in self.of_class]
            positions = np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.intp)
            self._points[classes] = Points(positions, self.coordinates, self.keys)
        return self._points[classes]

    def points_tagged(self, klass: str, tag: str, values: frozenset[str]) -> Points:
        """The points of a class one of whose values of `tag`, parted by semicolons, is among `values`."""
        asked = (klass, tag, values)
        if asked not in self._points:
            everyone = self.of_class.get(klass, np.empty(0, dtype=np.intp)).tolist()
            found = [
                position
                for position in everyone
                if values & {part.strip() for part in self.rows[position].tags.get(tag, "").split(";")}
            ]
            self._points[asked] = Points(np.array(found, dtype=np.intp), self.coordinates, self.keys)
        return self._points[asked]

    def named_points(self) -> Points:
        """The points that have a name, of every class."""
        if None not in self._points:
            self._points[None] = Points(self.named, self.coordinates, self.keys)
        return self._points[None]

    def all_points(self) -> Points:
        """Every point, named or not."""
        if "all" not in self._points:
            everyone = np.arange(len(self.rows), dtype=np.intp)
            self._points["all"] = Points(everyone, self.coordinates, self.keys)
        return self._points["all"]

    def area(self, position: int) -> float:
        """Square metres on the spheroid."""
        if position not in self._areas:
            self._areas[position] = spheroid_area(self.geometries[position])
        return self._areas[position]

    def boundary(self, position: int) -> Boundary:
        """The boundary of an area, for distances to it."""
        if position not in self._boundaries:
            self._boundaries[position] = Boundary(self.geometries[position])
        return self._boundaries[position]


class Layers:
    """What the second path may see of a snapshot; `outline_wkb` is None where the extract has no outline."""

    def __init__(
        self, connection: Connection, schema: str, outline_wkb: bytes | None, facts: str | None = None
    ) -> None:
        self._read: Callable[[str], Iterable[Row]] = partial(read_layer, connection, schema)
        self._read_facts: Callable[[], Iterable[FactRow]] = (
            partial(read_facts, connection, facts) if facts else lambda: ()
        )
        self._read_road_nodes: Callable[[], Iterable[RoadNode]] = partial(read_road_nodes, connection, schema)
        self._read_place_areas: Callable[[], Iterable[tuple[str, bytes]]] = partial(
            read_place_areas, connection, schema
        )
        self._read_roads: Callable[[str], RoadRows] = partial(read_roads, connection, schema)
        self._read_road_names: Callable[[], Iterable[tuple[tuple[int, int], RoadName]]] = partial(
            read_road_names, connection, schema
        )
        self._read_road_lines: Callable[[], Iterable[tuple[tuple[int, int], bytes]]] = partial(
            read_road_lines, connection, schema
        )
        self._prepare(outline_wkb)

    @classmethod
    def from_rows(
        cls,
        rows: Mapping[str, Iterable[Row]],
        outline_wkb: bytes | None = None,
        facts: Iterable[FactRow] = (),
        road_nodes: Iterable[RoadNode] = (),
        place_areas: Iterable[tuple[str, bytes]] = (),
        roads: Mapping[str, RoadRows] = MappingProxyType({}),
    ) -> "Layers":
        """Layers from rows in memory, {layer: rows}; a layer that is not named is empty."""
        layers = cls.__new__(cls)
        held = {layer: list(found) for layer, found in rows.items()}
        layers._read = lambda layer: held.get(layer, [])
        layers._read_facts = lambda: facts
        layers._read_road_nodes = lambda: road_nodes
        layers._read_place_areas = lambda: place_areas
        layers._read_roads = roads.__getitem__
        layers._read_road_lines = lambda: ()
        layers._read_road_names = lambda: ()
        layers._prepare(outline_wkb)
        return layers

    def _prepare(self, outline_wkb: bytes | None) -> None:
        self._layers: dict[str, Layer] = {}
        self._roads: dict[str, RoadGraph] = {}
        self._road_rows: dict[str, RoadRows] = {}
        self._travelling: dict[str, Travelling] = {}
        self._insides: dict[tuple[str, int], Inside] = {}
        self._rooms: dict[tuple[float, float], tuple[bool, float]] = {}
        self._outline_covers: dict[tuple[str, int], bool] = {}
        self._hashes: dict[tuple[str, str], str | None] = {}
        self.addresses: dict[int, dict[str, Any] | None] = {}
        """What addresses.py found out, by the position of the place."""
        self.outline: Any = None
        if outline_wkb is not None:
            outline = shapely.from_wkb(outline_wkb)
            shapely.prepare(outline)
            self.outline = None if outline.is_empty else outline

    def __getitem__(self, name: str) -> Layer:
        """The layer `name`; raises ValueError where there is none of that name."""
        if name not in LAYER_NAMES:
            raise ValueError(f"no layer is called {name!r}; there are {', '.join(LAYER_NAMES)}")
        if name not in self._layers:
            self._layers[name] = Layer(self._read(name))
        return self._layers[name]

    @cached_property
    def road_nodes(self) -> dict[str, list[RoadNode]]:
        """The shared nodes of each way, by its osm_key, in the order of their ids."""
        nodes: dict[str, list[RoadNode]] = {}
        for node in sorted(self._read_road_nodes(), key=lambda node: node.node_id):
            for way_id in node.way_ids:
                nodes.setdefault(f"w{way_id}", []).append(node)
        return nodes

    def roads(self, mode: str) -> RoadGraph:
        """The road network of a mode: car, bicycle or foot. Raises Conflict where the map has none."""
        if mode not in self._roads:
            self._roads[mode] = RoadGraph(self.road_rows(mode))
        return self._roads[mode]

    def road_rows(self, mode: str) -> RoadRows:
        """The rows of the road network of a mode: car, bicycle or foot. Raises Conflict where the map has none."""
        if mode not in self._road_rows:
            self._road_rows[mode] = self._read_roads(mode)
        return self._road_rows[mode]

    @cached_property
    def road_lines(self) -> dict[tuple[int, int], bytes]:
        """The WKB of the line of each edge of the road network, by way and position."""
        return dict(self._read_road_lines())

    @cached_property
    def road_names(self) -> dict[tuple[int, int], RoadName]:
        """What each edge of the road network is called, by way and position."""
        return dict(self._read_road_names())

    def travelling(self, mode: str) -> Travelling:
        """Travel times of a mode: car, bicycle or foot. Raises Conflict where the map has no road network."""
        if mode not in self._travelling:
            self._travelling[mode] = Travelling(self.roads(mode), self.road_lines)
        return self._travelling[mode]

    @cached_property
    def place_areas(self) -> dict[str, bytes]:
        """The WKB of the area of each place that is mapped as one, by its osm_key; not where it had to be mended.

        Raises an error of the database where the map has no layer poi_area.
        """
        return dict(self._read_place_areas())

    @cached_property
    def bearing(self) -> dict[str, set[str]]:
        """The objects that a reader could take a name for, all but ways of roads, by its normal form."""
        found: dict[str, set[str]] = {}
        for layer in map(self.__getitem__, NAMED_LAYERS):
            for form, positions in layer.by_name.items():
                found.setdefault(form, set()).update(layer.keys[one] for one in positions)
        return found

    def rows_called(self, name: str) -> list[Row]:
        """All rows of NAMED_LAYERS with this name, or one that reads the same; an object may have several."""
        layers = map(self.__getitem__, NAMED_LAYERS)
        form = normal_form(name)
        return [layer.rows[one] for layer in layers for one in layer.by_name.get(form, [])]

    @cached_property
    def facts(self) -> list[FactRow]:
        """What is said of places from outside the layers."""
        return sorted(self._read_facts(), key=lambda row: (row.osm_key, row.attribute, row.fact_id))

    @cached_property
    def said_of(self) -> dict[tuple[str, str], list[FactRow]]:
        """All that is said of a place and an attribute, (osm_key, attribute)."""
        said: dict[tuple[str, str], list[FactRow]] = {}
        for row in self.facts:
            said.setdefault((row.osm_key, row.attribute), []).append(row)
        return said

    @cached_property
    def bearers(self) -> dict[tuple[str, str], set[str]]:
        """The places of which any source says a value, (attribute, key), whether others contradict it or not."""
        bearers: dict[tuple[str, str], set[str]] = {}
        for row in self.facts:
            bearers.setdefault((row.attribute, row.key), set()).add(row.osm_key)
        return bearers

    @cached_property
    def outline_boundary(self) -> Boundary | None:
        """The outline's edge, for distances to it: straight in lon/lat, which long geodesics are not."""
        if self.outline is None:
            return None
        fine = shapely.segmentize(self.outline, EDGE_DEGREES)
        return Boundary(_without_seam(fine) if _is_over_antimeridian(fine) else fine)

    def inside(self, name: str, region: int) -> Inside:
        """What of the layer `name` lies in the region at that position."""
        if (name, region) not in self._insides:
            layer = self[name]
            self._insides[name, region] = Inside(
                self["region"].geometries[region], layer.geometries, layer.classes, layer.tree
            )
        return self._insides[name, region]

    def lies_in_outline(self, name: str, position: int) -> bool:
        """Whether an object of the layer `name` lies inside the outline whole; False without an outline."""
        if (name, position) not in self._outline_covers:
            shape = self[name].geometries[position]
            self._outline_covers[name, position] = self.outline is not None and bool(
                self.outline.covers(shape)
            )
        return self._outline_covers[name, position]

    def room(self, lon: float, lat: float) -> tuple[bool, float] | None:
        """Whether a place lies inside the outline, and how many metres its edge is away; None without an outline."""
        if self.outline_boundary is None:
            return None
        if (lon, lat) not in self._rooms:
            covered = bool(self.outline.covers(shapely.Point(lon, lat)))
            self._rooms[lon, lat] = covered, self.outline_boundary.distance(lon, lat)
        return self._rooms[lon, lat]

    def content_hash(self, layer: str, osm_key: str) -> str | None:
        """The content hash of one object, made again from its columns; None where the layer does not hold it."""
        if (layer, osm_key) not in self._hashes:
            self._hashes[layer, osm_key] = self._content_hash(layer, osm_key)
        return self._hashes[layer, osm_key]

    def _content_hash(self, layer: str, osm_key: str) -> str | None:
        position = self[layer].position.get(osm_key)
        if position is None:
            return None
        row = self[layer].rows[position]
        return content_hash(row.osm_key, row.name, row.klass, row.tags, row.wkb)


def _pairs_within(ordered: Sequence[int], values: Floats, reach: float) -> Iterator[tuple[int, int]]:
    """Pairs of positions, ordered by their values, whose values are no farther apart."""
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if values[other] - values[one] > reach:
                break
            yield one, other


def is_named(row: Row) -> bool:
    """Whether a row has a name with anything in it."""
    return bool(row.name and row.name.strip())


def _is_over_antimeridian(outline: Any) -> bool:
    west, _, east, _ = outline.bounds
    return bool(west == -180.0 and east == 180.0)


def _without_seam(outline: Any) -> Any:
    """The edges of an outline but those on longitude 180 or -180 behind which it goes on."""
    rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(shapely.get_parts(outline))]
    edges = np.concatenate([np.stack((ring[:-1], ring[1:]), axis=1) for ring in rings])
    on_seam = (np.abs(edges[:, 0, 0]) == 180.0) & (edges[:, 0, 0] == edges[:, 1, 0])
    behind = shapely.points(-edges[on_seam, 0, 0], edges[on_seam, :, 1].mean(axis=1))
    kept = np.ones(len(edges), dtype=bool)
    kept[on_seam] = ~shapely.covers(outline, behind)
    return shapely.multilinestrings(shapely.linestrings(edges[kept]))
