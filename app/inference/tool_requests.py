"""Tool calls that a model asks for in an answer: read from a completion, and sent back in the next request. Pure.

Servers differ in how they write them, and models in what they write. So everything that is asked for is read, however
it is malformed, and whoever carries it out tells the model what was wrong. What is sent back is well formed, since
servers refuse requests whose earlier calls are not (vLLM parses the arguments of each as JSON, OpenAI checks names).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from app.core.identity import canonical_json
from app.core.strict_json import read_json, storable

MOST_REQUESTS = 64
LONGEST_ARGUMENTS = 64 * 1024
"""Characters of one call's arguments."""
LONGEST_ID = 16 * 1024
"""Characters; gateways hide signatures of thoughts in ids, which go back as they came."""
LONGEST_NAME = 200
NO_ARGUMENTS = "{}"
UNREADABLE = "unreadable_arguments"
"""The argument under which the text of arguments is sent back that are no JSON object."""
UNNAMED = "unnamed"
_SHOWN_UNREADABLE = 1_000
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_SENT_NAME = 64
"""As OpenAI allows for names of functions."""


@dataclass(frozen=True)
class ToolRequest:
    """A call that the model asks for. `name` is empty where it gave none; `arguments_text` is what it wrote.

    No two requests of an answer have the same id. `is_cut` says that the arguments were longer than LONGEST_ARGUMENTS.
    """

    id: str
    name: str
    arguments_text: str
    is_cut: bool = False


def read_tool_requests(message: Mapping[str, Any]) -> tuple[tuple[ToolRequest, ...], str | None]:
    """The calls that an assistant's message asks for, at most MOST_REQUESTS, and in a sentence what was left out.

    `tool_calls` count, else the `function_call` that came before them. Arguments that are an object become its JSON
    text, and absent ones `{}`. A call without an id of its own gets one by its place: `call_0`, `call_1`, …
    """
    written = _written(message)
    kept = written[:MOST_REQUESTS]
    requests = tuple(map(_read_one, _ids(kept), kept))
    faults = []
    if len(written) > len(kept):
        faults.append(
            f"The answer asks for {len(written):,} tool calls; only the first {MOST_REQUESTS} are read."
        )
    if any(one.is_cut for one in requests):
        faults.append(
            f"The arguments of a tool call are longer than {LONGEST_ARGUMENTS:,} characters; the rest is left out."
        )
    return requests, " ".join(faults) or None


def tool_calls_to_send(requests: Sequence[ToolRequest], message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The calls as the next request holds them, in the protocol's form; `message` is where they were read.

    The field `extra_content` of a call goes back as it came: Gemini signs its thoughts there and answers 400 where the
    signature is missing (ai.google.dev/gemini-api/docs/thought-signatures).
    """
    made = []
    for one, written in zip_longest(requests, _written(message)[: len(requests)]):
        extra = written.get("extra_content") if isinstance(written, dict) else None
        function = {"name": _sent_name(one.name), "arguments": _sent_arguments(one.arguments_text)}
        call = {"id": one.id, "type": "function", "function": function}
        made.append(call | ({} if extra is None else {"extra_content": extra}))
    return made


def _written(message: Mapping[str, Any]) -> list[Any]:
    """The calls as the server wrote them."""
    calls = message.get("tool_calls")
    if not calls:
        former = message.get("function_call")
        return [{"function": former}] if former else []
    return calls if isinstance(calls, list) else [calls]


def _read_one(name_of_call: str, written: Any) -> ToolRequest:
    call = written if isinstance(written, dict) else {}
    function = call.get("function")
    function = function if isinstance(function, dict) else call
    name, arguments = function.get("name"), function.get("arguments")
    text = arguments if isinstance(arguments, str) else NO_ARGUMENTS
    if arguments is not None and not isinstance(arguments, str):
        text = canonical_json(arguments)
    shown = name.strip()[:LONGEST_NAME] if isinstance(name, str) else ""
    return ToolRequest(
        name_of_call,
        shown,
        text[:LONGEST_ARGUMENTS] if text.strip() else NO_ARGUMENTS,
        len(text) > LONGEST_ARGUMENTS,
    )


def _ids(calls: Sequence[Any]) -> list[str]:
    """An id for each call: its own where it has one that no call before it has."""
    given = [call.get("id") if isinstance(call, dict) else None for call in calls]
    own = [one if isinstance(one, str) and 0 < len(one) <= LONGEST_ID else None for one in given]
    taken = {one for one in own if one is not None}
    ids: list[str] = []
    for place, one in enumerate(own):
        if one is None or one in ids:
            one = f"call_{place}"
            while one in taken:
                one += "_"
            taken.add(one)
        ids.append(one)
    return ids


def _sent_name(name: str) -> str:
    return _NOT_IN_NAMES.sub("_", name)[:_LONGEST_SENT_NAME] or UNNAMED


def _sent_arguments(text: str) -> str:
    """The arguments where they are a JSON object; else an object that holds the beginning of their text.

    NUL characters and lone surrogates are replaced, as they are in the call that was made: servers fail on them.
    """
    try:
        arguments = read_json(text)
        made = storable(arguments)
    except (ValueError, RecursionError):
        made = None
    if not isinstance(made, dict):
        return canonical_json({UNREADABLE: storable(text[:_SHOWN_UNREADABLE])})
    return text if made == arguments else canonical_json(made)
