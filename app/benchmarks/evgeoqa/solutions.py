"""How the tool plans of the questions are carried out: with the tools of agents, on the question's map.

Many questions of a map look beside the same stations, so answers to calls are kept as long as the connection is.
"""

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection

from app.agent_tools.calling import ToolAnswer, ToolCall
from app.agent_tools.tool_plans.running import answers_within, solve_with
from app.questions.programs import RouterSource
from app.questions.records import SnapshotRef
from app.questions.tool_plans import carries_out_plans

Kept = dict[tuple[int, str, str], ToolAnswer]
_KEPT: "WeakKeyDictionary[Connection, Kept]" = WeakKeyDictionary()


@carries_out_plans("evgeoqa")
def solve_once(
    connection: Connection, snapshot: SnapshotRef, plan: Any, routers: RouterSource | None = None
) -> Mapping[str, Any]:
    """The answer to which a plan leads; no call is made twice on a map."""
    kept = _KEPT.setdefault(connection, {})
    answering = answers_within(connection, snapshot, routers)

    def answer(call: ToolCall) -> ToolAnswer:
        asked = (snapshot.id, call.tool.name, call.arguments.model_dump_json())
        if asked not in kept:
            kept[asked] = answering(call)
        return kept[asked]

    return solve_with(answer, plan)
