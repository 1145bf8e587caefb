"""Calls a tool on a snapshot: checks the arguments, reads the map in one transaction, and gives the answer."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import Connection

from app.agent_tools.errors import ToolError
from app.agent_tools.faults import describe_fault
from app.agent_tools.registry import Arguments, Result, Tool, find_tool
from app.agent_tools.scope import Scope
from app.questions.records import SnapshotRef
from app.routing.routers import Routers

CREDIT = "© OpenStreetMap contributors, ODbL 1.0"
TOOLS_VERSION = 3
"""Raised when a tool's answer to the same call may change."""


class ToolAnswer(NamedTuple):
    """What a tool answered, and of which map."""

    tool: str
    snapshot: str
    result: Result
    sentence: str

    def as_json(self) -> dict[str, Any]:
        """As `trigpoint tool --json` prints it, and REST answers."""
        return {
            "tool": self.tool,
            "tools_version": TOOLS_VERSION,
            "snapshot": self.snapshot,
            "result": self.result.model_dump(mode="json", exclude_none=True),
            "sentence": self.sentence,
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
    tools: Mapping[str, Tool] | None = None,
) -> ToolAnswer:
    """The answer of a tool of a set. Raises ToolError with one sentence where it cannot be given.

    The connection's transaction ends with the call; nothing is ever written. `routers` are held open from call to call.
    """
    return answer_call(connection, snapshot, routers, read_call(name, arguments, tools))


def read_call(name: str, arguments: Mapping[str, Any], tools: Mapping[str, Tool] | None = None) -> ToolCall:
    """The call as it was asked for. Raises ToolError where there is no such tool, or an argument is wrong."""
    tool = find_tool(name, tools)
    return ToolCall(tool, check_arguments(tool, arguments))


def answer_call(
    connection: Connection, snapshot: SnapshotRef, routers: Routers, call: ToolCall
) -> ToolAnswer:
    """The answer to a call, as `call_tool` gives it."""
    scope = Scope(connection, snapshot, routers)
    try:
        scope.begin()
        return answer_in(scope, call)
    finally:
        connection.rollback()


def answer_in(scope: Scope, call: ToolCall) -> ToolAnswer:
    """The answer to a call in a scope that has begun."""
    result = call.tool.run(scope, call.arguments)
    sentence = call.tool.say(result, call.arguments)
    return ToolAnswer(call.tool.name, scope.snapshot.reference, result, sentence)


def check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> Arguments:
    """The arguments of a call, read. Raises ToolError that names the first that is wrong, and what it may be."""
    try:
        return tool.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        raise ToolError(f"{tool.name}: {describe_fault(error, tool.arguments.model_fields)}") from None
