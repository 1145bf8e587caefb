"""Points in a plane in which distances within a map are about as on the ground. Metres."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from app.questions.picking import Pick

METRES_A_DEGREE = 111_195.0
METRES_A_MINUTE = {"bicycle": 190.0, "car": 450.0, "foot": 60.0}
"""How much nearer to a place one comes in a minute, in a straight line: roads are a third longer."""
Floats = npt.NDArray[np.float64]


class Plane:
    """A plane around the middle of the places that a pick offers, which tells their lon and lat."""

    def __init__(self, picks: Sequence[Pick]) -> None:
        middle = float(np.mean([pick.facts["lat"] for pick in picks])) if picks else 0.0
        self._scale = np.array((METRES_A_DEGREE * np.cos(np.radians(middle)), METRES_A_DEGREE))

    def points_of(self, picks: Sequence[Pick]) -> Floats:
        """East and north of each pick, (n, 2)."""
        return self.points_at([pick.facts for pick in picks])

    def points_at(self, rows: Sequence[Mapping[str, Any]]) -> Floats:
        """East and north of each row, which has lon and lat, (n, 2)."""
        lonlat = np.array([(row["lon"], row["lat"]) for row in rows], dtype=float).reshape(-1, 2)
        points: Floats = lonlat * self._scale
        return points


def points_near(lons: Any, lats: Any) -> Floats:
    """East and north of places that are near to each other, (n, 2)."""
    scale = METRES_A_DEGREE * np.cos(np.radians(np.mean(lats)))
    points: Floats = np.column_stack((np.array(lons) * scale, np.array(lats) * METRES_A_DEGREE))
    return points


def metres_along(pick: Pick) -> Floats:
    """The straight lines from each place of a trip to the next one; the pick tells `lons` and `lats`."""
    points = points_near(pick.facts["lons"], pick.facts["lats"])
    metres: Floats = np.hypot(*(points[1:] - points[:-1]).T)
    return metres
