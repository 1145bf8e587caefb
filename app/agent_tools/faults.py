"""What is wrong with the arguments of a call, in one sentence that a model can act on."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.core.words import with_hidden_shown

_NUMBER, _WHOLE, _BOOL = "write a number", "write a whole number", "write true or false"
PLAIN = {
    "bool_parsing": _BOOL,
    "bool_type": _BOOL,
    "dict_type": "write an object",
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "int_type": _WHOLE,
    "list_type": "write a list",
    "model_attributes_type": "write an object",
    "model_type": "write an object",
    "string_too_long": "write at most {max_length} letters",
    "string_too_short": "write at least {min_length} letter",
    "string_type": "write a text",
    "too_long": "give at most {max_length}",
    "too_short": "give at least {min_length}",
}
"""By the type of a fault of pydantic, whose words are those of Python: what a caller should do."""
LONGEST_SHOWN = 60
"""Characters of a wrong argument that a message repeats."""


def describe_fault(
    error: ValidationError, known: Iterable[str], names: Mapping[str, str] | None = None
) -> str:
    """The first fault: which argument, what it was, what it may be.

    `known` are the arguments that there are; `names` says how the caller calls an argument, where that differs.
    """
    first = error.errors(include_url=False)[0]
    where = [str(part) for part in first["loc"]]
    name = ".".join([(names or {}).get(where[0], where[0]), *where[1:]]) if where else "the arguments"
    if first["type"] == "extra_forbidden":
        return f"there is no argument {_shown(name)}. The arguments are: {', '.join(known)}."
    if first["type"] == "missing":
        return f"the argument {name} is missing."
    if first["type"] == "value_error" and not first["loc"]:
        return f"{first['ctx']['error']}."
    said = str(first["ctx"]["error"]) if first["type"] == "value_error" else _plain(first)
    return f"{_shown(name)} was {_shown(first['input'])}: {said}."


def _plain(fault: ErrorDetails) -> str:
    """What pydantic says, without words of Python."""
    if fault["type"] in PLAIN:
        return PLAIN[fault["type"]].format(**fault.get("ctx", {}))
    message = fault["msg"]
    return message[:1].lower() + message[1:]


def _shown(value: Any) -> str:
    """A value as the caller wrote it, who writes JSON."""
    text = value if isinstance(value, str) else str(value)
    if value is None or isinstance(value, bool | list | dict):
        text = json.dumps(value, ensure_ascii=False, default=str)
    text = with_hidden_shown(" ".join(text.split()))
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…")
