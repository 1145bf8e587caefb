"""A map read from its extract with pyosmium, and measured with pyproj and shapely: it shares no code with the tools."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import osmium
import shapely
from numpy.typing import NDArray
from pyproj import Geod, Transformer
from shapely.geometry.base import BaseGeometry

GEOD = Geod(ellps="WGS84")
WKB = osmium.geom.WKBFactory()
NO_NAMED_STREETS = {"construction", "proposed", "platform", "bus_stop", "rest_area", "services", "raceway", "elevator",
                    "corridor", "bridleway", "escape", "razed", "abandoned", "via_ferrata", "emergency_access_point"}  # fmt: skip
DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@dataclass
class Thing:
    """An object: its tags and its shape; `nodes` are those of a way."""

    key: str
    tags: dict[str, str]
    shape: BaseGeometry
    nodes: tuple[int, ...] = ()

    @cached_property
    def point(self) -> tuple[float, float]:
        spot = shapely.point_on_surface(self.shape)
        return float(spot.x), float(spot.y)


@dataclass
class RawMap:
    """All that has tags."""

    nodes: dict[str, Thing] = field(default_factory=dict)
    areas: dict[str, Thing] = field(default_factory=dict)
    ways: dict[str, Thing] = field(default_factory=dict)

    @classmethod
    def of(cls, file: Path) -> "RawMap":
        found = cls()
        _Reader(found).apply_file(str(file), locations=True, idx="flex_mem")
        return found

    def places(self) -> Iterator[Thing]:
        yield from self.nodes.values()
        yield from self.areas.values()

    def with_amenity(self, kind: str) -> list[Thing]:
        return [one for one in self.places() if kind in _values(one, "amenity")]

    def doors(self) -> list[Thing]:
        return [
            one
            for one in self.places()
            if one.tags.get("addr:housenumber") and "addr:interpolation" not in one.tags
        ]

    def streets(self) -> list[Thing]:
        return [
            one
            for one in self.ways.values()
            if one.tags.get("name") and one.tags.get("highway", "construction") not in NO_NAMED_STREETS
            and one.tags.get("area") != "yes"
        ]  # fmt: skip

    def municipalities(self) -> list[Thing]:
        return [
            one
            for one in self.areas.values()
            if one.tags.get("boundary") == "administrative"
            and one.tags.get("admin_level") == "8"
            and "name" in one.tags
        ]


class _Reader(osmium.SimpleHandler):  # type: ignore[misc]
    def __init__(self, found: RawMap) -> None:
        super().__init__()
        self.found = found

    def node(self, node: Any) -> None:
        if len(node.tags):
            point = shapely.Point(node.location.lon, node.location.lat)
            self.found.nodes[f"n{node.id}"] = Thing(f"n{node.id}", dict(node.tags), point)

    def way(self, way: Any) -> None:
        if "highway" in way.tags and all(node.location.valid() for node in way.nodes) and len(way.nodes) > 1:
            line = shapely.LineString([(node.lon, node.lat) for node in way.nodes])
            refs = tuple(node.ref for node in way.nodes)
            self.found.ways[f"w{way.id}"] = Thing(f"w{way.id}", dict(way.tags), line, refs)

    def area(self, area: Any) -> None:
        key = f"{'w' if area.from_way() else 'r'}{area.orig_id()}"
        shape = shapely.from_wkb(bytes.fromhex(WKB.create_multipolygon(area)))
        self.found.areas[key] = Thing(key, dict(area.tags), shape)


def _values(thing: Thing, key: str) -> list[str]:
    return [part.strip() for part in thing.tags.get(key, "").split(";")]


def metres_to(lon: float, lat: float, shapes: Sequence[BaseGeometry]) -> float:
    """Metres from a point to the nearest point of the shapes, in an equidistant projection around the point."""
    project = Transformer.from_crs(4326, f"+proj=aeqd +lat_0={lat} +lon_0={lon} +ellps=WGS84", always_xy=True)
    flat = shapely.transform(
        np.array(shapes), lambda corners: np.column_stack(project.transform(corners[:, 0], corners[:, 1]))
    )
    return float(shapely.distance(shapely.Point(0, 0), flat).min())


def metres_between(here: tuple[float, float], spots: Any) -> NDArray[np.float64]:
    """Metres from a point to each of an array of points, sorted."""
    lons, lats = np.full(len(spots), here[0]), np.full(len(spots), here[1])
    return np.sort(GEOD.inv(lons, lats, spots[:, 0], spots[:, 1])[2])


# --- opening hours of the simplest form -------------------------------------------------------------------

_RULE = re.compile(
    r"(?:(?P<days>(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:[-,](?:Mo|Tu|We|Th|Fr|Sa|Su))*) )?"
    r"(?P<spans>\d\d:\d\d-\d\d:\d\d(?:, ?\d\d:\d\d-\d\d:\d\d)*|off|closed)"
)


def read_simple_hours(said: str) -> list[list[tuple[int, int]]] | None:
    """By day of the week the minutes from and to, where the hours are days and times alone; None for any others."""
    week: list[list[tuple[int, int]]] = [[] for _ in DAYS]
    for rule in (part.strip() for part in said.split(";") if part.strip()):
        match = _RULE.fullmatch(rule)
        if match is None:
            return None
        spans = []
        for span in re.findall(r"(\d\d):(\d\d)-(\d\d):(\d\d)", match["spans"]):
            start, end = int(span[0]) * 60 + int(span[1]), int(span[2]) * 60 + int(span[3])
            if end <= start:
                return None
            spans.append((start, end))
        for day in _days(match["days"] or "Mo-Su"):
            week[day] = spans
    return week


def _days(said: str) -> Iterator[int]:
    for part in said.split(","):
        first, _, last = part.partition("-")
        start, end = DAYS.index(first), DAYS.index(last or first)
        yield from ((start + step) % 7 for step in range((end - start) % 7 + 1))


def is_open(week: list[list[tuple[int, int]]], moment: datetime) -> bool:
    minute = moment.hour * 60 + moment.minute
    return any(start <= minute < end for start, end in week[moment.weekday()])


def common_minutes(weeks: list[list[list[tuple[int, int]]]], start: datetime, end: datetime) -> int:
    moments = range(int((end - start).total_seconds() // 60))
    return sum(all(is_open(week, start + timedelta(minutes=one)) for week in weeks) for one in moments)
