"""Fields of parsed answers: objects as a model or a parser wrote them → one text or number an object.

Takes any JSON at all; what is not an object, or lacks the field, gives None.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

Lookup = Literal["toplevel", "recursive"]
LOOKUPS: tuple[Lookup, ...] = ("toplevel", "recursive")
Scalar = str | int | float

MAX_DIGITS = 100
"""Longer numbers measure nothing; they are not attempted, and keep every error finite."""

_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{MAX_DIGITS}}}")


def objects_of(parsed: Any) -> list[Any]:
    """The predicted objects: a list as it is, a single object as a list of one, nothing for null."""
    if parsed is None:
        return []
    return parsed if isinstance(parsed, list) else [parsed]


def texts_under(parsed: Any, field: str, lookup: Lookup) -> list[str]:
    """The field's text in each predicted object that has one.

    At the top level what is empty is no attempt (case T10/31/G), and the parts of a list are one text, joined by
    blanks (case T16/1/L); further inside the empty text counts as an attempt (T10/51/LT).
    """
    if lookup == "toplevel":
        return [_joined(value) for value in _values(parsed, field, _at_top) if value]
    return [str(value) for value in _values(parsed, field, _anywhere) if value is not None]


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def integers_under(parsed: Any, field: str, lookup: Lookup) -> list[int]:
    """The field's whole number in each predicted object that has one (see `integer_of`).

    An azimuth is read at the top level whatever `lookup` says: cases T22/32/GR and T22/68/LT have one further
    inside and count as not attempted. Source: the published cases.
    """
    recursive = lookup == "recursive" and field != "azimuth_angle"
    values = _values(parsed, field, _anywhere if recursive else _at_top)
    return [whole for value in values if (whole := integer_of(value)) is not None]


def integer_of(value: Any) -> int | None:
    """A value as the published scorer counts: floats are truncated, "12" is 12, "3.7" and "north" are nothing.

    Neither are NaN, infinities, booleans, and numbers of more than MAX_DIGITS. Source: GS-QA; the published cases.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        value = int(value) if math.isfinite(value) else None
    elif isinstance(value, str):
        value = int(value) if _WHOLE.fullmatch(value.strip()) else None
    return value if isinstance(value, int) and abs(value) < 10**MAX_DIGITS else None


def _values(parsed: Any, field: str, find: Callable[[Any, str], Any]) -> Sequence[Any]:
    return [find(item, field) for item in objects_of(parsed)]


def _at_top(item: Any, field: str) -> Any:
    return item.get(field) if isinstance(item, dict) else None


def _anywhere(item: Any, field: str) -> Scalar | None:
    """The first string or number under `field` in `item`, an outer object before the ones in it."""
    waiting = [item]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            found = value.get(field)
            if isinstance(found, str | int | float):
                return found
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))
    return None
