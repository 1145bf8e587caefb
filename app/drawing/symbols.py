"""Which symbol a place has, and from which zoom on."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FIRST_ZOOM = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16, 6: 16, 7: 17, 8: 17}
"""By rank: the first zoom that shows a place of it."""
OTHER = "other"


@dataclass(frozen=True)
class Symbol:
    """A symbol: its name, which is that of its file, its group of colours, and its rank."""

    name: str
    group: str
    rank: int
    classes: Sequence[str]
    keys: Sequence[str] = ()
    like: Sequence[str] = ()
    """Symbols that are easily taken for it."""

    def shown_at(self, zoom: int) -> bool:
        """Whether a zoom shows places with it."""
        return zoom >= FIRST_ZOOM[self.rank]


@cache
def load_symbols() -> Mapping[str, Symbol]:
    """All symbols of symbols.toml by name."""
    told: dict[str, Any] = tomllib.loads((Path(__file__).parent / "symbols.toml").read_text(encoding="utf-8"))
    return {name: Symbol(name, **one) for name, one in told.items()}


@cache
def _symbols_by_class() -> dict[str, Symbol]:
    symbols = load_symbols().values()
    by_key = {key: one for one in symbols for key in one.keys}
    return by_key | {klass: one for one in symbols for klass in one.classes}


def symbol_of(classes: Sequence[str]) -> Symbol:
    """The symbol of a place by its classes and its key, the first that has one."""
    known = _symbols_by_class()
    return next((known[one] for one in classes if one in known), load_symbols()[OTHER])
