"""The pages to try tools: forms made from schemas, answers as over REST, a key that only the server reads."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import httpx
import pytest

from app.agent_tools.registry import all_tools
from app.agent_tools.schemas import schema_of
from app.core.settings import Settings
from app.core.words import in_page
from app.dashboard.tool_forms import fields_of, read_arguments
from tests.app.agent_tools.calls import HERE, one_call_each
from tests.support.routers import own_routers
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing, import_open_and_closed
from tests.support.town import Imported

PAGES = "/snapshots/tools/tools"


@pytest.fixture(scope="module")
def map_(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as settings:
        yield import_open_and_closed(settings, tmp_path_factory.mktemp("tools"))


@pytest.fixture(scope="module")
def key(map_: Imported) -> str:
    return bearing(map_.settings, rate=100_000)["Authorization"].removeprefix("Bearer ")


@pytest.fixture(scope="module")
def address(map_: Imported) -> Iterator[str]:
    with serving(map_.settings) as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with patient_client(address) as client:
        yield client


@pytest.fixture
def known(client: httpx.Client, key: str) -> httpx.Client:
    """A client that gave its key."""
    client.post(PAGES, data={"key": key})
    return client


def sent(arguments: dict[str, Any]) -> dict[str, str]:
    """Arguments as somebody fills them into a form, with the button that calls."""

    def written(value: Any) -> str:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return "\n".join(value)
        return value if isinstance(value, str) else json.dumps(value)

    return {**{name: written(value) for name, value in arguments.items()}, "call": "1"}


def cell(page: httpx.Response, name: str) -> str:
    found = re.search(rf'data-cell="{name}"[^>]*>(.*?)</p>', page.text, re.DOTALL)
    assert found, page.text[:2000]
    return unescape(found[1])


def test_every_tool_has_a_form_that_answers_as_rest(
    map_: Imported, known: httpx.Client, key: str, address: str
) -> None:
    for tool, arguments in one_call_each(map_).items():
        page = known.get(f"{PAGES}/{tool}", params=sent(arguments))
        assert page.status_code == 200, (tool, page.text[:3000])
        schema = schema_of(all_tools()[tool])
        assert read_arguments(schema, sent(arguments)) == arguments, tool
        for name in schema["properties"]:
            assert f'name="{name}"' in page.text, (tool, name)
        headers = {"Authorization": f"Bearer {key}"}
        asked = read_arguments(schema, sent(arguments))
        rest = httpx.post(f"{address}/v1{PAGES}/{tool}", json=asked, headers=headers, timeout=60).json()
        assert cell(page, "sentence") == str(in_page(rest["sentence"])), tool


def test_what_has_a_place_is_drawn(known: httpx.Client) -> None:
    page = known.get(f"{PAGES}/nearby", params=sent({"where": HERE, "type": "restaurant", "limit": 2}))
    (data,) = re.findall(r'data-answer="([^"]*)"', page.text)
    features = json.loads(unescape(data))["features"]
    points = [one for one in features if one["geometry"]["type"] == "Point"]
    named = [(one["properties"]["role"], one["properties"]["name"]) for one in points]
    assert ("found", "Krone") in named
    assert [role for role, _ in named].count("asked") == 1
    assert {"minor"} <= {one["properties"]["role"] for one in features}
    assert page.text.count('class="pin gold"') >= 2
    assert "data-answer" not in known.get(f"{PAGES}/calculator", params=sent({"expression": "1 + 1"})).text


def test_an_area_is_drawn_with_its_shape(map_: Imported, known: httpx.Client) -> None:
    arguments = one_call_each(map_)["area_of"]
    page = known.get(f"{PAGES}/area_of", params=sent(arguments))
    assert 'class="shape anchor"' in page.text


def test_a_call_without_a_key_is_refused(client: httpx.Client) -> None:
    page = client.get(f"{PAGES}/calculator", params=sent({"expression": "1 + 1"}))
    assert page.status_code == 401
    assert cell(page, "error").startswith("A call needs an API key.")
    assert "1 + 1 = 2" not in page.text


def test_the_key_is_kept_where_no_script_reads_it(client: httpx.Client, key: str) -> None:
    given = client.post(PAGES, data={"key": key, "tool": "nearby", "query": "where=1"})
    assert (given.status_code, given.headers["location"]) == (303, f"{PAGES}/nearby?where=1")
    cookie = given.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/snapshots"))
    page = client.get(f"{PAGES}/nearby")
    assert key not in page.text
    assert page.headers["cache-control"] == "private, no-store"
    client.post(PAGES, data={})
    assert 'type="password" name="key"' in client.get(PAGES).text


def test_a_wrong_key_and_a_foreign_page_are_refused(client: httpx.Client, key: str) -> None:
    assert client.post(PAGES, data={"key": "trig_nope"}).status_code == 401
    foreign = client.post(PAGES, data={"key": key}, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403
    assert not client.cookies


def test_a_closed_map_says_so_and_answers_nobody(known: httpx.Client, map_: Imported) -> None:
    maintainer = bearing(map_.settings, "maintainer")["Authorization"].removeprefix("Bearer ")
    known.post(PAGES, data={"key": maintainer})
    page = known.get("/snapshots/closed/tools/calculator", params=sent({"expression": "1 + 1"}))
    assert (page.status_code, "trigpoint tool open --snapshot closed@" in page.text) == (409, True)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("nearby", {"where": "<b>", "type": "cafe"}, "'where' was '<b>'"),
        ("nearby", {"where": HERE, "attributes": "pizza"}, "attributes must be JSON"),
        ("nearby", {"type": "cafe"}, "the argument where is missing"),
        ("place_details", {"place": "n99"}, "has no place n99"),
    ],
)
def test_what_is_wrong_is_said(known: httpx.Client, tool: str, arguments: dict[str, str], said: str) -> None:
    page = known.get(f"{PAGES}/{tool}", params=sent(arguments))
    assert page.status_code == 422
    assert said in cell(page, "error")
    assert "<b>" not in page.text


@pytest.mark.parametrize("path", ["/snapshots/nope/tools", f"{PAGES}/nope", "/snapshots/nope/tools/nearby"])
def test_what_there_is_not_is_not_found(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_too_many_fields_are_refused(client: httpx.Client) -> None:
    assert client.get(f"{PAGES}/nearby?" + "&".join("a=1" for _ in range(60))).status_code == 400


def test_a_map_and_a_data_set_lead_there(client: httpx.Client) -> None:
    page = client.get("/snapshots/tools").text
    (link,) = re.findall(r'href="(/snapshots/[^"]*/tools)"', page)
    listed = client.get(link)
    assert all(f"/{name}" in listed.text for name in all_tools())


def test_the_shown_commands_make_the_same_call(known: httpx.Client, key: str) -> None:
    page = known.get(f"{PAGES}/place_search", params=sent({"query": "Café Élan, 'Altstadt'", "limit": 1}))
    curl, python, mcp = map(
        unescape, re.findall(r'aria-label="The call[^>]*>(.*?)</pre>', page.text, re.DOTALL)
    )
    environment = {"TRIGPOINT_KEY": key, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["sh", "-c", curl], env=environment, capture_output=True, text=True, check=True)
    sentence = json.loads(done.stdout)["sentence"]
    assert "Café Élan" in sentence
    run = subprocess.run(
        ["python3", "-c", python], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == sentence
    message = json.loads(mcp)
    answer = known.post(
        "/v1/snapshots/tools/mcp", json=message, headers={"Authorization": f"Bearer {key}"}
    ).raise_for_status()
    assert answer.json()["result"]["structuredContent"]["sentence"] == sentence


SCHEMA: dict[str, Any] = {
    "properties": {
        "way": {"enum": ["car", "foot"], "default": "car"},
        "deep": {"anyOf": [{"$ref": "#/$defs/Deep"}, {"type": "null"}], "default": None},
        "stops": {"type": "array", "items": {"$ref": "#/$defs/Stop"}},
        "ids": {"type": "array", "items": {"type": "string"}},
        "line": {"type": "boolean", "default": False},
        "wide": {"anyOf": [{"type": "number", "minimum": 1}, {"type": "null"}]},
    },
    "required": ["ids"],
    "$defs": {
        "Deep": {"type": "object"},
        "Stop": {
            "type": "object",
            "properties": {"place": {"type": "string", "description": "its id"}, "stay": {"type": "number"}},
            "required": ["place"],
        },
    },
}


def test_each_kind_of_argument_has_a_control_and_is_read() -> None:
    fields = {one.name: (one.control, one.value) for one in fields_of(SCHEMA, {"wide": "2"})}
    assert next(iter(fields)) == "ids", "what must be filled in comes first"
    assert fields == {
        "ids": ("lines", ""),
        "way": ("choice", "car"),
        "deep": ("json", ""),
        "stops": ("json", ""),
        "line": ("choice", "true"),
        "wide": ("number", "2"),
    }
    (stops,) = (one for one in fields_of(SCHEMA, {}) if one.name == "stops")
    assert (stops.shape, stops.parts) == ('[{"place": …}, …]', [("place", "its id"), ("stay", "")])
    texts = {"way": "foot", "deep": '{"a": [1]}', "ids": "n1\r\n n2 \n", "line": "true", "wide": "2.5"}
    assert read_arguments(SCHEMA, texts) == {
        "way": "foot", "deep": {"a": [1]}, "ids": ["n1", "n2"], "line": True, "wide": 2.5,
    }  # fmt: skip
    assert read_arguments(SCHEMA, {"way": " ", "wide": "wide"}) == {"wide": "wide"}
