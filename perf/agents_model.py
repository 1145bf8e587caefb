"""Benchmarks: a model that calls ten tools in nine turns, and then answers; what it says depends on the conversation.

Its calls are about places between Vaduz and Schaan that the question's digest draws.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from perf.runs_endpoint import Said, answer_to, digest_of

CHAT_CALLS: Final = 10
TOOL_CALLS: Final = 10
"""Calls of an episode: the first turn has two calls of tools, the last turn is the answer."""
SOUTH, WEST, NORTH, EAST = 47.13, 9.515, 47.18, 9.545


def say_next(body: Mapping[str, Any]) -> Said:
    """The next message of a conversation: calls of tools, or the answer."""
    messages = body["messages"]
    prompt = text_of(next(one["content"] for one in messages if one["role"] == "user"))
    turn = sum(one["role"] == "assistant" for one in messages)
    key = digest_of_turn(prompt, turn)
    if turn >= CHAT_CALLS - 1:
        return Said(key, {"content": answer_to(prompt)})
    calls = calls_of(prompt)
    asked = calls[:2] if turn == 0 else calls[turn + 1 : turn + 2]
    return Said(key, {"tool_calls": [_protocol_call(turn, place, *one) for place, one in enumerate(asked)]})


def digest_of_turn(prompt: str, turn: int) -> str:
    """What a request is known by: the question's prompt, and how often the model has spoken before."""
    return digest_of(f"{prompt.strip()} {turn}")


def wanted_of(prompts: Iterable[str]) -> Counter[str]:
    """How often each request is to be asked, by its digest."""
    return Counter(digest_of_turn(prompt, turn) for prompt in prompts for turn in range(CHAT_CALLS))


def calls_of(prompt: str) -> Sequence[tuple[str, dict[str, Any]]]:
    """The calls of an episode, in their order: each about points of its own."""
    points = [_point(prompt, number) for number in range(TOOL_CALLS + 2)]
    return [
        ("place_search", {"query": "Gasthof", "near": points[0]}),
        ("calculator", {"expression": f"{int(digest_of(prompt)[:6], 16)} / 7"}),
        ("reverse_geocode", {"where": points[2]}),
        ("nearby", {"where": points[3], "type": "restaurant"}),
        ("distance", {"origin": points[4], "destination": points[5]}),
        ("bearing", {"origin": points[5], "destination": points[6]}),
        ("travel_time", {"origin": points[6], "destination": points[7]}),
        ("place_search", {"query": "Museum", "near": points[8]}),
        ("nearby", {"where": points[9], "type": "cafe", "limit": 10}),
        ("move", {"origin": points[10], "direction": "north", "distance_m": 500}),
    ]


def text_of(content: Any) -> str:
    """The text of a message, be it one text or a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")


def _point(prompt: str, number: int) -> str:
    drawn = digest_of(f"{prompt.strip()} point {number}")
    north, east = (int(drawn[start : start + 8], 16) / 16**8 for start in (0, 8))
    return f"{SOUTH + north * (NORTH - SOUTH):.6f},{WEST + east * (EAST - WEST):.6f}"


def _protocol_call(turn: int, place: int, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": f"call_{turn}_{place}", "type": "function", "function": function}
