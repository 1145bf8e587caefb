"""Inspect's MCP tools list and call every tool, over standard input and output and over HTTP."""

import json

import pytest

from app.agent_tools.registry import all_tools
from tests.app.agent_tools.calls import one_call_each
from tests.app.cli.test_tool import PROGRAM, town_environment
from tests.support.peers import ask_peer
from tests.support.service import serving
from tests.support.tool_maps import bearing
from tests.support.town import Imported

ASK = """
import anyio, json, sys
from inspect_ai.tool import ToolDef, ToolError, mcp_connection, mcp_server_http, mcp_server_stdio

asked = json.loads(sys.argv[1])
servers = {
    "http": mcp_server_http(url=asked["url"], authorization=asked["key"], timeout=60),
    "stdio": mcp_server_stdio(command=asked["command"], args=asked["args"], env=asked["environment"]),
}

async def ask(server):
    answers = {}
    async with server:
        tools = {ToolDef(tool).name: tool for tool in await server.tools()}
        for name, arguments in asked["calls"].items():
            answers[name] = "".join(part.text for part in await tools[name](**arguments))
        try:
            await tools["nearby"](where="10.0,50.0", type="cafe")
        except ToolError as error:
            answers["error"] = error.message
    return {"tools": list(tools), "answers": answers}

async def main():
    print(json.dumps({name: await ask(server) for name, server in servers.items()}))

anyio.run(main)
"""


@pytest.mark.long
def test_inspect_lists_and_calls_every_tool_over_both_transports(map_: Imported) -> None:
    with serving(map_.settings) as address:
        asked = {
            "url": f"{address}/v1/snapshots/tools/mcp",
            "key": bearing(map_.settings)["Authorization"].removeprefix("Bearer "),
            "command": PROGRAM,
            "args": ["mcp", "--snapshot", "tools"],
            "environment": town_environment(map_),
            "calls": one_call_each(map_),
        }
        told = ask_peer(ASK, json.dumps(asked))
    assert told["http"] == told["stdio"]
    assert told["http"]["tools"] == list(all_tools())
    answers = told["http"]["answers"]
    assert "Latitude comes first." in answers.pop("error")
    assert list(answers) == list(all_tools())
    assert all(said.endswith("© OpenStreetMap contributors, ODbL 1.0)") for said in answers.values())
