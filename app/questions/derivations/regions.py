"""Counts and areas inside a region."""

from app.questions.derivations.base import Case, Derived, derivation, refused


@derivation("count_in_region")
def count_in_region(case: Case) -> Derived:
    """How many places lie inside, none of them within a metre of the boundary."""
    if any(row["doubtful"] for row in case.rows):
        return refused("near_region_edge")
    inside = [row for row in case.rows if row["inside"]]
    if not inside:
        return refused("zero")
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry")
    evidence = [("poi", row["osm_key"]) for row in inside]
    return Derived({"count": len(inside)}, None, evidence, {"edge_metres": case.binds["edge_metres"]})


@derivation("area_in_region")
def area_in_region(case: Case) -> Derived:
    """Square metres inside, overlaps counted once; a clipped sum needs no margin."""
    if not case.rows or case.rows[0]["area"] < case.limits["least"]:
        return refused("zero")
    row = case.rows[0]
    if row["repaired"]:
        return refused("repaired_geometry")
    layer = str(case.binds["surface"]).partition(":")[0]
    return Derived({"area": row["area"]}, None, [(layer, key) for key in row["osm_keys"]], {})
