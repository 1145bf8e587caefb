"""The nearest place on a network, in the same way for every router."""

from typing import NamedTuple

import numpy as np
import shapely
from shapely import STRtree

from app.core.errors import UsageError
from app.questions.second_path.geodesy import GEOD
from app.routing.edge_index import EdgeIndex
from app.routing.errors import RouteRefused
from app.routing.results import FARTHEST_M, Point, Snapped

LARGEST_LON, LARGEST_LAT = 180, 90


class End(NamedTuple):
    """Where a route begins or ends, and the number of the edge."""

    edge: int
    snapped: Snapped


class Snapper:
    """Finds the nearest places on the edges of an index.

    It measures in the plane, where degrees of longitude count as many as degrees of latitude times the cosine of the
    latitude of the map's middle: within FARTHEST_M this orders edges as geodesics do, but for ties.
    """

    def __init__(self, index: EdgeIndex, mode: str) -> None:
        self._index = index
        self._mode = mode
        lines = index.lines()
        middle = shapely.total_bounds(lines)[[1, 3]].mean()
        self._scale = np.array([np.cos(np.radians(middle)), 1.0])
        self._lines = shapely.transform(lines, lambda points: points * self._scale)
        self._tree = STRtree(self._lines)

    def find(self, point: Point) -> End:
        """The nearest place. Raises RouteRefused if it is farther than FARTHEST_M, UsageError for what is no point."""
        if not (abs(point[0]) <= LARGEST_LON and abs(point[1]) <= LARGEST_LAT):
            raise UsageError(
                f"There is no point with longitude {point[0]:g} and latitude {point[1]:g}: longitudes go from -180 to "
                "180, latitudes from -90 to 90."
            )
        scaled = shapely.Point(np.array(point) * self._scale)
        edge = int(self._tree.nearest(scaled))
        line = self._lines[edge]
        lon, lat = shapely.get_coordinates(line.interpolate(line.project(scaled)))[0] / self._scale
        metres = GEOD.inv(*point, lon, lat)[2]
        if metres > FARTHEST_M:
            raise self._refusal(point, metres)
        step = self._index.step(2 * edge)
        return End(edge, Snapped((float(lon), float(lat)), metres, step.way_id, step.position))

    def _refusal(self, point: Point, metres: float) -> RouteRefused:
        return RouteRefused(
            f"The point {point[1]:.6f}, {point[0]:.6f} (latitude, longitude) is not on the road network: the nearest "
            f"road for {self._mode} is {metres / 1000:,.1f} km away, and at most {FARTHEST_M / 1000:g} km are allowed.",
            "off_network",
        )
