"""Second path of Nearest_Of_Four, Open_Of_Four and Lies_In, and why each wrong option is wrong."""

import re
from datetime import datetime
from typing import Any

import shapely

from app.benchmarks.map_tools_check.second_path.places import (
    four_places,
    metres_between,
    place_called,
    told_place,
    told_region,
)
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.verdicts import Verdict, wrong_rule

CLEAR_METRES, CLEAR_SHARE = 50.0, 0.1
"""How far behind the nearest the next place must be."""
EDGE_OF_REGION = 5.0
SOON = 10
"""Minutes within which no place may open or close."""
WEEK = "Mo Tu We Th Fr Sa Su".split()
_RULE = re.compile(r"((?:Mo|Tu|We|Th|Fr|Sa|Su|[-,])+) ([0-9:, -]+)")
_TIMES = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d)")


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


def times_of(said: str) -> dict[str, list[tuple[int, int]]]:
    """By day the minutes from when until when a place is open; raises Refused for hours of another form."""
    opened: dict[str, list[tuple[int, int]]] = {}
    for rule in re.split(r"; ?", said):
        read = _RULE.fullmatch(rule)
        if read is None:
            raise Refused("unreadable_hours", said=said)
        times = [
            (60 * int(one[0]) + int(one[1]), 60 * int(one[2]) + int(one[3]))
            for one in _TIMES.findall(read[2])
        ]
        if not times or any(start >= end or end > 1440 for start, end in times):
            raise Refused("unreadable_hours", said=said)
        for part in read[1].split(","):
            days = (WEEK + WEEK)[WEEK.index(part[:2]) :]
            opened |= dict.fromkeys(days[: days.index(part[-2:]) + 1], times)
    return opened


def _states(layers: Layers, parameters: Parameters, places: list[int]) -> dict[int, tuple[bool, int]]:
    """Of each place whether it is open at the moment, and how many minutes off it opens or closes that day."""
    moment = datetime.fromisoformat(parameter(parameters, "moment", str))
    day, minute = WEEK[moment.weekday()], 60 * moment.hour + moment.minute
    states = {}
    for one in places:
        spans = times_of(layers["poi"].rows[one].tags.get("opening_hours", "")).get(day, [])
        change = min((abs(edge - minute) for span in spans for edge in span), default=10_000)
        states[one] = any(start <= minute < end for start, end in spans), change
    return states


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


@wrong_rule("map_tools_check", "Lies_In")
def lies_outside(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is compared, and lies outside of the region."""
    one = place_called(layers, text, four_places(layers, parameters))
    if one is None:
        return False, "no place of this name is compared"
    inside = _is_inside(layers, told_region(layers, parameters), one)
    return not inside, "in the region" if inside else "outside of the region"
