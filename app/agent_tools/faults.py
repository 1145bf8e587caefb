"""What is wrong with the arguments of a call, in one sentence that a model can act on."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from app.core.words import with_hidden_shown

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
    said = str(first["ctx"]["error"]) if first["type"] == "value_error" else _plain(first["msg"])
    return f"{_shown(name)} was {_shown(first['input'])}: {said}."


def _plain(message: str) -> str:
    return message[:1].lower() + message[1:]


def _shown(value: Any) -> str:
    text = with_hidden_shown(" ".join(str(value).split()))
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…")
