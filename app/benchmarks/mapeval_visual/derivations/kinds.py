"""What has a symbol of a kind, by the classes of the map's places."""

from collections.abc import Mapping, Sequence
from typing import Any

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


@derivation(BENCHMARK, "nearest_to_symbol")
def nearest_to_symbol(case: Case) -> Derived:
    """The nearest of four other places to the only one that has the symbol, where the second is clearly farther."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    shown = case.rows[0]["shown"] or ()
    having = [one["osm_key"] for one in shown if has_symbol(one["classes"], case.rows[0]["symbol"])]
    if len(having) != 1 or having[0] in {row["osm_key"] for row in case.rows}:
        return refused("not_one_right")
    first, second, *_ = sorted((_metres_to(having[0], row), row["osm_key"], row["name"]) for row in case.rows)
    behind = second[0] - first[0]
    if behind < case.margins["ratio"] * first[0]:
        return refused("close")
    gold = {"text": first[2], "objects": [first[1]]}
    return Derived(gold, margin={"behind": behind}, evidence=[("poi", having[0])])


def _metres_to(osm_key: str, row: Mapping[str, Any]) -> float:
    return float(next(one["distance"] for one in row["shown"] if one["osm_key"] == osm_key))


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
