"""Where an agent has been, by its calls and their results. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from app.agent_tools.georover.coordinates import LonLat, read_coordinate
from app.agent_tools.georover.moving import CHANGE_CURRENT_LOCATION
from app.agent_tools.georover.searching import SEARCH_NEARBY_POI, SEARCH_STATIONS
from app.agent_tools.outcomes import ToolOutcome
from app.solvers.exploring.known_points import KnownPoints
from app.solvers.exploring.results import read_new_location, read_stations

SEARCHES: Final = (SEARCH_STATIONS, SEARCH_NEARBY_POI)


class Wandering:
    """The moves of an agent: those by the tool for moves, and implicit ones."""

    def __init__(self, user: LonLat) -> None:
        self._known = KnownPoints(user)
        self.moves = 0

    def leave_for(self, tool: str, arguments: Mapping[str, Any]) -> float | None:
        """Metres to the nearest known point where a call is an implicit move; None where it is none."""
        if tool not in SEARCHES:
            return None
        try:
            metres = self._known.search_from(read_coordinate(arguments.get("coord")))
        except ValueError:
            return None
        return None if metres is None else round(metres, 1)

    def as_json(self) -> dict[str, int]:
        """The counts as a prediction's detail holds them."""
        return {"moves": self.moves, "implicit_moves": self._known.implicit_moves}

    def learn(self, tool: str, outcome: ToolOutcome) -> None:
        """Note the points that a result told: stations, and where a move led."""
        if outcome.kind is not None:
            return
        if tool == CHANGE_CURRENT_LOCATION.name:
            self.moves += 1
            self._known.learn([read_new_location(outcome)])
        elif tool == SEARCH_STATIONS:
            self._known.learn(one.point for one in read_stations(outcome))
