"""Kinds of amenities around a place, and the places of one kind. Metres.

Under the key `webmercator`, distances are those on the plane of EPSG:3857: there "within 50 m" is a smaller circle on
the ground, by the cosine of the latitude. It has no gold where a place lies near to the edge of that circle.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.benchmarks.mapqa.derivations.places import WEB_MERCATOR
from app.questions.derivations.base import Case, Derived, Row, as_object, derivation, refused
from app.questions.derivations.plans import call, found, members, plan, result, search
from app.questions.gold import VALUE


@derivation("mapqa", "amenities_around")
def amenities_around(case: Case) -> Derived:
    """The kinds of amenities within a distance, sorted; none where there is none."""
    distance, edge = case.binds["around_metres"], case.binds["edge_metres"]
    radius = distance + edge
    if not case.rows:
        return refused("no_answer", radius)
    rows = [row for row in case.rows if row["osm_key"] is not None]
    if any(row["left_out"] for row in rows):
        return refused("left_out", radius)
    if _near_circle(rows, "distance", distance, edge):
        return refused("near_circle", radius)
    if any(row["repaired"] for row in rows):
        return refused("repaired_geometry", radius)
    kinds = sorted({row["amenity"] for row in rows})
    if len(kinds) > case.limits["most"]:
        return refused("too_many_answers", radius)
    evidence = [("poi", row["osm_key"]) for row in rows]
    anchor = case.rows[0]
    point = f"{anchor['lat']!r},{anchor['lon']!r}"
    known = anchor["known_kinds"]
    counts = [{"$count": result(place, "places")} for place in range(len(known))]
    solution = plan(
        {"members": {"$present": members(known, counts)}},
        *(call("nearby", where=point, type=kind, radius_m=distance) for kind in known),
    )
    return Derived(
        {"members": kinds},
        None,
        evidence,
        radius=radius,
        gold_keys=_kinds_by_mercator(case, rows),
        solutions=solution,
    )


def _kinds_by_mercator(case: Case, rows: Sequence[Row]) -> Mapping[str, dict[str, Any]]:
    distance, edge = case.binds["around_metres"], case.binds["edge_metres"]
    if _near_circle(rows, "mercator", distance, edge):
        return {}
    kinds = sorted({row["amenity"] for row in rows if row["mercator"] <= distance})
    return {WEB_MERCATOR: {"kind": VALUE, "value": {"members": kinds}}}


@derivation("mapqa", "places_around")
def places_around(case: Case) -> Derived:
    """The names of all places of a kind within a distance, the nearest first."""
    distance, edge = case.binds["around_metres"], case.binds["edge_metres"]
    radius = distance + edge
    rows = case.rows
    if not rows:
        return refused("no_answer", radius)
    if _near_circle(rows, "distance", distance, edge):
        return refused("near_circle", radius)
    if any(row["twice_mapped"] for row in rows):
        return refused("twice_mapped", radius)
    if any(row["repaired"] for row in rows):
        return refused("repaired_geometry", radius)
    if any(not (row["name"] or "").strip() or ";" in row["name"] for row in rows):
        return refused("unnamed_answer", radius)
    names = [row["name"] for row in rows]
    if len({name.casefold() for name in [*names, rows[0]["anchor_name"]]}) <= len(names):
        return refused("same_name", radius)
    if len(names) > case.limits["most"]:
        return refused("too_many_answers", radius)
    evidence = [("poi", row["osm_key"]) for row in rows]
    kind = str(case.binds.get("category") or rows[0]["own_amenity"])
    anchor = rows[0]["anchor_name"]
    solution = plan(
        {"members": {"$each": result(1, "places"), "of": "name"}},
        search(anchor),
        call("nearby", where=found(0, name=anchor), type=kind, radius_m=distance),
    )
    gold = {"members": names, "objects": [as_object(row) for row in rows]}
    clear = min(abs(row["distance"] - distance) for row in rows)
    return Derived(
        gold,
        None,
        evidence,
        {"clear": clear},
        radius,
        gold_keys=_places_by_mercator(case),
        solutions=solution,
    )


def _places_by_mercator(case: Case) -> Mapping[str, dict[str, Any]]:
    distance, edge = case.binds["around_metres"], case.binds["edge_metres"]
    if _near_circle(case.rows, "mercator", distance, edge):
        return {}
    rows = [row for row in case.rows if row["mercator"] <= distance]
    if not rows:
        return {}
    value = {"members": [row["name"] for row in rows], "objects": [as_object(row) for row in rows]}
    return {WEB_MERCATOR: {"kind": VALUE, "value": value}}


def _near_circle(rows: Sequence[Row], measure: str, distance: float, edge: float) -> bool:
    return any(abs(row[measure] - distance) <= edge for row in rows)
