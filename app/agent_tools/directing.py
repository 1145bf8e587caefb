"""The tool directions: the steps of routes as facts, and in words. Reads road_edge and poi.

Steps are told from the edges of a route alone, so routes of every router are told in the same way.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from app.agent_tools.instructions import Landmark, Language, Names, RouteStep, say_route, say_step
from app.agent_tools.landmarks import FARTHEST_M, Passed, choose_passed, find_passed
from app.agent_tools.lines import Point, find_side, metres_of
from app.agent_tools.manoeuvres import Manoeuvre, direction_after, direction_before, find_manoeuvres
from app.agent_tools.places import DECIMALS, tell_apart
from app.agent_tools.registry import tool
from app.agent_tools.roads import RoadEnd, RoadResult, Roads, RouteArguments, say_off_road
from app.agent_tools.route_reading import Travelled, read_places_beside, read_route, read_ways_out
from app.agent_tools.scope import Scope
from app.routing.results import MOST_ALTERNATIVES, Route

AT_ROAD_M = 3.0
"""A destination that is nearer to the road has no side."""
SHORTEST_M = 1.0
"""Nor has one to which a shorter route leads: nobody can say from where one comes."""


class DirectionsArguments(RouteArguments):
    """From where to where, how, and what is told."""

    alternatives: int = Field(
        0, ge=0, le=MOST_ALTERNATIVES, description="how many other routes are wanted, beside the fastest one"
    )
    with_line: bool = Field(
        False, description="whether each route has its line, as [longitude, latitude] pairs"
    )
    language: Language = Field("en", description="of the steps in words")

    def cost(self) -> int:
        """A search, and the steps of each route."""
        return 2 + self.alternatives


class RouteTold(BaseModel):
    """A route with its steps; the last one is the arrival."""

    seconds: float
    distance_m: float
    steps: list[RouteStep]
    line: list[Point] | None = None


class DirectionsResult(RoadResult):
    """The fastest route, then others."""

    origin: RoadEnd
    destination: RoadEnd
    language: str
    routes: list[RouteTold]

    def sentence(self) -> str:
        """The answer in words."""
        names = _names(self.origin, self.destination, self.mode)
        told = []
        for number, route in enumerate(self.routes, 1):
            shown = number if len(self.routes) > 1 else None
            told.append(say_route(shown, route.distance_m, route.seconds, names, self.language))
            told += [f"{place}. {step.said}" for place, step in enumerate(route.steps, 1)]
        return "\n".join(told) + say_off_road(self.origin, self.destination)


class _Telling(NamedTuple):
    """What the steps of a route are told from."""

    travelled: Sequence[Travelled]
    passed: Sequence[Passed]
    names: Names
    language: str

    @property
    def path(self) -> list[Point]:
        """All points of the route, one after the other."""
        return [point for one in self.travelled for point in one.points]


@tool(DirectionsArguments, DirectionsResult)
def directions(scope: Scope, wanted: DirectionsArguments) -> DirectionsResult:
    """Tell step by step how to get somewhere by car, by bicycle or on foot; on request, which other ways there are."""
    roads = Roads(scope, wanted.mode)
    start, end = roads.find_ends(wanted.origin, wanted.destination)
    routes = roads.find_routes(start, end, wanted.alternatives)
    return DirectionsResult(
        **roads.identity,
        origin=start,
        destination=end,
        language=wanted.language,
        routes=[_tell_route(scope, route, (start, end), wanted) for route in routes],
    )


def _tell_route(
    scope: Scope, route: Route, ends: tuple[RoadEnd, RoadEnd], wanted: DirectionsArguments
) -> RouteTold:
    travelled = read_route(scope, wanted.mode, route)
    edges = [one.edge for one in travelled]
    manoeuvres = find_manoeuvres(edges, read_ways_out(scope, wanted.mode, edges))
    places = [
        place
        for place in read_places_beside(scope, route, FARTHEST_M)
        if place.osm_key not in (ends[0].id, ends[1].id)
    ]
    telling = _Telling(travelled, find_passed(travelled, places), _names(*ends, wanted.mode), wanted.language)
    lasts = [one.first for one in manoeuvres[1:]] + [len(edges)]
    steps = [_tell_step(telling, one, last) for one, last in zip(manoeuvres, lasts, strict=True)]
    return RouteTold(
        seconds=round(route.seconds, 1),
        distance_m=round(route.metres, 1),
        steps=[*steps, _tell_arrival(telling, ends[1])],
        line=[(round(lon, DECIMALS), round(lat, DECIMALS)) for lon, lat in telling.path]
        if wanted.with_line
        else None,
    )


def _tell_step(telling: _Telling, one: Manoeuvre, last: int) -> RouteStep:
    part = telling.travelled[one.first : last]
    before = sum(edge.metres for edge in telling.travelled[: one.first])
    lon, lat = part[0].points[0]
    step = RouteStep(
        kind=one.kind,
        lat=round(lat, DECIMALS),
        lon=round(lon, DECIMALS),
        heading=round(direction_after(part[0].edge.line if one.first else telling.path), 1),
        degrees=None if one.degrees is None else round(one.degrees, 1),
        exit=one.exit,
        road=one.road,
        distance_m=round(sum(edge.metres for edge in part), 1),
        seconds=round(sum(edge.seconds for edge in part), 1),
        landmarks=[
            _tell_landmark(passed, before) for passed in choose_passed(telling.passed, one.first, last)
        ],
    )
    return step.model_copy(update={"said": say_step(step, telling.names, telling.language)})


def _tell_landmark(passed: Passed, before: float) -> Landmark:
    return Landmark(
        id=passed.place.osm_key,
        name=passed.place.name,
        type=passed.place.type,
        side=passed.side,
        distance_m=round(passed.metres, 1),
        after_m=round(max(passed.after_m - before, 0.0), 1),
    )


def _tell_arrival(telling: _Telling, end: RoadEnd) -> RouteStep:
    path = telling.path
    heading = direction_before(path)
    has_side = end.road.distance_m >= AT_ROAD_M and metres_of(path) >= SHORTEST_M
    step = RouteStep(
        kind="arrive",
        lat=end.road.lat,
        lon=end.road.lon,
        heading=round(heading, 1),
        side=find_side(heading, end.on_road, (end.lon, end.lat)) if has_side else None,
        distance_m=0.0,
        seconds=0.0,
        landmarks=[],
    )
    return step.model_copy(update={"said": say_step(step, telling.names, telling.language)})


def _names(start: RoadEnd, end: RoadEnd, mode: str) -> Names:
    called = tell_apart([start, end])
    return Names(origin=called(start), destination=called(end), mode=mode)
