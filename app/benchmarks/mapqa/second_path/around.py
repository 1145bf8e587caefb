"""Second path of Amenities_Around, Same_Kind_Around and Adjacent. Metres."""

from collections.abc import Sequence
from typing import Any

from app.benchmarks.mapqa.second_path.kinds import KINDS
from app.benchmarks.mapqa.second_path.places import plane_metres
from app.questions.second_path.answering import (
    VALUE,
    Parameters,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.nearby import described, outline_refusal
from app.questions.second_path.told_places import told_place

AROUND, BESIDE, EDGE = 100.0, 50.0, 5.0
MOST_KINDS, MOST_PLACES = 8, 12


def _is_near(metres: Sequence[float], distance: float) -> bool:
    return any(abs(one - distance) <= EDGE for one in metres)


@second_path("mapqa", "Amenities_Around")
def amenities_around(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The kinds of amenities within 100 metres, the place itself included."""
    poi = layers["poi"]
    position, lon, lat = told_place(layers, parameters, "anchor")
    found = [
        one
        for one in poi.all_points().within(lon, lat, AROUND + EDGE)
        if poi.rows[one.position].tags.get("amenity") in KINDS
    ]
    others = layers["other_place"]
    left_out = [
        one
        for one in others.all_points().within(lon, lat, AROUND + EDGE)
        if others.rows[one.position].tags.get("amenity") in KINDS
    ]
    kinds = sorted({poi.rows[one.position].tags["amenity"] for one in found})
    refusal = first_refusal(
        (bool(left_out), "left_out"),
        (_is_near([one.distance for one in found], AROUND), "near_circle"),
        (any(poi.rows[one.position].repaired for one in found), "repaired_geometry"),
        (len(kinds) > MOST_KINDS, "too_many_answers"),
    )
    flat = [plane_metres(layers, position, one.position) for one in found]
    keys: dict[str, Any] = {}
    if not _is_near(flat, AROUND):
        inside = [one for one, metres in zip(found, flat, strict=True) if metres <= AROUND]
        of_plane = sorted({poi.rows[one.position].tags["amenity"] for one in inside})
        keys["webmercator"] = {"kind": VALUE, "value": {"members": of_plane}}
    outside = outline_refusal(layers, lon, lat, AROUND + EDGE, {})
    return SecondAnswer({"members": kinds}, refusal or outside, keys=keys)


def _around(layers: Layers, start: tuple[int, float, float], kind: str) -> SecondAnswer:
    """The places of a kind within 50 metres, the nearest first."""
    poi = layers["poi"]
    position, lon, lat = start
    found = poi.points_of(frozenset({kind})).within(lon, lat, BESIDE + EDGE, skip=position)
    rows = [poi.rows[one.position] for one in found]
    names = [(row.name or "").casefold() for row in [*rows, poi.rows[position]]]
    refusal = first_refusal(
        (not found, "no_answer"),
        (_is_near([one.distance for one in found], BESIDE), "near_circle"),
        (any(kind in poi.twins.get(one.position, ()) for one in found), "twice_mapped"),
        (any(row.repaired for row in rows), "repaired_geometry"),
        (any(not is_named(row) or ";" in (row.name or "") for row in rows), "unnamed_answer"),
        (len({*names}) < len(names), "same_name"),
        (len(found) > MOST_PLACES, "too_many_answers"),
    )
    flat = [plane_metres(layers, position, one.position) for one in found]
    inside = [one for one, metres in zip(found, flat, strict=True) if metres <= BESIDE]
    keys: dict[str, Any] = {}
    if inside and not _is_near(flat, BESIDE):
        keys["webmercator"] = {"kind": VALUE, "value": _gold(layers, inside)}
    outside = outline_refusal(layers, lon, lat, BESIDE + EDGE, {})
    return SecondAnswer(_gold(layers, found), refusal or outside, keys=keys)


def _gold(layers: Layers, found: Sequence[Found]) -> dict[str, Any]:
    objects = [described(layers["poi"], one) for one in found]
    return {"members": [one["name"] for one in objects], "objects": objects}


@second_path("mapqa", "Same_Kind_Around")
def same_kind_around(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The other places of the same kind within 50 metres."""
    start = told_place(layers, parameters, "anchor")
    return _around(layers, start, layers["poi"].rows[start[0]].klass)


@second_path("mapqa", "Adjacent")
def adjacent(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The places of a kind within 50 metres."""
    start = told_place(layers, parameters, "anchor")
    return _around(layers, start, parameter(parameters, "category", str))
