"""Nearest places of a category, asked for by name, place, direction or distance."""

from dataclasses import replace
from functools import partial

from app.benchmarks.gsqa.derivations.places import (
    LOCATIONS,
    NAMES,
    PlaceAnswer,
    is_own_class,
    is_second_anchor,
    places_found,
    unfit,
)
from app.questions.derivations.base import Case, Derived, Row, as_object, derivation, refused
from app.questions.derivations.nearest import nearest_of


def _located(answer: PlaceAnswer, found: Derived, first: Row) -> Derived:
    if answer.needs_name and not first["name"]:
        return refused("unnamed_answer", found.radius)
    return replace(found, gold=answer.gold([first], []), evidence=answer.evidence([first]))


def nearest_place(answer: PlaceAnswer, case: Case) -> Derived:
    """The nearest, by its name or by where it is."""
    found = nearest_of(case, case.rows)
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
    found = nearest_of(case, inside)
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
    derivation("gsqa", f"nearest_{_answer.one}")(partial(nearest_place, _answer))
    derivation("gsqa", f"nearest_{_answer.one}_in_sector")(partial(nearest_place_in_sector, _answer))


def _measured(case: Case, measure: str) -> Derived:
    """What the row of the nearest says by `measure`, and the nearest itself."""
    if is_own_class(case.facts, case.binds):
        return refused("own_class")
    found = nearest_of(case, case.rows)
    if found.refusal:
        return found
    first = case.rows[0]
    return replace(found, gold={measure: first[measure], "objects": [as_object(first)]})


# The azimuth of the nearest, seen from the anchor; the distance to it, in metres.
for _measure in ("azimuth", "distance"):
    derivation("gsqa", f"nearest_{_measure}")(partial(_measured, measure=_measure))
