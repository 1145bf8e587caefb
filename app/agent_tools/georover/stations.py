"""Stations: the destinations of a map, of which the importer has made those one that are one to a driver.

A station is where its first place is, and has that place's id. Its operator is shown to nobody: it may be asked for.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from app.agent_tools.georover import queries
from app.agent_tools.georover.coordinates import LonLat
from app.agent_tools.scope import Scope

Destination = Literal["charging_station", "fuel", "parking", "pharmacy", "atm"]
"""Classes of places that one drives to."""


class Found(NamedTuple):
    """A station: its id, the ids of its places in order, its name, and metres from where one looks."""

    id: str
    members: Sequence[str]
    name: str | None
    metres: float


def find_stations(scope: Scope, destination: str, centre: LonLat, radius: float) -> list[Found]:
    """The stations of a class within so many metres, the nearest first; equally near ones by id.

    Raises ToolError on maps that were imported before there were destinations.
    """
    binds = {"class": destination, "lon": centre.lon, "lat": centre.lat, "radius": radius}
    return [
        Found(row.osm_key, row.osm_keys, row.name, row.metres)
        for row in scope.rows(queries.STATIONS_AROUND, binds)
    ]
