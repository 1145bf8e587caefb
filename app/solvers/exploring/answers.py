"""The answer to a question about stations: a JSON list, the best first. Pure."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from app.agent_tools.georover.coordinates import LonLat
from app.agent_tools.measuring import GEOD

FEWEST: Final = 3
MOST: Final = 10
"""Stations of an answer."""


class Station(NamedTuple):
    """A station that was seen, and how far it is from the user in a straight line, in metres."""

    id: str
    name: str
    point: LonLat
    metres: float


def metres_between(one: LonLat, other: LonLat) -> float:
    """Metres along the geodesic of the WGS84 ellipsoid."""
    _, _, metres = GEOD.inv(one.lon, one.lat, other.lon, other.lat)
    return float(metres)


def say_stations(stations: Sequence[Station]) -> str:
    """The answer as a text."""
    told = [
        {
            "station_id": one.id,
            "station_name": one.name,
            "station_location": list(one.point),
            "station_distance": f"{one.metres / 1000:.3f} km",
        }
        for one in stations
    ]
    return json.dumps(told, ensure_ascii=False)
