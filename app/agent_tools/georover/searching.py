"""Search_Stations and Search_Nearby_POI: what an agent sees around a point, the nearest first, nothing twice.

Distances are straight lines on the WGS84 ellipsoid. A result is JSON in the fields of the paper's tools. It has no
limit, and nothing lies outside of the map: there, nothing is found.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, Field

from app.agent_tools.georover import queries
from app.agent_tools.georover.activities import ACTIVITY_CLASSES
from app.agent_tools.georover.coordinates import Coordinate, LonLat
from app.agent_tools.georover.stations import Destination, find_stations
from app.agent_tools.places import Known, load_places, shown
from app.agent_tools.registry import Arguments, Result, Tool
from app.agent_tools.saying import say_length, say_words
from app.agent_tools.scope import Scope

SEARCH_STATIONS = "Search_Stations"
SEARCH_NEARBY_POI = "Search_Nearby_POI"
_STATION_TAGS = ("access", "opening_hours", "capacity", "fee")
_POI_TAGS = ("cuisine", "sport", "religion")


class PoiArguments(Arguments):
    """Around which point."""

    coord: Coordinate = Field(description="the point around which is searched: [longitude, latitude]")


class StationArguments(PoiArguments):
    """Around which point, and for stations of which class."""

    destination: Destination = Field("charging_station", description="which places are the stations")


class _Seen(BaseModel):
    id: str
    name: str
    distance_m: float = Field(description="metres from the point, in a straight line")
    address: str | None = None
    tag: str | None = None
    type: str


class SeenStation(_Seen):
    """A station within view."""

    osm_keys: list[str] = Field(
        description="the places of the map that are this station, the first of which is its id"
    )
    lon: float
    lat: float


class SeenPoi(_Seen):
    """A place within view."""


class StationsResult(Result):
    """The stations within view."""

    coord: Coordinate
    radius_m: float
    destination: str
    stations: list[SeenStation]

    def sentence(self) -> str:
        """A list of objects in JSON."""
        return _as_json(
            {
                "station_id": one.id,
                "station_name": one.name,
                "coord": LonLat(one.lon, one.lat).said(),
                "station_distance": say_metres(one.distance_m),
                "address": one.address,
                "tag": one.tag,
                "type": one.type,
            }
            for one in self.stations
        )


class PoisResult(Result):
    """The places within view."""

    coord: Coordinate
    radius_m: float
    pois: list[SeenPoi]

    def sentence(self) -> str:
        """A list of objects in JSON."""
        return _as_json(
            {
                "poi_name": one.name,
                "poi_distance": say_metres(one.distance_m),
                "address": one.address,
                "tag": one.tag,
                "type": one.type,
            }
            for one in self.pois
        )


def make_search_stations(radius: float) -> Tool:
    """The tool that sees stations so many metres far."""

    def run(scope: Scope, wanted: StationArguments) -> StationsResult:
        found = find_stations(scope, wanted.destination, wanted.coord, radius)
        known = load_places(scope, [one.id for one in found])
        stations = [
            SeenStation(
                **_told(known[one.id], one.name, _tag_of_station(known[one.id])),
                distance_m=round(one.metres, 2),
                osm_keys=list(one.members),
                lon=known[one.id].place.lon,
                lat=known[one.id].place.lat,
            )
            for one in found
        ]
        return StationsResult(
            coord=wanted.coord, radius_m=radius, destination=wanted.destination, stations=stations
        )

    description = (
        f"Find all stations within {say_radius(radius)} of a point, the nearest first: name, point, distance in a "
        "straight line, address."
    )
    return Tool(SEARCH_STATIONS, description, StationArguments, StationsResult, run)


def make_search_nearby_poi(radius: float) -> Tool:
    """The tool that sees places so many metres far."""

    def run(scope: Scope, wanted: PoiArguments) -> PoisResult:
        binds = {
            "lon": wanted.coord.lon,
            "lat": wanted.coord.lat,
            "radius": radius,
            "classes": ACTIVITY_CLASSES,
        }
        rows = scope.rows(queries.POIS_AROUND, binds)
        known = load_places(scope, [row.osm_key for row in rows])
        pois = [
            SeenPoi(
                **_told(
                    known[row.osm_key],
                    known[row.osm_key].place.name,
                    _values(known[row.osm_key].tags, _POI_TAGS),
                ),
                distance_m=round(row.metres, 2),
            )
            for row in rows
        ]
        return PoisResult(coord=wanted.coord, radius_m=radius, pois=pois)

    description = (
        f"Find all places within {say_radius(radius)} of a point, such as restaurants, shops and banks, the nearest "
        "first: name, type, distance in a straight line, address."
    )
    return Tool(SEARCH_NEARBY_POI, description, PoiArguments, PoisResult, run)


def say_metres(metres: float) -> str:
    """A distance as the paper's tools write it: `9 meters`."""
    return f"{metres:.0f} meters"


def say_radius(metres: float) -> str:
    """A whole distance: `5 km`."""
    return f"{metres / 1000:g} km" if metres >= 1000 else say_length(metres)


def _told(known: Known, name: str | None, tag: str | None) -> dict[str, Any]:
    """What is said of a station or place in the same words; one without a name is called by its type."""
    place = known.place
    return {
        "id": place.id,
        "name": shown(name) or say_words(place.type),
        "address": place.address,
        "tag": tag,
        "type": "; ".join(say_words(one) for one in known.classes),
    }


def _tag_of_station(known: Known) -> str | None:
    sockets = sorted(
        say_words(key.removeprefix("socket:"))
        for key in known.tags
        if key.count(":") == 1 and key.startswith("socket:")
    )
    values = _values(known.tags, _STATION_TAGS)
    return "; ".join([*sockets, *([values] if values else [])]) or None


def _values(tags: Mapping[str, str], keys: tuple[str, ...]) -> str | None:
    return "; ".join(shown(say_words(tags[key])) or "" for key in keys if key in tags) or None


def _as_json(objects: Iterable[dict[str, str | None]]) -> str:
    """A list of objects without the fields that have no value."""
    told = [{name: value for name, value in one.items() if value is not None} for one in objects]
    return json.dumps(told, ensure_ascii=False)
