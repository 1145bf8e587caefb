"""Second path of Open_Nearby. Metres."""

from datetime import datetime
from itertools import combinations
from typing import Any

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.hours import state_on
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.nearby import outline_refusal
from app.questions.second_path.told_places import told_place
from app.questions.second_path.verdicts import Verdict, wrong_rule

EDGE, EDGE_SHARE = 16.0, 0.02
FEWEST, MOST = 3, 9
SOON = 10


def _together(names: list[str]) -> str:
    return " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


@second_path("mapeval", "Open_Nearby")
def open_nearby(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The places of a kind in the circle that are open, as far as they have opening hours."""
    poi = layers["poi"]
    anchor, lon, lat = told_place(layers, parameters, "anchor")
    kind, distance = parameter(parameters, "category", str), parameter(parameters, "distance", (int, float))
    moment = datetime.fromisoformat(parameter(parameters, "moment", str))
    edge = max(EDGE, EDGE_SHARE * distance)
    around = poi.points_of(frozenset({kind})).within(lon, lat, distance + 500.0, skip=anchor)
    around = [one for one in around if poi.rows[one.position].tags.get("opening_hours")]
    found = [one for one in around if one.distance <= distance + edge]
    if not FEWEST <= len(found) <= MOST:
        raise Refused("too_few_places" if len(found) < FEWEST else "too_many_answers")
    names = [" ".join((poi.rows[one.position].name or "").split()) for one in found]
    states = [state_on(poi.rows[one.position].tags["opening_hours"], moment) for one in found]
    opened = [name for name, (is_open, _) in zip(names, states, strict=True) if is_open]
    rooms = {poi.keys[one.position]: abs(one.distance - distance) / 2 for one in around}
    facts: dict[str, Any] = {"names": names, "sure": rooms | {poi.keys[anchor]: min(rooms.values())}}
    refusal = first_refusal(
        (kind in poi.rows[anchor].classes, "own_class"),
        (any(abs(one.distance - distance) <= edge for one in found), "near_circle"),
        (any(kind in poi.twins.get(one.position, ()) for one in found), "twice_mapped"),
        (any(not name or ";" in name for name in names), "unnamed_answer"),
        (len({normal_form(name) for name in names}) < len(names), "shared_name"),
        (any(change < SOON for _, change in states), "changes_soon"),
        (not opened, "zero"),
    )
    outside = outline_refusal(layers, lon, lat, distance + edge, facts)
    value = {"text": _together(opened), "names": opened, "count": len(opened)}
    return SecondAnswer(value, refusal or outside, facts)


@wrong_rule("mapeval", "Open_Nearby")
def is_another_list(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text lists places of the circle, and others than those that are open."""
    names = answer.facts["names"]
    lists = [[*some] for size in range(1, len(names) + 1) for some in combinations(names, size)]
    meant = [some for some in lists if _together(some) == text]
    if len(meant) != 1:
        return False, f"{len(meant)} sets of places are listed so, not one"
    return meant[0] != answer.value["names"], f"open are {answer.value['text']}"
