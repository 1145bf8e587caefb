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
    user = case.rows[0]
    if user["in_water"]:
        return refused("in_water")
    if user["part"] is None:
        return refused("off_road")
    rows = [row for row in case.rows if row["osm_key"] is not None]
    most = int(case.limits["most"])
    key, others = rows[:most], rows[most:]
    if not key:
        return refused("no_answer")
    rivals = others[:1]
    refusal = _refusal(case, key, rivals)
    if refusal:
        return refused(refusal)
    farthest = (rivals or key)[-1]["distance"]
    return Derived(
        {
            "stations": [_station(row) for row in key],
            "tier": tier_of(key[0]["distance"]),
            "need_moves": moves_needed(key[0]["distance"]),
            "user": {"lon": user["user_lon"], "lat": user["user_lat"]},
            "density": user["density"],
        },
        evidence=sorted(
            {("poi", one) for row in [*key, *rivals] for one in (*row["osm_keys"], row["poi_key"])}
        ),
        margin={"behind": rivals[0]["distance"] - key[-1]["distance"]} if rivals else {},
        radius=farthest + case.binds["beside_metres"] + case.binds["edge_metres"],
        centre=(user["user_lon"], user["user_lat"]),
        solutions=solution_of(case, key),
    )


def _refusal(case: Case, key: Sequence[Row], rivals: Sequence[Row]) -> str | None:
    """Why the key is not sure."""
    margins, reach = case.margins, case.binds["beside_metres"]
    rows = [*key, *rivals]
    distances = [row["distance"] for row in key]
    edges = [VIEW_M, *(metres for metres, _ in TIERS)]
    if any(abs(row["poi_metres"] - reach) <= case.binds["edge_metres"] for row in rows):
        return "near_circle"
    if any(row["repaired"] or row["poi_repaired"] for row in rows):
        return "repaired_geometry"
    if rivals and rivals[0]["distance"] - distances[-1] < clearance(distances[-1], margins):
        return "margin"
    if any(farther - nearer < margins["tied"] for nearer, farther in pairwise(distances)):
        return "margin"
    if any(_is_near(distances[0], one, margins) for one in edges) or _is_near_move(distances[0], margins):
        return "near_tier"
    return None


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
