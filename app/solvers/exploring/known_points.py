"""Which searches of an agent that explores are at a point that nothing had told it. Pure.

Nothing obliges agents to move with a tool: they may pass any point to a search. One more than NEAR_M from the user,
from each station that was told, and from each point moved to or searched from before is an implicit move.
"""

from collections.abc import Iterable
from typing import Final

from app.agent_tools.georover.coordinates import LonLat
from app.solvers.exploring.answers import metres_between

NEAR_M: Final = 50.0
"""Metres within which a point counts as one that is known."""


class KnownPoints:
    """The points that an agent knows of, and how many of its searches were implicit moves."""

    def __init__(self, user: LonLat | None) -> None:
        self._known = [] if user is None else [user]
        self.implicit_moves = 0

    def search_from(self, centre: LonLat) -> float | None:
        """Metres to the nearest known point if the search is an implicit move, which is counted; None if it is none.

        The point is known from then on. Without any known point, the distance is infinite.
        """
        metres = min((metres_between(centre, one) for one in self._known), default=float("inf"))
        self._known.append(centre)
        if metres <= NEAR_M:
            return None
        self.implicit_moves += 1
        return metres

    def learn(self, points: Iterable[LonLat]) -> None:
        """Note points that a result told: stations, or where a move led."""
        self._known += points
