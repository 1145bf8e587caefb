"""Second path: points of roads and areas as they are printed, and what a judge is told of them. Lon, lat in degrees.

Printed points are compared as whole numbers of hundred-thousandths of a degree, by complex numbers: east + north i.
"""

from collections.abc import Sequence
from fractions import Fraction

from app.benchmarks.urban_reasoning.second_path.two_places import (
    bearing_on_sphere,
    decimal_text,
    metres_on_sphere,
)
from app.questions.second_path.answering import Refused
from app.questions.second_path.layers import Layers, is_named

Vertex = tuple[float, float]
NEAREST = "metres_between_nearest_points"
Spots = Sequence[Vertex]
"""Points as printed."""


def vertices_of(layers: Layers, layer: str, osm_key: str) -> list[Vertex]:
    """Of a road its vertices, of an area those of its outer boundary, each once. Raises Refused where it is unfit."""
    position = layers[layer].position.get(osm_key)
    if position is None:
        raise Refused("unknown_object", layer=layer, osm_key=osm_key)
    row = layers[layer].rows[position]
    if row.repaired or not is_named(row):
        raise Refused("unfit_object", osm_key=osm_key)
    shape = layers[layer].geometries[position]
    if layer == "road":
        return list(shape.coords)
    if len(shape.geoms) != 1:
        raise Refused("unfit_object", osm_key=osm_key)
    return list(shape.geoms[0].exterior.coords)[:-1]


def name_of(layers: Layers, layer: str, osm_key: str) -> str:
    """The name of an object without blanks around it."""
    return (layers[layer].rows[layers[layer].position[osm_key]].name or "").strip(" ")


def five_of(road: Sequence[Vertex], kept: int | None = None) -> list[Vertex]:
    """Five points at equal steps, counted in edges; of the middle three, `kept` replaces the one next to it."""
    edges = len(road) - 1
    steps = [Fraction(edges * quarter, 4) for quarter in range(5)]
    points = [_at(road, step) for step in steps]
    if kept not in (None, 0, edges):
        nearest = min((1, 2, 3), key=lambda quarter: (abs(steps[quarter] - kept), quarter))
        points[nearest] = road[kept]
    return points


def _at(road: Sequence[Vertex], step: Fraction) -> Vertex:
    whole = int(step)
    if whole == step:
        return road[whole]
    share, one, other = float(step - whole), road[whole], road[whole + 1]
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def ten_of(ring: Sequence[Vertex]) -> list[Vertex]:
    """All vertices of a boundary, or ten of them at equal steps."""
    return list(ring) if len(ring) <= 10 else [ring[len(ring) * step // 10] for step in range(10)]


def texts_of(points: Sequence[Vertex]) -> list[str]:
    """How points are printed."""
    return [f"({decimal_text(lat)}, {decimal_text(lon)})" for lon, lat in points]


def printed(points: Sequence[Vertex]) -> list[Vertex]:
    """Points as their texts tell them."""
    return [(float(decimal_text(lon)), float(decimal_text(lat))) for lon, lat in points]


def ends_of(spots: Spots, *, closed: bool) -> list[tuple[complex, complex]]:
    """The edges between points, those of a boundary with the one that closes it."""
    whole = [complex(round(lon * 1e5), round(lat * 1e5)) for lon, lat in spots]
    return [(whole[place - 1], whole[place]) for place in [*range(1, len(whole)), *([0] if closed else [])]]


def crossings(one: Sequence[tuple[complex, complex]], other: Sequence[tuple[complex, complex]]) -> int:
    """How many edges cross in one another's middle."""
    return sum(
        _side(first, second[0]) * _side(first, second[1]) < 0
        and _side(second, first[0]) * _side(second, first[1]) < 0
        for first in one
        for second in other
    )


def _side(edge: tuple[complex, complex], spot: complex) -> float:
    return ((edge[1] - edge[0]).conjugate() * (spot - edge[0])).imag


def also_of(one: Spots, other: Spots) -> list[int]:
    """The numbers of points that the other shape has, too."""
    return [number for number, spot in enumerate(one, 1) if spot in other]


def inside(spots: Spots, ring: Spots) -> list[int]:
    """The numbers of points inside a boundary, by how often it goes around each."""
    edges = ends_of(ring, closed=True)
    places = [complex(round(lon * 1e5), round(lat * 1e5)) for lon, lat in spots]
    return [number for number, place in enumerate(places, 1) if _winds_around(place, edges)]


def _winds_around(place: complex, edges: Sequence[tuple[complex, complex]]) -> bool:
    turns = 0
    for start, end in edges:
        side = _side((start, end), place)
        if side == 0 and abs(place - start) + abs(place - end) <= abs(end - start) * (1 + 1e-12):
            return False
        if start.imag <= place.imag < end.imag and side > 0:
            turns += 1
        if end.imag <= place.imag < start.imag and side < 0:
            turns -= 1
    return turns != 0


def nearest_metres(one: Spots, other: Spots) -> float:
    """Metres between the points of two shapes that are the nearest to one another."""
    return round(min(metres_on_sphere(first, second) for first in one for second in other), 1)


def bearing_of(spots: Spots) -> float:
    """The bearing from the first to the last point."""
    return round(bearing_on_sphere(spots[0], spots[-1]), 2) % 360
