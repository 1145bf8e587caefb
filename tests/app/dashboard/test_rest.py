"""The page of REST: in the menu, and every route, parameter and field that the server describes."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import httpx
import pytest

from app.core.settings import Settings
from app.dashboard.rest import kind_of
from tests.app.dashboard.test_pages import Cells
from tests.support.service import patient_client, serving


@pytest.fixture(scope="module")
def client(make_database: Callable[[], Settings]) -> Iterator[httpx.Client]:
    with serving(make_database()) as address, patient_client(address) as client:
        yield client


def test_the_menu_leads_to_a_page_for_people(client: httpx.Client) -> None:
    (address,) = re.findall(r'<a href="([^"]+)">REST</a>', client.get("/").text)
    answer = client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert '<a href="/v1/openapi.json">' in answer.text, "what programs read is one step away"


def test_it_holds_all_that_the_server_describes(client: httpx.Client) -> None:
    page = client.get("/rest").text
    assert not Cells(page)._stack, "every element is closed"
    routes = dict(re.findall(r'<section class="route" id="([^"]+)">(.*?)</section>', page, re.S))
    described = client.get("/v1/openapi.json").json()
    told = {
        operation["operationId"]: (method.upper(), path, operation)
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    }
    assert routes.keys() == told.keys()
    for name, (method, path, operation) in told.items():
        said = unescape(re.sub(r"<[^>]+>", "", routes[name])).replace("\u200b", "")
        assert method in said
        assert path in said
        assert operation["description"].replace("`", "") in said
        assert "key:" in said or "403" not in operation["responses"], path
        for one in operation.get("parameters", ()):
            assert one["name"] in said
            assert one.get("description", "").replace("`", "") in said


def test_it_names_the_role_whose_key_a_route_wants(client: httpx.Client) -> None:
    """As the route itself answers who sends no key."""
    found = re.findall(r'<section class="route".*?</section>', client.get("/rest").text, re.S)
    wanted = {}
    for one in found:
        method, path = re.findall(
            r'<span class="outcome">(\w+)</span> <code>([^<]+)', one.replace("\u200b", "")
        )[0]
        roles = re.findall(r'<span class="tag">key: (\w+)</span>', one)
        wanted[method, path] = roles[0] if roles else None
    for (method, path), role in wanted.items():
        if "{" in path:
            continue
        answer = client.request(method, path)
        if role is None:
            assert answer.status_code in (200, 400, 422), path
        else:
            assert answer.status_code == 401, path
            assert f"role {role}" in answer.json()["detail"], path
    assert wanted["GET", "/v1/key"] == "reader"
    assert wanted["POST", "/v1/datasets"] == "maintainer"


def test_fields_of_bodies_and_answers(client: httpx.Client) -> None:
    page = client.get("/rest").text.replace("\u200b", "")
    assert "per_template" in page, "of the body that makes a data set"
    assert "random_expectation" in page, "of the answer that is a board"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string"}, "text"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "whole number or null"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Row"}}, "list of Row"),
        ({"enum": ["", "public"]}, "empty or public"),
        ({"type": "string", "format": "date-time"}, "time"),
        ({}, "any value"),
    ],
)
def test_types_in_words(schema: dict[str, Any], said: str) -> None:
    assert kind_of(schema) == said
