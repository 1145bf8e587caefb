"""Second path's own reading of the table of symbols: which classes and keys of places have which."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from app.core.settings import PROJECT_ROOT

TABLE = PROJECT_ROOT / "app" / "drawing" / "symbols.toml"


@cache
def read_symbols() -> Mapping[str, Mapping[str, Any]]:
    """By name the entry of each symbol: `classes`, and perhaps `keys`."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))
