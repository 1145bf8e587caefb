"""Keys of questions about roads: the drivable ways of one name are one road."""

from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.numerals import metres_text, near_rounding


@derivation("length_option")
def length_option(case: Case) -> Derived:
    """How long all ways of the road are together, in whole metres."""
    if not case.rows:
        return refused("no_answer")
    if not case.facts.get("road", {}).get("inside", True):
        return refused("leaves_outline")
    row = case.rows[0]
    if row["repaired"]:
        return refused("repaired_geometry")
    if row["length"] < case.margins["least"]:
        return refused("too_short")
    if near_rounding(row["length"], 1.0):
        return refused("near_rounding")
    gold = {"text": metres_text(row["length"]), "objects": row["osm_keys"], "length": row["length"]}
    evidence = [("road", key) for key in row["osm_keys"]]
    return Derived(gold, None, evidence, {"wanted": case.margins["least"]})
