"""Tools over REST: closed until a maintainer opens a map, called as the role reader, counted by what they cost."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from app.agent_tools.calling import call_tool
from app.agent_tools.registry import all_tools
from app.agent_tools.schemas import describe_tools
from app.agent_tools.sets import find_set
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.pools import TOOL_POOL
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.app.agent_tools.calls import HERE, one_call_each
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing, switch
from tests.support.town import Imported

TOOLS = "/v1/snapshots/tools/tools"


@pytest.fixture(scope="module")
def client(map_: Imported) -> Iterator[httpx.Client]:
    with serving(map_.settings) as address, patient_client(address) as client:
        client.headers.update(bearing(map_.settings, rate=100_000))
        yield client


def schema_of(settings: Settings, name: str) -> str:
    with connect(settings, Role.MAINTAINER) as connection:
        return find_snapshots(connection, [name])[0].schema


def test_the_tools_of_a_map_are_listed_without_a_key(map_: Imported, client: httpx.Client) -> None:
    page = httpx.get(f"{client.base_url}{TOOLS}").raise_for_status().json()
    assert (page["snapshot"], page["open"]) == ("tools@2024-05-06T07:08:09Z", True)
    assert page["tools"] == [one["function"] for one in describe_tools()]
    assert client.get("/v1/snapshots/closed/tools").json()["open"] is False


def test_every_tool_answers_as_at_the_command_line(map_: Imported, client: httpx.Client) -> None:
    calls = one_call_each(map_)
    assert list(calls) == list(all_tools())
    for tool, arguments in calls.items():
        answer = client.post(f"{TOOLS}/{tool}", json=arguments)
        assert answer.status_code == 200, answer.text
        with connect(map_.settings, Role.MAINTAINER) as connection:
            (snapshot,) = find_snapshots(connection, ["tools"])
            assert (
                answer.json()
                == call_tool(connection, snapshot, Routers(map_.settings), tool, arguments).as_json()
            )
        assert answer.json()["credit"].startswith("© OpenStreetMap contributors")
        assert 'rel="license"' in answer.headers["link"]


def test_a_set_is_listed_and_called_by_its_names(map_: Imported, client: httpx.Client) -> None:
    page = client.get(f"{TOOLS}?set=mapeval").raise_for_status().json()
    assert page["tools"] == [one["function"] for one in describe_tools(find_set("mapeval").tools)]
    answer = client.post(f"{TOOLS}/PlaceSearch?set=mapeval", json={"placeName": "Krone"}).json()
    assert (answer["tool"], answer["sentence"]) == ("PlaceSearch", map_.key("Krone"))
    assert answer["result"]["hits"][0]["name"] == "Krone"
    for path, arguments, status, code in (
        ("PlaceDetails?set=mapeval", {"placeId": "n999999"}, 404, "not_found"),
        ("PlaceDetails", {"placeId": "n1"}, 404, "unknown_tool"),
        ("nearby?set=mapeval", {"where": HERE, "type": "cafe"}, 404, "unknown_tool"),
        ("nearby?set=atlantis", {"where": HERE, "type": "cafe"}, 404, "not_found"),
    ):
        refused = client.post(f"{TOOLS}/{path}", json=arguments)
        assert (refused.status_code, refused.json()["code"]) == (status, code), path
    assert client.get(f"{TOOLS}?set=atlantis").status_code == 404


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "code", "said"),
    [
        ("teleport", {}, 404, "unknown_tool", "There is no tool 'teleport'. The tools are: place_search, "),
        ("prices", {}, 409, "unavailable", "prices is unavailable."),
        ("nearby", {"where": HERE, "type": "cafe", "radius_m": 1e9}, 422, "bad_argument", "'radius_m' was"),
        ("nearby", {"where": HERE, "kind": "cafe"}, 422, "bad_argument", "there is no argument 'kind'."),
        ("nearby", {"where": HERE, "type": "cafe", "attributes": {"capacity": "40"}}, 422, "bad_argument", "access, "),
        ("distance", {"origin": "10.0,50.0", "destination": HERE}, 422, "bad_argument", "Latitude comes first."),
        ("place_details", {"place": "n999999"}, 404, "not_found", "has no place n999999."),
        ("place_search", {"query": "A" * 900_000}, 422, "bad_argument", "'query' was 'AAAA"),
        ("place_search", {"query": "a\x00b"}, 422, "bad_argument", "control characters"),
        ("bearing", {"origin": HERE, "destination": HERE}, 422, "bad_argument", "The two ends are the same point"),
    ],
)  # fmt: skip
def test_a_bad_call_is_one_clear_problem(
    client: httpx.Client, tool: str, arguments: dict[str, Any], status: int, code: str, said: str
) -> None:
    answer = client.post(f"{TOOLS}/{tool}", json=arguments)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert said in answer.json()["detail"]
    assert len(answer.json()["detail"]) < 1_000
    assert client.post(f"{TOOLS}/calculator", json={"expression": "1 + 1"}).json()["result"]["value"] == 2


@pytest.mark.parametrize(
    "body", ['{"where": NaN}', '{"query": "a", "query": "b"}', "[]", "nothing", '{"query": "' + "A" * 2_000_000 + '"}']
)  # fmt: skip
def test_a_body_that_is_no_object_of_arguments_is_refused(client: httpx.Client, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post(f"{TOOLS}/place_search", content=body, headers=headers)
    assert answer.status_code in (413, 422)
    assert answer.headers["content-type"] == "application/problem+json"


def test_nobody_calls_tools_on_a_closed_or_unknown_map(client: httpx.Client) -> None:
    for name, status in (("closed", 409), ("atlantis", 404), ("tools@1999-01-01T00:00:00Z", 404)):
        answer = client.post(f"/v1/snapshots/{name}/tools/calculator", json={"expression": "1"})
        assert answer.status_code == status, name
        assert ("A maintainer opens them: `trigpoint tool open --snapshot closed@" in answer.text) == (
            status == 409
        )


def test_calls_need_a_key(client: httpx.Client) -> None:
    answer = httpx.post(f"{client.base_url}{TOOLS}/calculator", json={"expression": "1"})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_known")


def test_withheld_facts_stay_withheld(map_: Imported, client: httpx.Client) -> None:
    answer = client.post(f"{TOOLS}/place_details", json={"place": map_.key("Café Élan")})
    assert answer.json()["result"]
    for withheld in ("capacity", "old_name", "Schwarzer Bär", "+49 1", "a@b.de"):
        assert withheld not in answer.text


def test_a_call_counts_for_what_it_costs(map_: Imported, client: httpx.Client) -> None:
    calls = one_call_each(map_)
    key = bearing(map_.settings, rate=4)
    for tool, status in (
        ("place_search", 200),
        ("calculator", 200),
        ("hours_overlap", 429),
        ("calculator", 429),
    ):
        answer = client.post(f"{TOOLS}/{tool}", json=calls[tool], headers=key)
        assert answer.status_code == status, (tool, answer.text)
    assert int(answer.headers["retry-after"]) >= 1


def test_a_call_that_no_minute_lets_in_says_so(map_: Imported, client: httpx.Client) -> None:
    calls, key = one_call_each(map_), bearing(map_.settings, rate=9)
    answer = client.post(f"{TOOLS}/service_area", json=calls["service_area"], headers=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_argument")
    assert "This call of service_area counts as 10 requests, and the key" in answer.json()["detail"]
    assert "may make 9 a minute" in answer.json()["detail"]
    key = bearing(map_.settings, rate=10)
    statuses = [
        client.post(f"{TOOLS}/service_area", json=calls["service_area"], headers=key).status_code
        for _ in "12"
    ]
    assert statuses == [200, 429]


def test_a_maintainer_opens_and_closes_over_rest(map_: Imported, client: httpx.Client) -> None:
    post = "/v1/snapshots/closed/{}-tools"
    assert client.post(post.format("open")).status_code == 403
    key = bearing(map_.settings, "maintainer")
    call = "/v1/snapshots/closed/tools/calculator"
    for word, status in (("open", 200), ("open", 200), ("close", 409), ("close", 409)):
        opened = client.post(post.format(word), headers=key)
        assert opened.json() == {"snapshot": "closed@2024-05-06T07:08:09Z", "open": word == "open"}
        assert client.post(call, json={"expression": "1"}).status_code == status
    entries = client.get("/v1/audit?limit=2", headers=key).json()["entries"]
    assert [one["action"] for one in entries] == ["tools.close", "tools.open"]
    assert client.post("/v1/snapshots/atlantis/open-tools", headers=key).status_code == 404


def test_the_reader_sees_the_layers_of_open_maps_alone(map_: Imported) -> None:
    statements = {
        name: text(f"select * from {schema_of(map_.settings, name)}.poi") for name in ("tools", "closed")
    }
    with connect(map_.settings, Role.READER) as connection:
        assert connection.execute(statements["tools"]).all()
    for is_open in (False, True, False):
        if is_open:
            assert switch(map_.settings, "closed", True)
            assert not switch(map_.settings, "closed", True)
        with connect(map_.settings, Role.READER) as connection:
            if is_open:
                assert connection.execute(statements["closed"]).all()
            else:
                with pytest.raises(ProgrammingError, match="permission denied"):
                    connection.execute(statements["closed"])
        switch(map_.settings, "closed", False)


@pytest.mark.parametrize("role", [Role.WORKER, Role.API, Role.READER, Role.DASHBOARD])
def test_only_maintainers_open_maps(map_: Imported, role: Role) -> None:
    with (
        connect(map_.settings, role) as connection,
        pytest.raises(ProgrammingError, match="permission denied"),
    ):
        connection.execute(text("select trigpoint.set_open_for_tools(1, true)"))


def test_many_calls_at_once_wait_for_a_place(client: httpx.Client, map_: Imported) -> None:
    arguments = one_call_each(map_)["nearby"]

    def call(_: int) -> int:
        return client.post(f"{TOOLS}/nearby", json=arguments).status_code

    with ThreadPoolExecutor(4 * TOOL_POOL) as pool:
        assert set(pool.map(call, range(12 * TOOL_POOL))) == {200}
    with connect(map_.settings, Role.OWNER) as connection:
        sessions = text(
            "select count(*) from pg_stat_activity where usename = 'trigpoint_reader' and datname = :name"
        )
        name = connection.engine.url.database
        assert connection.execute(sessions, {"name": name}).scalar_one() <= TOOL_POOL


def test_what_takes_too_long_is_ended_and_the_next_call_works(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = text("select count(*) from generate_series(1, 1000000000)")
    monkeypatch.setattr("app.agent_tools.reversing.around.NEAREST_DOOR", slow)
    answer = client.post(f"{TOOLS}/reverse_geocode", json={"where": HERE})
    assert (answer.status_code, answer.json()["code"]) == (422, "too_slow")
    assert client.post(f"{TOOLS}/nearby", json={"where": HERE, "type": "cafe"}).status_code == 200


def test_a_server_without_the_readers_password_calls_nothing(map_: Imported) -> None:
    with (
        serving(map_.settings.model_copy(update={"password_reader": None})) as address,
        patient_client(address) as client,
    ):
        key = bearing(map_.settings)
        answer = client.post(f"{TOOLS}/calculator", json={"expression": "1"}, headers=key)
        assert answer.status_code == 501
        assert "TRIGPOINT_PASSWORD_READER" in json.loads(answer.text)["detail"]
