"""Second path: its one place with SQL. Reads whole layers of a snapshot and whole sets of facts, plain columns."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from app.core.errors import Conflict
from app.db.naming import quoted

LAYER_NAMES = ("poi", "park", "water", "road", "region", "aoi", "address", "other_place")
"""Layers whose rows have an osm_key and a content hash."""

MODES = ("car", "bicycle", "foot")
"""Those who travel the road network."""

_ROWS_AT_ONCE = 5000


class Tags(Mapping[str, str]):
    """An object's tags, read from their JSON when first looked at: of most objects nobody asks."""

    __slots__ = ("_json", "_read")

    def __init__(self, json_text: str) -> None:
        self._json = json_text
        self._read: dict[str, str] | None = None

    def _tags(self) -> dict[str, str]:
        if self._read is None:
            self._read = json.loads(self._json)
        return self._read

    def __getitem__(self, key: str) -> str:
        return self._tags()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tags())

    def __len__(self) -> int:
        return len(self._tags())


class Row(NamedTuple):
    """One map object as a layer holds it; `wkb` is little-endian two-dimensional WKB in lon, lat."""

    osm_key: str
    name: str | None
    klass: str
    classes: Sequence[str]
    tags: Mapping[str, str]
    repaired: bool
    wkb: bytes


class FactRow(NamedTuple):
    """What one source says of one place; `key` is equal where two values say the same."""

    osm_key: str
    fact_id: str
    subject: str
    attribute: str
    kind: str
    value: str
    key: str
    unit: str
    names: Sequence[str]
    source: str
    credit: str
    source_url: str | None
    licence: str


class RoadNode(NamedTuple):
    """A node that several roads share: the ids of its ways, and where it is."""

    node_id: int
    way_ids: Sequence[int]
    wkb: bytes


class EdgeRow(NamedTuple):
    """An edge as one mode travels it; km/h along its line and against it, None where it may not."""

    way_id: int
    position: int
    from_node: int
    to_node: int
    length_m: float
    forward_kmh: float | None
    backward_kmh: float | None
    destination: bool
    part: int | None


class RoadName(NamedTuple):
    """What an edge is called, and whether it is part of a roundabout."""

    name: str | None
    ref: str | None
    roundabout: bool


class TurnRow(NamedTuple):
    """A turn restriction that one mode must heed; `via_ways` are empty where it turns at `via_node`."""

    relation_id: int
    klass: str
    from_ways: Sequence[int]
    via_node: int | None
    via_ways: Sequence[int]
    to_ways: Sequence[int]


class RoadRows(NamedTuple):
    """The whole network of one mode."""

    edges: Sequence[EdgeRow]
    turns: Sequence[TurnRow]
    blocked: frozenset[int]
    """Nodes that the mode does not get past."""


def read_facts(connection: Connection, set_id: str) -> Iterator[FactRow]:
    """Every row of a set of facts, those that contradict each other included."""
    columns = ", ".join(FactRow._fields)
    statement = text(f"select {columns} from trigpoint.map_fact where set_id = :set_id")
    options = {"stream_results": True, "yield_per": _ROWS_AT_ONCE}
    for row in connection.execute(statement, {"set_id": set_id}, execution_options=options):
        yield FactRow(*row)


def read_road_nodes(connection: Connection, schema: str) -> Iterator[RoadNode]:
    """Every node that two roads or more share."""
    statement = text(
        f"select node_id, way_ids, ST_AsBinary(geom) as wkb from {quoted(schema)}.{quoted('road_node')}"
    )
    options = {"stream_results": True, "yield_per": _ROWS_AT_ONCE}
    for node_id, way_ids, wkb in connection.execute(statement, execution_options=options):
        yield RoadNode(node_id, tuple(way_ids), bytes(wkb))


def read_place_areas(connection: Connection, schema: str) -> Iterator[tuple[str, bytes]]:
    """Key and WKB of every place that is mapped as an area and that nobody had to mend."""
    statement = text(
        f"select osm_key, ST_AsBinary(geom) as wkb from {quoted(schema)}.{quoted('poi_area')} where not repaired"
    )
    options = {"stream_results": True, "yield_per": _ROWS_AT_ONCE}
    for key, wkb in connection.execute(statement, execution_options=options):
        yield key, bytes(wkb)


def read_layer(connection: Connection, schema: str, layer: str) -> Iterator[Row]:
    """Every row of `layer` in the snapshot schema, through a server-side cursor.

    Raises ValueError for a layer that is not one of LAYER_NAMES.
    """
    if layer not in LAYER_NAMES:
        raise ValueError(f"no layer is called {layer!r}; there are {', '.join(LAYER_NAMES)}")
    classes = "classes" if layer == "poi" else "array[class] as classes"
    statement = text(
        f"select osm_key, name, class, {classes}, cast(tags as text) as tags, repaired, ST_AsBinary(geom) as wkb"
        f" from {quoted(schema)}.{quoted(layer)}"
    )
    options = {"stream_results": True, "yield_per": _ROWS_AT_ONCE}
    rows = connection.execute(statement, execution_options=options)
    for key, name, klass, classes_, tags, repaired, wkb in rows:
        yield Row(key, name, klass, tuple(classes_), Tags(tags), repaired, bytes(wkb))


def read_roads(connection: Connection, schema: str, mode: str) -> RoadRows:
    """The network of a mode, one of MODES, in the snapshot schema; edges that it may not travel are left out.

    Raises Conflict where the map has no road network, ValueError for another mode.
    """
    if mode not in MODES:
        raise ValueError(f"no mode is called {mode!r}; there are {', '.join(MODES)}")
    relation = f"{quoted(schema)}.road_edge"
    if connection.execute(text("select to_regclass(:relation)"), {"relation": relation}).scalar() is None:
        raise _no_network(schema)
    kmh = f"{mode}_forward_kmh, {mode}_backward_kmh, {mode}_destination, {mode}_part"
    edges = [
        EdgeRow(*row)
        for row in _read(
            connection, f"select way_id, position, from_node, to_node, length_m, {kmh} from {relation}"
        )
    ]
    if not edges:
        raise _no_network(schema)
    turns = _read(
        connection,
        f"select {mode}, relation_id, class, from_ways, via_node, via_ways, to_ways "
        f"from {quoted(schema)}.turn_restriction",
    )
    barriers = _read(connection, f"select node_id, {mode} from {quoted(schema)}.road_barrier")
    return RoadRows(
        [edge for edge in edges if edge.forward_kmh or edge.backward_kmh],
        [TurnRow(*row[1:]) for row in turns if row[0]],
        frozenset(node for node, passable in barriers if not passable),
    )


def read_road_lines(connection: Connection, schema: str) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The line of every edge as WKB, by way and position."""
    for way_id, position, wkb in _read(
        connection, f"select way_id, position, ST_AsBinary(geom) as wkb from {quoted(schema)}.road_edge"
    ):
        yield (way_id, position), bytes(wkb)


def read_road_names(connection: Connection, schema: str) -> Iterator[tuple[tuple[int, int], RoadName]]:
    """What every edge is called, by way and position."""
    for way_id, position, name, ref, roundabout in _read(
        connection, f"select way_id, position, name, ref, roundabout from {quoted(schema)}.road_edge"
    ):
        yield (way_id, position), RoadName(name, ref, roundabout)


def _no_network(schema: str) -> Conflict:
    return Conflict(
        f"The map in {schema} has no road network: it was imported before there was one, or without the layer "
        "road_edge. Import its extract again with `trigpoint import`."
    )


def _read(connection: Connection, statement: str) -> Iterator[Any]:
    options = {"stream_results": True, "yield_per": _ROWS_AT_ONCE}
    return iter(connection.execute(text(statement), execution_options=options))
