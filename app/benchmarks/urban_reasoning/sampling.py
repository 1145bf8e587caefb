"""Which points of roads and areas contexts print: five of a road, four to ten of a boundary. Pure; lon, lat in degrees.

Points that two things have in common are printed of both, so that one can see that they meet. Other points are taken at
equal steps of the list of vertices.
"""

from collections.abc import Sequence
from typing import NamedTuple

Vertex = tuple[float, float]
"""Lon, lat."""
Line = Sequence[Vertex]
"""The vertices of a road, or of a boundary without its last, which is its first."""

OF_ROAD, LEAST_OF_RING, MOST_OF_RING = 5, 4, 10


def common_vertex(one: Line, other: Line) -> tuple[int, int] | None:
    """Where the first vertex of a line that another has, too, stands in both; None where they share none."""
    places = {vertex: place for place, vertex in reversed(list(enumerate(other)))}
    return next(((place, places[vertex]) for place, vertex in enumerate(one) if vertex in places), None)


def road_points(line: Line, kept: int | None = None) -> list[Vertex]:
    """Five points of a road: both ends, and three at equal steps, of which `kept` replaces the one next to it."""
    last = len(line) - 1
    points = [_between(line, step * last) for step in range(OF_ROAD)]
    if kept is not None and 0 < kept < last:
        points[min(range(1, OF_ROAD - 1), key=lambda step: abs(4 * kept - step * last))] = line[kept]
    return points


def _between(line: Line, quarters: int) -> Vertex:
    """The point so many quarters of an edge behind the first vertex, where every edge counts as one."""
    place, rest = divmod(quarters, OF_ROAD - 1)
    if not rest:
        return line[place]
    (lon, lat), (next_lon, next_lat) = line[place], line[place + 1]
    share = rest / (OF_ROAD - 1)
    return lon + share * (next_lon - lon), lat + share * (next_lat - lat)


def ring_points(ring: Line, first: int = 0) -> list[Vertex]:
    """Ten vertices of a boundary at equal steps from the first, or all where there are fewer."""
    count = min(len(ring), MOST_OF_RING)
    return [ring[(first + step * len(ring) // count) % len(ring)] for step in range(count)]


class Side(NamedTuple):
    """A part of a boundary that another boundary has, too: its ends, and the vertices from its end on to its start."""

    start: Vertex
    end: Vertex
    rest: Line


def common_side(ring: Line, other: Line) -> Side | None:
    """The longest part of a boundary whose vertices another one has, too; None where there is none, or it is all."""
    shared = [vertex in set(other) for vertex in ring]
    if all(shared):
        return None
    starts = [place for place, is_shared in enumerate(shared) if is_shared and not shared[place - 1]]
    lengths = [
        next(size for size in range(len(ring)) if not shared[(start + size) % len(ring)]) for start in starts
    ]
    if not starts or max(lengths) < 2:
        return None
    longest = max(range(len(starts)), key=lengths.__getitem__)
    start, end = starts[longest], (starts[longest] + lengths[longest] - 1) % len(ring)
    rest = [ring[(end + step) % len(ring)] for step in range(len(ring) - lengths[longest] + 2)]
    return Side(ring[start], ring[end], rest)


def points_with_side(side: Side) -> list[Vertex]:
    """Both ends of the side, which follow one another, and up to eight vertices of the rest at equal steps."""
    count = min(len(side.rest), MOST_OF_RING)
    return [side.rest[step * (len(side.rest) - 1) // (count - 1)] for step in range(count)]


class Stretch(NamedTuple):
    """A part of a road that ends on a boundary, and the boundary with the point where it ends as its first."""

    road: Line
    ring: Line


def stretch_up_to(road: Line, crossings: Sequence[tuple[int, int, Vertex]], ring: Line) -> Stretch:
    """The road up to where it first meets the boundary: crossings are (edge of the road, edge of the ring, point)."""
    edge, side, point = crossings[0]
    before = [vertex for vertex in road[: edge + 1] if vertex != point]
    around = [ring[(side + 1 + step) % len(ring)] for step in range(len(ring))]
    return Stretch([*before, point], [point, *(vertex for vertex in around if vertex != point)])
