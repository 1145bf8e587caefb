"""Sets of tools: which tools an agent is given, by which names and arguments. Reads tool_sets/*.toml."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from app.agent_tools.adapting import AdaptedTool, adapt, told_in_set
from app.agent_tools.registry import Tool, all_tools
from app.core.errors import NotFound
from app.core.strict_json import shown_name

ALL = "all"
"""The set that has every tool by its own name; it counts where no set is named."""
SPATIAL_AGENT = "spatial_agent"
"""The set that the operators of GeoFlow graphs call."""
FOLDER = Path(__file__).parent / "tool_sets"


class MadeTools(BaseModel):
    """Tools that no other set has: a package of app.agent_tools makes them by its function `make_tools`."""

    model_config = ConfigDict(extra="forbid")

    by: str
    options: dict[str, float] = {}


class SetFile(BaseModel):
    """A file of tool_sets: tools by their own names, tools that are called otherwise, and tools that only it has.

    `proves`: whether tool plans that have its tools must lead to the same answer with it as with other sets.
    """

    model_config = ConfigDict(extra="forbid")

    description: str
    includes: str | None = None
    """Another set, whose tools this one has, too."""
    every_tool: bool = False
    own: list[str] = []
    tools: list[AdaptedTool] = []
    made: MadeTools | None = None
    proves: bool = True


@dataclass(frozen=True)
class ToolSet:
    """The tools that an agent is given, by the names that it knows them by."""

    name: str
    description: str
    tools: Mapping[str, Tool]
    proves: bool = True


def set_names() -> list[str]:
    """The names of all sets; the set of all tools comes first."""
    return sorted((file.stem for file in FOLDER.glob("*.toml")), key=lambda name: (name != ALL, name))


@cache
def find_set(name: str) -> ToolSet:
    """The set of that name. Raises NotFound."""
    if name not in set_names():
        raise NotFound(
            f"There is no set of tools {shown_name(name)}. The sets are: {', '.join(set_names())}."
        )
    file = _read_file(name)
    entries = [*(_read_file(file.includes).tools if file.includes else []), *file.tools]
    ours = all_tools()
    names = {one.calls: one.name for one in entries}
    names |= {one: one for one in (ours if file.every_tool else file.own)}
    own = list(ours.values()) if file.every_tool else [told_in_set(ours[one], names) for one in file.own]
    tools = [adapt(one, ours[one.calls], names) for one in entries]
    made = _make_tools(file.made) if file.made else ()
    return ToolSet(name, file.description, {one.name: one for one in [*tools, *own, *made]}, file.proves)


def _make_tools(made: MadeTools) -> Sequence[Tool]:
    package = import_module(f"{__package__}.{made.by}")
    tools: Sequence[Tool] = package.make_tools(**made.options)
    return tools


def _read_file(name: str) -> SetFile:
    return SetFile.model_validate(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))
