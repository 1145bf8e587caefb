"""Nearest places: the margin is DESIGN.md's, the second at least max(10 m, 2 %) behind."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from app.questions.derivations.base import Case, Derived, Row, as_object, clearance, derivation, refused
from app.questions.derivations.places import (
    LOCATIONS,
    NAMES,
    PlaceAnswer,
    is_second_anchor,
    places_found,
    unfit,
)


def _nearest(case: Case, rows: Sequence[Row]) -> Derived:
    """The refusal, margin, evidence and radius that all questions for a nearest place share; no gold yet.

    A SELECT that looks no farther than `reach` metres cannot know what is behind a nearest that far away.
    """
    if not rows:
        return refused("no_answer")
    first = rows[0]
    distance = first["distance"]
    wanted = clearance(distance, case.margins)
    behind = rows[1]["distance"] - distance if len(rows) > 1 else None
    radius = distance + wanted
    if distance < case.margins.get("least", 0):
        return refused("too_close", radius)
    if radius > case.binds.get("reach", math.inf):
        return refused("too_far", radius)
    if behind is not None and behind < wanted:
        return refused("margin", radius)
    if any(row["repaired"] for row in rows if row["distance"] <= radius):
        return refused("repaired_geometry", radius)
    margin = {"behind": behind, "wanted": wanted}
    return Derived(evidence=[("poi", first["osm_key"])], margin=margin, radius=radius)


def _located(answer: PlaceAnswer, found: Derived, first: Row) -> Derived:
    if answer.needs_name and not first["name"]:
        return refused("unnamed_answer", found.radius)
    return replace(found, gold=answer.gold([first], []), evidence=answer.evidence([first]))


def nearest_place(answer: PlaceAnswer, case: Case) -> Derived:
    """The nearest, by its name or by where it is."""
    found = _nearest(case, case.rows)
    if found.refusal:
        return found
    unfitting = unfit(case)
    return refused(unfitting, found.radius) if unfitting else _located(answer, found, case.rows[0])


def nearest_place_in_sector(answer: PlaceAnswer, case: Case) -> Derived:
    """The nearest in a half-open sector, with nothing near its edges that could change it."""
    unfitting = unfit(case)
    if unfitting:
        return refused(unfitting)
    rows, half = places_found(case), case.binds["half_width"]
    inside = [row for row in rows if -half <= row["aside"] < half]
    found = _nearest(case, inside)
    if found.refusal:
        return found
    for row in rows:
        on_edge = abs(abs(row["aside"]) - half) <= case.binds["edge"]
        if on_edge and row["distance"] <= (found.radius or 0):
            return refused("near_sector_edge", found.radius)
    if is_second_anchor(case, inside[:1]):
        return refused("names_itself", found.radius)
    return _located(answer, found, inside[0])


for _answer in (NAMES, LOCATIONS):
    derivation(f"nearest_{_answer.one}")(partial(nearest_place, _answer))
    derivation(f"nearest_{_answer.one}_in_sector")(partial(nearest_place_in_sector, _answer))


@derivation("nearest_azimuth")
def nearest_azimuth(case: Case) -> Derived:
    """The azimuth of the nearest, seen from the anchor."""
    found = _nearest(case, case.rows)
    if found.refusal:
        return found
    first = case.rows[0]
    return replace(found, gold={"azimuth": first["azimuth"], "objects": [as_object(first)]})


@derivation("nearest_distance")
def nearest_distance(case: Case) -> Derived:
    """The distance to the nearest, in metres."""
    found = _nearest(case, case.rows)
    if found.refusal:
        return found
    first = case.rows[0]
    return replace(found, gold={"distance": first["distance"], "objects": [as_object(first)]})


@derivation("nearest_option")
def nearest_option(case: Case) -> Derived:
    """The nearest named place, as an option."""
    found = _nearest(case, case.rows)
    if found.refusal:
        return found
    first = case.rows[0]
    return replace(found, gold={"text": first["name"], "objects": [first["osm_key"]]})
