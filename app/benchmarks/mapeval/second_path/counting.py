"""Second path of Count_Within. Metres."""

from typing import Any

from app.questions.second_path.answering import (
    Parameters,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.nearby import outline_refusal
from app.questions.second_path.told_places import told_place
from app.questions.second_path.verdicts import Verdict, wrong_rule

EDGE, EDGE_SHARE = 16.0, 0.02
"""How near to the circle nothing may lie: printed coordinates move two points by up to 16 m together."""
MOST = 20
AROUND = 500.0
"""How far beyond the circle areas are looked at that may reach into it."""


@second_path("mapeval", "Count_Within")
def count_within(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many places of a kind lie within a distance."""
    poi = layers["poi"]
    anchor, lon, lat = told_place(layers, parameters, "anchor")
    kind, distance = parameter(parameters, "category", str), parameter(parameters, "distance", (int, float))
    edge = max(EDGE, EDGE_SHARE * distance)
    around = poi.points_of(frozenset({kind})).within(lon, lat, distance + AROUND, skip=anchor)
    found = [one for one in around if one.distance <= distance + edge]
    rooms = {poi.keys[one.position]: abs(one.distance - distance) / 2 for one in around}
    facts: dict[str, Any] = {"sure": rooms | {poi.keys[anchor]: min(rooms.values(), default=AROUND)}}
    refusal = first_refusal(
        (not found, "zero"),
        (kind in poi.rows[anchor].classes, "own_class"),
        (len(found) > MOST, "too_many_answers"),
        (any(abs(one.distance - distance) <= edge for one in found), "near_circle"),
        (any(kind in poi.twins.get(one.position, ()) for one in found), "twice_mapped"),
        (any(poi.rows[one.position].repaired for one in found), "repaired_geometry"),
    )
    outside = outline_refusal(layers, lon, lat, distance + edge, facts)
    return SecondAnswer({"text": str(len(found)), "count": len(found)}, refusal or outside, facts)


@wrong_rule("mapeval", "Count_Within")
def is_another_number(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a number, and another one."""
    return text.isdecimal() and int(text) != answer.value["count"], f"there are {answer.value['count']}"
