"""What printed points show of two shapes, exactly: whole numbers of hundred-thousandths of a degree. Pure."""

from collections.abc import Iterator, Sequence

from app.benchmarks.urban_reasoning.truth.sphere import Point, leg_on_sphere

Spot = tuple[int, int]
"""Lat, lon in hundred-thousandths of a degree."""
Edge = tuple[Spot, Spot]


def spots_of(points: Sequence[Point]) -> list[Spot]:
    """The points as whole numbers."""
    return [(round(one.lat * 1e5), round(one.lon * 1e5)) for one in points]


def edges_of(points: Sequence[Point], *, closed: bool) -> list[Edge]:
    """The straight lines from each point to the next; of a boundary from the last to the first, too."""
    spots = spots_of(points)
    return list(zip(spots, [*spots[1:], *(spots[:1] if closed else [])], strict=False))


def crossings_of(one: Sequence[Edge], other: Sequence[Edge]) -> int:
    """How many pairs of edges cross in one another's middle."""
    return sum(_cross(first, second) for first in one for second in other)


def common_points(one: Sequence[Point], other: Sequence[Point]) -> list[int]:
    """The numbers, from 1, of the points that the other shape has, too."""
    spots = set(spots_of(other))
    return [number for number, spot in enumerate(spots_of(one), 1) if spot in spots]


def points_inside(points: Sequence[Point], ring: Sequence[Point]) -> list[int]:
    """The numbers, from 1, of the points that lie inside a boundary, and not on it."""
    edges = edges_of(ring, closed=True)
    return [number for number, spot in enumerate(spots_of(points), 1) if _is_inside(spot, edges)]


def least_metres(one: Sequence[Point], other: Sequence[Point]) -> float:
    """How far the two points of two shapes are apart that are the nearest to one another, on the sphere."""
    return min(leg_on_sphere(first, second).metres for first in one for second in other)


def _turn(one: Spot, other: Spot, third: Spot) -> int:
    """Above 0 where the three points turn left, below where they turn right, 0 on a line."""
    lats, lons = other[0] - one[0], other[1] - one[1]
    return lons * (third[0] - one[0]) - lats * (third[1] - one[1])


def _cross(one: Edge, other: Edge) -> bool:
    return _part(one, other) and _part(other, one)


def _part(one: Edge, other: Edge) -> bool:
    """Whether the ends of an edge lie on both sides of the line through another."""
    first, second = (_turn(*other, end) for end in one)
    return (first > 0) != (second > 0) and bool(first) and bool(second)


def _is_inside(spot: Spot, edges: Sequence[Edge]) -> bool:
    if any(_is_on(spot, edge) for edge in edges):
        return False
    return sum(_to_the_east(spot, edges)) % 2 == 1


def _is_on(spot: Spot, edge: Edge) -> bool:
    within = all(min(one, other) <= at <= max(one, other) for one, other, at in zip(*edge, spot, strict=True))
    return within and _turn(*edge, spot) == 0


def _to_the_east(spot: Spot, edges: Sequence[Edge]) -> Iterator[bool]:
    """Whether each edge crosses the line that leads from a point eastwards."""
    for south, north in (sorted(edge) for edge in edges):
        yield south[0] <= spot[0] < north[0] and _turn(south, north, spot) > 0
