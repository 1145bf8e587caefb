"""What contexts of questions about routes tell: the fastest way step by step, and another one if there is one."""

from app.agent_tools.errors import ToolError
from app.benchmarks.mapeval.contexts.blocks import called, routes_block
from app.benchmarks.mapeval.contexts.writing import Teller, Told, tells
from app.questions.contexts import NoContext


@tells("Road_On_Route")
def steps_of_routes(teller: Teller) -> Told:
    """The steps of the fastest way by car, and of the next one."""
    given = teller.asked.parameters
    keys = [str(given[name]) for name in ("origin", "destination")]
    try:
        found = teller.call("directions", origin=keys[0], destination=keys[1], mode="car", alternatives=1)
    except ToolError as error:
        if error.kind != "no_route":
            raise
        raise NoContext("no_way") from error
    names = [called(found[end]) for end in ("origin", "destination")]
    ordinal = teller.asked.binds.get("ordinal")
    asks = {"origin": names[0], "destination": names[1], **({"ordinal": ordinal} if ordinal else {})}
    return Told([routes_block(found)], asks, keys[0], names)
