"""Import stage: one line of OPL text (https://osmcode.org/opl-file-format/) to its parts. Pure; no geometry.

Lines are those of scanning.OPL: type and id, version, deleted flag, tags, then a node's place or a way's nodes.
Coordinates are lon, lat in degrees.
"""

import re
from array import array
from operator import eq
from typing import NamedTuple

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


def is_ring(nodes: str) -> bool:
    """Whether the way of an `N` field (`n1,n2,…`, without its first letter) ends where it begins."""
    last = nodes.rfind("n")
    return last > 0 and nodes[: nodes.find(",")] == nodes[last:]


class WayNodes(NamedTuple):
    """The nodes of a way: ids as `n123`, and the places of those that are known."""

    ids: list[str]
    places: list[str]
    """lon, lat, lon, lat …, as text; empty where not known."""
    degrees: "array[float]"
    """The same as numbers, of the known ones only."""
    missing: int
    """How many nodes have no known place."""

    def without_ends(self) -> "WayNodes":
        """The way from its first to its last known node."""
        known = [index for index in range(len(self.ids)) if self.places[2 * index]]
        if not known:
            return WayNodes([], [], self.degrees, 0)
        first, last = known[0], known[-1] + 1
        missing = last - first - len(known)
        return WayNodes(self.ids[first:last], self.places[2 * first : 2 * last], self.degrees, missing)

    def without_repeats(self) -> "array[float]":
        """`degrees` without a place that equals the one before it."""
        points = list(zip(self.degrees[::2], self.degrees[1::2], strict=True))
        if not any(map(eq, points, points[1:])):
            return self.degrees
        kept = array("d")
        for point, before in zip(points, [None, *points], strict=False):
            if point != before:
                kept.extend(point)
        return kept


def read_way(nodes: str) -> WayNodes:
    """An `N` field without its first letter, with places: `n1x9.5y47.1,n2xy`."""
    if not nodes:
        return WayNodes([], [], array("d"), 0)
    places = nodes.replace("x", ",").replace("y", ",").split(",")
    ids = places[::3]
    del places[::3]
    try:
        return WayNodes(ids, places, array("d", map(float, places)), 0)
    except ValueError:
        degrees = array("d", [float(place) for place in places if place])
        return WayNodes(ids, places, degrees, len(ids) - len(degrees) // 2)
