"""The register of tools, and what no tool can tell because OpenStreetMap does not hold it.

A module of tools registers them by the decorator `tool` and is named in MODULES.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ConfigDict

from app.agent_tools.errors import ToolError
from app.agent_tools.scope import Scope

MODULES = (
    "searching",
    "reversing",
    "details",
    "nearby",
    "measuring",
    "regions",
    "crossings",
    "travelling",
    "directing",
    "matrices",
    "comparing",
    "detours",
    "service_areas",
    "trips",
    "calculating",
    "opening",
)
"""Modules of this package that register tools, in the order in which tools are listed."""
UNAVAILABLE = {
    "ratings": "OpenStreetMap holds no ratings or reviews of places.",
    "prices": "OpenStreetMap holds no prices or price levels.",
    "live_times": "A snapshot holds no live data: no traffic, no waiting times, no present crowds.",
    "transit": "OpenStreetMap holds no timetables of public transport.",
}
"""What agents ask for and no map of OpenStreetMap tells; a name for each, and the sentence that says so."""


class Arguments(BaseModel):
    """The arguments of a tool; one that it does not know is refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    def cost(self) -> int:
        """How many requests of a key's rate a call with these arguments counts for."""
        return 1


class Result(BaseModel):
    """What a tool answers."""

    def sentence(self) -> str:
        """The answer in words, as a model reads it."""
        raise NotImplementedError


def say_plainly(result: Result, _: Arguments) -> str:
    """The answer in the words of the tool itself."""
    return result.sentence()


@dataclass(frozen=True)
class Tool:
    """A tool: its name, what it is for, the function that answers, and the words of the answer."""

    name: str
    description: str
    arguments: type[Arguments]
    result: type[Result]
    run: Callable[[Scope, Any], Result]
    say: Callable[[Any, Any], str] = say_plainly


_TOOLS: dict[str, Tool] = {}
Answering = Callable[[Scope, Any], Result]


def tool(arguments: type[Arguments], result: type[Result]) -> Callable[[Answering], Answering]:
    """Register the decorated function as the tool of its name; its docstring is what models read about the tool."""

    def register(function: Answering) -> Answering:
        name = function.__name__
        description = " ".join((function.__doc__ or "").split())
        _TOOLS[name] = Tool(name, description, arguments, result, function)
        return function

    return register


@cache
def all_tools() -> dict[str, Tool]:
    """Every tool by its name, in the order of MODULES."""
    for module in MODULES:
        import_module(f"app.agent_tools.{module}")
    order = {f"{__package__}.{module}": number for number, module in enumerate(MODULES)}
    return dict(sorted(_TOOLS.items(), key=lambda one: order[one[1].run.__module__]))


def find_tool(name: str, tools: Mapping[str, Tool] | None = None) -> Tool:
    """The tool of that name among `tools`, which are all by default.

    Raises ToolError where there is none, or where the map cannot tell what it asks for.
    """
    tools = all_tools() if tools is None else tools
    if name in tools:
        return tools[name]
    if name in UNAVAILABLE:
        raise ToolError(f"{name} is unavailable. {UNAVAILABLE[name]}", "unavailable")
    raise ToolError(f"There is no tool {name[:60]!r}. The tools are: {', '.join(tools)}.", "unknown_tool")
