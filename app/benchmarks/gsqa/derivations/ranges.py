"""Places within a distance, and in a direction: any of those surely inside is right.

Those near the circle or an edge of the sector are accepted too, and so is in a sector what stands at the anchor's
door, where a direction means little.
"""

from functools import partial

from app.benchmarks.gsqa.derivations.places import (
    LOCATIONS,
    NAMES,
    PlaceAnswer,
    is_second_anchor,
    places_found,
    unfit,
)
from app.questions.derivations.base import Case, Derived, Row, derivation, refused, tolerance_within


def _is_certain(case: Case, row: Row, within: float) -> bool:
    """Surely within the distance, and surely in the sector where there is one."""
    if row["distance"] > within:
        return False
    if "aside" not in row:
        return True
    clear_of_edges = abs(row["aside"]) < case.binds["half_width"] - case.binds["edge"]
    return bool(clear_of_edges and row["distance"] >= case.margins["least"])


def places_in_range(answer: PlaceAnswer, case: Case) -> Derived:
    """All places within the distance; refused where nearly anything would be right."""
    distance = case.binds["distance"]
    tolerance = tolerance_within(case.binds)
    radius = distance + tolerance
    rows = places_found(case)
    certain = [row for row in rows if _is_certain(case, row, distance - tolerance)]
    tolerated = [row for row in rows if not _is_certain(case, row, distance - tolerance)]
    unfitting = unfit(case)
    if unfitting:
        return refused(unfitting, radius)
    if not certain:
        return refused("no_answer", radius)
    if len(rows) > case.limits["answers"]:
        return refused("too_many_answers", radius)
    extent = case.facts.get("category", {}).get("extent")
    if extent is not None and len(rows) > case.limits["share"] * extent:
        return refused("vacuous", radius)
    if any(row["repaired"] for row in rows):
        return refused("repaired_geometry", radius)
    if is_second_anchor(case, rows):
        return refused("names_itself", radius)
    margin = {"tolerance": tolerance, "clear": distance - certain[-1]["distance"]}
    return Derived(answer.gold(certain, tolerated), None, answer.evidence(rows), margin, radius)


for _answer in (NAMES, LOCATIONS):
    derivation("gsqa", f"{_answer.many}_in_range")(partial(places_in_range, _answer))
