"""Where an agent has been: which of its searches were at a point that nothing had told it. Pure.

Nothing obliges agents to move with Change_Current_Location: they may pass any point to a tool. A search more than
NEAR_M from the user, from each station that was told, and from each earlier position is an implicit move.
"""

from collections.abc import Mapping
from typing import Any, Final

from app.agent_tools.georover.coordinates import LonLat, read_coordinate
from app.agent_tools.georover.moving import CHANGE_CURRENT_LOCATION
from app.agent_tools.georover.searching import SEARCH_NEARBY_POI, SEARCH_STATIONS
from app.agent_tools.outcomes import ToolOutcome
from app.solvers.exploring.answers import metres_between
from app.solvers.exploring.results import read_new_location, read_stations

NEAR_M: Final = 50.0
"""Metres within which a point counts as one that is known."""
SEARCHES: Final = (SEARCH_STATIONS, SEARCH_NEARBY_POI)


class Wandering:
    """The points that an agent knows of."""

    def __init__(self, user: LonLat) -> None:
        self._known = [user]
        self.moves = 0
        self.implicit_moves = 0

    def leave_for(self, tool: str, arguments: Mapping[str, Any]) -> float | None:
        """Metres to the nearest known point where a call is an implicit move, which is counted; None where it is none.

        The point is known from then on.
        """
        if tool not in SEARCHES:
            return None
        try:
            centre = read_coordinate(arguments.get("coord"))
        except ValueError:
            return None
        metres = min(metres_between(centre, one) for one in self._known)
        self._known.append(centre)
        if metres <= NEAR_M:
            return None
        self.implicit_moves += 1
        return round(metres, 1)

    def as_json(self) -> dict[str, int]:
        """The counts as a prediction's detail holds them."""
        return {"moves": self.moves, "implicit_moves": self.implicit_moves}

    def learn(self, tool: str, outcome: ToolOutcome) -> None:
        """Note the points that a result told: stations, and where a move led."""
        if outcome.kind is not None:
            return
        if tool == CHANGE_CURRENT_LOCATION.name:
            self.moves += 1
            self._known.append(read_new_location(outcome))
        elif tool == SEARCH_STATIONS:
            self._known += [one.point for one in read_stations(outcome)]
