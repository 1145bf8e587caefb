"""Fields of a chat call's body that somebody sets or leaves away, since servers differ in what they take. Pure.

A run's sampling holds them under `body`, so they are part of what makes it the same run and of each request's hash.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.strict_json import plain_fault

BODY = "body"
"""The name among a run's sampling."""
EXAMPLE = 'give fields to set, and null for one to leave away, such as {"seed": null}'
LONGEST = 8_192
MAX_TOKENS, MAX_COMPLETION_TOKENS = "max_tokens", "max_completion_tokens"
FORMS = frozenset(
    "response_format structured_outputs guided_choice guided_json guided_regex guided_grammar grammar".split()
)
"""What forces the form of an answer: `--guided` and the judge do that, and boards tell."""
TOOLS = ("tools", "functions")
TOOL_CHOICES = ("tool_choice", "function_call")
PARALLEL_TOOL_CALLS = "parallel_tool_calls"
_NOT_STORABLE = re.compile("[\0\ud800-\udfff]")
_SECRET = re.compile(
    r"(?:api|access|auth|secret)?[ _-]*(?:key|token|secret|password|authorization)", re.IGNORECASE
)


def read_body(text: str) -> dict[str, Any]:
    """The fields in a JSON object, null for one that is left away. Raises UsageError."""
    try:
        given = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        said = plain_fault(error) if isinstance(error, json.JSONDecodeError) else error
        raise UsageError(f"The body {text[:60]!r} cannot be read, {said}: {EXAMPLE}.") from error
    return check_body(given)


def check_body(given: Any) -> dict[str, Any]:
    """The fields, where they may be set. Raises UsageError for those that are a run's or the question's own."""
    if not isinstance(given, dict):
        raise UsageError(f"The body is no JSON object: {EXAMPLE}.")
    for name, value in given.items():
        refused = _refused(name, value)
        if refused:
            raise UsageError(f"The body cannot hold {name!r} so: {refused}.")
    if given.get(MAX_TOKENS) is not None and given.get(MAX_COMPLETION_TOKENS) is not None:
        raise UsageError(f"The body sets {MAX_TOKENS} and {MAX_COMPLETION_TOKENS}: servers take one of them.")
    if len(told := canonical_json(given)) > LONGEST:
        raise UsageError(f"The body has {len(told):,} characters: at most {LONGEST:,} are stored with a run.")
    for text in _texts(given):
        if _NOT_STORABLE.search(text):
            raise UsageError("The body holds a NUL or half a surrogate pair, which cannot be stored.")
    for name in _names(given):
        if _SECRET.fullmatch(name):
            raise UsageError(
                f"The body cannot hold {name!r}: it is stored and shown. A key is named by --key-variable."
            )
    return given


def shaped(call: Mapping[str, Any], body: Mapping[str, Any] | None) -> dict[str, Any]:
    """A call with the fields of `body` set, and those left away that are null there. Shaping it again changes nothing.

    A longest answer that the call names itself goes into `max_completion_tokens` where the body has that; the body's
    own number is for calls that name none. `parallel_tool_calls` is only set in calls that offer tools: OpenAI refuses
    it in others.
    """
    made = dict(call)
    fields = dict(body or {})
    if fields.get(MAX_COMPLETION_TOKENS) is not None:
        fields.pop(MAX_TOKENS, None)
        named = (made.pop(MAX_TOKENS, None), made.get(MAX_COMPLETION_TOKENS))
        fields[MAX_COMPLETION_TOKENS] = next(
            (one for one in named if one is not None), fields[MAX_COMPLETION_TOKENS]
        )
    for name, value in fields.items():
        if value is None:
            made.pop(name, None)
        else:
            made[name] = value
    if not made.get("tools"):
        made.pop(PARALLEL_TOOL_CALLS, None)
    return made


def longest_answer(call: Mapping[str, Any]) -> int | None:
    """The tokens that an answer to the call may have; None where it names none."""
    named = (call.get(MAX_TOKENS), call.get(MAX_COMPLETION_TOKENS))
    numbers = [one for one in named if isinstance(one, int) and not isinstance(one, bool)]
    return max(numbers, default=None)


def _refused(name: str, value: Any) -> str | None:
    """Why a field may not be set to this."""
    if name == "messages":
        return "it is the question"
    if name == "model":
        return "it is the endpoint's, by --model"
    if name == "seed" and value is not None:
        return "give --seed, by which repeats differ; a body may only leave it away, with null"
    if name == "stream" and value not in (None, False):
        return "answers are read whole; false or null are possible"
    if name == "n" and (isinstance(value, bool) or value not in (None, 1)):
        return "each question has one answer a call; --repeats asks more often"
    if name in FORMS and value is not None:
        return "--guided sets the form of answers; a body may only leave it away, with null"
    if name in TOOLS:
        return "a run's tools are those of its solver and its set of tools, by which boards compare it"
    if name in TOOL_CHOICES and value is not None:
        return "the solver decides when a tool is to be called; a body may only leave it away, with null"
    if name == PARALLEL_TOOL_CALLS and not isinstance(value, bool | None):
        return "it is true or false, or null to leave it away"
    longest = name in (MAX_TOKENS, MAX_COMPLETION_TOKENS) and value is not None
    if longest and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        return "it is a number of tokens, at least 1"
    return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"it names {twice!r} twice")
    return made


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _names(value: Any) -> Iterable[str]:
    """The names of all fields, at any depth."""
    if isinstance(value, dict):
        yield from value
    for one in _inner(value):
        yield from _names(one)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    if isinstance(value, dict):
        yield from value
    for one in _inner(value):
        yield from _texts(one)


def _inner(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
