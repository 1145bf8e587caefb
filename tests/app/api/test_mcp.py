"""MCP over streamable HTTP: the official SDK's client on the real service, keys, closed maps, foreign pages, bad messages."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from app.agent_tools.calling import call_tool
from app.agent_tools.registry import all_tools
from app.agent_tools.schemas import describe_tools
from app.agent_tools.sets import find_set
from app.core.settings import Role
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.app.agent_tools.calls import HERE, one_call_each
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing
from tests.support.town import Imported

MCP = "/v1/snapshots/tools/mcp"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
Talk = Callable[[Client], Awaitable[None]]


@pytest.fixture(scope="module")
def client(map_: Imported) -> Iterator[httpx.Client]:
    with serving(map_.settings) as address, patient_client(address) as client:
        client.headers.update(bearing(map_.settings, rate=100_000))
        yield client


def call_of(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


def talk_to(url: str, headers: dict[str, str], talk: Talk, mode: str = "auto") -> None:
    async def run() -> None:
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            transport = streamable_http_client(url, http_client=http)
            async with Client(transport, mode=mode) as client:
                await talk(client)

    asyncio.run(asyncio.wait_for(run(), 60))


def address_of(client: httpx.Client) -> str:
    return f"{str(client.base_url).rstrip('/')}{MCP}"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_lists_and_calls_every_tool(map_: Imported, client: httpx.Client, mode: str) -> None:
    async def talk(mcp: Client) -> None:
        listed = (await mcp.list_tools()).tools
        wanted = [one["function"] for one in describe_tools()]
        assert [(one.name, one.description, one.input_schema) for one in listed] == [
            (one["name"], one["description"], one["parameters"]) for one in wanted
        ]
        calls = one_call_each(map_)
        assert list(calls) == list(all_tools())
        for tool, arguments in calls.items():
            answer = await mcp.call_tool(tool, arguments)
            with connect(map_.settings, Role.MAINTAINER) as connection:
                (snapshot,) = find_snapshots(connection, ["tools"])
                expected = call_tool(connection, snapshot, Routers(map_.settings), tool, arguments)
            assert not answer.is_error
            assert answer.structured_content == expected.as_json()
            assert answer.content[0].text.startswith(expected.result.sentence())
        refused = await mcp.call_tool("nearby", {"where": HERE, "kind": "cafe"})
        assert refused.is_error
        assert "there is no argument 'kind'." in refused.content[0].text
        assert (await mcp.call_tool("calculator", {"expression": "1 + 1"})).structured_content

    talk_to(address_of(client), dict(client.headers), talk, mode)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_is_given_the_set_that_its_address_names(
    map_: Imported, client: httpx.Client, mode: str
) -> None:
    async def talk(mcp: Client) -> None:
        assert [one.name for one in (await mcp.list_tools()).tools] == list(find_set("mapeval").tools)
        answer = await mcp.call_tool("PlaceSearch", {"placeName": "Krone"})
        assert answer.content[0].text.startswith(f"{map_.key('Krone')}\n(tools@")
        assert (await mcp.call_tool("nearby", {"where": HERE, "type": "cafe"})).is_error

    talk_to(f"{address_of(client)}?set=mapeval", dict(client.headers), talk, mode)


def test_what_a_client_shows_says_why_it_is_not_let_in(map_: Imported, client: httpx.Client) -> None:
    async def nothing(mcp: Client) -> None:
        for _ in range(2):
            await mcp.list_tools()
        pytest.fail("it was let in")

    closed = address_of(client).replace("/tools/", "/closed/")
    key = bearing(map_.settings)
    for url, headers, said in (
        (closed, key, "Tools are closed on closed@"),
        (closed.replace("closed", "atlantis"), key, "There is no published map 'atlantis'"),
        (
            f"{address_of(client)}?set=satnav",
            key,
            "The sets are: all, calculator, georover, georover_10km, mapeval, mapeval_calculator, spatial_agent.",
        ),
        (address_of(client), {}, "This needs an API key of the role reader"),
        (
            address_of(client),
            {"Authorization": "Bearer trig_12345678_" + "x" * 43},
            "The API key is not known here",
        ),
        (address_of(client), bearing(map_.settings, days=-1), "expired"),
        (address_of(client), key | {"Origin": "https://evil.example"}, "may not call tools here"),
        (address_of(client), bearing(map_.settings, rate=1), "may make 1 requests a minute"),
    ):
        for mode in ("auto", "legacy"):
            with pytest.raises((MCPError, ExceptionGroup)) as refused:
                talk_to(url, headers, nothing, mode)
            assert said in str(_leaf(refused.value)), url


def _leaf(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def refused(answer: httpx.Response) -> tuple[int, str, str]:
    """Status, kind and sentence of an error of JSON-RPC."""
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert (body["jsonrpc"], body["id"], body["error"]["data"]["status"]) == ("2.0", None, answer.status_code)
    assert body["error"]["data"]["request_id"] == answer.headers["x-request-id"]
    return answer.status_code, body["error"]["data"]["code"], body["error"]["message"]


FOREIGN = (
    ({"Host": "evil.example"}, 421),
    ({"Host": "evil.example:8080"}, 421),
    ({"Host": "localhost.evil.example"}, 421),
    ({"Host": "[::1"}, 421),
    ({"Host": "[::1].evil.example"}, 421),
    ({"Host": "localhost:1:evil.example"}, 421),
    ({"Host": "localhost@evil.example"}, 421),
    ({"Host": "localhost:1"}, 200),
    ({"Host": "192.0.2.7:8080"}, 200),
    ({"Host": "[2001:db8::1]:8080"}, 200),
    ({"Host": "Maps.Example:443", "Origin": "https://maps.example:443"}, 200),
    ({"Origin": "https://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://["}, 403),
    ({"Host": "192.0.2.7", "Origin": "http://192.0.2.8"}, 403),
)
"""Headers beside the key, and the status of the answer."""


def test_foreign_names_and_pages_are_refused(map_: Imported) -> None:
    named = map_.settings.model_copy(update={"http_names": "tools.example, Maps.example"})
    key = bearing(map_.settings)
    with serving(named) as address, patient_client(address) as client:
        for headers, status in FOREIGN:
            answer = client.post(MCP, json=LIST, headers=key | headers)
            assert answer.status_code == status, headers
            if status != 200:
                refused(answer)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("nothing", 400, "The body is not JSON: a value is missing."),
        ("", 400, "The body is not JSON"),
        ('{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', 400, "'id' stands in one object twice"),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": {"a": NaN}}}', 400, "NaN is not a number"),
        ("[" * 100_000, 400, "nested too deep"),
        (json.dumps([LIST]), 400, "Lists of messages are not taken."),
        ('{"jsonrpc": "2.0", "id": true, "method": "ping"}', 400, "must be one JSON-RPC 2.0 message"),
        ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": 1e999}}', 400, "the number 1e999 is too large"),
        ('{"id": 1, "method": "tools/list"}', 400, "must be one JSON-RPC 2.0 message"),
        ('{"jsonrpc": "2.0", "id": 1, "result": {}}', 400, "must be one JSON-RPC 2.0 message"),
        ('{"jsonrpc": "2.0", "id": null, "method": "tools/list"}', 400, "must be one JSON-RPC 2.0 message"),
        (json.dumps({**LIST, "method": "A" * 1_100_000}), 413, "larger than 1,000,000 bytes"),
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(client: httpx.Client, body: str, status: int, said: str) -> None:
    answer = client.post(MCP, content=body, headers={"Content-Type": "application/json"})
    assert refused(answer)[0] == status
    assert said in refused(answer)[2]
    assert len(answer.text) < 1_000


def test_requests_that_are_no_messages(client: httpx.Client) -> None:
    for method in ("GET", "DELETE"):
        answer = client.request(method, MCP)
        assert refused(answer)[:2] == (405, "method_not_allowed")
        assert answer.headers["allow"] == "POST"
    assert (
        refused(client.post(MCP, content=json.dumps(LIST), headers={"Content-Type": "text/plain"}))[0] == 415
    )
    assert client.post(MCP, json=LIST, headers={"Accept": "text/html"}).status_code == 406
    assert refused(client.post(f"{MCP}?sett=all", json=LIST))[0] == 422
    assert client.post(f"{MCP}/", json=LIST).headers["location"] == MCP


def test_unknown_methods_and_tools(client: httpx.Client) -> None:
    answer = client.post(MCP, json={"jsonrpc": "2.0", "id": "x", "method": "tools/teleport"})
    assert answer.json()["error"]["code"] == -32601
    answer = client.post(MCP, json=call_of("teleport", {}))
    assert answer.json()["result"]["isError"]
    assert client.post(MCP, json={"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code == 202


def test_a_call_counts_for_what_it_costs(map_: Imported, client: httpx.Client) -> None:
    arguments = one_call_each(map_)["hours_overlap"]
    cost = len(arguments["places"])
    key = bearing(map_.settings, rate=cost + 1)
    answers = [client.post(MCP, json=call_of("hours_overlap", arguments), headers=key) for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert not answers[0].json()["result"]["isError"]
    assert "requests a minute" in answers[1].json()["result"]["content"][0]["text"]
    assert refused(answers[2])[1] == "too_many"
    assert int(answers[2].headers["retry-after"]) >= 1


@pytest.mark.parametrize("version", [None, "2025-06-18", "2026-07-28"])
def test_what_nobody_foresaw_is_told_without_its_cause(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, version: str | None
) -> None:
    headers = {"Accept": "application/json, text/event-stream"}
    message = call_of("reverse_geocode", {"where": HERE})
    if version is not None:
        headers |= {
            "MCP-Protocol-Version": version,
            "Mcp-Method": "tools/call",
            "Mcp-Name": "reverse_geocode",
        }
        meta = "io.modelcontextprotocol"
        message["params"]["_meta"] = {f"{meta}/protocolVersion": version, f"{meta}/clientCapabilities": {}}
    for cause in (
        RuntimeError("secret of the house"),
        OperationalError("select secret", {}, OSError("secret")),
    ):

        def fail(*_: Any, cause: Exception = cause) -> None:
            raise cause

        with monkeypatch.context() as patch:
            patch.setattr("app.api.tool_calls.answer_call", fail)
            answer = client.post(MCP, json=message, headers=headers)
        assert "secret" not in answer.text
        assert "Something failed on our side" in answer.text or "does not answer at the moment" in answer.text
    assert "result" in client.post(MCP, json=message, headers=headers).json()


def test_what_takes_too_long_is_ended_and_the_next_call_works(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = text("select count(*) from generate_series(1, 1000000000)")
    with monkeypatch.context() as patch:
        patch.setattr("app.agent_tools.reversing.around.NEAREST_DOOR", slow)
        result = client.post(MCP, json=call_of("reverse_geocode", {"where": HERE})).json()["result"]
    assert result["isError"]
    assert "This took more than 2 seconds." in result["content"][0]["text"]
    result = client.post(MCP, json=call_of("reverse_geocode", {"where": HERE})).json()["result"]
    assert not result["isError"]


def test_a_server_without_the_readers_password_takes_no_messages(map_: Imported) -> None:
    lacking = map_.settings.model_copy(update={"password_reader": None})
    with serving(lacking) as address, patient_client(address) as client:
        answer = client.post(MCP, json=LIST, headers=bearing(map_.settings))
        assert refused(answer)[0] == 501
        assert "TRIGPOINT_PASSWORD_READER" in refused(answer)[2]
