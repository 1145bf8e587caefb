"""The nearest amenity of a kind: to an area, in a direction, to where two roads meet. Metres, degrees."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.questions.derivations.base import Case, Derived, Row, as_object, derivation, refused
from app.questions.derivations.nearest import nearest_of
from app.questions.derivations.plans import call, found, plan, result, search
from app.questions.gold import VALUE

MOST_LISTED = 20
"""Places that the tool nearby lists."""
SIDES: Mapping[str, tuple[str, str]] = {
    "north": ("lat", "above"),
    "south": ("lat", "below"),
    "east": ("lon", "above"),
    "west": ("lon", "below"),
}
"""By direction: the coordinate that decides, and on which side of the anchor's it lies."""
SECTOR = "sector"
"""The key of gold that looks 45 degrees to either side of a direction, not at half of the map."""


def _gold(row: Row) -> dict[str, Any]:
    return {"names": [row["name"]], "objects": [as_object(row)], "tolerated": []}


def _is_unnamed(row: Row) -> bool:
    return not (row["name"] or "").strip() or ";" in row["name"]


@derivation("mapqa", "nearest_name")
def nearest_name(case: Case) -> Derived:
    """The amenity nearest to the centre of an area."""
    derived = nearest_of(case, case.rows)
    if derived.refusal:
        return derived
    first = case.rows[0]
    if first["is_own_class"]:
        return refused("own_class")
    if _is_unnamed(first):
        return refused("unnamed_answer")
    solution = plan(
        {"name": result(0, "places", 0, "name")},
        call(
            "nearby",
            where=f"{first['centre_lat']!r},{first['centre_lon']!r}",
            type=str(case.binds["category"]),
            limit=1,
        ),
    )
    radius = (derived.radius or 0.0) + first["off_centre"]
    return replace(derived, gold=_gold(first), radius=radius, solutions=solution)


@derivation("mapqa", "nearest_to_crossing")
def nearest_to_crossing(case: Case) -> Derived:
    """The amenity nearest to the only node at which two roads meet."""
    derived = nearest_of(case, case.rows)
    if derived.refusal:
        return derived
    first = case.rows[0]
    if first["nodes"] != 1:
        return refused("several_crossings")
    if _is_unnamed(first):
        return refused("unnamed_answer")
    solution = plan(
        {"name": result(1, "places", 0, "name")},
        call("intersection_of", street=first["first_road"], other=first["second_road"]),
        call(
            "nearby", where={"$point": result(0, "crossings", 0)}, type=str(case.binds["category"]), limit=1
        ),
    )
    return replace(
        derived, gold=_gold(first), centre=(first["node_lon"], first["node_lat"]), solutions=solution
    )


@derivation("mapqa", "nearest_in_direction")
def nearest_in_direction(case: Case) -> Derived:
    """The amenity nearest to a place on the side of a direction; under the key `sector`, within 45 degrees of it.

    There is no gold under `sector` where nothing lies there, or where a place at the sector's edge could be meant.
    """
    edge = case.binds["edge_degrees"]
    derived = nearest_of(case, case.rows)
    if derived.refusal:
        return derived
    first = case.rows[0]
    if first["is_own_class"]:
        return refused("own_class", derived.radius)
    if any(abs(row["side"]) < edge for row in case.rows if row["distance"] <= (derived.radius or 0.0)):
        return refused("near_line", derived.radius)
    if first["of_all"] > MOST_LISTED:
        return refused("far_down_the_list", derived.radius)
    if _is_unnamed(first):
        return refused("unnamed_answer", derived.radius)
    axis, bound = SIDES[str(case.binds["direction"])]
    anchor = first["anchor_name"]
    there = {"$where": result(1, "places"), "field": axis, bound: result(0, *_hit(anchor), axis)}
    solution = plan(
        {"name": {"$first": there, "of": "name"}},
        search(anchor),
        call("nearby", where=found(0, name=anchor), type=str(case.binds["category"])),
    )
    return replace(derived, gold=_gold(first), gold_keys=_of_sector(case), solutions=solution)


def _hit(name: str) -> list[Any]:
    return ["hits", {"first": {"name": name}}]


def _of_sector(case: Case) -> Mapping[str, dict[str, Any]]:
    half, edge = case.binds["half_width"], case.binds["edge"]
    rows: Sequence[Row] = [row for row in case.rows if row["aside"] <= half + edge]
    nearest = nearest_of(case, rows)
    if nearest.refusal or _is_unnamed(rows[0]):
        return {}
    reach = nearest.radius or 0.0
    if any(row["aside"] > half - edge for row in rows if row["distance"] <= reach):
        return {}
    return {SECTOR: {"kind": VALUE, "value": _gold(rows[0])}}
