"""Second path of Direction_From and Landmark_In_Direction. Degrees clockwise from north."""

import math

from app.benchmarks.mapeval.second_path.places import check_apart, has_near_duplicate
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import circular_difference
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import (
    compared_places,
    metres_between,
    place_called,
    told_place,
)
from app.questions.second_path.verdicts import Verdict, wrong_rule

CENTRES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
CLOSEST = 200.0
MOST_OFF, MOST_OFF_OF_LANDMARK = 35.0, 25.0
CLEARLY_OFF = 45.0
BORDER, BORDER_OF_LANDMARK = 43.0, 40.0
"""Degrees off a main direction at which, from another point of an area, an answer would begin to be doubtful."""


def _offs(azimuth: float) -> dict[str, float]:
    """By main direction, how many degrees an azimuth lies aside."""
    return {name: float(circular_difference(azimuth, centre)) for name, centre in CENTRES.items()}


def _room(metres: float, degrees: float) -> float:
    """By how many metres both ends of a line may move until its direction turns so far."""
    return metres * math.sin(math.radians(max(0.0, degrees))) / 2


@second_path("mapeval", "Direction_From")
def direction_from(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The main direction in which the destination lies from the origin."""
    origin, *_ = told_place(layers, parameters, "origin")
    destination, *_ = told_place(layers, parameters, "destination")
    metres, azimuth = metres_between(layers, origin, destination)
    if metres < CLOSEST:
        raise Refused("too_close")
    offs = _offs(azimuth)
    direction, off = min(offs.items(), key=lambda one: one[1])
    room = _room(metres, BORDER - off)
    facts = {"offs": offs, "sure": {layers["poi"].keys[one]: room for one in (origin, destination)}}
    return SecondAnswer({"text": direction}, first_refusal((off > MOST_OFF, "off_axis")), facts)


@wrong_rule("mapeval", "Direction_From")
def is_another_direction(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the text is a main direction in which the destination does not lie."""
    off = answer.facts["offs"].get(text)
    if off is None:
        return False, "no main direction"
    return off >= CLEARLY_OFF, f"{off:.1f} degrees off"


@second_path("mapeval", "Landmark_In_Direction")
def landmark_in_direction(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only one of four places that lies in the direction."""
    poi = layers["poi"]
    anchor, *_ = told_place(layers, parameters, "anchor")
    direction, places = parameter(parameters, "direction", str), compared_places(layers, parameters, 4)
    check_apart(places, anchor)
    lines = {one: metres_between(layers, anchor, one) for one in places}
    if direction not in CENTRES or any(metres < CLOSEST for metres, _ in lines.values()):
        raise Refused("too_close")
    offs = {one: _offs(azimuth)[direction] for one, (_, azimuth) in lines.items()}
    first, second, *_ = sorted(places, key=offs.__getitem__)
    unclear = offs[first] > MOST_OFF_OF_LANDMARK or offs[second] < CLEARLY_OFF
    rooms = {
        poi.keys[one]: _room(lines[one][0], min(90.0, abs(BORDER_OF_LANDMARK - off)))
        for one, off in offs.items()
    }
    facts = {
        "offs": {poi.keys[one]: off for one, off in offs.items()},
        "sure": rooms | {poi.keys[anchor]: min(rooms.values())},
    }
    refusal = first_refusal(
        (unclear, "not_one_right"), (has_near_duplicate(layers, places), "near_duplicate")
    )
    row = poi.rows[first]
    return SecondAnswer({"text": row.name, "objects": [row.osm_key]}, refusal, facts)


@wrong_rule("mapeval", "Landmark_In_Direction")
def lies_elsewhere(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is compared, and lies clearly in another direction."""
    one = place_called(layers, text, compared_places(layers, parameters, 4))
    if one is None:
        return False, "no place of this name is compared"
    off = answer.facts["offs"][layers["poi"].keys[one]]
    return off >= CLEARLY_OFF, f"{off:.1f} degrees off"
