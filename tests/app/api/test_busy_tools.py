"""Calls of tools over REST and MCP while others take long, and what people write into arguments to do harm."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from app.agent_tools.calling import answer_call
from app.agent_tools.errors import ToolError
from app.db.pools import TOOL_POOL
from tests.app.agent_tools.calls import HERE
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing
from tests.support.town import Imported

JSON = {"Content-Type": "application/json"}
TOOLS, MCP = "/v1/snapshots/tools/tools", "/v1/snapshots/tools/mcp"
SLOW = 1.5
"""Seconds that calls of reverse_geocode take where `make_slow` was called."""
HARM = (
    "'; drop table poi; --",
    '" or 1=1 --',
    "%(where)s :lat {0} {{ 7 * 7 }} ${jndi}",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "\u202egnp.exe",
    "a\x00b",
    "a\nb\x1b[31m",
    "\ud83d",
    "%" * 200,
    "𝕬" * 200,
    "A" * 900_000,
)
"""Texts that must be looked for as they are, or be refused, and nothing else."""


@pytest.fixture(scope="module")
def client(map_: Imported) -> Iterator[httpx.Client]:
    with serving(map_.settings) as address, patient_client(address) as client:
        client.headers.update(bearing(map_.settings, rate=100_000))
        yield client


def by_rest(client: httpx.Client, tool: str, arguments: dict[str, Any]) -> tuple[int, str]:
    """Status and text of an answer, or of a refusal."""
    path = f"{TOOLS}/{quote(tool, safe='', errors='surrogatepass')}"
    answer = client.post(path, content=json.dumps(arguments), headers=JSON)
    body = answer.json()
    return answer.status_code, body["sentence"] if answer.status_code == 200 else body["detail"]


def by_mcp(client: httpx.Client, tool: str, arguments: dict[str, Any]) -> tuple[int, str]:
    """The same; a result that is marked as an error counts as 422."""
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = client.post(MCP, content=json.dumps(message), headers=JSON)
    if answer.status_code != 200:
        return answer.status_code, answer.json()["error"]["message"]
    result = answer.json()["result"]
    return 422 if result["isError"] else 200, result["content"][0]["text"]


def make_slow(monkeypatch: pytest.MonkeyPatch) -> Semaphore:
    """The role of tools may not sleep in the database, so the thread of the call sleeps.

    The semaphore is released once by each slow call that has begun.
    """
    begun = Semaphore(0)

    def answer(*given: Any) -> Any:
        if given[-1].tool.name == "reverse_geocode":
            begun.release()
            time.sleep(SLOW)
        return answer_call(*given)

    monkeypatch.setattr("app.api.tool_calls.answer_call", answer)
    return begun


WAYS = pytest.mark.parametrize("ask", [by_rest, by_mcp], ids=["rest", "mcp"])


@WAYS
def test_a_caller_reads_what_the_tool_says_of_a_lost_router(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    said = "No route was found just now. Ask again."

    def lose(*_: Any) -> None:
        raise ToolError(said, "try_again")

    monkeypatch.setattr("app.api.tool_calls.answer_call", lose)
    status, told = ask(client, "travel_time", {"origin": HERE, "destination": "50.001,10.0"})
    assert (status, told) == (503 if ask is by_rest else 422, said)


@WAYS
def test_harmful_texts_are_looked_for_or_refused(client: httpx.Client, ask: Any) -> None:
    before = ask(client, "nearby", {"where": HERE, "type": "restaurant"})
    for said in HARM:
        for tool, arguments in (
            ("place_search", {"query": said}),
            ("place_search", {"query": "Krone", "region": said}),
            ("place_details", {"place": said}),
            ("nearby", {"where": HERE, "keyword": said}),
            ("nearby", {"where": HERE, "type": said}),
            ("nearby", {"where": HERE, "type": "cafe", "attributes": {"cuisine": said}}),
            ("nearby", {"where": HERE, "type": "cafe", "attributes": {said: "pizza"}}),
            ("calculator", {"expression": said}),
            ("open_at", {"opening_hours": said, "time": "2024-05-03T12:00"}),
            (said[:300], {}),
        ):
            status, told = ask(client, tool, arguments)
            assert status in (200, 400, 404, 422), (tool, said[:40], told[:200])
            assert len(told) < 1_000, (tool, said[:40])
            assert "49" not in told or "7 * 7" not in said, told
            for sign in ("\x00", "\x1b", "\u202e"):
                assert sign not in told
    assert ask(client, "nearby", {"where": HERE, "type": "restaurant"}) == before


@WAYS
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("distance", {"origin": "10.0,50.0", "destination": HERE}, "Latitude comes first."),
        ("nearby", {"where": "200,10", "type": "cafe"}, "a latitude is at most 90"),
        ("nearby", {"where": "0,0", "type": "cafe"}, "lies outside of the map"),
        ("nearby", {"where": HERE, "type": "cafe", "radius_m": "NaN"}, "'radius_m' was 'NaN'"),
        ("nearby", {"where": HERE, "type": "cafe", "radius_m": "Infinity"}, "'radius_m' was 'Infinity'"),
        ("place_details", {"place": "w4711"}, "Ids of other maps do not count here"),
        ("move", {"origin": HERE, "direction": "N", "distance_m": 1e300}, "'distance_m' was '1e+300'"),
    ],
)
def test_what_is_wrong_is_said(
    client: httpx.Client, ask: Any, tool: str, arguments: dict[str, Any], said: str
) -> None:
    status, told = ask(client, tool, arguments)
    assert status in (404, 422)
    assert said in told


@WAYS
def test_slow_calls_take_all_places_and_hold_nothing_else_up(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    begun = make_slow(monkeypatch)
    with ThreadPoolExecutor(TOOL_POOL + 1) as pool:
        slow = [pool.submit(ask, client, "reverse_geocode", {"where": HERE}) for _ in range(TOOL_POOL)]
        assert all(begun.acquire(timeout=10) for _ in slow)
        waiting = pool.submit(ask, client, "calculator", {"expression": "6 * 7"})
        started = time.monotonic()
        assert client.get("/v1/snapshots").status_code == 200
        took = time.monotonic() - started
        assert not waiting.done()
        assert waiting.result()[1].startswith("6 * 7 = 42")
        assert {one.result()[0] for one in slow} == {200}
    assert took < 1.2, "pages and data do not wait for tools"


@WAYS
def test_who_waits_too_long_for_a_place_is_told(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    make_slow(monkeypatch)
    monkeypatch.setattr("app.api.tool_calls.PATIENCE", 0.2)
    with ThreadPoolExecutor(2 * TOOL_POOL) as pool:
        told = list(pool.map(lambda _: ask(client, "reverse_geocode", {"where": HERE}), range(2 * TOOL_POOL)))
    assert sum("Too many tools are called at the moment" in said for _, said in told) == TOOL_POOL
    monkeypatch.undo()
    assert ask(client, "reverse_geocode", {"where": HERE})[0] == 200


@pytest.mark.parametrize("path", [f"{TOOLS}/reverse_geocode", MCP])
def test_clients_that_leave_keep_no_place(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    params = {"name": "reverse_geocode", "arguments": {"where": HERE}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    body = message if path == MCP else params["arguments"]

    def leave(_: int) -> bool:
        with pytest.raises(httpx.ReadTimeout):
            client.post(path, json=body, timeout=httpx.Timeout(30, read=0.3))
        return True

    make_slow(monkeypatch)
    with ThreadPoolExecutor(2 * TOOL_POOL) as pool:
        assert all(pool.map(leave, range(2 * TOOL_POOL)))
    monkeypatch.undo()
    with ThreadPoolExecutor(TOOL_POOL) as pool:
        answers = list(pool.map(lambda _: client.post(path, json=body).status_code, range(2 * TOOL_POOL)))
    assert set(answers) == {200}
