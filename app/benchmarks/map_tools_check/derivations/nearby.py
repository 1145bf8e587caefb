"""Places around a place: the nearest of a kind, the nearest to that one, and how many there are. Metres."""

from dataclasses import replace
from typing import Any

from app.questions.derivations.base import (
    Case,
    Derived,
    Row,
    as_object,
    clearance,
    derivation,
    refused,
    tolerance_within,
)
from app.questions.derivations.nearest import nearest_of
from app.questions.derivations.plans import call, found, plan, result, search


def _named(row: Row) -> dict[str, Any]:
    """Gold of a question for a name."""
    return {"names": [row["name"]], "objects": [as_object(row)], "tolerated": []}


def _has_no_single_name(row: Row) -> bool:
    return not (row["name"] or "").strip() or ";" in row["name"]


@derivation("map_tools_check", "nearest_name")
def nearest_name(case: Case) -> Derived:
    """The name of the nearest place of a kind."""
    nearest = nearest_of(case, case.rows)
    if nearest.refusal:
        return nearest
    first = case.rows[0]
    if first["is_own_class"]:
        return refused("own_class", nearest.radius)
    if _has_no_single_name(first):
        return refused("unnamed_answer", nearest.radius)
    solution = plan(
        {"name": result(1, "places", 0, "name")},
        search(first["anchor_name"]),
        call("nearby", where=found(0, name=first["anchor_name"]), type=str(case.binds["category"]), limit=1),
    )
    return replace(nearest, gold=_named(first), solutions=solution)


@derivation("map_tools_check", "nearest_then")
def nearest_then(case: Case) -> Derived:
    """The name of the place of the second kind that is nearest to the nearest place of the first kind."""
    one, other = ([row for row in case.rows if row["step"] == step] for step in (1, 2))
    nearest, then = nearest_of(case, one), nearest_of(case, other)
    if nearest.refusal or then.refusal:
        return refused(nearest.refusal or then.refusal or "no_answer")
    first, last = one[0], other[0]
    reach = first["distance"] + last["distance"] + clearance(last["distance"], case.margins)
    radius = max(nearest.radius or 0.0, reach)
    if first["is_own_class"]:
        return refused("own_class", radius)
    if _has_no_single_name(last):
        return refused("unnamed_answer", radius)
    solution = plan(
        {"name": result(2, "places", 0, "name")},
        search(first["anchor_name"]),
        call("nearby", where=found(0, name=first["anchor_name"]), type=str(case.binds["category"]), limit=1),
        call("nearby", where=result(1, "places", 0, "id"), type=str(case.binds["next"]), limit=1),
    )
    return Derived(
        _named(last),
        evidence=[("poi", first["osm_key"]), ("poi", last["osm_key"])],
        margin={"first": nearest.margin, "then": then.margin},
        radius=radius,
        solutions=solution,
    )


@derivation("map_tools_check", "count_around")
def count_around(case: Case) -> Derived:
    """How many places of a kind lie within the distance, none of them near the circle."""
    distance, edge = case.binds["distance"], tolerance_within(case.binds)
    radius = distance + edge
    if not case.rows:
        return refused("zero", radius)
    if case.rows[0]["is_own_class"]:
        return refused("own_class", radius)
    if len(case.rows) > case.limits["most"]:
        return refused("too_many_answers", radius)
    if any(abs(row["distance"] - distance) <= edge for row in case.rows):
        return refused("near_circle", radius)
    if any(row["twice_mapped"] for row in case.rows):
        return refused("twice_mapped", radius)
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry", radius)
    name = case.rows[0]["anchor_name"]
    solution = plan(
        {"count": {"$count": result(1, "places")}},
        search(name),
        call("nearby", where=found(0, name=name), type=str(case.binds["category"]), radius_m=distance),
    )
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    clear = min(abs(row["distance"] - distance) for row in case.rows)
    return Derived({"count": len(case.rows)}, None, evidence, {"clear": clear}, radius, solutions=solution)


@derivation("map_tools_check", "count_in")
def count_in(case: Case) -> Derived:
    """How many places of a kind lie in a region, none of them near its border."""
    if any(row["doubtful"] for row in case.rows):
        return refused("near_region_edge")
    if any(row["twice_mapped"] for row in case.rows):
        return refused("twice_mapped")
    if not case.rows:
        return refused("zero")
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry")
    first = case.rows[0]
    solution = plan(
        {"count": result(1, "total")},
        search(first["region_name"]),
        call(
            "places_in",
            area=found(0, name=first["region_name"], type=first["region_class"]),
            type=str(case.binds["category"]),
        ),
    )
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    return Derived({"count": len(case.rows)}, None, evidence, solutions=solution)
