"""The tools distance, bearing and move: geodesics on the WGS84 ellipsoid between the points of places.

A place that is an area or a line is measured from a point on it. The tool distance also says how far apart the nearest
parts are.
"""

from pydantic import BaseModel, Field, field_validator
from pyproj import Geod

from app.agent_tools import queries_shapes as queries
from app.agent_tools.arguments import Text, Where
from app.agent_tools.bearings import Names, name_direction, read_direction
from app.agent_tools.errors import ToolError
from app.agent_tools.places import DECIMALS, Position, find_position, tell_apart
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.saying import say_length, say_length_exactly
from app.agent_tools.scope import Scope

GEOD = Geod(ellps="WGS84")
FARTHEST = 20_000_000.0
"""Metres that one can move: half way round the earth."""
_END = "a place id or 'latitude,longitude'"


class EndsArguments(Arguments):
    """Two ends of a straight line."""

    origin: Where = Field(description=_END)
    destination: Where = Field(description=_END)


class BearingArguments(EndsArguments):
    """Two ends, and how many names of directions there are."""

    names: Names = Field(8, description="4 names (north, east …), 8 (northeast …) or 16 (north-northeast …)")


class MoveArguments(Arguments):
    """A start, a direction and a length."""

    origin: Where = Field(description=_END)
    direction: Text = Field(description="degrees clockwise from true north, or a name: 'northeast', 'SSW'")
    distance_m: float = Field(ge=0, le=FARTHEST, allow_inf_nan=False, description="metres")

    @field_validator("direction")
    @classmethod
    def _is_direction(cls, said: str) -> str:
        _degrees_of(said)
        return said


class DistanceResult(Result):
    """How far apart two ends are in a straight line."""

    origin: Position
    destination: Position
    distance_m: float = Field(description="metres between the two points")
    nearest_m: float | None = Field(
        None, description="metres between the nearest parts, where one of the two is an area or a line"
    )

    def sentence(self) -> str:
        """The answer in words."""
        called = tell_apart([self.origin, self.destination])
        said = f"The distance from {called(self.origin)} to {called(self.destination)} is "
        said += f"{say_length_exactly(self.distance_m)} in a straight line."
        if self.nearest_m is not None:
            said += f" Their nearest parts are {say_length_exactly(self.nearest_m)} apart."
        return said


class BearingResult(Result):
    """In which direction the destination lies from the origin."""

    origin: Position
    destination: Position
    degrees: float = Field(description="clockwise from true north at the origin, in [0, 360)")
    direction: str

    def sentence(self) -> str:
        """The answer in words."""
        called = tell_apart([self.origin, self.destination])
        return (
            f"{called(self.destination)} lies {self.direction} of {called(self.origin)}, "
            f"at {self.degrees:.1f} degrees clockwise from north."
        )


class Landing(BaseModel):
    """A point that was reached."""

    lat: float
    lon: float


class MoveResult(Result):
    """Where one gets to in a straight line."""

    origin: Position
    degrees: float
    distance_m: float
    point: Landing
    in_map: bool = Field(description="whether the point lies in the map")

    def sentence(self) -> str:
        """The answer in words."""
        outside = "" if self.in_map else ", outside of the map"
        return (
            f"{say_length(self.distance_m)} from {self.origin.called} at {self.degrees:g} degrees lies "
            f"{self.point.lat}, {self.point.lon}{outside}."
        )


@tool(EndsArguments, DistanceResult)
def distance(scope: Scope, wanted: EndsArguments) -> DistanceResult:
    """Measure the distance between two places or points in a straight line, in metres (not along roads)."""
    origin, destination = find_position(scope, wanted.origin), find_position(scope, wanted.destination)
    _, _, metres = GEOD.inv(origin.lon, origin.lat, destination.lon, destination.lat)
    return DistanceResult(
        origin=origin,
        destination=destination,
        distance_m=round(metres, 2),
        nearest_m=_measure_nearest(scope, origin, destination),
    )


@tool(BearingArguments, BearingResult)
def bearing(scope: Scope, wanted: BearingArguments) -> BearingResult:
    """Say in which direction the destination lies from the origin: degrees clockwise from north, and a name."""
    origin, destination = find_position(scope, wanted.origin), find_position(scope, wanted.destination)
    degrees, _, metres = GEOD.inv(origin.lon, origin.lat, destination.lon, destination.lat)
    if metres < 0.001:
        raise ToolError("The two ends are the same point: no direction leads from one to the other.")
    degrees = degrees % 360
    return BearingResult(
        origin=origin,
        destination=destination,
        degrees=round(degrees, 4) % 360,
        direction=name_direction(degrees, wanted.names),
    )


@tool(MoveArguments, MoveResult)
def move(scope: Scope, wanted: MoveArguments) -> MoveResult:
    """Say which point lies a number of metres from a place or point in a direction, in a straight line."""
    origin, degrees = find_position(scope, wanted.origin), _degrees_of(wanted.direction)
    lon, lat, _ = GEOD.fwd(origin.lon, origin.lat, degrees, wanted.distance_m)
    return MoveResult(
        origin=origin,
        degrees=degrees,
        distance_m=wanted.distance_m,
        point=Landing(lat=round(lat, DECIMALS), lon=round(lon, DECIMALS)),
        in_map=scope.covers(lon, lat),
    )


def _degrees_of(said: str) -> float:
    named = read_direction(said)
    if named is not None:
        return named
    try:
        degrees = float(said)
    except ValueError:
        degrees = float("nan")
    if not 0 <= degrees <= 360:
        raise ValueError("write degrees from 0 to 360, or the name of a direction, such as northeast or NE")
    return degrees % 360


def _measure_nearest(scope: Scope, origin: Position, destination: Position) -> float | None:
    """Metres between the nearest parts of two ends; None where both are points."""
    binds = {
        **{f"{end}_{name}": value for end, one in (("from", origin), ("to", destination))
           for name, value in (("key", one.id), ("lon", one.lon), ("lat", one.lat))},
    }  # fmt: skip
    row = scope.rows(queries.NEAREST_PARTS, binds)[0]
    return None if row.are_points else round(row.metres, 2)
