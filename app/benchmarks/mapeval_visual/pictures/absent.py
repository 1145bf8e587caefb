"""Questions about a symbol that a picture does not show, so that no option is right."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.benchmarks.mapeval_visual.pictures.looking import FOUR, KINDS, told_labels
from app.drawing.answers.labels import Unclear, find_spot
from app.drawing.record import Record
from app.drawing.symbols import load_symbols
from app.questions.gold import NO_ANSWER
from app.questions.pictures.registers import Lot, Values, asks_pictures


def ask(record: Record, lot: Lot) -> Iterator[Values]:
    """A kind of which there is no symbol, and four places."""
    shown = {one.symbol for one in record.symbols}
    places = [one.osm_key for one in told_labels(record)]
    if len(places) >= FOUR:
        for turn, kind in enumerate(lot.shuffled([one for one in KINDS if one not in shown], "kinds")):
            yield {"symbol": kind, "places": sorted(lot.shuffled(places, "places", turn)[:FOUR])}


@asks_pictures("mapeval_visual", "Not_In_Picture", ask, "symbols", "labels", "left_out")
def read(record: Record, values: Values, options: Sequence[str] | None) -> Mapping[str, Any] | Unclear:
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
