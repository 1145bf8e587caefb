"""Second path of the questions for the nearest place of a kind, or the one after so many. Metres.

A tool lists 20 places, and printed contexts round coordinates to four decimals, which moves a point by up to 8 m: two
distances that differ by 32 m are told apart all the same.
"""

import re
from dataclasses import replace
from typing import Any

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found, Points
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.nearby import outline_refusal
from app.questions.second_path.told_places import told_place
from app.questions.second_path.verdicts import Verdict, of_one_bearer, wrong_rule

LISTED = 20
_YES_OR_NO = ("outdoor_seating", "takeaway", "wheelchair", "internet_access")
_NARROWED = re.compile(r"([a-z_]+):([a-z_]+)=([a-z_]+)")
RANKS = {"second": 1, "third": 2, "fourth": 3, "fifth": 4}
CLOSEST = 20.0
CLEAR_METRES, CLEAR_SHARE = 32.0, 0.02


def clear_of(distance: float) -> float:
    """By how many metres every other place must be nearer or farther."""
    return max(CLEAR_METRES, CLEAR_SHARE * distance)


def answer_of_rank(
    layers: Layers, parameters: Parameters, kind: str, points: Points, rank: int
) -> SecondAnswer:
    """The place that has the rank, from 0, among points by their distance from the anchor."""
    poi = layers["poi"]
    anchor, lon, lat = told_place(layers, parameters, "anchor")
    found = points.first(LISTED, lon, lat, skip=anchor)
    if len(found) <= rank:
        raise Refused("no_answer")
    one = found[rank]
    row, gap = poi.rows[one.position], _gap(found, rank)
    wanted = clear_of(one.distance)
    close = [poi.rows[other.position] for other in found if other.distance <= one.distance + wanted]
    refusal = first_refusal(
        (kind in poi.rows[anchor].classes, "own_class"),
        (found[0].distance < CLOSEST, "too_close"),
        (gap < wanted, "margin"),
        (any(other.repaired for other in close), "repaired_geometry"),
        (not is_named(row) or ";" in (row.name or ""), "unnamed_answer"),
        (len(layers.bearing.get(normal_form(row.name or ""), ())) != 1, "shared_name"),
    )
    facts: dict[str, Any] = {
        "distances": {poi.keys[other.position]: other.distance for other in found},
        "sure": {
            poi.keys[other.position]: max(gap, abs(other.distance - one.distance)) / 4 for other in found
        }
        | {poi.keys[anchor]: gap / 4},
    }
    outside = outline_refusal(layers, lon, lat, one.distance + wanted, facts)
    value = {"text": " ".join((row.name or "").split()), "objects": [row.osm_key]}
    return SecondAnswer(value, refusal or outside, facts)


def _gap(found: list[Found], rank: int) -> float:
    """By how many metres the places before and behind the rank differ from it at least."""
    near = [found[other].distance for other in (rank - 1, rank + 1) if 0 <= other < len(found)]
    return min((abs(other - found[rank].distance) for other in near), default=1e6)


@second_path("mapeval", "Nearest_Of_Type")
def nearest_of_type(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The nearest place of a kind."""
    kind = parameter(parameters, "category", str)
    return answer_of_rank(layers, parameters, kind, layers["poi"].points_of(frozenset({kind})), 0)


@second_path("mapeval", "Kth_Nearest")
def kth_nearest(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The place of a kind that comes second to fifth by its distance."""
    kind, ordinal = (parameter(parameters, name, str) for name in ("category", "ordinal"))
    if ordinal not in RANKS:
        raise Refused("bad_parameters", parameter="ordinal", found=ordinal)
    points = layers["poi"].points_of(frozenset({kind}))
    return answer_of_rank(layers, parameters, kind, points, RANKS[ordinal])


@second_path("mapeval", "Nearest_With")
def nearest_with(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The nearest place of a kind whose tag has the value, where no place as near has another value but no."""
    read = _NARROWED.fullmatch(parameter(parameters, "category", str))
    if read is None:
        raise Refused("bad_parameters", parameter="category", found=parameters["category"])
    kind, tag, value = read.groups()
    poi = layers["poi"]
    found = answer_of_rank(layers, parameters, kind, poi.points_tagged(kind, tag, frozenset({value})), 0)
    distance = found.facts["distances"][found.value["objects"][0]]
    anchor, lon, lat = told_place(layers, parameters, "anchor")
    reach = distance + clear_of(distance)
    near = poi.points_of(frozenset({kind})).within(lon, lat, reach, skip=anchor) if tag in _YES_OR_NO else []
    others = {
        poi.rows[one.position].tags.get(tag, "no")
        for one in near
        if poi.keys[one.position] not in (found.facts["distances"])
    }
    refusal = first_refusal((bool(others - {"no"}), "doubtful_attribute"))
    return replace(found, refusal=found.refusal or refusal)


@wrong_rule("mapeval", "Nearest_Of_Type")
@wrong_rule("mapeval", "Nearest_With")
@wrong_rule("mapeval", "Kth_Nearest")
@of_one_bearer
def is_clearly_elsewhere(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is of the kind, and clearly nearer or farther than the answer."""
    distances = answer.facts["distances"]
    keys = [key for key in layers.bearing.get(normal_form(text), ()) if key in distances]
    if len(keys) != 1:
        return False, "no place of this name is among the nearest of the kind"
    right = distances[answer.value["objects"][0]]
    metres = distances[keys[0]]
    return abs(metres - right) >= clear_of(right), f"{metres:.0f} m away, the answer {right:.0f} m"
