"""The part of a task for Inspect that gives an agent the tools of each question's map, by MCP."""

from app.core.errors import UsageError
from app.exports.exported import Export, ExportedQuestion

SOLVER = '''\
import os  # noqa: E402

import httpx  # noqa: E402
from inspect_ai.agent import as_solver, react  # noqa: E402
from inspect_ai.solver import solver  # noqa: E402
from inspect_ai.tool import mcp_server_http, mcp_server_stdio  # noqa: E402

TOOL_SET = "{tool_set}"
URL, KEY = os.environ.get("TRIGPOINT_URL", "").rstrip("/"), os.environ.get("TRIGPOINT_KEY", "")
HEADERS = {{"Authorization": f"Bearer {{KEY}}"}}


async def ask(path, body=None):
    """What the service answers to a POST."""
    async with httpx.AsyncClient(headers=HEADERS, timeout=60) as client:
        answer = await client.post(f"{{URL}}/v1/sessions{{path}}", json=body)
        if answer.is_error:
            raise RuntimeError(f"{{URL}} answers {{answer.status_code}}: {{answer.text}}")
        return answer.json()


@solver
def agent_with_map():
    """Inspect's ReAct agent with the tools of the question's map. It ends when the model answers without a call.

    With TRIGPOINT_URL and TRIGPOINT_KEY, each sample opens a session, which keeps its calls for the submission of the
    log. Otherwise `trigpoint mcp` serves the tools on this machine.
    """

    async def run(state, generate, server):
        return await as_solver(react(tools=[server], submit=False))(state, generate)

    async def solve(state, generate):
        one = state.metadata
        if not URL:
            arguments = ["mcp", "--snapshot", one["snapshot"], "--set", TOOL_SET]
            variables = {{name: os.environ[name] for name in os.environ if name.startswith("TRIGPOINT_")}}
            server = mcp_server_stdio(command="trigpoint", args=arguments, env=variables)
            return await run(state, generate, server)
        asked = {{"dataset": one["dataset"], "question": one["id"], "tool_set": TOOL_SET}}
        session = (await ask("", asked))["session"]
        state.metadata["session"] = session
        try:
            address = f"{{URL}}/v1/sessions/{{session}}/mcp"
            server = mcp_server_http(url=address, headers=HEADERS, timeout=60)
            return await run(state, generate, server)
        finally:
            await ask(f"/{{session}}/close")

    return solve


'''
"""Stands in a task that gives tools."""
USAGE = """

The agent calls the tools of each question's map (set `{tool_set}`). With `TRIGPOINT_URL` and `TRIGPOINT_KEY`, the
address of a service and a submitter's key, it calls them in a session for each question. The calls of the sessions are
kept as steps of the run that submitting the log makes. Without `TRIGPOINT_URL`, the task starts `trigpoint mcp` on this
machine. Both need `pip install mcp`.
"""


def solver_of(export: Export) -> str:
    """The solver of a task whose export names a set of tools. Raises UsageError where a question has no map."""
    without = next((one.id for one in export.questions if not one.snapshots), None)
    if without is not None:
        raise UsageError(
            f"{export.version.reference}: question {without} has no map on which tools could be called. Remove --tools."
        )
    return SOLVER.format(tool_set=export.tool_set)


def map_of(one: ExportedQuestion, export: Export) -> dict[str, str]:
    """What a task's question says beside the others, so that an agent finds its map; nothing in tasks without tools."""
    if export.tool_set is None:
        return {}
    return {"dataset": export.version.reference, "snapshot": str(one.snapshots[0]["snapshot"])}
