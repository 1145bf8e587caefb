"""What contexts of questions about routes tell: the fastest way step by step, and another one if there is one."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.agent_tools.errors import ToolError
from app.benchmarks.mapeval.contexts.blocks import called, routes_block
from app.benchmarks.mapeval.contexts.writing import Teller, Told, tells
from app.questions.contexts import NoContext


@tells("Road_On_Route")
def steps_of_routes(teller: Teller) -> Told:
    """The steps of the fastest way by car, and of the next one."""
    given = teller.asked.parameters
    told = {name: teller.asked.binds[name] for name in ("ordinal",) if name in teller.asked.binds}
    return _tell_steps(teller, [str(given[name]) for name in ("origin", "destination")], told)


@tells("Next_Step", "Count_On_Route")
def steps_of_ride(teller: Teller) -> Told:
    """The same between the two places of a ride."""
    asked = teller.asked
    told = {"counted": asked.binds["counted"]} if "counted" in asked.binds else {"after": asked.gold["after"]}
    return _tell_steps(teller, [*map(str, asked.parameters["places"])], told)


def _tell_steps(teller: Teller, keys: Sequence[str], told: Mapping[str, Any]) -> Told:
    try:
        found = teller.call("directions", origin=keys[0], destination=keys[1], mode="car", alternatives=1)
    except ToolError as error:
        if error.kind != "no_route":
            raise
        raise NoContext("no_way") from error
    names = [called(found[end]) for end in ("origin", "destination")]
    asks = {"origin": names[0], "destination": names[1], **told}
    return Told([routes_block(found)], asks, keys[0], names, beside=keys)
