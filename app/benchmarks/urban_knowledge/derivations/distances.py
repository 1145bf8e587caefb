"""Keys of questions about how far two places are apart."""

from dataclasses import replace

from app.benchmarks.urban_knowledge.derivations.numerals import kilometres_text, near_rounding
from app.questions.derivations.base import Case, Derived, derivation, refused


@derivation("urban_knowledge", "distance_option")
def distance_option(case: Case) -> Derived:
    """Kilometres with two decimals on the spheroid; what the mean sphere says is kept beside it."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if not case.margins["least"] <= row["distance"] <= case.margins["most"]:
        return refused("out_of_range")
    if near_rounding(row["distance"], 10.0):
        return refused("near_rounding")
    gold = {
        "text": kilometres_text(row["distance"]),
        "objects": [row["one_key"], row["other_key"]],
        "distance": row["distance"],
        "sphere": row["sphere"],
    }
    return Derived(gold, None, (), {"wanted": case.margins["clear"]})


@derivation("urban_knowledge", "distance_in_context_option")
def distance_in_context_option(case: Case) -> Derived:
    """As distance_option, with the areas and places that the hints in the text speak of."""
    found = distance_option(case)
    if found.refusal:
        return found
    areas, near = case.rows[0]["area_keys"], [keys.split(",") for keys in case.rows[0]["near_keys"]]
    evidence = [("aoi", key) for key in areas if key] + [("poi", key) for keys in near for key in keys]
    return replace(found, gold={**found.gold, "areas": areas, "near": near}, evidence=evidence)
