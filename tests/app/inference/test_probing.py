"""The look at an endpoint, against servers on loopback that keep to some forms of answer and not to others."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.inference.chat import Endpoint
from app.inference.probing import GUIDES, Health, chosen_guide, examine_endpoint, guide_body, guided_text
from tests.loopback import Answer, Request, serving_http

Chat = Callable[[dict[str, Any]], Answer]


def says(content: str, **more: Any) -> Answer:
    choice = {"message": {"content": content}, "finish_reason": "stop"}
    body = json.dumps({"choices": [choice], **more}).encode()
    return Answer(200, {"Content-Type": "application/json"}, body)


def examined(chat: Chat, version: Answer | None = None) -> Health:
    """What a look finds at a server with the model m that chats like this."""

    def answer(request: Request) -> Answer:
        if request.path == "/v1/models":
            listed = {"data": [{"id": "other", "owned_by": "nobody"}, {"id": "m", "owned_by": "vllm"}]}
            return Answer(200, {"Content-Type": "application/json"}, json.dumps(listed).encode())
        if request.path == "/version":
            return version or Answer(404, {}, b"no such page")
        return chat(json.loads(request.body))

    with serving_http(answer) as url:
        return examine_endpoint(Endpoint(f"{url}/v1", "m"), 5.0)


def ignores(body: dict[str, Any]) -> Answer:
    return says("Hello!")


def of_today(body: dict[str, Any]) -> Answer:
    """As vLLM of today: the former field is nothing to it."""
    return says(body.get("structured_outputs", {}).get("choice", ["Hello!"])[0])


def refuses_what_it_does_not_know(body: dict[str, Any]) -> Answer:
    """As OpenAI: a schema, and 400 for fields of others."""
    if {"structured_outputs", "guided_choice"} & set(body):
        return Answer(400, {}, b"unknown field")
    wanted = body.get("response_format")
    if wanted is None:
        return says("Hello!")
    ((name, field),) = wanted["json_schema"]["schema"]["properties"].items()
    return says(json.dumps({name: field["enum"][1]}))


def breaks_on_schemas(body: dict[str, Any]) -> Answer:
    return Answer(500, {}, b"grammar") if "response_format" in body else ignores(body)


@pytest.mark.parametrize(
    ("chat", "guides"),
    [
        (ignores, ()),
        (of_today, ("structured_outputs",)),
        (refuses_what_it_does_not_know, ("json_schema",)),
        (breaks_on_schemas, ()),
    ],
)
def test_forms_are_tried_and_not_believed(chat: Chat, guides: tuple[str, ...]) -> None:
    found = examined(chat)
    assert (found.state, found.guides) == ("ok", guides)
    assert chosen_guide(found.as_json()) == (guides[0] if guides else None)


def test_a_full_house_says_nothing_of_forms() -> None:
    def chat(body: dict[str, Any]) -> Answer:
        return Answer(429, {}, b"slow down") if "guided_choice" in body else ignores(body)

    found = examined(chat)
    assert found.state == "failed"
    assert "HTTP 429" in found.said


def test_the_engine_is_what_the_server_says() -> None:
    version = Answer(200, {"Content-Type": "application/json"}, b'{"version": "0.33.0"}')
    page = Answer(200, {"Content-Type": "text/html"}, b"<html>")
    assert examined(ignores, version).engine == "vllm 0.33.0"
    assert examined(ignores, page).engine is None
    assert examined(lambda body: says("Hello!", system_fingerprint="fp_1"), page).engine == "fp_1"


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guided_answer_is_read_back(guide: Any) -> None:
    assert "B" in json.dumps(guide_body(guide, ["A", "B"]))
    said = '{"answer": "B"}' if guide == "json_schema" else "B"
    assert guided_text(guide, said) == "B"
    for other in ("", "no", "[1]", '{"answer": 7}', '{"answer": '):
        assert guided_text(guide, other) == other
