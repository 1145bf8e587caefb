"""Points in a plane in which distances within a map are about as on the ground. Metres."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from app.questions.picking import Pick

METRES_A_DEGREE = 111_195.0
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
