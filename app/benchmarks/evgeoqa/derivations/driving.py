"""The five destinations that one reaches soonest by car beside which one can do something else. Seconds."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.benchmarks.evgeoqa.derivations.destinations import (
    doubt_of_distances,
    doubt_of_places,
    evidence_of,
    gold_of,
    radius_of,
    split_rows,
    unfit_user,
)
from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.derivations.plans import no_plan
from app.questions.gold import VALUE

PUBLISHED = "published"
"""The gold key of the nearest in a straight line, by which the paper's files are ordered."""
LARGEST_PART = 1
METRES_A_SECOND = 1 / 3.6
"""Of a kilometre an hour."""


@derivation("evgeoqa", "destinations_by_drive")
def destinations_by_drive(case: Case) -> Derived:
    """The destinations to which the drive takes the least time; under a further key, the nearest in a straight line."""
    rows = [row for row in case.rows if row["osm_key"] is not None]
    refusal = unfit_user(case.rows[0]) or _doubt_of_ways(rows)
    if refusal:
        return refused(refusal)
    key, rivals = split_rows(case, sorted(rows, key=lambda row: (row["seconds"], row["osm_key"])))
    refusal = _doubt_of_times(case, rows, key, rivals) or doubt_of_places(case, key, rivals)
    if refusal:
        return refused(refusal)
    near, behind = split_rows(case, rows)
    gold = gold_of(key)
    for station, row in zip(gold["stations"], key, strict=True):
        station["drive_s"] = row["seconds"]
    considered = [*key, *rivals, *near, *behind]
    return Derived(
        gold,
        evidence=evidence_of(considered),
        margin={"behind_seconds": rivals[0]["seconds"] - key[-1]["seconds"]} if rivals else {},
        radius=radius_of(case, considered),
        centre=(key[0]["user_lon"], key[0]["user_lat"]),
        gold_keys=_in_a_straight_line(case, near, behind),
        solutions=no_plan("times"),
    )


def _doubt_of_ways(rows: Sequence[Row]) -> str | None:
    """Why not all destinations can be compared. Routers know the largest part of the road network alone."""
    if not rows:
        return "no_answer"
    if rows[0]["part"] != LARGEST_PART or any(row["seconds"] is None for row in rows):
        return "unreachable"
    return None


def _doubt_of_times(case: Case, rows: Sequence[Row], key: Sequence[Row], rivals: Sequence[Row]) -> str | None:
    """Why the key by the drive is not sure."""
    margins, times = case.margins, [row["seconds"] for row in key]
    last = [*key, *rivals][-1]["seconds"]
    if len(rows) >= case.binds["most_rows"] and last >= _least_seconds(rows[-1]):
        return "many_destinations"
    if rivals and last - times[-1] < max(margins["seconds"], margins["seconds_ratio"] * times[-1]):
        return "margin"
    if any(
        later - sooner < max(margins["tied_seconds"], margins["tied_ratio"] * sooner)
        for sooner, later in pairwise(times)
    ):
        return "margin"
    return None


def _least_seconds(row: Row) -> float:
    """How long it takes at least to get as far as a destination, at the highest speed of any road."""
    return float(row["distance"] / (row["fastest_kmh"] * METRES_A_SECOND))


def _in_a_straight_line(
    case: Case, key: Sequence[Row], rivals: Sequence[Row]
) -> Mapping[str, dict[str, Any]]:
    if doubt_of_distances(case, key, rivals):
        return {}
    return {PUBLISHED: {"kind": VALUE, "value": gold_of(key)}}
