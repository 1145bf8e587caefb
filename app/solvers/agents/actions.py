"""Actions in the text of an answer: one JSON object, `{"action": name, "arguments": {...}}`. Pure.

A fenced block, or an object among other words, is read where the run is lenient, and counted as a fault of form.
"""

import re
from dataclasses import dataclass
from itertools import islice
from json import JSONDecoder
from typing import Any, Final

from app.core.identity import canonical_json
from app.inference.completions import parse_json
from app.solvers.not_knowing import said_beside_thinking

ANSWER: Final = "answer"
"""The action that ends an episode; its argument `text` is the answer."""
EXAMPLE: Final = '{"action": "NAME", "arguments": {}}'
_FENCED = re.compile(r"```(?:\w+)?[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_LARGEST = 64 * 1024
_MOST_STARTS = 100
"""Braces that are tried as the beginning of an object, and fenced blocks that are tried as one."""


@dataclass(frozen=True)
class TextAction:
    """An action that was read. `is_well_formed`: the answer was this object and nothing else."""

    name: str
    arguments: dict[str, Any]
    is_well_formed: bool


class NoAction(Exception):
    """No action can be read; the message says why, for the model."""


def read_action(text: str, *, lenient: bool) -> TextAction:
    """The action in an answer. Raises NoAction."""
    said = _said(text)
    try:
        return _as_action(parse_json(said), is_well_formed=True)
    except ValueError:
        if not lenient:
            raise NoAction("It is not one JSON object and nothing else.") from None
    return _as_action(find_object(said), is_well_formed=False)


def find_object(text: str) -> dict[str, Any]:
    """The first JSON object in an answer, fenced or among other words. Raises NoAction where there is none."""
    said = _said(text)
    for block in (said, *(one[1] for one in islice(_FENCED.finditer(said), _MOST_STARTS))):
        try:
            value = parse_json(block.strip())
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    decoder = JSONDecoder()
    start = said.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            break
        try:
            _, end = decoder.raw_decode(said, start)
            found = parse_json(said[start:end])
            assert isinstance(found, dict)
            return found
        except RecursionError:
            raise NoAction("It is nested too deep.") from None
        except ValueError:
            start = said.find("{", start + 1)
    raise NoAction("There is no JSON object in it.")


def _said(text: str) -> str:
    said = said_beside_thinking(text, cut_off=False)
    if len(said) > _LARGEST:
        raise NoAction(f"It is longer than {_LARGEST:,} characters.")
    return said


def _as_action(value: Any, *, is_well_formed: bool) -> TextAction:
    if not isinstance(value, dict):
        raise NoAction("It is JSON, but no object.")
    name = value.get("action")
    if not isinstance(name, str) or not name:
        raise NoAction('The object names no "action".')
    arguments = value.get("arguments", {})
    if not isinstance(arguments, dict):
        raise NoAction('Its "arguments" are no object.')
    return TextAction(name, arguments, is_well_formed)


def answer_text(action: TextAction) -> str:
    """What an action of the name `answer` says. Raises NoAction where it says nothing."""
    text = action.arguments.get("text", action.arguments.get(ANSWER))
    if isinstance(text, bool | int | float):
        return canonical_json(text)
    if not isinstance(text, str):
        raise NoAction(f'The action {ANSWER} needs the argument "text".')
    return text
