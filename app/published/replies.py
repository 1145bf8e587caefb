"""A model's reply, taken apart for readers: what it thought, what it said, and which tools it asked for. Pure.

Replies come from servers of many kinds: whatever does not have the expected form is left out, and nothing is raised.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from app.core.strict_json import showable, storable
from app.published.episode_models import WantedCall
from app.solvers.agents.actions import ANSWER

THOUGHTS = ("reasoning_content", "reasoning")
"""The fields in which servers give what a model reasoned; the first that is there counts."""
TOOL_NAMES = ("tool", "action", "name")
ARGUMENTS = ("arguments", "action_input", "args")
"""What an action in text may call its tool and arguments."""
SEARCHED = 20_000
"""Signs of a text in which an action is looked for."""
MOST_STARTS = 100
"""Braces that are tried as its beginning."""
_DECODER = json.JSONDecoder()


class TakenApart(NamedTuple):
    """A reply in its parts; `said` is the whole text, of which a thought may be the beginning."""

    thought: str | None = None
    said: str | None = None
    wanted: tuple[WantedCall, ...] = ()


def take_apart(response: Mapping[str, Any] | None) -> TakenApart:
    """The parts of a chat completion: reasoning, or else the text before the action; text; native calls or JSON."""
    message = _message(response)
    content = message.get("content")
    said = content if isinstance(content, str) and content else None
    wanted = tuple(_native(message.get("tool_calls")))
    reasoned = next((message[name] for name in THOUGHTS if _is_text(message.get(name))), None)
    if wanted:
        return TakenApart(reasoned or said, said, wanted)
    found = None if said is None else _action(said)
    if found is None or said is None:
        return TakenApart(reasoned, said)
    at, call = found
    before = said[:at].removesuffix("\n").rstrip("`json\n ").strip()
    return TakenApart(reasoned or before or None, said, () if call.tool == ANSWER else (call,))


def readable_arguments(arguments: str) -> str:
    """Arguments as the model wrote them, but for letters that it wrote as escapes of JSON: `ä`, not `\\u00e4`."""
    if "\\u" not in arguments:
        return arguments
    try:
        return json.dumps(storable(json.loads(arguments)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


def _message(response: Mapping[str, Any] | None) -> Mapping[str, Any]:
    choices = (response or {}).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return message if isinstance(message, Mapping) else {}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _native(calls: Any) -> Iterator[WantedCall]:
    for one in calls if isinstance(calls, list) else ():
        function = one.get("function") if isinstance(one, Mapping) else None
        if isinstance(function, Mapping):
            given = function.get("arguments")
            yield WantedCall(
                id=one["id"] if isinstance(one.get("id"), str) else None,
                tool=str(function.get("name")),
                arguments=given if isinstance(given, str) else _as_text(given),
            )


def _action(said: str) -> tuple[int, WantedCall] | None:
    """The first JSON object in a text that names a tool and its arguments, and where it begins."""
    searched = said[:SEARCHED]
    at = searched.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            break
        try:
            found, _ = _DECODER.raw_decode(searched, at)
        except RecursionError:
            return None
        except ValueError:
            found = None
        tool, given = _named(found, TOOL_NAMES), _named(found, ARGUMENTS)
        if isinstance(tool, str) and isinstance(given, dict):
            return at, WantedCall(id=None, tool=storable(tool), arguments=_as_text(given))
        at = searched.find("{", at + 1)
    return None


def _as_text(given: Any) -> str:
    return json.dumps(storable(showable(given)), ensure_ascii=False)


def _named(found: Any, names: tuple[str, ...]) -> Any:
    if not isinstance(found, dict):
        return None
    return next((found[name] for name in names if name in found), None)
