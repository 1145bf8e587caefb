"""The tool service_area: how far one gets along roads in a time or a length, and which places one reaches."""

import json
from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple, Self

import shapely
from pydantic import Field, model_validator

from app.agent_tools.arguments import Where
from app.agent_tools.around import Sought, find_around
from app.agent_tools.errors import ToolError
from app.agent_tools.nearby import MOST, Attributes
from app.agent_tools.places import Place, Position, load_places
from app.agent_tools.registry import Arguments, tool
from app.agent_tools.roads import END, SAID, Mode, RoadEnd, RoadResult, Roads, say_off_road
from app.agent_tools.saying import say_filters, say_length, say_time
from app.agent_tools.scope import Scope
from app.agent_tools.seeking import KEYWORD, TYPE, Keyword, Type
from app.routing.reaching import ReachedRoads
from app.routing.results import FARTHEST_M

LONGEST_MINUTES = 120
LONGEST_M = 100_000.0
MOST_PLACES = 1_000
"""Places of a kind that are looked at."""
AROUND_M = 50.0
"""The area is the land that is at most so far from the roads that are reached."""
AREA_DECIMALS = 5
LEAST_COST, MOST_COST = 10, 40
METRES_OF_A_UNIT = 2_500.0
FAST_KMH = {"car": 100.0, "bicycle": 20.0, "foot": 6.0}
"""How far one gets in some minutes, for the cost of a call."""


class AreaArguments(Arguments):
    """From where, how far, and what is sought there."""

    where: Where = Field(description=END)
    minutes: float | None = Field(
        None, gt=0, le=LONGEST_MINUTES, allow_inf_nan=False, description="along the fastest way"
    )
    metres: float | None = Field(
        None,
        gt=0,
        le=LONGEST_M,
        allow_inf_nan=False,
        description="metres along the fastest way; instead of minutes",
    )
    mode: Mode = Field("foot", description="how one travels")
    type: Type = Field(None, description=f"also the places of this type that are reached: {TYPE}")
    keyword: Keyword = Field(None, description=f"also the places that are reached and fit: {KEYWORD}")
    attributes: Attributes
    limit: int = Field(MOST, ge=1, le=MOST, description="how many places are wanted")
    area: bool = Field(
        False,
        description=f"whether to give the area, too: the land within {AROUND_M:g} m of the roads, as GeoJSON",
    )

    @model_validator(mode="after")
    def _has_one_limit(self) -> Self:
        if (self.minutes is None) == (self.metres is None):
            raise ValueError("give either minutes or metres")
        if self.type is not None and self.keyword is not None:
            raise ValueError("give a type or a keyword, not both")
        if self.attributes and self.type is None and self.keyword is None:
            raise ValueError("with attributes, give a type or a keyword")
        return self

    @property
    def sought(self) -> Sought | None:
        """What is sought, if anything is."""
        if self.type is None and self.keyword is None:
            return None
        return Sought(self.type, self.keyword, self.attributes)

    def cost(self) -> int:
        """One for each METRES_OF_A_UNIT that one may get, within bounds: all roads so near are searched."""
        metres = self.metres or (self.minutes or 0.0) / 60 * FAST_KMH.get(self.mode, 0.0) * 1000
        return min(max(ceil(metres / METRES_OF_A_UNIT), LEAST_COST), MOST_COST)


class ReachedPlace(Place):
    """A place that is reached, by the fastest way to it."""

    seconds: float
    distance_m: float = Field(description="metres along the fastest way")


class AreaResult(RoadResult):
    """What is reached from a place or point."""

    origin: RoadEnd
    minutes: float | None
    metres: float | None
    roads_m: float = Field(description="metres of all roads that are reached, in full or in part")
    farthest_m: float = Field(
        description="metres in a straight line from the start to the farthest of these roads"
    )
    reaches_edge: bool = Field(
        description=f"whether the map ends within {AROUND_M:g} m of these roads, so that more may be reached"
    )
    sought: str | None = None
    attributes: dict[str, str] | None = Field(None, description="what the places were asked to have")
    total: int | None = Field(None, description="how many places of the kind are reached")
    places: list[ReachedPlace] | None = Field(None, description="those that are reached first")
    area: dict[str, Any] | None = Field(None, description="GeoJSON, lon before lat")

    def sentence(self) -> str:
        """The answer in words."""
        limit = say_time(self.minutes * 60) if self.minutes is not None else say_length(self.metres or 0)
        said = (
            f"Within {limit} {SAID[self.mode]} from {self.origin.called} one reaches {say_length(self.roads_m)} of "
            f"roads, up to {say_length(self.farthest_m)} away in a straight line.{say_off_road(self.origin)}"
        )
        said += (
            " The map ends there: roads and places beyond its edge are missing." if self.reaches_edge else ""
        )
        if self.places is None:
            return said
        kind = f"{self.sought!r}{say_filters(self.attributes or {})}"
        lines = [said, f"Places for {kind} that are reached: {self.total}."]
        for number, one in enumerate(self.places, 1):
            lines.append(
                f"{number}. {one.called} ({one.id}), {say_time(one.seconds)}, {say_length(one.distance_m)}"
            )
        lines += ["There are more."] if len(self.places) < (self.total or 0) else []
        return "\n".join(lines)


class _Found(NamedTuple):
    """The fields of AreaResult on places."""

    total: int
    places: list[ReachedPlace]


@tool(AreaArguments, AreaResult)
def service_area(scope: Scope, wanted: AreaArguments) -> AreaResult:
    """Say how far one gets from a place or point along roads within some minutes or metres, and which places of a type
    one reaches, those first that are reached first."""
    roads = Roads(scope, wanted.mode)
    origin = roads.find_end(wanted.where)
    reached = roads.find_reach(origin, minutes=wanted.minutes, metres=wanted.metres)
    sought = wanted.sought
    found = None if sought is None else _find_places(scope, reached, origin, sought, wanted.limit)
    return AreaResult(
        **roads.identity,
        origin=origin,
        minutes=wanted.minutes,
        metres=wanted.metres,
        roads_m=round(reached.length_m, 1),
        farthest_m=round(reached.farthest_m, 1),
        reaches_edge=scope.outline is None or reached.leaves(scope.outline, AROUND_M),
        sought=sought.said if sought else None,
        attributes=wanted.attributes if sought else None,
        total=found.total if found else None,
        places=found.places if found else None,
        area=_as_geojson(reached.area(AROUND_M)) if wanted.area else None,
    )


def _find_places(scope: Scope, reached: ReachedRoads, origin: RoadEnd, sought: Sought, limit: int) -> _Found:
    start = Position(lat=origin.road.lat, lon=origin.road.lon, id=origin.id)
    rows = find_around(scope, sought, start, reached.farthest_m + FARTHEST_M, MOST_PLACES + 1)
    if len(rows) > MOST_PLACES:
        raise ToolError(
            f"More than {MOST_PLACES:,} places for {sought.said!r}{say_filters(sought.attributes)} lie so near. "
            "Ask for a smaller area or a rarer kind."
        )
    known = load_places(scope, [row.osm_key for row in rows])
    places = sorted(
        _measure_places(reached, [known[row.osm_key].place for row in rows]),
        key=lambda one: (one.seconds, one.id),
    )
    return _Found(len(places), places[:limit])


def _measure_places(reached: ReachedRoads, places: list[Place]) -> Iterator[ReachedPlace]:
    """The places that are reached."""
    for place in places:
        spent = reached.find((place.lon, place.lat))
        if spent is not None:
            yield ReachedPlace(
                **place.model_dump(), seconds=round(spent.seconds, 1), distance_m=round(spent.metres, 1)
            )


def _as_geojson(area: Any) -> dict[str, Any]:
    rounded = shapely.set_precision(area, 10**-AREA_DECIMALS)
    found: dict[str, Any] = json.loads(shapely.to_geojson(rounded))
    return found
