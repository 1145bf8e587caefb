"""What wants a label or a symbol, in the order in which it is placed. Pure; the order of a scene does not count."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Any

import shapely

from app.drawing.fonts import readable
from app.drawing.frame import Frame
from app.drawing.ground import is_shown, to_pixels
from app.drawing.record import LeftOut
from app.drawing.road_lines import RoadLine, join_lines
from app.drawing.scene import Area, Place, Scene
from app.drawing.style import MAJOR
from app.drawing.symbols import Symbol, symbol_of

SMALLEST_AREA = 900
"""Square pixels below which an area has no label."""
ORDER = {
    "region": 0,
    "water": 12,
    "park": 24,
    "major": 22,
    "stream": 34,
    "road": 46,
    "ground": 56,
    "house": 95,
}
"""Numbers by which kinds take turns; a place has ten times the rank of its symbol."""
BESIDE = 1
"""A named place before one without a name."""


@dataclass(frozen=True)
class Candidate:
    """One thing: where it is (pixels, whole), or the line that it follows."""

    turn: tuple[float, ...]
    kind: str
    osm_key: str
    klass: str
    name: str | None
    text: str | None
    x: int = 0
    y: int = 0
    symbol: Symbol | None = None
    line: RoadLine | None = None


@dataclass(frozen=True)
class Candidates:
    """All of a scene, in order; and what is left out before anything is placed."""

    ordered: Sequence[Candidate]
    left_out: Sequence[LeftOut]
    roads: Sequence[RoadLine]


def find_candidates(scene: Scene, frame: Frame) -> Candidates:
    """What a scene has for a frame."""
    left_out: list[LeftOut] = []
    labelled_areas = [one for one in scene.areas if one.name and one.label_at]
    as_area = {one.osm_key for one in labelled_areas if one.kind in ("park", "water")}
    places = [one for one in scene.places if one.osm_key not in as_area]
    # a place that is mapped as a named area has a symbol with a label: its area's label would say the same again
    as_place = {one.osm_key for one in places}
    roads = [one for one in scene.lines if one.kind == "road" and is_shown(one, frame.zoom)]
    waters = [one for one in scene.lines if one.kind == "water" and not one.tunnel]
    road_lines, water_lines = join_lines(roads, frame), join_lines(waters, frame)
    found = [
        *(_place(one, frame, left_out) for one in places),
        *(_area(one, frame, left_out) for one in labelled_areas if one.osm_key not in as_place),
        *_lines(road_lines, "road", frame.zoom),
        *_lines(water_lines, "stream", frame.zoom),
    ]
    ordered = sorted((one for one in found if one), key=lambda one: one.turn)
    return Candidates(ordered, sorted(left_out, key=lambda one: (one.kind, _number(one.osm_key))), road_lines)


def _number(osm_key: str) -> tuple[str, int]:
    return osm_key[0], int(osm_key[1:])


def _turn(order: float, osm_key: str, *more: float) -> tuple[float, ...]:
    return (order, *more, float(ord(osm_key[0])), float(osm_key[1:]))


def _pixel(lon: float, lat: float, frame: Frame) -> tuple[int, int]:
    x, y = to_pixels(shapely.Point(lon, lat), frame).coords[0]
    return round(x), round(y)


def _in(frame: Frame, x: float, y: float) -> bool:
    return 0 <= x < frame.width and 0 <= y < frame.height


def _place(one: Place, frame: Frame, left_out: list[LeftOut]) -> Candidate | None:
    """A place, a house number or a region; None where this frame or zoom does not show it."""
    x, y = _pixel(one.lon, one.lat, frame)
    if not _in(frame, x, y):
        return None
    text = readable(one.name)
    if one.kind != "place":
        order = ORDER["region" if one.kind == "region" else "house"]
        turn = _turn(order, one.osm_key, -one.weight)
        return Candidate(turn, one.kind, one.osm_key, one.klass, one.name, text, x, y) if text else None
    symbol = symbol_of(one.classes)
    if not symbol.shown_at(frame.zoom):
        if one.name:
            left_out.append(LeftOut(one.osm_key, "place", one.klass, one.name, "zoom"))
        return None
    if one.name and not text:
        left_out.append(LeftOut(one.osm_key, "place", one.klass, one.name, "letters"))
    turn = _turn(10 * symbol.rank + (0 if text else BESIDE), one.osm_key, -one.weight)
    return Candidate(turn, "place", one.osm_key, one.klass, one.name, text, x, y, symbol)


def _area(one: Area, frame: Frame, left_out: list[LeftOut]) -> Candidate | None:
    """An area's label, at its own point if the frame shows that, else inside of what the frame shows."""
    assert one.name
    assert one.label_at
    shape = to_pixels(one.geometry, frame)
    inside = shape if shape.is_empty else _cut(shape, frame)
    x, y = _pixel(*one.label_at, frame)
    if not _in(frame, x, y):
        if inside.is_empty:
            return None
        point = inside.representative_point()
        x, y = round(point.x), round(point.y)
    text = readable(one.name)
    if not text or inside.is_empty:
        return None
    if inside.area < SMALLEST_AREA:
        left_out.append(LeftOut(one.osm_key, one.kind, one.klass, one.name, "zoom"))
        return None
    turn = _turn(ORDER[one.kind], one.osm_key, -round(inside.area))
    return Candidate(turn, one.kind, one.osm_key, one.klass, one.name, text, x, y)


def _cut(shape: Any, frame: Frame) -> Any:
    whole = shape if shape.is_valid else shapely.make_valid(shape)
    return shapely.intersection(whole, shapely.box(0, 0, frame.width, frame.height))


def _lines(lines: Sequence[RoadLine], kind: str, zoom: int) -> Iterator[Candidate]:
    """The names of joined lines, the longest first; and the numbers of major roads."""
    for one in lines:
        major = any(klass in MAJOR for klass in one.classes)
        order = ORDER["major" if kind == "road" and major else kind]
        key, length = one.osm_keys[0], -round(sum(_length(line) for line in one.lines))
        text = readable(one.name)
        if text:
            turn = _turn(order, key, length)
            yield Candidate(turn, kind, key, one.classes[0], one.name, text, line=one)
        number = readable((one.ref or "").split(";")[0])
        if number and major and kind == "road":
            turn = _turn(order - 1, key, length)
            yield Candidate(turn, "ref", key, one.classes[0], one.ref, number, line=one)


def _length(line: Sequence[tuple[float, float]]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
