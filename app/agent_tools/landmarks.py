"""Which places lie beside a route, in which part of it, and on which side. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.agent_tools.lines import find_on_line, metres_along
from app.agent_tools.route_reading import PlaceBeside, Travelled

FARTHEST_M = 30.0
MOST = 3
"""Places of one part of a route that are told: the nearest."""


class Passed(NamedTuple):
    """A place that one passes; `edge` is the number of the edge from which it is nearest."""

    place: PlaceBeside
    edge: int
    metres: float
    side: str
    after_m: float
    """Metres from the beginning of the route."""


def find_passed(travelled: Sequence[Travelled], places: Sequence[PlaceBeside]) -> list[Passed]:
    """The places within FARTHEST_M of a route, in the order in which they are passed.

    A route without length passes nothing.
    """
    line = np.array([point for one in travelled for point in one.points])
    edge_of = np.repeat(range(len(travelled)), [len(one.points) for one in travelled])
    along = metres_along(line)
    found = []
    for place in places if along[-1] > 0 else ():
        near = find_on_line(line, place.point)
        if near.metres <= FARTHEST_M:
            rest = np.array([line[near.segment], near.point])
            after = along[near.segment] + metres_along(rest)[-1]
            found.append(Passed(place, int(edge_of[near.segment]), near.metres, near.side, float(after)))
    return sorted(found, key=lambda one: (one.after_m, one.place.osm_key))


def choose_passed(passed: Sequence[Passed], first: int, end: int) -> list[Passed]:
    """Of the places beside the edges from `first` up to `end`, the nearest, in the order in which they are passed."""
    here = [one for one in passed if first <= one.edge < end]
    nearest = sorted(here, key=lambda one: (one.metres, one.place.osm_key))[:MOST]
    return [one for one in here if one in nearest]
