"""The calls of which plans are made. A place is found by its name, and later calls take its id from the result."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.questions.tool_plans import NO_PLAN, TOOL_PLAN

JSON = dict[str, Any]


def call(tool: str, **arguments: Any) -> JSON:
    """A call of a tool."""
    return {"tool": tool, "arguments": arguments}


def search(name: str) -> JSON:
    """The call that finds a place or a region by its name."""
    return call("place_search", query=name)


def result(number: int, *path: Any) -> JSON:
    """What a path leads to in the result of a call."""
    return {"$call": number, "path": list(path)}


def found(number: int, **wanted: str) -> JSON:
    """The id of the first hit of a search that has these fields, such as the name."""
    return result(number, "hits", {"first": wanted}, "id")


def plan(answer: Mapping[str, Any], *calls: JSON) -> Mapping[str, JSON]:
    """The solution of a question: calls, and how the answer follows from their results."""
    return {TOOL_PLAN: {"calls": list(calls), "answer": dict(answer)}}


def no_plan(reason: str) -> Mapping[str, JSON]:
    """The solution of a question that tools cannot answer, or not in so many calls, and why."""
    return {NO_PLAN: {"reason": reason}}


def members(names: Sequence[Any], values: Sequence[JSON | list[JSON]]) -> list[JSON]:
    """The names, or other values, of which some are chosen, each with the value by which it is."""
    return [{"say": name, "by": value} for name, value in zip(names, values, strict=True)]
