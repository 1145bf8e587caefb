"""Sessions over REST and MCP: their limits, whose they are, and that what is answered is stored."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from app.agent_tools.calling import TOOLS_VERSION
from app.agent_tools.errors import ToolError
from app.agent_tools.registry import all_tools
from app.core.settings import Role
from app.db.engine import connect
from app.sessions import opening
from app.sessions.storing import MOST_BYTES_OF_ARGUMENTS
from tests.app.agent_tools.calls import HERE
from tests.support.factories import MadeMap, MadeVersion, make_version, option_question
from tests.support.processes import query, scalar
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing, switch
from tests.support.town import Imported

SUM = {"expression": "6 * 7"}
NEARBY = {"where": HERE, "type": "restaurant"}


@pytest.fixture(scope="module")
def version(map_: Imported) -> MadeVersion:
    """Questions on the map that is open; every third is hidden, and its right option is planted in gold alone."""
    questions = [option_question(i, key=i % 4, split="hidden" if i % 3 == 0 else "public") for i in range(6)]
    return make_version(map_.settings, questions, name="asked", made_map=made_map(map_, "tools"))


def made_map(map_: Imported, name: str) -> MadeMap:
    ((number, schema),) = query(
        map_.settings, f"select id, schema_name from trigpoint.snapshot where name = '{name}'"
    )
    return MadeMap(number, schema)


@pytest.fixture(scope="module")
def client(map_: Imported) -> Iterator[httpx.Client]:
    with serving(map_.settings) as address, patient_client(address) as client:
        client.headers.update(bearing(map_.settings, "submitter", rate=100_000))
        yield client


def open_session(client: httpx.Client, version: MadeVersion, place: int = 1, **more: Any) -> dict[str, Any]:
    body = {"dataset": version.reference, "question": version.questions[place], **more}
    made = client.post("/v1/sessions", json=body)
    assert made.status_code == 201, made.text
    assert made.headers["location"] == f"/v1/sessions/{made.json()['session']}"
    return dict(made.json())


def call(client: httpx.Client, session: dict[str, Any], tool: str, arguments: Any) -> httpx.Response:
    return client.post(f"/v1/sessions/{session['session']}/tools/{tool}", json=arguments)


def stored(map_: Imported, session: dict[str, Any]) -> list[Any]:
    statement = (
        "select ordinal, request, response, bytes, latency_ms from trigpoint.agent_session_call"
        f" where session_id = '{session['session']}' order by ordinal"
    )
    return list(query(map_.settings, statement))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that end soon."""
    monkeypatch.setattr(opening, "MOST_CALLS", 3)


def test_a_session_tells_its_question_and_its_limits(client: httpx.Client, version: MadeVersion) -> None:
    for place in (0, 1):
        session = open_session(client, version, place)
        assert session["text"].endswith(f"(test question {place})")
        assert session["options"] == ["Adler", "Krone", "Linde", "Bohne"]
        assert session["limits"] == {"calls": 100, "bytes": 1_000_000, "seconds": 3600}
        assert (session["calls"], session["bytes"], session["ended"]) == (0, 0, None)
        assert session["snapshot"] == "tools@2024-05-06T07:08:09Z"
        assert len(session["session"]) == 32
        assert not {"gold", "split", "template", "prompt_hash", "revision"} & set(session)
        assert client.get(f"/v1/sessions/{session['session']}").json() == session


def test_calls_are_stored_in_order_with_what_they_came_to(
    client: httpx.Client, map_: Imported, version: MadeVersion
) -> None:
    session = open_session(client, version)
    answered = call(client, session, "nearby", NEARBY)
    refused = call(client, session, "nearby", {"where": HERE, "type": "cafe", "radius_m": 1e9})
    unknown = call(client, session, "teleport", {})
    assert [one.status_code for one in (answered, refused, unknown)] == [200, 422, 404]
    direct = client.post("/v1/snapshots/tools/tools/nearby", json=NEARBY)
    assert answered.content == direct.content
    first, second, third = stored(map_, session)
    assert first.request == {
        "tool": "nearby",
        "arguments": NEARBY,
        "set": "all",
        "snapshot": "tools@2024-05-06T07:08:09Z",
        "checksum": scalar(map_.settings, "select checksum from trigpoint.snapshot where name = 'tools'"),
        "tools_version": TOOLS_VERSION,
    }
    told = answered.json()
    assert first.response == {"sentence": told["sentence"], "result": told["result"]}
    assert first.bytes == len(answered.content)
    assert first.latency_ms >= 0
    assert second.response == {"error": {"kind": "bad_argument", "message": refused.json()["detail"]}}
    assert third.response["error"]["kind"] == "unknown_tool"
    assert [one.ordinal for one in (first, second, third)] == [0, 1, 2]
    now = client.get(f"/v1/sessions/{session['session']}").json()
    assert (now["calls"], now["bytes"]) == (3, sum(one.bytes for one in (first, second, third)))


def test_the_sets_tools_are_called_by_their_names(
    client: httpx.Client, map_: Imported, version: MadeVersion
) -> None:
    session = open_session(client, version, tool_set="mapeval")
    answer = call(client, session, "PlaceSearch", {"placeName": "Krone"})
    assert answer.json()["sentence"] == map_.key("Krone")
    assert call(client, session, "nearby", NEARBY).status_code == 404
    assert stored(map_, session)[0].request["set"] == "mapeval"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"question": "nowhere"}, 404, "has no question 'nowhere'"),
        ({"dataset": "atlantis"}, 404, "There is no published data set 'atlantis'"),
        ({"dataset": "asked@9"}, 404, "There is no published data set 'asked@9'"),
        ({"tool_set": "everything"}, 404, "There is no set of tools"),
        ({"gold": True}, 422, "gold"),
        ({"question": "a\x00b"}, 422, "question"),
        ({"question": "a" * 10_000}, 422, "question"),
    ],
)  # fmt: skip
def test_a_session_that_cannot_be_opened_says_why(
    client: httpx.Client, map_: Imported, version: MadeVersion, body: dict[str, Any], status: int, said: str
) -> None:
    before = scalar(map_.settings, "select count(*) from trigpoint.agent_session")
    asked = {"dataset": version.reference, "question": version.questions[1]} | body
    refused = client.post("/v1/sessions", json=asked)
    assert refused.status_code == status
    assert said in refused.json()["detail"]
    assert scalar(map_.settings, "select count(*) from trigpoint.agent_session") == before


def test_who_cannot_submit_opens_none(client: httpx.Client, map_: Imported, version: MadeVersion) -> None:
    body = {"dataset": version.reference, "question": version.questions[1]}
    without = httpx.post(f"{client.base_url}/v1/sessions", json=body)
    assert without.status_code == 401
    reader = client.post("/v1/sessions", json=body, headers=bearing(map_.settings))
    assert reader.status_code == 403


def test_a_closed_map_has_no_sessions(client: httpx.Client, map_: Imported, version: MadeVersion) -> None:
    closed = make_version(
        map_.settings, [option_question(77)], name="shut", made_map=made_map(map_, "closed")
    )
    body = {"dataset": "shut", "question": closed.questions[0]}
    refused = client.post("/v1/sessions", json=body)
    assert refused.status_code == 409
    assert "A maintainer opens them: `trigpoint tool open --snapshot closed@" in refused.json()["detail"]
    switch(map_.settings, "closed", True)
    session = open_session(client, closed, 0)
    switch(map_.settings, "closed", False)
    assert call(client, session, "calculator", SUM).status_code == 409
    assert stored(map_, session) == []


def test_a_session_is_nobody_elses(client: httpx.Client, map_: Imported, version: MadeVersion) -> None:
    session = open_session(client, version)
    address = f"/v1/sessions/{session['session']}"
    mallory = bearing(map_.settings, "submitter")
    maintainer = bearing(map_.settings, "maintainer")
    for headers in (mallory, maintainer):
        told = [
            client.post(f"{address}/tools/calculator", json=SUM, headers=headers),
            client.post(f"{address}/close", headers=headers),
            client.post(f"{address}/mcp", json=mcp_call("calculator", SUM), headers=headers),
        ]
        assert [one.status_code for one in told] == [404, 404, 404]
    other, absent = (
        client.get(f"/v1/sessions/{name}", headers=mallory) for name in (session["session"], "0" * 32)
    )
    hide = {"instance", "request_id", "detail"}
    assert {k: v for k, v in other.json().items() if k not in hide} == {
        k: v for k, v in absent.json().items() if k not in hide
    }
    assert other.json()["detail"].replace(session["session"], "0" * 32) == absent.json()["detail"]
    assert client.get(address, headers=maintainer).status_code == 200
    assert client.get("/v1/sessions", headers=mallory).json()["sessions"] == []
    assert stored(map_, session) == []


@pytest.mark.parametrize(
    "name", ["x", "' or true --", "%00", "..", "A" * 33, "\u202e", "0" * 31 + "O", "%2e%2e"]
)
def test_a_hostile_id_is_no_session(client: httpx.Client, name: str) -> None:
    for answer in (
        client.get(f"/v1/sessions/{name}"),
        client.post(f"/v1/sessions/{name}/tools/calculator", json=SUM),
        client.post(f"/v1/sessions/{name}/mcp", json=mcp_call("calculator", SUM)),
    ):
        assert answer.status_code in (400, 404, 405, 422), (name, answer.text)
        assert "Traceback" not in answer.text


def test_after_its_last_call_a_session_says_what_ended_it(
    client: httpx.Client, map_: Imported, version: MadeVersion, small: None
) -> None:
    session = open_session(client, version)
    for _ in range(3):
        assert call(client, session, "calculator", SUM).status_code == 200
    refused = call(client, session, "calculator", SUM)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "has ended: it had all of its calls (3 of 3 calls" in refused.json()["detail"]
    assert client.get(f"/v1/sessions/{session['session']}").json()["ended"] == "calls"
    closed = client.post(f"/v1/sessions/{session['session']}/close")
    assert (closed.status_code, closed.json()["ended"]) == (200, "calls"), "what ended it first counts"
    assert len(stored(map_, session)) == 3


def test_a_failure_of_ours_is_not_stored(
    client: httpx.Client, map_: Imported, version: MadeVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(client, version)

    def fail(error: Exception) -> Any:
        def answer(*_: Any) -> None:
            raise error

        return answer

    lost = OperationalError("select 1", {}, Exception("gone"))
    for error, status in ((ToolError("No router.", "try_again"), 503), (lost, 503), (RuntimeError("x"), 500)):
        with monkeypatch.context() as patch:
            patch.setattr("app.api.tool_calls.answer_call", fail(error))
            assert call(client, session, "calculator", SUM).status_code == status
    assert stored(map_, session) == []
    assert call(client, session, "calculator", SUM).status_code == 200


def test_of_two_calls_at_once_one_is_the_last(
    client: httpx.Client, map_: Imported, version: MadeVersion
) -> None:
    session = open_session(client, version)
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: call(client, session, "calculator", SUM).status_code, range(110)))
    assert (statuses.count(200), statuses.count(409)) == (100, 10)
    assert [one.ordinal for one in stored(map_, session)] == list(range(100))


def test_an_answer_without_room_is_not_given_and_ends_the_session(
    client: httpx.Client, map_: Imported, version: MadeVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(client.post("/v1/snapshots/tools/tools/nearby", json=NEARBY).content)
    monkeypatch.setattr(opening, "MOST_BYTES", 2 * size - 1)
    session = open_session(client, version)
    assert call(client, session, "nearby", NEARBY).status_code == 200
    refused = call(client, session, "nearby", NEARBY)
    assert (refused.status_code, refused.json()["code"]) == (409, "unavailable")
    assert (
        f"This answer has {size:,} bytes, which is more than the session has left" in refused.json()["detail"]
    )
    assert "result" not in refused.text
    error = stored(map_, session)[1].response["error"]
    assert error == {"kind": "unavailable", "message": refused.json()["detail"]}
    assert "its answers took all of their room" in call(client, session, "calculator", SUM).json()["detail"]


def test_answers_of_a_megabyte_fill_a_session(
    client: httpx.Client, map_: Imported, version: MadeVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole megabyte is used, and of what a step stores of a large answer the typed result is left out."""
    session = open_session(client, version)
    calculator = all_tools()["calculator"]
    monkeypatch.setattr(
        type(calculator.result(expression="1", value=1.0)), "sentence", lambda _: "x" * 499_000
    )
    statuses = [call(client, session, "calculator", SUM).status_code for _ in range(4)]
    assert statuses == [200, 200, 409, 409]
    kept = stored(map_, session)
    assert [len(one.response.get("sentence", "")) < 300_000 for one in kept] == [True, True, True]
    assert client.get(f"/v1/sessions/{session['session']}").json()["ended"] == "bytes"


def test_an_hour_ends_a_session(client: httpx.Client, map_: Imported, version: MadeVersion) -> None:
    session = open_session(client, version)
    turn_back(map_, session, "61 minutes")
    refused = call(client, session, "calculator", SUM)
    assert refused.status_code == 409
    assert "has ended: its time is over" in refused.json()["detail"]
    assert client.post(f"/v1/sessions/{session['session']}/close").json()["ended"] == "time"
    assert stored(map_, session) == []


def turn_back(map_: Imported, session: dict[str, Any], interval: str) -> None:
    with connect(map_.settings, Role.OWNER) as connection:
        moved = "opened_at = opened_at - cast(:ago as interval), ends_at = ends_at - cast(:ago as interval)"
        connection.execute(
            text(f"update trigpoint.agent_session set {moved} where id = :id"),
            {"ago": interval, "id": session["session"]},
        )
        connection.commit()


def test_a_closed_session_answers_no_more(client: httpx.Client, version: MadeVersion) -> None:
    session = open_session(client, version)
    call(client, session, "calculator", SUM)
    for _ in range(2):
        closed = client.post(f"/v1/sessions/{session['session']}/close")
        assert (closed.status_code, closed.json()["ended"], closed.json()["calls"]) == (200, "closed", 1)
    assert "it was closed" in call(client, session, "calculator", SUM).json()["detail"]


def test_a_key_has_few_open_sessions(
    client: httpx.Client, map_: Imported, version: MadeVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MOST_OPEN", 4)
    mine = patient_client(str(client.base_url))
    mine.headers.update(bearing(map_.settings, "submitter"))
    body = {"dataset": version.reference, "question": version.questions[1]}
    with mine, ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: mine.post("/v1/sessions", json=body), range(8)))
        assert sorted(one.status_code for one in made) == [201] * 4 + [429] * 4
        refused = next(one for one in made if one.status_code == 429)
        assert "at most 4 open sessions" in refused.json()["detail"]
        ended = next(one.json() for one in made if one.status_code == 201)
        mine.post(f"/v1/sessions/{ended['session']}/close")
        assert mine.post("/v1/sessions", json=body).status_code == 201
        monkeypatch.setattr(opening, "MOST_OPEN", 50)
        for limit, most in (("MOST_KEPT", 0), ("MOST_UNSUBMITTED", 5), ("MOST_CALLS_KEPT", 0)):
            with monkeypatch.context() as patch:
                patch.setattr(opening, limit, most)
                refused = mine.post("/v1/sessions", json=body)
                assert (refused.status_code, "are kept for a key" in refused.text) == (429, True), limit
        assert mine.post("/v1/sessions", json=body).status_code == 201


def test_pages_of_sessions(client: httpx.Client, map_: Imported, version: MadeVersion) -> None:
    mine = {**bearing(map_.settings, "submitter")}
    body = {"dataset": version.reference, "question": version.questions[2]}
    made = [client.post("/v1/sessions", json=body, headers=mine).json()["session"] for _ in range(5)]
    found: list[str] = []
    cursor = ""
    while cursor is not None:
        page = client.get(f"/v1/sessions?limit=2{cursor}", headers=mine).json()
        found += [one["session"] for one in page["sessions"]]
        cursor = None if page["next"] is None else f"&cursor={page['next']}"
    assert found == made[::-1]


@pytest.mark.parametrize(
    "arguments",
    [
        '{"expression": "' + "1" * (MOST_BYTES_OF_ARGUMENTS + 1) + '"}',
        '{"expression": 1e400}',
        '{"expression": ' + "[" * 5_000 + "]" * 5_000 + "}",
    ],
)
def test_a_call_that_is_too_long_is_not_stored(
    client: httpx.Client, map_: Imported, version: MadeVersion, arguments: str
) -> None:
    session = open_session(client, version)
    address = f"/v1/sessions/{session['session']}/tools/calculator"
    answer = client.post(address, content=arguments, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert stored(map_, session) == []


def test_what_jsonb_cannot_hold_is_stored_all_the_same(
    client: httpx.Client, map_: Imported, version: MadeVersion
) -> None:
    session = open_session(client, version)
    address = f"/v1/sessions/{session['session']}/tools/place_search"
    for written in ('{"query": "a\\u0000b"}', '{"query": "a\\ud800b"}', '{"a\\u0000": 1}'):
        answer = client.post(address, content=written, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422, answer.text
    assert len(stored(map_, session)) == 3


def mcp_call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}


def test_mcp_in_a_session_is_stored_as_rest_is(
    client: httpx.Client, map_: Imported, version: MadeVersion
) -> None:
    by_mcp, by_rest = (open_session(client, version, tool_set="mapeval") for _ in "12")
    asked = [("PlaceSearch", {"placeName": "Krone"}), ("PlaceDetails", {"placeId": "n999999"})]

    async def run() -> list[Any]:
        url = f"{str(client.base_url).rstrip('/')}/v1/sessions/{by_mcp['session']}/mcp"
        headers = {"Authorization": client.headers["Authorization"]}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http)) as mcp,
        ):
            listed = {one.name for one in (await mcp.list_tools()).tools}
            assert listed == {"PlaceSearch", "PlaceDetails", "NearbySearch", "TravelTime", "Directions"}
            return [await mcp.call_tool(tool, arguments) for tool, arguments in asked]

    results = asyncio.run(asyncio.wait_for(run(), 60))
    assert [one.is_error for one in results] == [False, True]
    for tool, arguments in asked:
        call(client, by_rest, tool, arguments)
    same = [
        [(one.request, one.response, one.bytes) for one in stored(map_, made)] for made in (by_mcp, by_rest)
    ]
    assert same[0] == same[1]
    assert len(same[0]) == 2


def test_an_ended_session_tells_mcp_what_ended_it(
    client: httpx.Client, version: MadeVersion, small: None
) -> None:
    session = open_session(client, version)
    address = f"/v1/sessions/{session['session']}/mcp"
    results = [client.post(address, json=mcp_call("calculator", SUM)).json()["result"] for _ in range(4)]
    assert [one["isError"] for one in results] == [False, False, False, True]
    assert "has ended: it had all of its calls" in results[3]["content"][0]["text"]


def test_a_call_in_a_session_counts_for_what_it_costs(
    client: httpx.Client, map_: Imported, version: MadeVersion
) -> None:
    key = bearing(map_.settings, "submitter", rate=4)
    body = {"dataset": version.reference, "question": version.questions[1]}
    session = client.post("/v1/sessions", json=body, headers=key).json()["session"]
    address = f"/v1/sessions/{session}/tools"
    for tool, arguments, status in (
        ("place_search", {"query": "Krone"}, 200),
        ("calculator", SUM, 200),
        ("calculator", SUM, 429),
    ):
        answer = client.post(f"{address}/{tool}", json=arguments, headers=key)
        assert answer.status_code == status, answer.text
    assert scalar(map_.settings, f"select calls from trigpoint.agent_session where id = '{session}'") == 2


def test_the_api_reads_no_call(map_: Imported) -> None:
    with connect(map_.settings, Role.API) as connection, pytest.raises(Exception, match="permission denied"):
        connection.execute(text("select response from agent_session_call"))


def test_nothing_of_a_question_but_text_and_options(
    client: httpx.Client, map_: Imported, version: MadeVersion
) -> None:
    """Of hidden questions, and of others: what a session tells has no word that gold alone has."""
    with connect(map_.settings, Role.OWNER) as connection:
        rows = connection.execute(
            text(
                "select gold.value, question.revision from trigpoint.gold join trigpoint.question"
                " on gold.version_id = question.version_id and gold.question_id = question.id"
            )
        ).all()
    for place in range(6):
        session = open_session(client, version, place)
        told = json.dumps([session, client.get(f"/v1/sessions/{session['session']}").json()])
        assert not any(row.revision in told for row in rows)
        assert '"index"' not in told
        assert '"objects"' not in told
