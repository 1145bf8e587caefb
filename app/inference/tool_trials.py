"""Finds out whether an endpoint can call tools, by trying: one call, several in one answer, results, `tool_choice`.

Also whether it can answer with one JSON object, by which agents act that call tools in text.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.core.strict_json import read_json
from app.inference.abilities import JSON, PARALLEL, RESULTS, TOOLS, Finding, Found
from app.inference.assistant_messages import assistant_message
from app.inference.outcomes import Reply
from app.inference.tool_requests import ToolRequest
from app.inference.trials import Judge, Trials, text_of

WEATHER, TIME = "look_up_weather", "look_up_time"
WHERE = "What is the weather in Oslo? Look it up with the tool."
BOTH = "What is the weather in Oslo, and what is it in Lima? Look both up with the tool, in two calls at the same time."
HELLO = "Say hello to me."
AS_JSON = (
    "You want to know the weather in Oslo and can look it up. Answer with one JSON object and nothing else, of the "
    f'form {{"tool": "{TIME}", "arguments": {{"city": "Lima"}}}}. The tools are {TIME} and {WEATHER}.'
)
RESULT = "It is 17.4 degrees in Oslo, and it hails."
_OF_RESULT = ("17.4", "hail")
"""What only somebody who has read the result says."""
_FENCED = re.compile(r"\A```\w*\s*(.*?)\s*```\Z", re.DOTALL)
_NO_CALL = "It was offered a tool and did not call it."


def _tool(name: str, description: str) -> dict[str, Any]:
    city = {"type": "string", "description": "name of a city"}
    parameters = {"type": "object", "properties": {"city": city}, "required": ["city"]}
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


OFFERED = [
    _tool(WEATHER, "Looks up what the weather in a city is now."),
    _tool(TIME, "Looks up what time it is in a city."),
]


async def try_tools(trials: Trials, found: dict[str, Finding]) -> None:
    """Note in `found` what the endpoint can do with tools. Raises Unanswered.

    The other trials are made only where it calls a tool.
    """
    found[TOOLS], reply = await trials.judge("tools", _calls_once, WHERE, tools=OFFERED)
    if found[TOOLS].found != "yes" or reply is None:
        found |= {trial.name: Finding(found[TOOLS].found) for trial in _TRIALS}
        found[RESULTS] = Finding(found[TOOLS].found)
        return
    found[RESULTS] = await _try_results(trials, reply)
    for trial in _TRIALS:
        found[trial.name], _ = await trials.judge(
            trial.what, trial.judge, trial.words, tools=OFFERED, **trial.more
        )


async def try_json(trials: Trials, found: dict[str, Finding]) -> None:
    """Note in `found` whether an answer is one JSON object where that is asked for. Raises Unanswered."""
    found[JSON], _ = await trials.judge("a JSON object as an answer", _is_action, AS_JSON)


async def _try_results(trials: Trials, reply: Reply) -> Finding:
    """Whether the endpoint reads results of tools: its own calls go back with one each."""
    results = [{"role": "tool", "tool_call_id": one.id, "content": RESULT} for one in reply.tool_calls]
    messages = [{"role": "user", "content": WHERE}, assistant_message(reply), *results]
    finding, _ = await trials.judge(
        "results of tools", _tells_result, WHERE, tools=OFFERED, messages=messages
    )
    return finding


def _cities(requests: Sequence[ToolRequest], name: str) -> set[str]:
    """The cities for which a tool is called."""
    cities = set()
    for one in requests:
        if one.name == name:
            try:
                arguments = read_json(one.arguments_text)
            except ValueError:
                continue
            city = arguments.get("city") if isinstance(arguments, dict) else None
            cities |= {city.strip().casefold()} if isinstance(city, str) else set()
    return cities


def _asks_for(requests: Sequence[ToolRequest], *wanted: str) -> bool:
    """Whether the weather of each of these cities is looked up."""
    cities = _cities(requests, WEATHER)
    return all(any(name in city for city in cities) for name in wanted)


def _finding(is_right: bool, remark: str) -> Finding:
    return Finding("yes") if is_right else Finding("no", remark)


def _calls_once(reply: Reply) -> Finding:
    if not reply.tool_calls:
        return Finding("no", _NO_CALL)
    return _finding(
        _asks_for(reply.tool_calls, "oslo"), "It called a tool, but not with the argument that was asked for."
    )


def _calls_twice(reply: Reply) -> Finding:
    return _finding(
        _asks_for(reply.tool_calls, "oslo", "lima"),
        "It makes one call of a tool an answer, where two are wanted.",
    )


def _calls_none(reply: Reply) -> Finding:
    return _finding(not reply.tool_calls, "It calls a tool where tool_choice is none.")


def _calls_any(reply: Reply) -> Finding:
    return _finding(bool(reply.tool_calls), "It calls no tool where tool_choice is required.")


def _calls_named(reply: Reply) -> Finding:
    names = {one.name for one in reply.tool_calls}
    return _finding(names == {TIME}, "It does not call the tool that tool_choice names.")


def _tells_result(reply: Reply) -> Finding:
    said = text_of(reply)
    return _finding(
        any(word in said for word in _OF_RESULT),
        "It takes results of tools, but did not use the one it was given.",
    )


class _Trial(NamedTuple):
    """A trial beyond the first call: the fields `more` in a call whose words alone would lead elsewhere."""

    name: str
    what: str
    judge: Judge
    words: str
    more: dict[str, Any]


def _choice(name: str, value: Any, judge: Judge, words: str) -> _Trial:
    return _Trial(f"tool_choice_{name}", f"tool_choice {name}", judge, words, {"tool_choice": value})


_TRIALS = (
    _Trial(PARALLEL, "several calls in one answer", _calls_twice, BOTH, {}),
    _choice("auto", "auto", _calls_once, WHERE),
    _choice("required", "required", _calls_any, HELLO),
    _choice("none", "none", _calls_none, WHERE),
    _choice("named", {"type": "function", "function": {"name": TIME}}, _calls_named, WHERE),
)


def _is_action(reply: Reply) -> Finding:
    """Whether an answer is the action that was asked for, bare or between marks of code."""
    said = text_of(reply)
    fenced = _FENCED.match(said)
    found: Found = "fenced" if fenced else "yes"
    try:
        action = read_json(fenced.group(1) if fenced else said)
    except ValueError:
        return Finding("no", "It was asked for one JSON object, and its answer is none.")
    is_right = (
        isinstance(action, dict)
        and action.get("tool") == WEATHER
        and isinstance(action.get("arguments"), dict)
        and "oslo" in str(action["arguments"].get("city")).casefold()
    )
    return (
        Finding(found)
        if is_right
        else Finding("no", "Its JSON object is not of the form that was asked for.")
    )
