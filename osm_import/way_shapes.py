"""Import stage: the shapes of ways, as the scan writes them and as reading takes them.

A line of text a way: its id, a blank, then WKB in hexadecimal, made by libosmium; or, where it cannot make it or nodes
would be lost, the way's OPL nodes with their places (`N…`). Places are lon, lat in degrees, WGS84.
"""

from array import array
from pathlib import Path
from typing import NamedTuple, TextIO

import osmium
from osmium.osm.types import Way

from osm_import import opl
from osm_import.osmium_errors import not_uploaded
from osm_import.wkb import POINT, count_hex

MOST_MISSING = 100_000
HEADER = 10
"""Letters of byte order and type; the number of points takes eight more, each point 32."""


class ShapeWriter:
    """Writes the shape of every way that it is given.

    Raises BadExtract for a way with a node that is not uploaded: its id is negative.
    """

    def __init__(self, path: Path, stream: TextIO, every_node: bool) -> None:
        self._path = path
        self._stream = stream
        self._every_node = every_node
        """Whether a place that two nodes share, one after the other, must stand there twice."""
        self.missing: set[int] = set()
        """Nodes of ways whose places are not known, MOST_MISSING of them at most."""
        self._make = osmium.geom.WKBFactory().create_linestring

    def way(self, way: Way) -> None:
        """One way with the places of its nodes."""
        try:
            text = self._make(way)
            if self._every_node and len(text) != HEADER + 8 + 32 * len(way.nodes):
                text = _nodes_of(way)
        except (osmium.InvalidLocationError, RuntimeError):
            text = _nodes_of(way)
            self._note_missing(way)
        self._stream.write(f"{way.id} {text}\n")

    def _note_missing(self, way: Way) -> None:
        missing = [node.ref for node in way.nodes if not node.location.valid()]
        if min(missing, default=0) < 0:
            raise not_uploaded(self._path, f"node {max(ref for ref in missing if ref < 0)}")
        if len(self.missing) < MOST_MISSING:
            self.missing.update(missing)

    def close(self) -> None:
        """Send what is left: no more ways come."""
        self._stream.close()


def _nodes_of(way: Way) -> str:
    return "N" + ",".join(
        f"n{node.ref}x{node.lon}y{node.lat}" if node.location.valid() else f"n{node.ref}xy"
        for node in way.nodes
    )


class WayShape(NamedTuple):
    """A way's points as WKB has them: their number, then the places, none twice in a row."""

    known: str
    """Every node whose place is known."""
    inner: str
    """From the first known node to the last; empty where one between them is not."""
    missing: int
    """How many nodes have no known place."""
    nodes: "opl.WayNodes | None"
    """The inner nodes, where `inner` does not have each of them once."""

    @property
    def first_place(self) -> str | None:
        """The first known place as WKB."""
        return POINT + self.known[8:40] if len(self.known) > 8 else None

    def degrees(self) -> "array[float]":
        """lon, lat, lon, lat … of the inner nodes, each once."""
        return self.nodes.degrees if self.nodes else array("d", bytes.fromhex(self.inner[8:]))


def read_shape(text: str) -> WayShape:
    """What ShapeWriter wrote behind the id."""
    if not text.startswith("N"):
        points = text[HEADER:].lower()
        return WayShape(points, points, 0, None)
    way = opl.read_way(text[1:])
    known = _points(way)
    if not way.missing:
        return WayShape(known, known, 0, way)
    inner = way.without_ends()
    return WayShape(known, "" if inner.missing else _points(inner), way.missing, inner)


def _points(way: "opl.WayNodes") -> str:
    places = way.without_repeats()
    return count_hex(len(places) // 2) + places.tobytes().hex()


def count_points(points: str) -> int:
    """How many points there are in what WayShape holds."""
    return (len(points) - 8) // 32
