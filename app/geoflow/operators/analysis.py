"""Operators that choose among places, and calculate with amounts. Metres on the WGS84 ellipsoid, between points."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from app.agent_tools.bearings import read_direction
from app.agent_tools.calculating import calculate
from app.agent_tools.errors import ToolError
from app.geoflow.operators.base import RESULT, Bound, OperatorFault, Value, Work, ask, computes, operator
from app.geoflow.operators.values import (
    Place,
    least_of,
    metres_between,
    number_of,
    places_at,
    where_of,
    wheres_at,
    whole_places_at,
)

USUAL_RADIUS_M: Final = 5_000
MOST_IN_MATRIX: Final = 25
"""Destinations of one call of the tool distance_matrix."""
_PLACE_OF_NUMBER: Final = re.compile(r"\{([0-9]{1,2})\}")
SIDES: Final[Mapping[str, Callable[[Place, Place], bool]]] = {
    "north": lambda place, anchor: place["lat"] > anchor["lat"],
    "south": lambda place, anchor: place["lat"] < anchor["lat"],
    "east": lambda place, anchor: place["lon"] > anchor["lon"],
    "west": lambda place, anchor: place["lon"] < anchor["lon"],
}
"""A place is north of another one where its latitude is greater, as MapQA counts."""


def _other_places(bound: Bound, port: str, anchor: Place) -> list[Place]:
    """The candidates without the anchor itself."""
    key = anchor.get("id")
    return [one for one in places_at(bound.all(port)) if key is None or one.get("id") != key]


def _check_whole(bound: Bound, port: str, anchor: Value) -> None:
    """Raise OperatorFault where a candidate that is not listed may be nearer than those that are.

    A list is sure to begin with the nearest if it was searched around the anchor itself.
    """
    values = bound.all(port)
    here = where_of(anchor)
    if any(one.data.get("from") != here or _order_of(one) != "distance" for one in values):
        whole_places_at(values)


def _order_of(found: Value) -> Any:
    """How a search ordered the places that it listed; None where no search did."""
    result = found.data.get(RESULT)
    return result.get("rank_by") if isinstance(result, Mapping) else None


def _metres_from(anchor: Value, candidates: Sequence[Place], bound: Bound) -> list[float]:
    """How far candidates are: as a search around the anchor said (to an area's nearest part), else to their points."""
    said = {
        (value.data["from"], member.get("id")): member["distance_m"]
        for port in bound.inputs.values()
        for value in port
        if value.type == "OBJECT" and value.data.get("from")
        for member in value.data.get("members") or ()
        if "distance_m" in member
    }
    here = where_of(anchor)
    return [
        float(said.get((here, one.get("id")), -1.0))
        if (here, one.get("id")) in said
        else metres_between(anchor.data, one)
        for one in candidates
    ]


@operator("nearest")
def nearest(bound: Bound) -> Work:
    """The candidate that is the nearest, or has that rank, in a straight line or by travel time."""
    anchor = bound.one("anchor")
    candidates = _other_places(bound, "candidates", anchor.data)
    if bound.params.get("by") == "travel_time":
        whole_places_at(bound.all("candidates"))
        numbers = yield from _seconds_from(anchor, candidates, bound)
        field = "seconds"
    else:
        _check_whole(bound, "candidates", anchor)
        numbers, field = _metres_from(anchor, candidates, bound), "distance_m"
    return [Value("LOCATION", _ranked(candidates, numbers, field, bound.params.get("rank", 1)))]


def _ranked(candidates: Sequence[Place], numbers: Sequence[float | None], field: str, rank: int) -> Place:
    known = [(one, number) for one, number in zip(candidates, numbers, strict=True) if number is not None]
    if len(known) < rank:
        raise OperatorFault(f"there are {len(known)} candidates, and number {rank} is wanted", "data")
    ordered = sorted(known, key=lambda one: one[1])
    place, number = ordered[rank - 1]
    if sum(one[1] == number for one in known) > 1:
        raise OperatorFault(f"two candidates are equally far: {number:g}", "data")
    return {**place, field: round(number, 2)}


def _seconds_from(anchor: Value, candidates: Sequence[Place], bound: Bound) -> Any:
    seconds: list[float | None] = []
    wheres = wheres_at([Value("OBJECT", {"members": candidates})])
    for first in range(0, len(wheres), MOST_IN_MATRIX):
        result = yield from ask(
            "distance_matrix",
            origins=[where_of(anchor)],
            destinations=wheres[first : first + MOST_IN_MATRIX],
            **bound.travel(),
        )
        seconds += result["seconds"][0]
    return seconds


@computes("nearest_in_direction", "LOCATION")
def nearest_in_direction(bound: Bound) -> Mapping[str, Any]:
    """The nearest candidate on a side of a place: north, or northeast, which is north and east of it."""
    anchor = bound.one("anchor")
    sides = _sides_of(bound.params["direction"])
    _check_whole(bound, "candidates", anchor)
    there = [
        one
        for one in _other_places(bound, "candidates", anchor.data)
        if metres_between(anchor.data, one) > 0 and all(SIDES[side](one, anchor.data) for side in sides)
    ]
    return _ranked(there, _metres_from(anchor, there, bound), "distance_m", 1)


def _sides_of(direction: str) -> list[str]:
    degrees = read_direction(direction)
    if degrees is None or degrees % 45:
        raise OperatorFault(f"{direction!r:.40} is none of the eight directions north, northeast …")
    ways = [("north", 0.0), ("east", 90.0), ("south", 180.0), ("west", 270.0)]
    return [side for side, at in ways if min((at - degrees) % 360, (degrees - at) % 360) <= 45]


@computes("within_radius", "OBJECT")
def within_radius(bound: Bound) -> Mapping[str, Any]:
    """The candidates within a distance of a place."""
    center, radius = bound.one("center"), bound.params.get("radius_m", USUAL_RADIUS_M)
    candidates = _other_places(bound, "candidates", center.data)
    metres = _metres_from(center, candidates, bound)
    if all(away <= radius for away in metres):
        whole_places_at(bound.all("candidates"))
    _check_whole(bound, "candidates", center)
    kept = [
        {**one, "distance_m": round(away, 2)}
        for one, away in zip(candidates, metres, strict=True)
        if away <= radius
    ]
    return {"members": kept}


@computes("pairwise_extremes", "OBJECT")
def pairwise_extremes(bound: Bound) -> Mapping[str, Any]:
    """The two places that are the farthest, or the least, apart."""
    pairs = list(combinations(whole_places_at(bound.all("places")), 2))
    metres = [metres_between(*pair) for pair in pairs]
    pair, apart = least_of(pairs, metres, greatest=bound.params["which"] == "maximum")
    return {"members": list(pair), "distance_m": round(apart, 2)}


@computes("count", "AMOUNT")
def count(bound: Bound) -> Mapping[str, Any]:
    """How many members a set has, or how many routes there are."""
    value = bound.one("members")
    if value.type == "NETWORK":
        return {"value": len(value.data.get("routes", ())), "unit": "routes"}
    if "total" in value.data:
        return {"value": value.data["total"], "unit": "places"}
    return {"value": len(whole_places_at([value])), "unit": "places"}


@computes("sum", "AMOUNT")
def add(bound: Bound) -> Mapping[str, Any]:
    """The sum of amounts or distances; the unit is that of the first one."""
    amounts = bound.all("amounts")
    units = {one.data.get("unit") for one in amounts}
    if len(units) > 1:
        raise OperatorFault(f"amounts in {', '.join(sorted(map(str, units)))} cannot be added")
    return {"value": round(sum(map(number_of, amounts)), 6), "unit": next(iter(units), None)}


@computes("ratio", "PROPORTION")
def ratio(bound: Bound) -> Mapping[str, Any]:
    """One amount divided by another."""
    part, whole = number_of(bound.one("part")), number_of(bound.one("whole"))
    if whole == 0:
        raise OperatorFault("the whole is 0", "data")
    return {"value": part / whole}


@computes("least_of", "LOCATION")
def choose_by_number(bound: Bound) -> Mapping[str, Any]:
    """The place whose number is the least or the greatest."""
    places, numbers = whole_places_at(bound.all("candidates")), [*map(number_of, bound.all("numbers"))]
    if len(places) != len(numbers):
        raise OperatorFault(f"there are {len(places)} candidates and {len(numbers)} numbers")
    place, number = least_of(places, numbers, greatest=bound.params["which"] == "greatest")
    return {**place, "value": number}


@computes("arithmetic", "AMOUNT")
def arithmetic(bound: Bound) -> Mapping[str, Any]:
    """An arithmetic expression in which {0} is the first number, {1} the second …"""
    formula, numbers = bound.params["formula"], [*map(number_of, bound.all("numbers"))]
    missing = [one for one in _PLACE_OF_NUMBER.findall(formula) if int(one) >= len(numbers)]
    if missing:
        raise OperatorFault(
            f"{formula!r:.80} cannot be calculated: it names the number {{{missing[0]}}}, and there are "
            f"{len(numbers)}, the first of which is {{0}}"
        )
    try:
        return {
            "value": calculate(_PLACE_OF_NUMBER.sub(lambda found: f"({numbers[int(found[1])]!r})", formula))
        }
    except ToolError as error:
        raise OperatorFault(str(error).rstrip(".")) from None
