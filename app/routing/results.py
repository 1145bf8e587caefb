"""What routers answer. Places are degrees, lon before lat; lengths are geodesic metres, times are seconds."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

Point = tuple[float, float]
"""Degrees: lon, lat."""


class Snapped(NamedTuple):
    """The nearest place on the network: where it is, how far from the point that was given, and on which edge."""

    point: Point
    metres: float
    way_id: int
    position: int


class Step(NamedTuple):
    """An edge of a route, by the columns of road_edge that name it, and whether it is travelled along its line."""

    way_id: int
    position: int
    forwards: bool


class Route(NamedTuple):
    """A route; its first and its last edge are travelled in part."""

    seconds: float
    metres: float
    steps: tuple[Step, ...]
    start: Snapped
    end: Snapped


class Router(Protocol):
    """What finds routes for one mode on one snapshot."""

    engine: str
    """The program and its version; the words `one path` where the second path itself answers."""

    @property
    def fastest_kmh(self) -> float:
        """The highest speed of any edge: nobody gets farther in an hour, in a straight line."""
        ...

    def nearest(self, point: Point) -> Snapped:
        """The nearest place on the network. Raises RouteRefused where it is too far away."""
        ...

    def routes(self, start: Point, end: Point, alternatives: int = 0) -> list[Route]:
        """The fastest route, then up to `alternatives` (at most MOST_ALTERNATIVES) others.

        Raises RouteRefused where none leads there, or an end is too far from the network.
        """
        ...

    def matrix(self, starts: Sequence[Point], ends: Sequence[Point]) -> list[list[float | None]]:
        """Seconds from each start (a row) to each end, None where no route leads there.

        Raises RouteRefused where a place is too far from the network.
        """
        ...


MOST_ALTERNATIVES = 3
MOST_PLACES = 100
"""Starts or ends of a matrix."""
FARTHEST_M = 1000.0
"""A point farther from the network than this is not on it."""
