"""What can be reached from a place, as lines and lengths: the second path searches, also where OSRM is installed."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.ops import substring

from app.questions.second_path.geodesy import GEOD
from app.questions.second_path.reaching import Reach, Reached
from app.questions.second_path.routes import RoadPlace
from app.routing.edge_index import EdgeIndex
from app.routing.errors import RouteRefused
from app.routing.results import Point

METRES_A_DEGREE = 111_195.0
"""Of latitude, on average."""
CORNERS = 2
"""Of a quarter of a circle around a point."""
FINEST_M = 5.0
"""Bends of the area's border that are smaller are left out."""


class ReachedRoads:
    """The roads that are reached from a place, in parts where the limit ends on an edge."""

    def __init__(
        self, reach: Reach, index: EdgeIndex, start: Point, place_of: Callable[[Point], RoadPlace]
    ) -> None:
        self._reach = reach
        self._index = index
        self._start = start
        self._place_of = place_of
        self._parts = list(reach.parts())

    def find(self, point: Point) -> Reached | None:
        """Seconds and metres to the place on the network that is nearest to a point.

        None where it is not reached, or is too far away from every road.
        """
        try:
            return self._reach.find(self._place_of(point))
        except RouteRefused:
            return None

    @property
    def length_m(self) -> float:
        """Metres of all roads that are reached; a road counts once, whatever its directions."""
        return sum((one.end - one.start) * self._index.metres(2 * one.edge) for one in self._parts)

    @cached_property
    def lines(self) -> NDArray[Any]:
        """The parts of roads that are reached, in lon, lat."""
        lines = self._index.lines()
        return np.array(
            [
                lines[one.edge]
                if (one.start, one.end) == (0.0, 1.0)
                else substring(lines[one.edge], one.start, one.end, normalized=True)
                for one in self._parts
            ],
            dtype=object,
        )

    @property
    def farthest_m(self) -> float:
        """Metres in a straight line from the start to the farthest point of the roads that are reached."""
        corners = shapely.get_coordinates(self.lines)
        if not len(corners):
            return 0.0
        lons, lats = np.full(len(corners), self._start[0]), np.full(len(corners), self._start[1])
        return float(np.max(GEOD.inv(lons, lats, corners[:, 0], corners[:, 1])[2]))

    def area(self, metres: float) -> Any:
        """The land that is at most so many metres away from the roads that are reached, in lon, lat.

        Near the start a metre is as many degrees everywhere: far from it, the border is off by some metres.
        """
        flat = shapely.multilinestrings(list(self._flatten(self.lines)))
        around = shapely.simplify(shapely.buffer(flat, metres, quad_segs=CORNERS), FINEST_M)
        return shapely.transform(around, lambda corners: corners / self._scale)

    def leaves(self, outline: shapely.Geometry, metres: float) -> bool:
        """Whether some of the land that is so near to the roads that are reached lies outside of an outline, lon, lat.

        Metres are measured as by `area`.
        """
        own = shapely.force_2d(outline)  # a copy: others may look at the outline at the same time
        shapely.prepare(own)
        if not np.all(shapely.intersects(own, shapely.get_point(self.lines, 0))):
            return True
        border = self._flatten(shapely.boundary(own))
        shapely.prepare(border)
        return bool(np.any(shapely.dwithin(self._flatten(self.lines), border, metres)))

    @property
    def _scale(self) -> NDArray[Any]:
        """Metres a degree of longitude and of latitude near the start."""
        return np.array([np.cos(np.radians(self._start[1])), 1.0]) * METRES_A_DEGREE

    def _flatten(self, shapes: Any) -> Any:
        scale = self._scale
        return shapely.transform(shapes, lambda corners: corners * scale)
