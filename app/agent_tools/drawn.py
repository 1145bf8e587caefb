"""What can be drawn of a tool's answer: points and shapes in it, shapes of places in the call, streets around."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians
from typing import Any

from shapely.geometry import shape as read_shape

from app.agent_tools import queries_drawn as queries
from app.agent_tools.arguments import PLACE_ID, read_point
from app.agent_tools.errors import ToolError
from app.agent_tools.places import load_places
from app.agent_tools.scope import Scope

Box = tuple[float, float, float, float]
"""West, south, east, north, in degrees."""
GEOMETRIES = (
    "Point",
    "MultiPoint",
    "LineString",
    "MultiLineString",
    "Polygon",
    "MultiPolygon",
    "GeometryCollection",
)
CALLED = ("name", "said", "address", "id")
"""The fields of an object by which a map names it; the first that is there counts."""
MOST_SHAPES = 5
"""Places of the arguments whose shapes are read."""
MOST_POINTS = 50
"""Places of the answer that are looked up."""
MOST_AROUND = 400
"""Streets, and areas, that are drawn around an answer."""
PARTS = 1500
"""What is smaller than this part of a map's width is left out of shapes."""
MAJOR = ("motorway", "trunk", "primary", "secondary")
METRES_OF_A_DEGREE = 111_320.0
WIDEST_WITH_ALL_ROADS = 6_000.0
"""Metres; wider maps show major roads alone."""


@dataclass(frozen=True)
class Drawn:
    """A part of an answer: GeoJSON with what it is called."""

    geometry: Mapping[str, Any]
    name: str
    role: str
    """`found` is in the answer, `asked` is a place that the call named."""


def drawn_in(result: Any, name: str = "") -> Iterator[Drawn]:
    """The points and shapes of an answer.

    These are every object with lat and lon, every geometry in GeoJSON, and every list of [longitude, latitude] pairs.
    """
    if isinstance(result, list):
        if len(result) > 1 and all(map(_is_pair, result)):
            yield Drawn({"type": "LineString", "coordinates": result}, name, "found")
            return
        for one in result:
            yield from drawn_in(one, name)
    if not isinstance(result, dict):
        return
    if result.get("type") in GEOMETRIES and ("coordinates" in result or "geometries" in result):
        yield Drawn(result, name, "found")
        return
    called = next((str(result[key]) for key in CALLED if result.get(key)), name)
    lon, lat = result.get("lon"), result.get("lat")
    if isinstance(lon, (int, float)) and isinstance(lat, (int, float)):
        yield Drawn(_point(lon, lat), called, "found")
    for value in result.values():
        yield from drawn_in(value, called)


def texts_in(arguments: Any) -> Iterator[str]:
    """The texts in a call's arguments, each once for each time that it is there."""
    if isinstance(arguments, str):
        yield arguments
    elif isinstance(arguments, (list, dict)):
        for one in arguments.values() if isinstance(arguments, dict) else arguments:
            yield from texts_in(one)


def points_named(texts: Iterable[str]) -> list[Drawn]:
    """The points that texts write as latitude,longitude."""
    points = [point for text in texts if (point := read_point(text))]
    return [Drawn(_point(lon, lat), f"{lat:g}, {lon:g}", "asked") for lat, lon in points]


def places_without_point(result: Any) -> Iterator[str]:
    """The ids of places in an answer that does not say where they are."""
    if isinstance(result, list):
        for one in result:
            yield from places_without_point(one)
    elif isinstance(result, dict):
        key = result.get("id")
        if isinstance(key, str) and PLACE_ID.fullmatch(key) and "lon" not in result:
            yield key
        for value in result.values():
            yield from places_without_point(value)


def read_shapes(scope: Scope, keys: Sequence[str], fine: float = 1e-5) -> list[Drawn]:
    """The shapes of places by their ids; a place that the map does not have has none."""
    found = []
    for key in keys[:MOST_SHAPES]:
        rows = scope.rows(queries.SHAPE, {"key": key, "fine": fine})
        found += [Drawn(json.loads(row.shape), key, "asked") for row in rows]
    return found


def read_points(scope: Scope, keys: Sequence[str]) -> list[Drawn]:
    """Points of places by their ids, with names; a place that the map does not have has none."""
    places = [known.place for known in load_places(scope, keys[:MOST_POINTS]).values()]
    return [Drawn(_point(one.lon, one.lat), one.called, "found") for one in places]


def read_around(scope: Scope, box: Box) -> list[tuple[str, Mapping[str, Any]]]:
    """Parks, waters, streams, minor and major roads in a box, by kind as GeoJSON; none where that takes too long."""
    west, south, east, north = box
    wide = (east - west) * METRES_OF_A_DEGREE * cos(radians((south + north) / 2))
    binds = {
        **dict(zip(("west", "south", "east", "north"), box, strict=True)),
        "major": list(MAJOR),
        "all_roads": wide <= WIDEST_WITH_ALL_ROADS,
        "most": MOST_AROUND,
        "fine": (east - west) / PARTS,
    }
    try:
        rows = scope.rows(queries.AROUND, binds)
    except ToolError:
        return []
    return [(row.kind, json.loads(row.shape)) for row in rows if row.shape]


def box_of(parts: Sequence[Drawn]) -> Box | None:
    """The box around all parts; None where there are none."""
    bounds = [read_shape(part.geometry).bounds for part in parts]
    if not bounds:
        return None
    west, south, east, north = zip(*bounds, strict=True)
    return min(west), min(south), max(east), max(north)


def _point(lon: float, lat: float) -> Mapping[str, Any]:
    return {"type": "Point", "coordinates": [lon, lat]}


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, (int, float)) for one in value)
