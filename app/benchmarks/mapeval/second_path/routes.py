"""Second path of Road_On_Route: the roads of the fastest way by car, which it finds by itself."""

from typing import Any, NamedTuple

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.fairness import says_the_same
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.told_places import told_place
from app.questions.second_path.verdicts import Verdict, wrong_rule

RANKS = {"second": 1, "third": 2, "fourth": 3, "fifth": 4}
FEWEST = 4
"""Roads with a name or a number that a way follows."""
SHORTEST = 10.0
"""Metres of each road that is counted."""
FIRST_MINUTES, LAST_MINUTES = 2.9, 41.0
"""The question's own bounds are narrower: routers round times, and count what has no name to the road before it."""
SURE = 30.0
"""Metres: a place that is mapped as a larger area may have its road elsewhere."""


class Road(NamedTuple):
    """A road that the way follows, under its name or else its number, and for how many metres."""

    called: str
    metres: float


def _roads(layers: Layers, parameters: Parameters) -> tuple[list[Road], dict[str, Any]]:
    """The roads in their order, and what is known of the way.

    Raises Refused where there is no way, it is too short or too long, or a road comes twice.
    """
    ends = [told_place(layers, parameters, name) for name in ("origin", "destination")]
    names = [layers["poi"].rows[end[0]].name or "" for end in ends]
    if says_the_same(*names):
        raise Refused("near_duplicate")
    points = [(end[1], end[2]) for end in ends]
    travelling = layers.travelling("car")
    way = travelling.stretches(points[0], points[1])
    seconds = travelling.seconds(points[:1], points[1:])[0][0]
    if way is None or seconds is None:
        raise Refused("no_way")
    if not FIRST_MINUTES <= seconds / 60 <= LAST_MINUTES:
        raise Refused("too_close" if seconds < 60 * FIRST_MINUTES else "long_way")
    roads: list[Road] = []
    for number, stretch in enumerate(way):
        told = layers.road_names[stretch.edge]
        called = " ".join((told.name or told.ref or "").split())
        if number and told.roundabout:  # what a roundabout is called is not told
            continue
        if called and roads and normal_form(called) == normal_form(roads[-1].called):
            roads[-1] = Road(roads[-1].called, roads[-1].metres + stretch.metres)
        elif called:
            roads.append(Road(called, stretch.metres))
    forms = {normal_form(road.called) for road in roads}
    if len(forms) < len(roads) or any(";" in form for form in forms):
        raise Refused("road_twice")
    if len(roads) < FEWEST:
        raise Refused("too_few_roads")
    keys = [layers["poi"].keys[end[0]] for end in ends]
    return roads, {
        "sure": dict.fromkeys(keys, SURE),
        "roads": {road.called: road.metres for road in roads},
        "seconds": seconds,
    }


@second_path("mapeval", "Road_On_Route")
def road_on_route(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The road of a rank."""
    roads, facts = _roads(layers, parameters)
    rank = RANKS.get(parameter(parameters, "ordinal", str))
    if rank is None:
        raise Refused("bad_parameters", parameter="ordinal")
    if len(roads) <= rank + 1:
        raise Refused("too_few_roads")
    short = min(road.metres for road in roads[: rank + 2]) < SHORTEST
    return SecondAnswer({"text": roads[rank].called}, first_refusal((short, "short_road")), facts)


@wrong_rule("mapeval", "Road_On_Route")
def is_elsewhere_on_the_way(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    """Whether the way follows that road, too, and it is not the one that is asked for."""
    known = {normal_form(road) for road in answer.facts.get("roads", {})}
    if normal_form(text) not in known:
        return False, "the way does not follow this road"
    right = answer.value["text"]
    return normal_form(text) != normal_form(right), f"the road that is asked for is {right}"
