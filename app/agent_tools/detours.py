"""The tool detour_between: which place of a type costs the least time on the way from one end to the other."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import Field

from app.agent_tools.around import find_around
from app.agent_tools.errors import ToolError
from app.agent_tools.measuring import GEOD
from app.agent_tools.nearby import USUAL_RADIUS, Attributes
from app.agent_tools.places import Place, Position, load_places
from app.agent_tools.registry import tool
from app.agent_tools.roads import SAID, RoadEnd, RoadResult, Roads, RouteArguments, say_off_road
from app.agent_tools.saying import say_filters, say_time
from app.agent_tools.scope import Scope
from app.agent_tools.seeking import SeekingArguments
from app.routing.results import FARTHEST_M

MOST = 10
MOST_TRIED = 200
"""Places that are tried, those first that are nearest to the middle between the ends."""
AT_ONCE = 50
SPARE = 3
"""So many more places than are wanted are measured exactly."""
COST = 5
KMH_TO_METRES_A_SECOND = 1 / 3.6


class DetourArguments(SeekingArguments, RouteArguments):
    """The ends, and what is sought on the way."""

    attributes: Attributes
    limit: int = Field(1, ge=1, le=MOST, description="how many places are wanted")

    def cost(self) -> int:
        """COST: two matrices of many places."""
        return COST


class DetourPlace(Place):
    """A place, and what it costs to pass by."""

    detour_s: float = Field(description="seconds more than the fastest way without the place, at least 0")
    to_place_s: float
    from_place_s: float


class DetourResult(RoadResult):
    """Places on the way, that of the least detour first."""

    origin: RoadEnd
    destination: RoadEnd
    sought: str
    attributes: dict[str, str] = Field(description="what the places were asked to have")
    direct_s: float = Field(description="seconds of the fastest way without a place")
    places: list[DetourPlace]
    complete: bool = Field(
        description="true: no other place costs less; false: others, too far from the middle to be tried, might"
    )

    def sentence(self) -> str:
        """The answer in words."""
        way = f"from {self.origin.called} to {self.destination.called} {SAID[self.mode]}"
        kind = f"{self.sought!r}{say_filters(self.attributes)}"
        if not self.places:
            return f"No place of the kind {kind} can be reached on the way {way}."
        lines = [
            f"Places for {kind} on the way {way}, which takes {say_time(self.direct_s)} without them, "
            "the least detour first:"
        ]
        for number, one in enumerate(self.places, 1):
            lines.append(
                f"{number}. {one.called} ({one.id}): {say_time(one.detour_s)} more ({say_time(one.to_place_s)} to it, "
                f"{say_time(one.from_place_s)} from it on)"
            )
        lines += [] if self.complete else ["Of the places, only those near the middle of the way were tried."]
        off_road = say_off_road(self.origin, self.destination).strip()
        return "\n".join([*lines, *([off_road] if off_road else [])])


class _Candidate(NamedTuple):
    place: Place
    end: RoadEnd
    metres: float
    """From the middle between the ends, in a straight line, to its nearest part."""


class _Tried(NamedTuple):
    candidate: _Candidate
    seconds: float
    """From one end to the place and on to the other, to 0.1 s for each piece of road."""


@tool(DetourArguments, DetourResult)
def detour_between(scope: Scope, wanted: DetourArguments) -> DetourResult:
    """Find the place of a type, or that a keyword fits, that costs the least detour on the way from one place to
    another, and how many seconds more it takes to pass by it."""
    roads = Roads(scope, wanted.mode)
    start, end = roads.find_ends(wanted.origin, wanted.destination)
    direct = roads.find_routes(start, end)[0].seconds
    candidates, known_to = _find_candidates(scope, roads, wanted, (start, end))
    tried = sorted(_try(roads, (start, end), wanted.limit, candidates), key=lambda one: one.seconds)
    # A matrix is rounded: which of the best is the best is told by the routes themselves.
    routed = [_route(roads, (start, end), direct, one.candidate) for one in tried[: wanted.limit + SPARE]]
    best = sorted(routed, key=lambda one: (one.detour_s, one.id))[: wanted.limit]
    worst = tried[wanted.limit - 1].seconds if len(tried) >= wanted.limit else float("inf")
    return DetourResult(
        **roads.identity,
        origin=start,
        destination=end,
        sought=wanted.sought.said,
        attributes=wanted.attributes,
        direct_s=round(direct, 1),
        places=best,
        complete=_least_seconds(roads, (start, end), known_to) >= worst,
    )


def _find_candidates(
    scope: Scope, roads: Roads, wanted: DetourArguments, ends: tuple[RoadEnd, RoadEnd]
) -> tuple[list[_Candidate], float]:
    """The places that fit, those nearest to the middle first, and to how many metres from it these are all."""
    sought, (middle, half) = wanted.sought._replace(attributes=wanted.attributes), _middle(*ends)
    radius = half + USUAL_RADIUS if sought.keyword else None
    rows = find_around(scope, sought, middle, radius, MOST_TRIED)
    places = load_places(scope, [row.osm_key for row in rows])
    found = []
    for row in rows:
        place = places[row.osm_key].place
        met = None if place.id in (ends[0].id, ends[1].id) else _meet_road(roads, place)
        if met is not None:
            found.append(_Candidate(place, met, row.metres))
    return found, rows[-1].metres if len(rows) == MOST_TRIED else radius or float("inf")


def _meet_road(roads: Roads, place: Place) -> RoadEnd | None:
    """Where a place meets the road; None for one that is far from every road: nobody gets there."""
    try:
        return roads.meet_road(Position(lat=place.lat, lon=place.lon, id=place.id, name=place.called))
    except ToolError as error:
        if error.kind != "no_route":
            raise
        return None


def _try(
    roads: Roads, ends: tuple[RoadEnd, RoadEnd], limit: int, candidates: Sequence[_Candidate]
) -> Iterator[_Tried]:
    """How long it takes by way of each of the places, until no other can be among the best."""
    found: list[float] = []
    for first in range(0, len(candidates), AT_ONCE):
        some = candidates[first : first + AT_ONCE]
        if len(found) >= limit and _least_seconds(roads, ends, some[0].metres) >= sorted(found)[limit - 1]:
            return
        to_them = roads.measure_matrix([ends[0]], [one.end for one in some])[0]
        from_them = roads.measure_matrix([one.end for one in some], [ends[1]])
        for one, there, (back,) in zip(some, to_them, from_them, strict=True):
            if there is not None and back is not None:
                found.append(there + back)
                yield _Tried(one, there + back)


def _route(roads: Roads, ends: tuple[RoadEnd, RoadEnd], direct: float, candidate: _Candidate) -> DetourPlace:
    there = roads.find_routes(ends[0], candidate.end)[0].seconds
    back = roads.find_routes(candidate.end, ends[1])[0].seconds
    return DetourPlace(
        **candidate.place.model_dump(),
        detour_s=round(max(there + back - direct, 0.0), 1),
        to_place_s=round(there, 1),
        from_place_s=round(back, 1),
    )


def _least_seconds(roads: Roads, ends: tuple[RoadEnd, RoadEnd], metres: float) -> float:
    """What it takes at least to pass by a place that is so far from the middle between the ends.

    The straight ways from one end to a place and on to the other have together at least twice the metres from the
    middle. Each end, and the place twice, may be away from the road.
    """
    off_road = sum(one.road.distance_m for one in ends) + 2 * FARTHEST_M
    return (2 * metres - off_road) / (roads.fastest_kmh * KMH_TO_METRES_A_SECOND)


def _middle(start: RoadEnd, end: RoadEnd) -> tuple[Position, float]:
    """The point half way in a straight line, and how many metres it is from each end."""
    azimuth, _, metres = GEOD.inv(start.lon, start.lat, end.lon, end.lat)
    lon, lat, _ = GEOD.fwd(start.lon, start.lat, azimuth, metres / 2)
    return Position(lat=lat, lon=lon), metres / 2
