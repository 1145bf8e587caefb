"""Values as cells of a table that a person reads: counts in thousands, no brackets, nothing of Python."""

import re
from collections.abc import Mapping
from typing import Any

from app.core.words import with_hidden_shown

NONE = "–"
_GROUPED = re.compile("(?<=[0-9])\u202f(?=[0-9]{3})")
_BEFORE_UNIT = re.compile("(?<=[0-9])\u202f")


def for_terminal(text: str) -> str:
    """`text` for a terminal: commas where pages have thin spaces, and no sign that controls the terminal."""
    return with_hidden_shown(_BEFORE_UNIT.sub(" ", _GROUPED.sub(",", text)))


def cell(value: Any) -> str:
    """A value in words: `1,234`, `yes`, `5 answered, 1 error`; a dash where there is none."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, Mapping):
        counts = [f"{cell(count)} {words(name)}" for name, count in value.items() if count]
        return ", ".join(counts) or NONE
    if isinstance(value, (list, tuple)):
        return ", ".join(map(cell, value)) or NONE
    return str(value)


def words(name: str) -> str:
    """The name of a field as words: `no_answer` is `no answer`."""
    return name.replace("_", " ")
