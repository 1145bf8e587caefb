"""Second path of Nearest_Of_Four, Open_Of_Four and Lies_In, and why each wrong option is wrong."""

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import shapely

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
from app.questions.second_path.told_places import (
    four_places,
    metres_between,
    place_called,
    told_place,
    told_region,
)
from app.questions.second_path.verdicts import Verdict, wrong_rule

CLEAR_METRES, CLEAR_SHARE = 50.0, 0.1
"""How far behind the nearest the next place must be."""
EDGE_OF_REGION = 5.0
SOON = 10
"""Minutes within which no place may open or close."""


def _option(layers: Layers, positions: list[int]) -> dict[str, Any]:
    """Gold of a question whose answer is the only one of these places; nothing where it is not just one."""
    if len(positions) != 1:
        return {}
    row = layers["poi"].rows[positions[0]]
    return {"text": row.name, "objects": [row.osm_key]}


@second_path("map_tools_check", "Nearest_Of_Four")
def nearest_of_four(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The place nearest to the anchor."""
    anchor, *_ = told_place(layers, parameters, "anchor")
    places = four_places(layers, parameters)
    if anchor in places:
        raise Refused("no_answer")
    metres = {one: metres_between(layers, anchor, one)[0] for one in places}
    first, second, *_ = sorted(places, key=metres.__getitem__)
    clear = metres[first] + max(CLEAR_METRES, CLEAR_SHARE * metres[first])
    facts = {"metres": {layers["poi"].keys[one]: found for one, found in metres.items()}, "clear": clear}
    refusal = first_refusal((metres[second] < clear, "margin"))
    return SecondAnswer(_option(layers, [first]), refusal, facts)


@wrong_rule("map_tools_check", "Nearest_Of_Four")
def is_farther(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is compared, and clearly farther away than the answer."""
    one = place_called(layers, text, four_places(layers, parameters))
    if one is None:
        return False, "no place of this name is compared"
    metres = answer.facts["metres"][layers["poi"].keys[one]]
    return metres >= answer.facts["clear"], f"{metres:.0f} m away"


def _states(layers: Layers, parameters: Parameters, places: list[int]) -> dict[int, tuple[bool, int]]:
    """Of each place whether it is open at the moment, and how many minutes off it opens or closes that day."""
    moment = datetime.fromisoformat(parameter(parameters, "moment", str))
    rows = layers["poi"].rows
    return {one: state_on(rows[one].tags.get("opening_hours", ""), moment) for one in places}


@second_path("map_tools_check", "Open_Of_Four")
def open_of_four(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only place that is open."""
    places = four_places(layers, parameters)
    states = _states(layers, parameters, places)
    opened = [one for one, (is_open, _) in states.items() if is_open]
    refusal = first_refusal(
        (any(change < SOON for _, change in states.values()), "changes_soon"),
        (len(opened) != 1, "not_one_right"),
    )
    return SecondAnswer(_option(layers, opened), refusal)


HOURS, PAST = range(7, 23), 15
"""The hours of each day that questions are asked of, and the minutes past the hour."""


def _times_alone(layers: Layers, parameters: Parameters, places: list[int]) -> dict[int, list[datetime]]:
    """By place: the times of the week at which it alone is open and no place opens or closes soon."""
    asked = datetime.fromisoformat(parameter(parameters, "moment", str))
    alone: dict[int, list[datetime]] = {one: [] for one in places}
    for day, hour in product(range(7), HOURS):
        moment = asked.replace(hour=hour, minute=PAST) + timedelta(days=day - asked.weekday())
        states = _states(layers, {"moment": moment.isoformat()}, places)
        opened = [one for one, (is_open, _) in states.items() if is_open]
        if len(opened) == 1 and all(change >= SOON for _, change in states.values()):
            alone[opened[0]].append(moment)
    return alone


@second_path("map_tools_check", "Open_Of_Four", since=2)
def open_of_four_evenly(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only place that is open; each of the four is the answer at as many times as the others."""
    found = open_of_four(layers, parameters)
    if found.refusal or not found.value:
        return found
    alone = _times_alone(layers, parameters, four_places(layers, parameters))
    (key,) = found.value["objects"]
    moments = [one.isoformat(timespec="minutes") for one in alone[layers["poi"].position[key]]]
    by_hash = sorted(moments, key=lambda one: hashlib.sha256(f"{key} {one}".encode()).hexdigest())
    asked = by_hash[: min(map(len, alone.values()))]
    uneven = first_refusal((parameter(parameters, "moment", str) not in asked, "uneven_key"))
    return replace(found, refusal=uneven)


@wrong_rule("map_tools_check", "Open_Of_Four")
def is_closed(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is compared, and closed."""
    places = four_places(layers, parameters)
    one = place_called(layers, text, places)
    if one is None:
        return False, "no place of this name is compared"
    is_open, _ = _states(layers, parameters, places)[one]
    return not is_open, "open at the time" if is_open else "closed at the time"


def _is_inside(layers: Layers, region: int, place: int) -> bool:
    lon, lat = layers["poi"].coordinates[place].tolist()
    return bool(shapely.covers(layers["region"].geometries[region], shapely.Point(lon, lat)))


@second_path("map_tools_check", "Lies_In")
def lies_in(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only place in the region."""
    region, places = told_region(layers, parameters), four_places(layers, parameters)
    inside = [one for one in places if _is_inside(layers, region, one)]
    near = layers["region"].boundary(region).within(layers["poi"].coordinates[places], EDGE_OF_REGION)
    refusal = first_refusal((bool(near), "near_region_edge"), (len(inside) != 1, "not_one_right"))
    return SecondAnswer(_option(layers, inside), refusal)


@second_path("map_tools_check", "Lies_In", since=2)
def lies_in_by_no_name(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only place in the region, where no name says the region, and none is also that of a street."""
    found = lies_in(layers, parameters)
    names = [layers["poi"].rows[one].name or "" for one in four_places(layers, parameters)]
    region = normal_form(layers["region"].rows[told_region(layers, parameters)].name or "")
    refusal = first_refusal(
        (any(region in normal_form(one) for one in names), "names_region"),
        (any(normal_form(one) in layers["road"].by_name for one in names), "name_of_street"),
    )
    return replace(found, refusal=found.refusal or refusal)


@wrong_rule("map_tools_check", "Lies_In")
def lies_outside(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is compared, and lies outside of the region."""
    one = place_called(layers, text, four_places(layers, parameters))
    if one is None:
        return False, "no place of this name is compared"
    inside = _is_inside(layers, told_region(layers, parameters), one)
    return not inside, "in the region" if inside else "outside of the region"
