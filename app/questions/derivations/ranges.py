"""Places within a distance: any of those surely inside is right; those near the circle are accepted too."""

from app.questions.derivations.base import Case, Derived, as_object, derivation, refused


@derivation("names_in_range")
def names_in_range(case: Case) -> Derived:
    """All names within the distance; refused where nearly anything would be right."""
    distance = case.binds["distance"]
    tolerance = max(case.binds["edge_metres"], case.binds["edge_ratio"] * distance)
    radius = distance + tolerance
    certain = [row for row in case.rows if row["distance"] <= distance - tolerance]
    tolerated = [row for row in case.rows if row["distance"] > distance - tolerance]
    if not certain:
        return refused("no_answer", radius)
    if len(case.rows) > case.limits["answers"]:
        return refused("too_many_answers", radius)
    extent = case.facts.get("category", {}).get("extent")
    if extent is not None and len(case.rows) > case.limits["share"] * extent:
        return refused("vacuous", radius)
    if any(row["repaired"] for row in case.rows):
        return refused("repaired_geometry", radius)
    gold = {
        "names": sorted({row["name"] for row in certain}),
        "objects": [as_object(row) for row in certain],
        "tolerated": [as_object(row) for row in tolerated],
    }
    margin = {"tolerance": tolerance, "clear": distance - certain[-1]["distance"]}
    return Derived(gold, None, [("poi", row["osm_key"]) for row in case.rows], margin, radius)
