"""How many symbols of a kind a picture shows. Pixels.

The number is drawn among those that kinds of the picture have, and the wrong options are other such numbers: so each of
four is the key as often as the others.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from app.benchmarks.mapeval_visual.pictures.looking import symbols_by_kind
from app.drawing.answers.counting import count_symbols
from app.drawing.answers.labels import Unclear
from app.drawing.record import PixelBox, Record
from app.questions.pictures.registers import Lot, Values, asks_pictures

MOST = 12
"""More symbols nobody counts with ease."""
LEAST_GAP = 3
"""Pixels between two symbols of the kind; nearer ones look like one."""


def ask(record: Record, lot: Lot) -> Iterator[Values]:
    """A number that is drawn, then a kind that has so many."""
    kinds: dict[int, list[str]] = defaultdict(list)
    for kind, found in sorted(symbols_by_kind(record).items()):
        kinds[len(found)].append(kind)
    numbers = [one for one in sorted(kinds) if one <= MOST]
    for number in lot.shuffled(numbers, "numbers"):
        yield {"symbol": lot.shuffled(kinds[number], "kinds", number)[0]}


@asks_pictures("mapeval_visual", "Symbols_Counted", ask, "symbols")
def read(record: Record, values: Values, options: Sequence[str] | None) -> Mapping[str, Any] | Unclear:
    """How many symbols of the kind there are, where none is hard to tell from another."""
    kind = str(values["symbol"])
    found = count_symbols(record, kind)
    if isinstance(found, Unclear):
        return found
    boxes = [one.box for one in record.symbols if one.symbol == kind]
    if any(_gap(one, other) < LEAST_GAP for one, other in combinations(boxes, 2)):
        return Unclear("crowded")
    return {"text": str(found.count)}


def _gap(one: PixelBox, other: PixelBox) -> int:
    """Pixels between two boxes, along the axis on which they are farther apart."""
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
