"""The tool compare_routes: which of several ways from one end to the other is faster, and which is shorter."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from app.agent_tools.arguments import Where
from app.agent_tools.errors import ToolError
from app.agent_tools.places import Position, tell_apart
from app.agent_tools.registry import tool
from app.agent_tools.roads import SAID, RoadEnd, RoadResult, Roads, RouteArguments, say_off_road
from app.agent_tools.saying import say_length, say_time
from app.agent_tools.scope import Scope
from app.routing.results import MOST_ALTERNATIVES

MOST_WAYS = 6
MOST_VIA = 6
TENTHS = 1
"""Decimals of seconds and metres."""

WayKind = Literal["via", "fastest", "alternative"]


class CompareArguments(RouteArguments):
    """The ends, and the ways between them."""

    ways: list[Annotated[list[Where], Field(max_length=MOST_VIA)]] = Field(
        default_factory=list,
        max_length=MOST_WAYS,
        description="each way is a list of the places or points that it leads through, in their order; "
        "an empty list is the fastest way",
    )
    alternatives: int = Field(
        0,
        ge=0,
        le=MOST_ALTERNATIVES,
        description="compare also the fastest way, and up to so many other ways that the router proposes",
    )

    @model_validator(mode="after")
    def _has_two_ways(self) -> Self:
        if len(self.ways) + 2 * (self.alternatives > 0) < 2:
            raise ValueError("give at least two ways, or say how many alternatives are wanted")
        return self

    def cost(self) -> int:
        """One for each leg of a way."""
        return sum(len(via) + 1 for via in self.ways) + (1 + self.alternatives if self.alternatives else 0)


class ComparedWay(BaseModel):
    """A way that was compared."""

    number: int
    kind: WayKind = Field(
        description="through the given places, the fastest one, or another that the router found"
    )
    via: list[RoadEnd]
    seconds: float
    distance_m: float

    def say(self, called: Callable[[Position], str]) -> str:
        """What a sentence calls it, and its places by `called`."""
        if self.kind == "via":
            return f"via {', '.join(map(called, self.via))}"
        return "the fastest way" if self.kind == "fastest" else "another way"


class CompareResult(RoadResult):
    """Ways between two ends, side by side."""

    origin: RoadEnd
    destination: RoadEnd
    ways: list[ComparedWay]
    fastest: int = Field(description="the number of the fastest way; of several, the first")
    shortest: int = Field(description="the number of the shortest way; of several, the first")

    def sentence(self) -> str:
        """The answer in words."""
        called = tell_apart(
            [self.origin, self.destination, *(place for one in self.ways for place in one.via)]
        )
        lines = [f"Ways from {called(self.origin)} to {called(self.destination)} {SAID[self.mode]}:"]
        lines += [
            f"{one.number}. {one.say(called)}: {say_time(one.seconds)}, {say_length(one.distance_m)}"
            for one in self.ways
        ]
        if len(self.ways) == 1:
            return "\n".join([*lines, "The router knows no other way."])
        lines.append(self._say_fastest() + say_off_road(self.origin, self.destination))
        return "\n".join(lines)

    def _say_fastest(self) -> str:
        fastest, shortest = self.ways[self.fastest - 1], self.ways[self.shortest - 1]
        if fastest is shortest:
            return f"Way {self.fastest} is the fastest and the shortest."
        return (
            f"Way {self.fastest} is the fastest. Way {self.shortest} is the shortest: "
            f"{say_length(fastest.distance_m - shortest.distance_m)} shorter, and "
            f"{say_time(shortest.seconds - fastest.seconds)} slower."
        )


@tool(CompareArguments, CompareResult)
def compare_routes(scope: Scope, wanted: CompareArguments) -> CompareResult:
    """Compare several ways from one place to another: through places that are given, or the fastest way and others.
    Says how long each takes and how long it is, which is the fastest, and which is the shortest."""
    roads = Roads(scope, wanted.mode)
    ends = roads.find_ends(wanted.origin, wanted.destination)
    found = [*_measure_given(roads, ends, wanted.ways), *_measure_proposed(roads, ends, wanted.alternatives)]
    ways = [one.model_copy(update={"number": number}) for number, one in enumerate(found, 1)]
    return CompareResult(
        **roads.identity,
        origin=ends[0],
        destination=ends[1],
        ways=ways,
        fastest=min(ways, key=lambda one: (one.seconds, one.number)).number,
        shortest=min(ways, key=lambda one: (one.distance_m, one.number)).number,
    )


def _measure_given(
    roads: Roads, ends: tuple[RoadEnd, RoadEnd], ways: Sequence[Sequence[str]]
) -> Iterator[ComparedWay]:
    for number, places in enumerate(ways, 1):
        via = [roads.find_end(one) for one in places]
        try:
            legs = [_measure_leg(roads, *leg) for leg in pairwise([ends[0], *via, ends[1]])]
        except ToolError as error:
            raise ToolError(f"Way {number} cannot be travelled. {error}", error.kind) from error
        yield ComparedWay(
            number=0,
            kind="via" if via else "fastest",
            via=via,
            seconds=round(sum(seconds for seconds, _ in legs), TENTHS),
            distance_m=round(sum(metres for _, metres in legs), TENTHS),
        )


def _measure_leg(roads: Roads, start: RoadEnd, end: RoadEnd) -> tuple[float, float]:
    if (start.lat, start.lon) == (end.lat, end.lon):
        raise ToolError(f"It leads from {start.called} to the same place.")
    fastest = roads.find_routes(start, end)[0]
    return fastest.seconds, fastest.metres


def _measure_proposed(
    roads: Roads, ends: tuple[RoadEnd, RoadEnd], alternatives: int
) -> Iterator[ComparedWay]:
    """The fastest way and others, where any are wanted."""
    routes = roads.find_routes(*ends, alternatives) if alternatives else []
    for number, route in enumerate(routes):
        yield ComparedWay(
            number=0,
            kind="alternative" if number else "fastest",
            via=[],
            seconds=round(route.seconds, TENTHS),
            distance_m=round(route.metres, TENTHS),
        )
