"""Change_Current_Location and Cal_Distance: where one gets to in a straight line, and how far it is by road.

A move leads along the geodesic of the WGS84 ellipsoid. It is not checked that the map reaches so far. A distance is
that of the fastest way by car along the roads of the map.
"""

import json
import re
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from app.agent_tools.arguments import LONGEST_WHERE
from app.agent_tools.georover.coordinates import Coordinate, LonLat, rounded
from app.agent_tools.measuring import FARTHEST, GEOD
from app.agent_tools.places import Position
from app.agent_tools.registry import Arguments, Result, Tool
from app.agent_tools.roads import RoadResult, Roads
from app.agent_tools.scope import Scope

AZIMUTHS = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
_WORDS = {"NORTH": "N", "EAST": "E", "SOUTH": "S", "WEST": "W"}
_METRES = re.compile(r"\s*([0-9][0-9.eE+]*)\s*(?:m|meters?|metres?)?\s*")


def _read_direction(given: Any) -> Any:
    word = given.strip().upper() if isinstance(given, str) else ""
    known = _WORDS.get(word, word)
    return known if known in AZIMUTHS else given


def _read_metres(given: Any) -> float:
    if isinstance(given, str):
        found = _METRES.fullmatch(given) if len(given) <= LONGEST_WHERE else None
        given = found[1] if found else None
    try:
        metres = (
            float(given) if isinstance(given, int | float | str) and not isinstance(given, bool) else -1.0
        )
    except (ValueError, OverflowError):
        metres = -1.0
    if not isfinite(metres) or not 0 <= metres <= FARTHEST:
        raise ValueError(f"write metres from 0 to {FARTHEST:,.0f}, such as '7000'")
    return metres


Metres = Annotated[float, BeforeValidator(_read_metres), WithJsonSchema({"type": "string"})]
Direction = Annotated[Literal["N", "S", "E", "W"], BeforeValidator(_read_direction)]


class ChangeLocationArguments(Arguments):
    """From where, how far, and in which direction."""

    start_location: Coordinate = Field(description="where one starts: [longitude, latitude]")
    distance: Metres = Field(description="how far one moves, in metres: '7000'")
    direction: Direction = Field(description="north, south, east or west")


class ChangeLocationResult(Result):
    """Where one gets to."""

    start_location: Coordinate
    distance_m: float
    direction: str
    new_location: Coordinate

    def sentence(self) -> str:
        """An object in JSON."""
        return json.dumps({"new_location": list(self.new_location)})


class CalDistanceArguments(Arguments):
    """Between which points."""

    coord1: Coordinate = Field(description="where the drive begins: [longitude, latitude]")
    coord2: Coordinate = Field(description="where it ends: [longitude, latitude]")


class CalDistanceResult(RoadResult):
    """How far it is by road."""

    coord1: Coordinate
    coord2: Coordinate
    distance_m: float = Field(description="metres along the roads of the fastest way")

    def sentence(self) -> str:
        """An object in JSON."""
        return json.dumps({"distance": f"{self.distance_m:.1f} meters"})


def _change_location(_: Scope, wanted: ChangeLocationArguments) -> ChangeLocationResult:
    start = wanted.start_location
    lon, lat, _azimuth = GEOD.fwd(start.lon, start.lat, AZIMUTHS[wanted.direction], wanted.distance)
    return ChangeLocationResult(
        start_location=start,
        distance_m=wanted.distance,
        direction=wanted.direction,
        new_location=rounded(lon, lat),
    )


def _cal_distance(scope: Scope, wanted: CalDistanceArguments) -> CalDistanceResult:
    roads = Roads(scope, "car")
    start, end = (roads.meet_road(_position(one)) for one in (wanted.coord1, wanted.coord2))
    metres = 0.0 if wanted.coord1 == wanted.coord2 else roads.find_routes(start, end)[0].metres
    return CalDistanceResult(
        **roads.identity, coord1=wanted.coord1, coord2=wanted.coord2, distance_m=round(metres, 1)
    )


def _position(coordinate: LonLat) -> Position:
    return Position(lat=coordinate.lat, lon=coordinate.lon)


CHANGE_CURRENT_LOCATION = Tool(
    "Change_Current_Location",
    "Move from a point so many metres to the north, south, east or west, in a straight line, and learn the point that "
    "is reached.",
    ChangeLocationArguments,
    ChangeLocationResult,
    _change_location,
)
CAL_DISTANCE = Tool(
    "Cal_Distance",
    "Say how long the drive from one point to another is, along roads.",
    CalDistanceArguments,
    CalDistanceResult,
    _cal_distance,
)
