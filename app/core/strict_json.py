"""JSON from outside, read so that it has one meaning: no name twice in an object, no NaN, no number without end."""

import json
import math
from typing import Any, NoReturn

MOST_DIGITS = 400
"""A float has 309 digits at most; Python alone would take longer numbers, or fail on them, as it is set up."""

MOST_LEVELS = 100
"""Of what is shown; pydantic writes 255 levels at most."""
DEEPER = "… (nested too deep to be shown)"
FAULTS = {
    "Expecting value": "a value is missing",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name": "the name of a field in double quotes is missing",
    "Illegal trailing comma": "nothing follows a comma",
    "Extra data": "more follows after its end",
    "Unterminated string": "a text has no closing quote",
    "Invalid control character": "a text holds a control character",
    "Invalid \\": "a text holds a backslash that JSON does not know",
    "Unexpected UTF-8 BOM": "it begins with a byte order mark",
}
"""Beginnings of what the standard library says of a JSON text, and the same in plain words."""


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises json.JSONDecodeError, whose `msg` says what is wrong, and nothing else.

    Texts in it may hold NUL characters and lone surrogates; see `storable`.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode()
    except UnicodeDecodeError as error:
        raise json.JSONDecodeError("it is not UTF-8", "", error.start) from error
    try:
        return json.loads(
            decoded,
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_int=_int,
            parse_float=_float,
        )
    except _Refused as error:
        raise json.JSONDecodeError(str(error), decoded, 0) from error
    except RecursionError as error:
        raise json.JSONDecodeError("it is nested too deep", decoded, 0) from error
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(plain_fault(error), error.doc, error.pos) from error


def plain_fault(error: json.JSONDecodeError) -> str:
    """What is wrong with a JSON text, in words that need no knowledge of the program that read it."""
    return next((plain for said, plain in FAULTS.items() if error.msg.startswith(said)), error.msg)


def shown_name(name: str) -> str:
    """A name of somebody else's in a sentence of ours: quoted, printable, short."""
    return ascii(name[:60] + ("…" if len(name) > 60 else "")).replace("\\u2026", "…")


def storable(value: Any) -> Any:
    """`value` without what PostgreSQL's jsonb cannot hold: NUL characters and lone surrogates."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [storable(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    return value


def showable(value: Any, levels: int = MOST_LEVELS) -> Any:
    """A value of JSON with at most so many levels of lists and objects; DEEPER stands where more follow.

    What is nested deeper can be read and stored, but no page, answer or file could be made of it.
    """
    if not isinstance(value, list | dict):
        return value
    if not levels:
        return DEEPER
    if isinstance(value, list):
        return [showable(item, levels - 1) for item in value]
    return {name: showable(item, levels - 1) for name, item in value.items()}


class _Refused(Exception):
    """What the reader of the standard library would take."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, one in pairs:
        if name in value:
            raise _Refused(f"{shown_name(name)} stands in one object twice: write it once")
        value[name] = one
    return value


def _no_constant(word: str) -> NoReturn:
    raise _Refused(f"{word} is not a number of JSON")


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _Refused(f"a number in it has {len(digits):,} digits")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Refused(f"the number {digits[:20]} is too large")
    return number
