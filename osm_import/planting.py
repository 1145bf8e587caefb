"""`trigpoint plant`: a copy of an extract to which invented places of one class are added, beside its streets.

Few maps have the charging stations that a benchmark asks for. A planted place stands 15 m from a node of a street with
a name; nodes are taken in the order of a hash of seed, class and node, so that two maps of one region get the same
places wherever they have the same nodes. Coordinates: lon, lat, WGS84.
"""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import osmium
from osmium.osm import NODE, WAY, Location, mutable
from osmium.osm.types import Node, OSMEntity, Way
from pyproj import Geod

from app.core.errors import BadExtract, Conflict, UsageError
from app.core.planted import FIRST_ID, MARK, MOST_ID, is_planted
from osm_import.downloading import extract_stem
from osm_import.osmium_errors import osmium_errors, read_entities

STREETS = frozenset({"primary", "secondary", "tertiary", "unclassified", "residential", "living_street"})
APART_M = 300
"""Two planted places are at least so far apart, so that none is taken for another."""
ASIDE_M = 15
"""How far a place stands from the middle of its street."""
TWIN_EVERY, TWIN_M = 10, 30
"""Each tenth charging station is mapped as two points of one operator, as some are in OpenStreetMap."""
OPERATORS = ("Ardent", "Borealis", "Cobalt", "Dynamo", "Estuary")
HOURS = ("24/7", "Mo-Su 07:00-22:00", "Mo-Sa 06:00-23:00; Su 08:00-22:00")
ACCESS = ("yes", "customers")
SOCKETS = (
    {"socket:type2": "2"},
    {"socket:type2": "4", "socket:type2_combo": "2"},
    {"socket:type2": "2", "socket:chademo": "1", "socket:type2_combo": "1"},
)
CLASSES: Mapping[str, str] = {
    "charging_station": "Charging Station",
    "fuel": "Fuel Station",
    "parking": "Car Park",
    "pharmacy": "Pharmacy",
    "atm": "Cash Machine",
}
"""What can be planted, all of it `amenity=…`, and the word in the places' names."""
GEOD = Geod(ellps="WGS84")
DEGREE_M = 110_500
"""Metres of a degree of latitude, at least: cells are made by it, distances are geodesic."""

Place = tuple[float, float]


class Planted(NamedTuple):
    """What was written."""

    path: Path
    klass: str
    places: int
    """Places that stand for themselves."""
    points: int
    """Nodes that were added: some places are two."""
    seed: int

    def as_json(self) -> dict[str, Any]:
        """The result of `trigpoint plant --json`."""
        return {
            "path": str(self.path),
            "class": self.klass,
            "places": self.places,
            "points": self.points,
            "seed": self.seed,
        }


class Corner(NamedTuple):
    """A node of a street, where a place may be planted."""

    node_id: int
    at: Place


def plant(source: Path, target: Path, klass: str, number: int, seed: int) -> Planted:
    """Write the extract `source` with `number` places of the class to `target` (.osm.pbf), and its .poly beside it.

    The same extract, class, number and seed give the same objects. Raises UsageError for a class that cannot be
    planted or a number below 1, Conflict where `target` exists or `source` has such places, BadExtract where the
    extract cannot be read, or its streets have no room for so many.
    """
    _check(source, target, klass, number)
    corners = _choose(read_corners(source), klass, number, seed)
    if len(corners) < number:
        raise BadExtract(
            f"{source.name} has room for {len(corners)} places that are {APART_M} m apart beside streets with a "
            f"name, and {number} are asked for. Ask for fewer, or take a larger extract."
        )
    numbered = [
        node for serial, corner in enumerate(corners, 1) for node in _nodes(corner, serial, klass, seed)
    ]
    nodes = [node for _, node in sorted(numbered, key=lambda one: one[0])]
    _write(source, target, nodes)
    poly = source.with_name(extract_stem(source.name) + ".poly")
    if poly.is_file():
        target.with_name(extract_stem(target.name) + ".poly").write_bytes(poly.read_bytes())
    return Planted(target, klass, number, len(nodes), seed)


def read_corners(source: Path) -> list[Corner]:
    """The nodes of all streets with a name, by id. Raises Conflict where the extract holds planted objects."""
    found: dict[int, Place] = {}
    processor = osmium.FileProcessor(str(source), NODE | WAY).with_locations()
    for one in read_entities(source, processor):
        if isinstance(one, Node) and is_planted("n", one.id):
            raise Conflict(
                f"{source.name} holds planted places already. Plant into the extract that it was made of."
            )
        if isinstance(one, Way) and one.tags.get("highway") in STREETS and "name" in one.tags:
            found |= {node.ref: (node.lon, node.lat) for node in one.nodes if node.location.valid()}
    return [Corner(*item) for item in sorted(found.items())]


def _check(source: Path, target: Path, klass: str, number: int) -> None:
    if klass not in CLASSES:
        raise UsageError(f"{klass!r} cannot be planted. Choose one of {', '.join(CLASSES)}.")
    if number < 1:
        raise UsageError(f"{number} places cannot be planted: ask for one or more.")
    if not source.is_file():
        raise UsageError(f"There is no file {source}. Name an extract.")
    if not target.name.endswith(".osm.pbf"):
        raise UsageError(f"{target.name} does not end in .osm.pbf, the format that is written.")
    if target.exists():
        raise Conflict(f"{target} exists. Remove it, or choose another --out.")


def _choose(corners: Sequence[Corner], klass: str, number: int, seed: int) -> list[Corner]:
    """The first corners by their hashes that are far enough from those before them."""
    taken: list[Corner] = []
    cells: dict[tuple[int, int], list[Place]] = {}
    for corner in sorted(corners, key=lambda one: _draw(seed, klass, one.node_id)):
        if corner.node_id > MOST_ID - FIRST_ID or any(
            GEOD.inv(*corner.at, *other)[2] < APART_M for other in _near(cells, corner.at)
        ):
            continue
        taken.append(corner)
        cells.setdefault(_cell(corner.at), []).append(corner.at)
        if len(taken) == number:
            break
    return taken


def _cell(at: Place) -> tuple[int, int]:
    """A cell that is APART_M high and at least as wide; all of one row are equally wide in degrees."""
    row = math.floor(at[1] * DEGREE_M / APART_M)
    return _column(at[0], row), row


def _column(lon: float, row: int) -> int:
    farthest = min(max(abs(row), abs(row + 1)) * APART_M / DEGREE_M, 89.9)
    return math.floor(lon * DEGREE_M * math.cos(math.radians(farthest)) / APART_M)


def _near(cells: Mapping[tuple[int, int], Sequence[Place]], at: Place) -> Iterator[Place]:
    """The places in the nine cells around; those of other rows have columns of their own."""
    _, row = _cell(at)
    for beside in (row - 1, row, row + 1):
        column = _column(at[0], beside)
        for other in (column - 1, column, column + 1):
            yield from cells.get((other, beside), ())


def _draw(seed: int, klass: str, what: object) -> int:
    return int.from_bytes(hashlib.sha256(f"plant {seed} {klass} {what}".encode()).digest()[:8])


def _nodes(corner: Corner, serial: int, klass: str, seed: int) -> Iterator[tuple[int, mutable.Node]]:
    """The place beside a corner, with its id. Each tenth charging station has a second point.

    The ids of second points run down from the last.
    """
    draw = _draw(seed, klass, f"kind of {corner.node_id}")
    azimuth = draw % 360
    name = f"{CLASSES[klass]} {serial} (synthetic)"
    tags = {"amenity": klass, "name": name, **_details(klass, draw), **MARK}
    lon, lat, _ = GEOD.fwd(*corner.at, azimuth, ASIDE_M)
    yield _node(FIRST_ID + corner.node_id, (lon, lat), tags)
    if klass == "charging_station" and serial % TWIN_EVERY == 0:
        lon, lat, _ = GEOD.fwd(lon, lat, azimuth, TWIN_M)
        yield _node(MOST_ID - corner.node_id, (lon, lat), tags)


def _node(number: int, at: Place, tags: Mapping[str, str]) -> tuple[int, mutable.Node]:
    return number, mutable.Node(id=number, version=1, location=Location(*at), tags=dict(tags))


def _details(klass: str, draw: int) -> dict[str, str]:
    if klass != "charging_station":
        return {}
    return {
        "operator": f"{OPERATORS[draw // 360 % len(OPERATORS)]} (synthetic)",
        "opening_hours": HOURS[draw // 7_200 % len(HOURS)],
        "access": ACCESS[draw // 36_000 % len(ACCESS)],
        "capacity": str(2 + draw // 72_000 % 7),
        **SOCKETS[draw // 504_000 % len(SOCKETS)],
    }


def _write(source: Path, target: Path, nodes: Sequence[mutable.Node]) -> None:
    """All objects of the source, the nodes after its own; the file appears when it is whole."""
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    file = osmium.io.File(str(part), "pbf,add_metadata=version+timestamp")
    try:
        with (
            osmium_errors(source),
            osmium.SimpleWriter(file, header=_header(source), overwrite=True) as writer,
        ):
            for one in _with_nodes(osmium.FileProcessor(str(source)), nodes):
                writer.add(one)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def _with_nodes(
    processor: osmium.FileProcessor, nodes: Sequence[mutable.Node]
) -> Iterator[OSMEntity | mutable.OSMObject]:
    waiting = True
    for one in processor:
        if waiting and not isinstance(one, Node):
            yield from nodes
            waiting = False
        yield one


def _header(source: Path) -> osmium.io.Header:
    """The source's date and box; nothing says which server it came from, since that knows nothing of the places."""
    with osmium_errors(source):
        old = osmium.io.Reader(str(source), osmium.osm.NOTHING).header()
    header = osmium.io.Header()
    header.set("generator", "trigpoint plant")
    header.set("sorting", "Type_then_ID")
    told = old.get("osmosis_replication_timestamp") or old.get("timestamp")
    for key in ("timestamp", "osmosis_replication_timestamp") if told else ():
        header.set(key, told)
    if old.box().valid():
        header.add_box(old.box())
    return header
