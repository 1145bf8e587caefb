"""Import stage: one line of OPL text (https://osmcode.org/opl-file-format/) to its parts. Pure; no geometry.

Lines are those of scanning.OPL: type and id, version, deleted flag, tags, then a node's place or a way's nodes with
their places. Coordinates are lon, lat in degrees.
"""

import re
from array import array
from typing import NamedTuple

from osm_import.wkb import POINT

_ESCAPE = re.compile(r"%([0-9a-f]+)%")
_SPECIAL = re.compile(r"[\x00-\x20%,=@]")
SPACE = "%20%"
DELETED = "dD"
"""The deleted flag of an object that is gone, as editors and histories keep it."""


def escape(text: str) -> str:
    """Text without the characters that have a meaning in OPL."""
    return _SPECIAL.sub(lambda match: f"%{ord(match[0]):x}%", text)


def unescape(text: str) -> str:
    """Text as it was before OPL wrote some characters as %hex%."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def read_tags(text: str) -> dict[str, str]:
    """The tags of a `T` field without its first letter."""
    if not text:
        return {}
    if "%" not in text:
        return dict([pair.split("=") for pair in text.split(",")])
    # A space is much the commonest escape, and stands for itself in no field: all at once.
    pairs = [pair.split("=") for pair in text.replace(SPACE, " ").split(",")]
    return {unescape(k) if "%" in k else k: unescape(v) if "%" in v else v for k, v in pairs}


def is_closed(nodes: str) -> bool:
    """Whether the way of an `N` field (without its first letter) ends at the node where it begins."""
    first = nodes.find("x")
    last = nodes.rfind("n")
    return last > 0 and nodes[1:first] == nodes[last + 1 : nodes.rfind("x")]


class WayNodes(NamedTuple):
    """The nodes of a way: ids as `n123`, and the places of those that are known."""

    ids: list[str]
    places: list[str]
    """lon, lat, lon, lat …, as text; empty where not known."""
    degrees: "array[float]"
    """The same as numbers, of the known ones only."""

    @property
    def missing(self) -> int:
        """How many nodes have no known place."""
        return len(self.ids) - len(self.degrees) // 2

    @property
    def first_place(self) -> str | None:
        """The first known place as WKB."""
        return POINT + self.degrees[:2].tobytes().hex() if self.degrees else None

    def without_ends(self) -> "WayNodes":
        """The way from its first to its last known node."""
        known = [index for index in range(len(self.ids)) if self.places[2 * index]]
        if not known:
            return WayNodes([], [], self.degrees)
        first, last = known[0], known[-1] + 1
        return WayNodes(self.ids[first:last], self.places[2 * first : 2 * last], self.degrees)

    def without_repeats(self) -> "array[float]":
        """`degrees` without a place that equals the one before it."""
        lons, lats = self.degrees[::2], self.degrees[1::2]
        repeats = [
            index
            for index in range(1, len(lons))
            if lons[index] == lons[index - 1] and lats[index] == lats[index - 1]
        ]
        if not repeats:
            return self.degrees
        for index in reversed(repeats):
            del lons[index], lats[index]
        kept = array("d", bytes(16 * len(lons)))
        kept[::2], kept[1::2] = lons, lats
        return kept


def read_way(nodes: str) -> WayNodes:
    """An `N` field without its first letter."""
    if not nodes:
        return WayNodes([], [], array("d"))
    places = nodes.replace("x", ",").replace("y", ",").split(",")
    ids = places[::3]
    del places[::3]
    try:
        degrees = array("d", map(float, places))
    except ValueError:
        degrees = array("d", [float(place) for place in places if place])
    return WayNodes(ids, places, degrees)
