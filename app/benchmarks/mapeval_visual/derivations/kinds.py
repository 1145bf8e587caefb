"""What has a symbol of a kind, by the classes of the map's places."""

from collections.abc import Sequence

from app.drawing.symbols import load_symbols, symbol_of
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.gold import NO_ANSWER, UNANSWERABLE

BENCHMARK = "mapeval_visual"
FOUR = 4


def has_symbol(classes: Sequence[str], symbol: str) -> bool:
    """Whether a place of these classes has that symbol, which none has by a key of its tags alone."""
    return symbol_of(classes).name == symbol


@derivation(BENCHMARK, "kind_in_picture")
def kind_in_picture(case: Case) -> Derived:
    """The only one of four places that has the symbol."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    having = [row for row in case.rows if has_symbol(row["classes"], row["symbol"])]
    if len(having) != 1:
        return refused("not_one_right")
    return Derived({"text": having[0]["name"], "objects": [having[0]["osm_key"]]})


@derivation(BENCHMARK, "symbols_counted")
def symbols_counted(case: Case) -> Derived:
    """How many places that are drawn have the symbol."""
    having = [row["osm_key"] for row in case.rows if has_symbol(row["classes"], row["symbol"])]
    if not having:
        return refused("zero")
    if len(having) > case.limits["most"]:
        return refused("too_many_answers")
    return Derived({"text": str(len(having))}, evidence=[("poi", one) for one in having])


@derivation(BENCHMARK, "not_in_picture")
def not_in_picture(case: Case) -> Derived:
    """That there is no answer, where no place within the picture's edges is of the kind, drawn or not."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    symbol = load_symbols()[str(case.binds["symbol"])]
    if {*symbol.classes} & {*case.rows[0]["classes"]}:
        return refused("map_may_tell")
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    return Derived({"text": NO_ANSWER, "objects": []}, evidence=evidence, gold_kind=UNANSWERABLE)
