"""`trigpoint mcp`: the client of the official SDK lists and calls every tool over standard input and output."""

import asyncio
import json
import subprocess
from typing import Any

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from app.agent_tools.calling import call_tool
from app.agent_tools.registry import all_tools
from app.agent_tools.schemas import describe_tools
from app.agent_tools.sets import find_set
from app.core.settings import Role
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.app.agent_tools.calls import HERE, one_call_each
from tests.app.cli.test_tool import PROGRAM, town_environment
from tests.support.town import Imported


def program_on(town: Imported, *options: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=PROGRAM, args=["mcp", "--snapshot", "tools", *options], env=town_environment(town)
    )


def test_the_sdks_client_lists_and_calls_every_tool(tool_town: Imported) -> None:
    async def talk() -> None:
        async with Client(stdio_client(program_on(tool_town))) as client:
            listed = (await client.list_tools()).tools
            wanted = [one["function"] for one in describe_tools()]
            assert [(one.name, one.description, one.input_schema) for one in listed] == [
                (one["name"], one["description"], one["parameters"]) for one in wanted
            ]
            calls = one_call_each(tool_town)
            assert list(calls) == list(all_tools())
            for tool, arguments in calls.items():
                answer = await client.call_tool(tool, arguments)
                with connect(tool_town.settings, Role.MAINTAINER) as connection:
                    (snapshot,) = find_snapshots(connection, ["tools"])
                    expected = call_tool(connection, snapshot, Routers(tool_town.settings), tool, arguments)
                assert not answer.is_error
                assert answer.structured_content == expected.as_json()
                said = answer.content[0].text
                assert said.startswith(expected.result.sentence())
                assert said.endswith("(tools@2024-05-06T07:08:09Z, © OpenStreetMap contributors, ODbL 1.0)")

    asyncio.run(asyncio.wait_for(talk(), 30))


def test_what_a_model_does_wrong_it_is_told_and_the_next_call_works(tool_town: Imported) -> None:
    bad = (
        ("teleport", {}, "There is no tool 'teleport'."),
        ("prices", {}, "prices is unavailable."),
        ("nearby", {"where": HERE, "type": "cafe", "radius_m": 1e9}, "nearby: 'radius_m' was"),
        ("place_search", {"query": "A" * 1_000_000}, "'query' was 'AAAA"),
        ("distance", {"origin": "10.0,50.0", "destination": HERE}, "Latitude comes first."),
    )

    async def talk() -> None:
        async with Client(stdio_client(program_on(tool_town))) as client:
            for tool, arguments, said in bad:
                answer = await client.call_tool(tool, arguments)
                assert answer.is_error
                assert said in answer.content[0].text
                assert (await client.call_tool("calculator", {"expression": "1 + 1"})).structured_content

    asyncio.run(asyncio.wait_for(talk(), 30))


def test_a_set_is_listed_and_called(tool_town: Imported) -> None:
    async def talk() -> None:
        async with Client(stdio_client(program_on(tool_town, "--set", "mapeval"))) as client:
            listed = (await client.list_tools()).tools
            assert [one.name for one in listed] == list(find_set("mapeval").tools)
            answer = await client.call_tool("PlaceSearch", {"placeName": "Krone"})
            assert answer.structured_content["sentence"] == tool_town.key("Krone")

    asyncio.run(asyncio.wait_for(talk(), 30))


def test_a_line_that_is_no_message_is_answered_and_the_next_call_works(tool_town: Imported) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    broken = json.dumps(_calculate(7, "1 + 1")).replace("1 + 1", "\\ud800")
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        broken, "garbage", "", "[]", '{"id": 3, "method": "tools/list"}',
        json.dumps(_calculate(8, "1 + 1")).replace("8", "8.5"), json.dumps(_calculate(8, "6 * 7")),
    ]  # fmt: skip
    with subprocess.Popen(
        [PROGRAM, "mcp", "--snapshot", "tools"],
        env={"PATH": "/usr/bin:/bin", **town_environment(tool_town)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write("".join(f"{line}\n" for line in lines))
        program.stdin.flush()
        answers = [json.loads(program.stdout.readline()) for _ in range(7)]
        program.stdin.close()
        assert program.wait(20) == 0
    told = [(one["id"], one["error"]["code"]) for one in answers if "error" in one]
    assert told == [(7, -32700), (None, -32700), (None, -32600), (3, -32600), (None, -32600)]
    said = [one["error"]["message"] for one in answers if "error" in one]
    assert "holds half of a surrogate pair" in said[0]
    assert said[1] == "The line is not JSON: a value is missing."
    assert said[4] == 'A request needs an "id" that is a text or a whole number.'
    (sum_,) = [one for one in answers if one["id"] == 8]
    assert sum_["result"]["structuredContent"]["result"]["value"] == 42


def _calculate(number: int, expression: str) -> dict[str, Any]:
    called = {"name": "calculator", "arguments": {"expression": expression}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": called}


def test_no_such_map_is_one_sentence(tool_town: Imported) -> None:
    done = subprocess.run(
        [PROGRAM, "mcp", "--snapshot", "atlantis"],
        env={"PATH": "/usr/bin:/bin", **town_environment(tool_town)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "no published snapshot 'atlantis'" in done.stderr
