"""Makes the four tools, by the names that GeoRover's paper gives them, for a view of so many metres."""

from collections.abc import Sequence

from app.agent_tools.georover.moving import CAL_DISTANCE, CHANGE_CURRENT_LOCATION
from app.agent_tools.georover.searching import make_search_nearby_poi, make_search_stations
from app.agent_tools.registry import Tool


def make_tools(stations_m: float, pois_m: float) -> Sequence[Tool]:
    """The tools of an agent that sees stations and places so many metres far."""
    return (
        make_search_stations(stations_m),
        make_search_nearby_poi(pois_m),
        CHANGE_CURRENT_LOCATION,
        CAL_DISTANCE,
    )
