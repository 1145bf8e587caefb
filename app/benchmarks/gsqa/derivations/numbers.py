"""Numbers around an anchor: directions, distances and counts of what lies within a distance.

Where any place will do, a question that a blind guess would answer is refused: the answers, each with the error that
still counts as correct, may cover a quarter of what could be said.
"""

from collections.abc import Iterable
from typing import Any

from app.benchmarks.gsqa.derivations.places import is_own_class
from app.questions.derivations.base import (
    Case,
    Derived,
    as_object,
    derivation,
    refused,
    tolerance_within,
)


def covered(intervals: Iterable[tuple[float, float]]) -> float:
    """The length of the union of closed intervals (low, high)."""
    total, end = 0.0, float("-inf")
    for low, high in sorted(intervals):
        total += max(0.0, high - max(low, end))
        end = max(end, high)
    return total


def covered_of_circle(azimuths: Iterable[float], spread: float) -> float:
    """Degrees of the circle that lie within `spread` of any azimuth."""
    arcs: list[tuple[float, float]] = []
    for azimuth in azimuths:
        low, high = azimuth - spread, azimuth + spread
        arcs.append((max(low, 0.0), min(high, 360.0)))
        if low < 0:
            arcs.append((low + 360.0, 360.0))
        if high > 360:
            arcs.append((0.0, high - 360.0))
    return covered(arcs)


def _any_of(case: Case, share: float, extra: tuple[str, ...] = ()) -> Derived:
    """All places within the distance as gold; `share` is how much of what could be said they cover."""
    distance, tolerance = case.binds["distance"], tolerance_within(case.binds)
    radius = distance + tolerance
    if is_own_class(case.facts, case.binds):
        return refused("own_class", radius)
    certain = [row for row in case.rows if row["distance"] <= distance - tolerance]
    tolerated = [row for row in case.rows if row["distance"] > distance - tolerance]
    if not certain:
        return refused("no_answer", radius)
    if len(case.rows) > case.limits["answers"]:
        return refused("too_many_answers", radius)
    if case.rows[0]["distance"] < case.margins["least"]:
        return refused("too_close", radius)
    if share > case.limits["share"]:
        return refused("vacuous", radius)
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry", radius)

    def kept(row: Any) -> dict[str, Any]:
        return as_object(row) | {name: row[name] for name in extra}

    gold = {"objects": [kept(row) for row in certain], "tolerated": [kept(row) for row in tolerated]}
    margin = {"tolerance": tolerance, "clear": distance - certain[-1]["distance"], "covered": share}
    return Derived(gold, None, [("poi", row["osm_key"]) for row in case.rows], margin, radius)


@derivation("gsqa", "distances_in_range")
def distances_in_range(case: Case) -> Derived:
    """The distances of all places within the distance; each is right up to its `spread`, a share of itself."""
    distance, spread = case.binds["distance"], case.limits["spread"]
    near = ((1 - spread, 1 + spread, row["distance"]) for row in case.rows)
    accepted = ((low * metres, min(high * metres, distance)) for low, high, metres in near)
    return _any_of(case, covered(accepted) / distance)


@derivation("gsqa", "azimuths_in_range")
def azimuths_in_range(case: Case) -> Derived:
    """The azimuths of all places within the distance; each is right up to its `spread` in degrees."""
    azimuths = [
        row["azimuth"] for row in case.rows if row["azimuth"] is not None
    ]  # none at the anchor itself
    return _any_of(case, covered_of_circle(azimuths, case.limits["spread"]) / 360.0, ("azimuth",))


@derivation("gsqa", "count_in_range")
def count_in_range(case: Case) -> Derived:
    """How many places lie within the distance, none of them near the circle."""
    distance, tolerance = case.binds["distance"], tolerance_within(case.binds)
    radius = distance + tolerance
    if is_own_class(case.facts, case.binds):
        return refused("own_class", radius)
    if len(case.rows) > case.limits["most"]:
        return refused("too_many_answers", radius)
    if any(abs(row["distance"] - distance) <= tolerance for row in case.rows):
        return refused("near_circle", radius)
    if any(row.get("twice_mapped") for row in case.rows):
        return refused("twice_mapped", radius)
    if not case.rows:
        return refused("zero", radius)
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry", radius)
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    clear = min(abs(row["distance"] - distance) for row in case.rows)
    return Derived(
        {"count": len(case.rows)}, None, evidence, {"tolerance": tolerance, "clear": clear}, radius
    )
