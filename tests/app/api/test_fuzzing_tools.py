"""Calls made up from the schemas of the tools, fit and unfit: no 5xx, no stack trace, every answer as described."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis

from app.agent_tools.schemas import describe_tools
from app.agent_tools.sets import find_set
from tests.app.api.test_fuzzing import SHORT, ask, fuzz
from tests.support.service import serving
from tests.support.tool_maps import bearing
from tests.support.town import Imported

MANY = 50
SETS = ("all", "mapeval")


def describe_calls() -> dict[str, Any]:
    """The routes of tools as OpenAPI, one for each tool, whose body has the schema of the tool's arguments."""
    problem = {"application/problem+json": {"schema": {"required": ["status", "detail", "code"]}}}
    refused = {str(status): {"description": "refused", "content": problem} for status in (404, 409, 422, 503)}
    answer = {"application/json": {"schema": {"required": ["tool", "result", "sentence", "credit"]}}}
    responses = {"200": {"description": "the answer", "content": answer}, **refused}
    paths = {}
    for name in SETS:
        chosen = {"name": "set", "in": "query", "required": True, "schema": {"const": name}}
        for one in describe_tools(find_set(name).tools):
            content = {"application/json": {"schema": one["function"]["parameters"]}}
            body = {"required": True, "content": content}
            call = {"parameters": [chosen], "requestBody": body, "responses": responses}
            paths[f"/v1/snapshots/tools/tools/{one['function']['name']}"] = {"post": call}
    return {"openapi": "3.1.0", "info": {"title": "Tools", "version": "1"}, "paths": paths}


@pytest.fixture(scope="module")
def described(map_: Imported) -> Iterator[Any]:
    with serving(map_.settings) as address:
        schema = schemathesis.openapi.from_dict(describe_calls())
        schema.config.update(base_url=address)
        yield schema


@pytest.fixture(scope="module")
def token(map_: Imported) -> str:
    return bearing(map_.settings, rate=1_000_000)["Authorization"].removeprefix("Bearer ")


def test_a_few_calls_of_each_tool(described: Any, token: str) -> None:
    assert fuzz(described, SHORT, lambda case: ask(case, token)) == len(describe_calls()["paths"])


@pytest.mark.long
def test_many_calls_of_each_tool(described: Any, token: str) -> None:
    fuzz(described, MANY, lambda case: ask(case, token))
