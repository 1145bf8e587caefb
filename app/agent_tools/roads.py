"""The one way from tools to the road network: the mode, the ends of a route, the router, and what can go wrong.

An end is a place or a point, as other tools take it. It begins or ends a route at the nearest place on a road that the
mode may travel.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from app.agent_tools.arguments import Where
from app.agent_tools.errors import ToolError
from app.agent_tools.places import DECIMALS, Position, find_position, tell_apart
from app.agent_tools.registry import UNAVAILABLE, Arguments, Result
from app.agent_tools.saying import say_length
from app.agent_tools.scope import Scope
from app.core.errors import Conflict, UsageError
from app.questions.second_path.reading import MODES
from app.routing.errors import RouteRefused, RouterLost, RouterNotBuilt
from app.routing.one_path import OnePathRouter
from app.routing.opening import TRANSIT
from app.routing.reaching import ReachedRoads
from app.routing.results import Point, Route, Router

SAID = {"car": "by car", "bicycle": "by bicycle", "foot": "on foot"}
TOLD_FROM_M = 20.0
"""A sentence tells how far an end is from the road from so many metres on."""
END = "a place id or 'latitude,longitude'"


def _check_mode(said: str) -> str:
    if said not in (*MODES, TRANSIT):
        raise ValueError(f"the modes are {', '.join(MODES)}")
    return said


Mode = Annotated[str, AfterValidator(_check_mode), WithJsonSchema({"type": "string", "enum": list(MODES)})]
"""How one travels. Transit is understood too, and refused with the reason."""


class RouteArguments(Arguments):
    """From where to where, and how one travels."""

    origin: Where = Field(description=END)
    destination: Where = Field(description=END)
    mode: Mode = Field("car", description="how one travels")


class OnRoad(BaseModel):
    """The nearest place on a road."""

    lat: float
    lon: float
    distance_m: float = Field(description="how far it is from the end, in a straight line")


class RoadEnd(Position):
    """An end of a route: where it is, and where it meets the road."""

    road: OnRoad

    @property
    def on_road(self) -> Point:
        """The place on the road, lon before lat, as routers take it."""
        return self.road.lon, self.road.lat


class RoadResult(Result):
    """An answer that stands on the road network."""

    mode: str
    engine: str = Field(description="the program that found the routes; `one path` is Trigpoint's own")
    profile: str = Field(description="whose speeds and rules these are, and their version")


class Roads:
    """The road network of the snapshot as one mode travels it."""

    def __init__(self, scope: Scope, mode: str) -> None:
        """Raises ToolError where the map has no network, where it has no router, and for transit."""
        self.mode = mode
        self._scope = scope
        with self._told():
            self._router: Router = scope.open_router(mode)

    @property
    def identity(self) -> dict[str, str]:
        """The fields of RoadResult."""
        version = self._scope.snapshot.layer_schema_version
        return {
            "mode": self.mode,
            "engine": self._router.engine,
            "profile": f"{self.mode}, layer schema {version}",
        }

    @property
    def said(self) -> str:
        """The mode in a sentence: `by car`."""
        return SAID[self.mode]

    @property
    def second_path(self) -> OnePathRouter:
        """The router that searches in this process."""
        with self._told():
            return self._scope.open_second_path(self.mode)

    @property
    def fastest_kmh(self) -> float:
        """The highest speed of any edge."""
        return self._router.fastest_kmh

    def find_end(self, where: str) -> RoadEnd:
        """Where an end is, and the nearest place on a road. Raises ToolError where that is too far away."""
        return self.meet_road(find_position(self._scope, where))

    def meet_road(self, position: Position) -> RoadEnd:
        """The end of a route that a position makes. Raises ToolError as `find_end` does."""
        with self._told(position.name or position.id):
            snapped = self._router.nearest((position.lon, position.lat))
        lon, lat = snapped.point
        road = OnRoad(lat=round(lat, DECIMALS), lon=round(lon, DECIMALS), distance_m=round(snapped.metres, 2))
        return RoadEnd(**position.model_dump(), road=road)

    def find_ends(self, origin: str, destination: str) -> tuple[RoadEnd, RoadEnd]:
        """Both ends of a route. Raises ToolError also where they are one place."""
        start, end = self.find_end(origin), self.find_end(destination)
        if (start.lat, start.lon) == (end.lat, end.lon):
            raise ToolError(
                "Origin and destination are the same point: there is nothing to travel.", "no_route"
            )
        return start, end

    def find_routes(self, start: RoadEnd, end: RoadEnd, alternatives: int = 0) -> list[Route]:
        """The fastest route, then up to so many others. Raises ToolError where none leads there."""
        with self._told():
            return self._router.routes(_point(start), _point(end), alternatives)

    def measure_matrix(self, starts: Sequence[RoadEnd], ends: Sequence[RoadEnd]) -> list[list[float | None]]:
        """Seconds from each start (a row) to each end, None where no route leads there. Raises ToolError."""
        with self._told():
            return self._router.matrix([_point(one) for one in starts], [_point(one) for one in ends])

    def find_reach(self, start: RoadEnd, *, minutes: float | None, metres: float | None) -> ReachedRoads:
        """The roads that are reached from an end within minutes, or else within metres along the fastest ways."""
        if minutes is not None:
            return self.second_path.reach(_point(start), minutes * 60, "seconds")
        return self.second_path.reach(_point(start), metres or 0.0, "metres")

    @contextmanager
    def _told(self, about: str | None = None) -> Iterator[None]:
        """What routing says, as errors that models understand; `about` is the place that it is said of."""
        reference = self._scope.snapshot.reference
        try:
            yield
        except RouteRefused as error:
            if error.kind != "unavailable":
                said = f"{about}: {error}" if about else str(error)
                raise ToolError(said, "no_route") from error
            said = UNAVAILABLE[TRANSIT] if self.mode == TRANSIT else str(error)
            raise ToolError(f"{self.mode.capitalize()} is unavailable. {said}", "unavailable") from error
        except RouterLost as error:
            self._scope.forget_router(self.mode)
            raise ToolError(f"No route was found just now. {error}", "try_again") from error
        except RouterNotBuilt as error:
            raise ToolError(
                f"The router for {self.mode} on {reference} does not start. Whoever runs Trigpoint finds the cause "
                "with `trigpoint router build`.",
                "unavailable",
            ) from error
        except Conflict as error:
            raise ToolError(
                f"{reference} has no road network. Import its extract again with `trigpoint import`.",
                "unavailable",
            ) from error
        except ToolError:
            raise
        except UsageError as error:
            raise ToolError(str(error)) from error


def say_off_road(*ends: RoadEnd) -> str:
    """A sentence on ends that do not lie on a road, with a blank before it; empty where all do."""
    called = tell_apart(ends)
    far = [one for one in ends if one.road.distance_m >= TOLD_FROM_M]
    return "".join(f" {called(one)} is {say_length(one.road.distance_m)} from the road." for one in far)


def _point(end: RoadEnd) -> Point:
    return end.lon, end.lat
