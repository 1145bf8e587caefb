"""Calls a tool on a snapshot: checks the arguments, reads the map in one transaction, and gives the answer."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import Connection

from app.agent_tools.errors import ToolError
from app.agent_tools.registry import Arguments, Result, Tool, find_tool
from app.agent_tools.scope import Scope
from app.core.words import with_hidden_shown
from app.questions.records import SnapshotRef
from app.routing.routers import Routers

CREDIT = "© OpenStreetMap contributors, ODbL 1.0"
TOOLS_VERSION = 1
"""Raised when a tool's answer to the same call may change."""
LONGEST_SHOWN = 60
"""Characters of a wrong argument that a message repeats."""


class ToolAnswer(NamedTuple):
    """What a tool answered, and of which map."""

    tool: str
    snapshot: str
    result: Result

    def as_json(self) -> dict[str, Any]:
        """As `trigpoint tool --json` prints it, and REST answers."""
        return {
            "tool": self.tool,
            "tools_version": TOOLS_VERSION,
            "snapshot": self.snapshot,
            "result": self.result.model_dump(mode="json", exclude_none=True),
            "sentence": self.result.sentence(),
            "credit": CREDIT,
        }


class ToolCall(NamedTuple):
    """A call that can be made: a tool, and arguments that it takes."""

    tool: Tool
    arguments: Arguments


def call_tool(
    connection: Connection,
    snapshot: SnapshotRef,
    routers: Routers,
    name: str,
    arguments: Mapping[str, Any],
) -> ToolAnswer:
    """The answer of a tool. Raises ToolError with one sentence where it cannot be given.

    The connection's transaction ends with the call; nothing is ever written. `routers` are held open from call to call.
    """
    return answer_call(connection, snapshot, routers, read_call(name, arguments))


def read_call(name: str, arguments: Mapping[str, Any]) -> ToolCall:
    """The call as it was asked for. Raises ToolError where there is no such tool, or an argument is wrong."""
    tool = find_tool(name)
    return ToolCall(tool, check_arguments(tool, arguments))


def answer_call(
    connection: Connection, snapshot: SnapshotRef, routers: Routers, call: ToolCall
) -> ToolAnswer:
    """The answer to a call, as `call_tool` gives it."""
    scope = Scope(connection, snapshot, routers)
    try:
        scope.begin()
        result = call.tool.run(scope, call.arguments)
        return ToolAnswer(call.tool.name, snapshot.reference, result)
    finally:
        connection.rollback()


def check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> Arguments:
    """The arguments of a call, read. Raises ToolError that names the first that is wrong, and what it may be."""
    try:
        return tool.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        raise ToolError(f"{tool.name}: {_describe(error, tool)}") from None


def _describe(error: ValidationError, tool: Tool) -> str:
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"]) or "the arguments"
    if first["type"] == "extra_forbidden":
        return f"there is no argument {_shown(name)}. The arguments are: {', '.join(tool.arguments.model_fields)}."
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
