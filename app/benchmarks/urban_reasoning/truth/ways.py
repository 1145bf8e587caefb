"""Navigation (NV): the ways along named straight segments from a start to a goal, by their lengths on the sphere."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from app.benchmarks.urban_reasoning.truth.sphere import Point, leg_on_sphere

LEAST_SHARE = 0.03
"""What share of its length the shortest way must be shorter by than the next."""
Segments = Mapping[str, tuple[Point, Point]]
"""By name the two ends; segments join where ends are the same point."""


class Way(NamedTuple):
    """Names of segments from start to goal, and the length in metres."""

    names: tuple[str, ...]
    metres: float


def ways_of(segments: Segments, start: Point, goal: Point) -> list[Way]:
    """All ways that pass through no point twice, the shortest first."""
    found = [Way(names, _length(names, segments)) for names in _lead_on(segments, start, goal, (start,), ())]
    return sorted(found, key=lambda way: (way.metres, way.names))


def best_way(segments: Segments, start: Point, goal: Point) -> Way | None:
    """The shortest way; None where there is no choice, or another way is hardly longer."""
    ways = ways_of(segments, start, goal)
    if len(ways) < 2 or ways[1].metres < ways[0].metres * (1 + LEAST_SHARE):
        return None
    return ways[0]


def _lead_on(
    segments: Segments, at: Point, goal: Point, passed: tuple[Point, ...], names: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    if at == goal:
        yield names
        return
    for name, ends in segments.items():
        if at in ends:
            then = ends[1 - ends.index(at)]
            if then not in passed:
                yield from _lead_on(segments, then, goal, (*passed, then), (*names, name))


def _length(names: tuple[str, ...], segments: Segments) -> float:
    return sum(leg_on_sphere(*segments[name]).metres for name in names)
