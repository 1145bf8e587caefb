"""Maps as SVG: from lon, lat to a canvas, paths, a scale bar. One unit is about a pixel; north is up.

A canvas is a plane around the middle of its box: true to angles there, and to lengths within a few per cent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, radians, sin
from pathlib import Path
from typing import Any

from app.published.grounds import Cell, Ground
from app.published.inspected import Mark, QuestionMap, Shape

MAP_PARTS = Path(__file__).parent / "templates"
"""The folder of `map_parts.html`, which draws a picture; whoever shows one brings the style."""
WIDTH = 800.0
METRES_PER_DEGREE = 111_320.0
FINEST = 0.5
"""Points of a line that are nearer to each other, in units, are one."""
MOST_BYTES = 400_000
"""How long all paths of a map may be together."""
MAJOR = ("motorway", "trunk", "primary", "secondary")
ROLES = ("anchor", "gold", "wrong", "tolerated", "seen")
"""Roles that have a mark, in the order of the legend."""
AROUND = ("aoi", "park", "water", "minor", "major")
"""Shapes around, from the back to the front."""


@dataclass(frozen=True)
class Bar:
    """A scale bar: `units` long, which is so many metres."""

    metres: float
    units: float

    @property
    def label(self) -> str:
        """Its length in m or km."""
        return f"{self.metres / 1000:g} km" if self.metres >= 1000 else f"{self.metres:g} m"


@dataclass(frozen=True)
class Canvas:
    """A box of the world on `WIDTH` units."""

    west: float
    south: float
    east: float
    north: float

    @property
    def narrow(self) -> float:
        """How much shorter a degree of longitude is here than one of latitude."""
        return max(0.01, cos(radians((self.south + self.north) / 2)))

    @property
    def scale(self) -> float:
        """Units a degree of latitude."""
        return WIDTH / max(1e-9, (self.east - self.west) * self.narrow)

    @property
    def height(self) -> float:
        """Units from south to north."""
        return round((self.north - self.south) * self.scale, 1)

    @property
    def metres(self) -> float:
        """Metres a unit."""
        return METRES_PER_DEGREE / self.scale

    def place(self, lon: float, lat: float) -> tuple[float, float]:
        """Where a place stands on the canvas."""
        x = (lon - self.west) * self.narrow * self.scale
        return round(x, 1), round((self.north - lat) * self.scale, 1)

    def holds(self, west: float, south: float, east: float | None = None, north: float | None = None) -> bool:
        """Whether a box, or a point, lies within."""
        east, north = west if east is None else east, south if north is None else north
        return self.west <= west and east <= self.east and self.south <= south and north <= self.north

    def bar(self, longest: float = WIDTH / 4) -> Bar:
        """A round number of metres, at most `longest` units long."""
        most = longest * self.metres
        steps = [step * 10.0**power for power in range(-1, 8) for step in (1, 2, 5)]
        metres = max((step for step in steps if step <= most), default=steps[0])
        return Bar(metres, round(metres / self.metres, 1))

    def path(self, geometry: Mapping[str, Any]) -> str:
        """A GeoJSON line or area as the `d` of a path; empty for points."""
        return "".join(self._line(line, closed) for line, closed in _lines(geometry))

    def _line(self, line: Sequence[Sequence[float]], closed: bool) -> str:
        kept: list[tuple[float, float]] = []
        for lon, lat, *_ in line:
            here = self.place(lon, lat)
            if not kept or hypot(here[0] - kept[-1][0], here[1] - kept[-1][1]) >= FINEST:
                kept.append(here)
        if len(kept) < 2:
            return ""
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in kept) + ("Z" if closed else "")


@dataclass(frozen=True)
class Pin:
    """A mark on the canvas."""

    x: float
    y: float
    mark: Mark


@dataclass(frozen=True)
class Picture:
    """A question's map, ready to be written down."""

    canvas: Canvas
    around: Sequence[tuple[str, str]]
    """Kind and path of what lies around."""
    ground: str
    sector: str
    places: Sequence[tuple[float, float]]
    shapes: Sequence[tuple[str, str]]
    """Role and path of objects that are lines or areas."""
    pins: Sequence[Pin]
    is_in_part: bool
    """Whether streets and the like are drawn on a part of it only."""

    @property
    def roles(self) -> list[str]:
        """The roles that have a mark, for the legend."""
        found = {pin.mark.role for pin in self.pins} | {role for role, _ in self.shapes}
        return [role for role in ROLES if role in found]

    def listed(self, *, seen: bool) -> list[Pin]:
        """The objects in the order of the legend: those that the question speaks of, or those looked at besides."""
        found = [pin for pin in self.pins if pin.mark.osm_key and (pin.mark.role == "seen") == seen]
        return sorted(
            found, key=lambda pin: (ROLES.index(pin.mark.role), pin.mark.letter or "", pin.mark.metres or 0)
        )


def picture_of(drawn: QuestionMap, binds: Mapping[str, Any]) -> Picture:
    """The picture of a question's map; `binds` tell of the sector that it asks about."""
    canvas = _view(drawn)
    ground = [shape for shape in drawn.features if shape.properties.role == "ground"]
    named = [shape for shape in drawn.features if shape.properties.role not in ("ground", "around", "place")]
    pins = [_pin(canvas, shape) for shape in named if shape.properties.point is not None]
    return Picture(
        canvas=canvas,
        around=around_of(canvas, drawn.features),
        ground="".join(
            canvas.path(shape.geometry) for shape in ground if shape.geometry["type"].endswith("Polygon")
        ),
        sector=_sector(canvas, pins, ground, binds),
        places=[
            canvas.place(*shape.properties.point)
            for shape in drawn.features
            if shape.properties.role == "place" and shape.properties.point is not None
        ],
        shapes=[(shape.properties.role, path) for shape in named if (path := canvas.path(shape.geometry))],
        pins=pins,
        is_in_part=bool(_loose(drawn))
        or not Canvas(*drawn.bbox).holds(canvas.west, canvas.south, canvas.east, canvas.north),
    )


def _view(drawn: QuestionMap) -> Canvas:
    """The map's box; where only things that were looked at besides lie far off, the part that matters.

    Where options are places, the box around all of them: streets are drawn near what is asked about alone.
    """
    whole = Canvas(*drawn.bbox)
    near = [shape for shape in drawn.features if shape.properties.role not in ("around", "place", "seen")]
    points = [shape.properties.point for shape in near if shape.properties.point is not None]
    if _loose(drawn):
        lons = [whole.west, whole.east, *(point[0] for point in points)]
        lats = [whole.south, whole.north, *(point[1] for point in points)]
        return canvas_around(min(lons), min(lats), max(lons), max(lats), aspect=4 / 3)
    places = [(place[0], place[1]) for shape in near for line, _ in _lines(shape.geometry) for place in line]
    places += points
    if not places:
        return whole
    lons, lats = [place[0] for place in places], [place[1] for place in places]
    part = canvas_around(min(lons), min(lats), max(lons), max(lats), aspect=4 / 3)
    is_smaller = part.east - part.west < 0.7 * (whole.east - whole.west)
    return part if is_smaller and whole.holds(part.west, part.south, part.east, part.north) else whole


def _loose(drawn: QuestionMap) -> list[Mark]:
    """Wrong options that are places without an object: streets around are not read for them."""
    marks = [shape.properties for shape in drawn.features if shape.properties.role == "wrong"]
    objects = {mark.letter for mark in marks if mark.osm_key is not None}
    return [mark for mark in marks if mark.osm_key is None and mark.letter not in objects]


def _pin(canvas: Canvas, shape: Shape) -> Pin:
    point = shape.properties.point
    assert point is not None
    return Pin(*canvas.place(*point), shape.properties)


def around_of(canvas: Canvas, shapes: Iterable[Shape]) -> list[tuple[str, str]]:
    """One path a kind, all of them together within MOST_BYTES; the largest shapes come first."""
    paths: dict[str, list[str]] = {kind: [] for kind in AROUND}
    room = MOST_BYTES
    for shape in shapes:
        mark = shape.properties
        if mark.role != "around" or mark.layer is None:
            continue
        kind = kind_around(mark)
        path = canvas.path(shape.geometry)
        room -= len(path)
        if room < 0:
            break
        paths[kind].append(path)
    return [(kind, "".join(found)) for kind, found in paths.items() if found]


def kind_around(mark: Mark) -> str:
    """The kind of a shape around, as it is drawn: its layer, or the importance of a road."""
    if mark.layer != "road":
        return str(mark.layer)
    return "major" if mark.klass in MAJOR else "minor"


def _sector(canvas: Canvas, pins: Sequence[Pin], ground: Sequence[Shape], binds: Mapping[str, Any]) -> str:
    """The two edges of a sector, from the anchor to the edge of the ground; `towards` names where its middle points."""
    at = {pin.mark.osm_key: pin for pin in pins if pin.mark.role == "anchor"}
    anchor, towards = at.get(binds.get("anchor")), at.get(binds.get("towards"))
    if anchor is None or not ground or "half_width" not in binds:
        return ""
    if towards is not None:
        middle = atan2(towards.x - anchor.x, anchor.y - towards.y)
    elif "sector" in binds:
        middle = radians(45 * float(binds["sector"]))
    else:
        return ""
    corners = [canvas.place(lon, lat) for line, _ in _lines(ground[0].geometry) for lon, lat, *_ in line]
    reach = max(hypot(x - anchor.x, y - anchor.y) for x, y in corners)
    path = ""
    for side in (-1, 1):
        angle = middle + side * radians(float(binds["half_width"]))
        x, y = anchor.x + reach * sin(angle), anchor.y - reach * cos(angle)
        path += f"M{anchor.x:g} {anchor.y:g}L{x:.1f} {y:.1f}"
    return path


def _lines(geometry: Mapping[str, Any]) -> Iterator[tuple[Sequence[Sequence[float]], bool]]:
    """The lines of a GeoJSON geometry, and whether each is a ring."""
    kind, coordinates = geometry["type"], geometry.get("coordinates", [])
    if kind == "LineString":
        yield coordinates, False
    elif kind == "MultiLineString":
        yield from ((line, False) for line in coordinates)
    elif kind == "Polygon":
        yield from ((ring, True) for ring in coordinates)
    elif kind == "MultiPolygon":
        yield from ((ring, True) for polygon in coordinates for ring in polygon)
    elif kind == "GeometryCollection":
        for part in geometry["geometries"]:
            yield from _lines(part)


@dataclass(frozen=True)
class Spot:
    """A cell's disc; its area tells how many stand there."""

    x: float
    y: float
    radius: float
    questions: int
    answers: int


@dataclass(frozen=True)
class Overview:
    """Where the questions of one map lie, ready to be written down."""

    canvas: Canvas
    snapshot: str
    outline: str
    questions: Sequence[Spot]
    answers: Sequence[Spot]


def overview_of(ground: Ground) -> Overview:
    """The picture of a grid of counts."""
    canvas = canvas_around(*ground.bbox)
    most = max((max(cell.questions, cell.answers) for cell in ground.cells), default=1)

    def spot(cell: Cell, count: int) -> Spot:
        x, y = canvas.place(cell.lon, cell.lat)
        return Spot(x, y, round(2 + 12 * (count / most) ** 0.5, 1), cell.questions, cell.answers)

    return Overview(
        canvas=canvas,
        snapshot=ground.snapshot,
        outline="" if ground.outline is None else canvas.path(ground.outline),
        questions=[spot(cell, cell.questions) for cell in ground.cells if cell.questions],
        answers=[spot(cell, cell.answers) for cell in ground.cells if cell.answers],
    )


def canvas_around(west: float, south: float, east: float, north: float, aspect: float = 2.0) -> Canvas:
    """A canvas `aspect` times as wide as high, with a margin around the box."""
    narrow = max(0.01, cos(radians((south + north) / 2)))
    tall = max((north - south) / 2, (east - west) / 2 * narrow / aspect, 0.0015) * 1.12
    middle = ((west + east) / 2, (south + north) / 2)
    wide = tall * aspect / narrow
    return Canvas(middle[0] - wide, middle[1] - tall, middle[0] + wide, middle[1] + tall)
