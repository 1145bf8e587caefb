"""Keys of questions about how far two places are apart."""

from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.numerals import kilometres_text, near_rounding


@derivation("distance_option")
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
