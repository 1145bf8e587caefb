"""Which place is nearest to a symbol: one that a picture shows, or one that it does not, so that no option is right.

The same words ask for both, so that the text does not tell which it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.benchmarks.mapeval_visual.pictures.looking import (
    FOUR,
    KINDS,
    SETS,
    symbols_by_kind,
    text_of,
    told_labels,
)
from app.drawing.answers.labels import Unclear, find_spot
from app.drawing.answers.nearness import nearest_to_symbol
from app.drawing.record import Record
from app.drawing.symbols import load_symbols
from app.questions.gold import NO_ANSWER
from app.questions.pictures.registers import Lot, Values, asks_pictures

BENCHMARK = "mapeval_visual"


def ask_shown(record: Record, lot: Lot) -> Iterator[Values]:
    """A kind of which there is one symbol, and four other places."""
    only = {kind: found[0].osm_key for kind, found in symbols_by_kind(record).items() if len(found) == 1}
    told = [one.osm_key for one in told_labels(record)]
    for turn in range(SETS if only else 0):
        kind = sorted(only)[lot.below(len(only), "kind", turn)]
        places = [one for one in told if one != only[kind]]
        if len(places) >= FOUR:
            yield {"symbol": kind, "places": sorted(lot.shuffled(places, "places", turn)[:FOUR])}


@asks_pictures(BENCHMARK, "Nearest_To_Symbol", ask_shown, "symbols", "labels")
def read_shown(record: Record, values: Values, options: Sequence[str] | None) -> Mapping[str, Any] | Unclear:
    """The place that is nearest to the symbol."""
    seen = nearest_to_symbol(record, str(values["symbol"]), list(values["places"]))
    return seen if isinstance(seen, Unclear) else {"text": text_of(record, seen.osm_key)}


def ask_absent(record: Record, lot: Lot) -> Iterator[Values]:
    """A kind of which there is no symbol, and four places."""
    shown = {one.symbol for one in record.symbols}
    places = [one.osm_key for one in told_labels(record)]
    if len(places) >= FOUR:
        for turn, kind in enumerate(lot.shuffled([one for one in KINDS if one not in shown], "kinds")):
            yield {"symbol": kind, "places": sorted(lot.shuffled(places, "places", turn)[:FOUR])}


@asks_pictures(BENCHMARK, "Not_In_Picture", ask_absent, "symbols", "labels", "left_out")
def read_absent(record: Record, values: Values, options: Sequence[str] | None) -> Mapping[str, Any] | Unclear:
    """That there is no answer: no symbol of the kind, and none that is like it."""
    kind = str(values["symbol"])
    symbol = load_symbols()[kind]
    shown = {one.symbol for one in record.symbols}
    if kind in shown or {*symbol.like} & shown:
        return Unclear("look_alike")
    classes = {one.klass for one in record.left_out} | {one.klass for one in record.labels}
    if classes & {*symbol.classes}:
        return Unclear("not_drawn")
    for one in values["places"]:
        found = find_spot(record, one)
        if isinstance(found, Unclear):
            return found
    return {"text": NO_ANSWER}
