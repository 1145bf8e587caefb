"""The five nearest destinations beside which one can do something else. Metres."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.benchmarks.evgeoqa.derivations.plans import solution_of
from app.benchmarks.evgeoqa.tiers import TIERS, VIEW_M, moves_needed, tier_of
from app.questions.derivations.base import Case, Derived, Row, clearance, derivation, refused


@derivation("evgeoqa", "destinations_with_activity")
def destinations_with_activity(case: Case) -> Derived:
    """The nearest destinations by straight line that have the activity beside them.

    The order within the key is that of distances, and for equal ones that of ids; two that are almost equally far are
    refused. What is sixth must be clearly farther than what is fifth.
    """
    refusal = unfit_user(case.rows[0])
    key, rivals = split_rows(case, [row for row in case.rows if row["osm_key"] is not None])
    refusal = refusal or (doubt_of_distances(case, key, rivals) if key else "no_answer")
    if refusal:
        return refused(refusal)
    return Derived(
        gold_of(key),
        evidence=evidence_of([*key, *rivals]),
        margin={"behind": rivals[0]["distance"] - key[-1]["distance"]} if rivals else {},
        radius=radius_of(case, [*key, *rivals]),
        centre=(key[0]["user_lon"], key[0]["user_lat"]),
        solutions=solution_of(case, key),
    )


def unfit_user(user: Row) -> str | None:
    """Why nothing can be asked from the user's place."""
    if user["in_water"]:
        return "in_water"
    return "off_road" if user["part"] is None else None


def split_rows(case: Case, rows: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    """The key, and the first that is not in it, if there is one; of rows of which the best is first."""
    most = int(case.limits["most"])
    return rows[:most], rows[most : most + 1]


def gold_of(key: Sequence[Row]) -> dict[str, Any]:
    """Gold of a key; its tier and its moves are those of the first station in a straight line."""
    first = key[0]
    return {
        "stations": [_station(row) for row in key],
        "tier": tier_of(first["distance"]),
        "need_moves": moves_needed(first["distance"]),
        "user": {"lon": first["user_lon"], "lat": first["user_lat"]},
        "density": first["density"],
    }


def evidence_of(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """The points of the destinations, and the places beside them."""
    return sorted({("poi", one) for row in rows for one in (*row["osm_keys"], row["poi_key"])})


def radius_of(case: Case, rows: Sequence[Row]) -> float:
    """How far from the user the question looks."""
    farthest = max(row["distance"] for row in rows)
    return float(farthest + case.binds["beside_metres"] + case.binds["edge_metres"])


def doubt_of_places(case: Case, key: Sequence[Row], rivals: Sequence[Row]) -> str | None:
    """Why it is not sure what lies beside the destinations, or in which tier the question is."""
    rows, reach, first = [*key, *rivals], case.binds["beside_metres"], key[0]["distance"]
    edges = [VIEW_M, *(metres for metres, _ in TIERS)]
    if any(abs(row["poi_metres"] - reach) <= case.binds["edge_metres"] for row in rows):
        return "near_circle"
    if any(row["repaired"] or row["poi_repaired"] for row in rows):
        return "repaired_geometry"
    if any(_is_near(first, one, case.margins) for one in edges) or _is_near_move(first, case.margins):
        return "near_tier"
    return None


def doubt_of_distances(case: Case, key: Sequence[Row], rivals: Sequence[Row]) -> str | None:
    """Why the key by straight line is not sure."""
    margins, distances = case.margins, [row["distance"] for row in key]
    if rivals and rivals[0]["distance"] - distances[-1] < clearance(distances[-1], margins):
        return "margin"
    if any(farther - nearer < margins["tied"] for nearer, farther in pairwise(distances)):
        return "margin"
    return doubt_of_places(case, key, rivals)


def _is_near(distance: float, edge: float, margins: Mapping[str, float]) -> bool:
    return abs(distance - edge) <= max(margins["edge"], margins["edge_ratio"] * edge)


def _is_near_move(distance: float, margins: Mapping[str, float]) -> bool:
    """Whether the number of moves that are needed is not sure."""
    edge = round(distance / VIEW_M) * VIEW_M
    return edge >= VIEW_M and _is_near(distance, edge, margins)


def _station(row: Row) -> dict[str, Any]:
    return {
        "osm_key": row["osm_key"],
        "osm_keys": list(row["osm_keys"]),
        "name": row["name"],
        "lon": row["lon"],
        "lat": row["lat"],
        "geodesic_m": row["distance"],
        "drive_m": None,
        "activity": {
            "osm_key": row["poi_key"],
            "name": row["poi_name"],
            "class": row["poi_class"],
            "metres": row["poi_metres"],
        },
    }
