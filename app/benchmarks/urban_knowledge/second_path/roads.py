"""Second path of the knowledge templates about roads. Drivable ways of one name are one road."""

import math
import re
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
from app.questions.second_path.geodesy import spheroid_length
from app.questions.second_path.layers import Layer, Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.reading import Row
from app.questions.second_path.verdicts import Verdict, wrong_rule

DRIVABLE = frozenset(
    "living_street motorway motorway_link primary primary_link residential road secondary secondary_link service"
    " tertiary tertiary_link trunk trunk_link unclassified".split()
)
"""Classes of ways made for cars."""
_CLOSED_BY = ("motor_vehicle", "vehicle", "access")
SHORTEST_ROAD = 300.0
"""Metres below which a road's length is not asked for."""
CLEARLY_OTHER = 0.25
"""By what share of the length a number must be off to be surely wrong."""
_METRES = re.compile(r"([1-9]\d{0,7}) m")


def is_drivable(row: Row) -> bool:
    """Whether a way is made for cars, and not closed to them."""
    return row.klass in DRIVABLE and not any(row.tags.get(key) == "no" for key in _CLOSED_BY)


def ways_of(road: Layer, name: str) -> list[int]:
    """The positions of the drivable ways of exactly this name."""
    alike = road.by_name.get(normal_form(name), [])
    return [one for one in alike if road.rows[one].name == name and is_drivable(road.rows[one])]


def reads_like_another(road: Layer, name: str) -> bool:
    """Whether a drivable way has a name that is written otherwise, and reads the same."""
    alike = road.by_name.get(normal_form(name), [])
    return any(road.rows[one].name != name and is_drivable(road.rows[one]) for one in alike)


def bears_a_road(road: Layer, name: str) -> bool:
    """Whether a drivable way has this name, or one that reads the same."""
    return any(is_drivable(road.rows[one]) for one in road.by_name.get(normal_form(name), []))


def road_of(layers: Layers, key: str) -> tuple[str, list[int]]:
    """The name and the ways of the road that a drivable way belongs to; raises Refused where there is none."""
    road = layers["road"]
    position = road.position.get(key)
    if position is None:
        raise Refused("unknown_object", layer="road", osm_key=key)
    row = road.rows[position]
    if not is_named(row) or not is_drivable(row):
        raise Refused("no_road", osm_key=key)
    name = row.name or ""
    return name, ways_of(road, name)


def outline_refusal_of(layers: Layers, ways: list[int]) -> str | None:
    """Why roads of these ways may go on beyond the map, if so."""
    if layers.outline is None:
        return "no_outline"
    inside = all(shapely.contains_properly(layers.outline, layers["road"].geometries[ways]))
    return None if inside else "leaves_outline"


@second_path("urban_knowledge", "Query_Length")
def length_of_road(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How long all drivable ways of a name are together."""
    road = layers["road"]
    name, ways = road_of(layers, parameter(parameters, "road", str))
    length = sum(spheroid_length(road.geometries[one]) for one in ways)
    off_half = abs(math.modf(length)[0] - 0.5)
    facts: dict[str, Any] = {"length": length, "ways": len(ways)}
    refusal = first_refusal(
        (any(road.rows[one].repaired for one in ways), "repaired_geometry"),
        (reads_like_another(road, name), "name_not_unique"),
        (length < SHORTEST_ROAD, "too_short"),
        (off_half < 0.005, "near_rounding"),
    )
    value = {
        "text": f"{math.floor(length + 0.5)} m",
        "objects": [road.keys[one] for one in ways],
        "length": length,
    }
    return SecondAnswer(value, refusal or outline_refusal_of(layers, ways), facts)


@wrong_rule("urban_knowledge", "Query_Length")
def _another_length(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    read = _METRES.fullmatch(text)
    if read is None:
        return False, "not a whole number of metres, written `123 m`"
    length = answer.facts["length"]
    share = abs(int(read[1]) - length) / length
    return share >= CLEARLY_OTHER, f"{share:.3f} of {length:.3f} m off; wrong from {CLEARLY_OTHER}"
