"""How many symbols of a kind a picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.drawing.answers.labels import Unclear
from app.drawing.record import Record
from app.drawing.symbols import load_symbols


@dataclass(frozen=True)
class SymbolCount:
    """The number of symbols, and what has them."""

    count: int
    osm_keys: Sequence[str]


def count_symbols(record: Record, symbol: str) -> SymbolCount | Unclear:
    """How many symbols of that name (symbols.toml) are wholly in the picture.

    `cut`: one of them is not whole. `look_alike`: the picture shows a symbol that is easily taken for it.
    """
    own = [one for one in record.symbols if one.symbol == symbol]
    like = set(load_symbols()[symbol].like)
    if any(not one.whole for one in own):
        return Unclear("cut")
    if any(one.symbol in like for one in record.symbols):
        return Unclear("look_alike")
    return SymbolCount(len(own), sorted(one.osm_key for one in own))
