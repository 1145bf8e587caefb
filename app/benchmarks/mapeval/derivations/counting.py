"""How many places of a kind lie within a distance. Metres."""

from app.questions.derivations.base import Case, Derived, derivation, refused, tolerance_within
from app.questions.derivations.plans import call, found, plan, result, search


@derivation("mapeval", "count_within")
def count_within(case: Case) -> Derived:
    """The number of places in the circle, none of them near its edge."""
    distance, edge = case.binds["distance"], tolerance_within(case.binds)
    refusal = _fault_of(case, distance, edge)
    if refusal:
        return refused(refusal, distance + edge)
    name, count = case.rows[0]["anchor_name"], len(case.rows)
    solution = plan(
        {"count": {"$count": result(1, "places")}},
        search(name),
        call("nearby", where=found(0, name=name), type=str(case.binds["category"]), radius_m=distance),
    )
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    clear = min(abs(row["distance"] - distance) for row in case.rows)
    gold = {"text": str(count), "count": count}
    return Derived(gold, None, evidence, {"clear": clear}, distance + edge, solutions=solution)


def _fault_of(case: Case, distance: float, edge: float) -> str | None:
    """Why the count may not be asked for."""
    if not case.rows:
        return "zero"
    if case.rows[0]["is_own_class"]:
        return "own_class"
    if len(case.rows) > case.limits["most"]:
        return "too_many_answers"
    if any(abs(row["distance"] - distance) <= edge for row in case.rows):
        return "near_circle"
    if any(row["twice_mapped"] for row in case.rows):
        return "twice_mapped"
    return "repaired_geometry" if any(row["repaired"] for row in case.rows) else None
