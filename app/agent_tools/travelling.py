"""The tool travel_time: how long the fastest route takes, and how long it is."""

from pydantic import Field

from app.agent_tools.places import tell_apart
from app.agent_tools.registry import tool
from app.agent_tools.roads import SAID, RoadEnd, RoadResult, Roads, RouteArguments, say_off_road
from app.agent_tools.saying import say_length, say_time
from app.agent_tools.scope import Scope


class TravelResult(RoadResult):
    """The fastest route between two ends, without its steps."""

    origin: RoadEnd
    destination: RoadEnd
    seconds: float = Field(
        description="along the road, by the usual speeds of the map; nothing is waited for"
    )
    distance_m: float = Field(description="metres along the road")

    def sentence(self) -> str:
        """The answer in words."""
        called = tell_apart([self.origin, self.destination])
        return (
            f"The fastest way from {called(self.origin)} to {called(self.destination)} {SAID[self.mode]} takes "
            f"{say_time(self.seconds)} ({say_length(self.distance_m)}).{say_off_road(self.origin, self.destination)}"
        )


@tool(RouteArguments, TravelResult)
def travel_time(scope: Scope, wanted: RouteArguments) -> TravelResult:
    """Say how long the fastest way along roads takes by car, by bicycle or on foot, and how long it is in metres."""
    roads = Roads(scope, wanted.mode)
    start, end = roads.find_ends(wanted.origin, wanted.destination)
    (fastest, *_) = roads.find_routes(start, end)
    return TravelResult(
        **roads.identity,
        origin=start,
        destination=end,
        seconds=round(fastest.seconds, 1),
        distance_m=round(fastest.metres, 1),
    )
