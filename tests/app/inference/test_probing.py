"""The look at an endpoint, against servers on loopback that keep to some forms of answer and not to others."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.inference.chat import Endpoint
from app.inference.probing import GUIDES, Health, chosen_guide, examine_endpoint, guide_body, guided_text
from tests.support.faulty_endpoint import completion, of_its_own_sampling, without_seed
from tests.support.faulty_endpoint import says as answer_of
from tests.support.http_server import Answer, Request, serving_http

Chat = Callable[[dict[str, Any]], Answer]


def says(content: str, **more: Any) -> Answer:
    choice = {"message": {"content": content}, "finish_reason": "stop"}
    body = json.dumps({"choices": [choice], **more}).encode()
    return Answer(200, {"Content-Type": "application/json"}, body)


def examined(chat: Chat, version: Answer | None = None, body: dict[str, Any] | None = None) -> Health:
    """What a look finds at a server with the model m that chats like this."""

    def answer(request: Request) -> Answer:
        if request.path == "/v1/models":
            listed = {"data": [{"id": "other", "owned_by": "nobody"}, {"id": "m", "owned_by": "vllm"}]}
            return Answer(200, {"Content-Type": "application/json"}, json.dumps(listed).encode())
        if request.path == "/version":
            return version or Answer(404, {}, b"no such page")
        return chat(json.loads(request.body))

    with serving_http(answer) as url:
        return examine_endpoint(Endpoint(f"{url}/v1", "m", body=body), 5.0)


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


def takes_no_seed(body: dict[str, Any]) -> Answer:
    return without_seed(body, 1)


def takes_its_own_sampling(body: dict[str, Any]) -> Answer:
    return of_its_own_sampling(body, 1)


def refuses_within_success(body: dict[str, Any]) -> Answer:
    told = {"error": {"code": 400, "message": "unknown field seed"}}
    return answer_of(told) if "seed" in body else says("A")


@pytest.mark.parametrize(
    ("chat", "body", "words"),
    [
        (ignores, None, []),
        (takes_no_seed, {"seed": None}, ["It refuses seed = 0: the endpoint answered HTTP 422"]),
        (refuses_within_success, {"seed": None}, ["(code 400): “unknown field seed”"]),
        (
            takes_its_own_sampling,
            {"max_tokens": None, "max_completion_tokens": 8192, "temperature": None},
            [
                "It refuses max_tokens = 32 and takes max_completion_tokens instead",
                "It refuses temperature = 0",
            ],
        ),
    ],
)
def test_a_look_finds_what_a_server_does_not_take(
    chat: Chat, body: dict[str, Any] | None, words: list[str]
) -> None:
    found = examined(chat)
    assert (found.state, found.body, len(found.needs)) == ("ok", body, len(words))
    for need, said in zip(found.needs, words, strict=True):
        assert said in need
    assert "needs" in found.as_json()
    again = examined(chat, body=body)
    assert (again.state, again.needs, again.body) == ("ok", (), None)


def test_a_body_is_kept_beside_what_is_found() -> None:
    found = examined(takes_its_own_sampling, body={"temperature": None, "top_p": 0.5})
    assert found.body == {
        "temperature": None,
        "top_p": 0.5,
        "max_tokens": None,
        "max_completion_tokens": 8192,
    }


def test_a_look_tells_in_what_form_answers_come() -> None:
    parts = [{"type": "thinking", "thinking": "Perhaps B."}, {"type": "text", "text": "A"}]
    found = examined(lambda body: answer_of(completion(parts)))
    assert found.needs == (
        "Its answers come in parts, which are read.",
        "It gives its thoughts apart from its answers; they are no part of an answer.",
    )


def test_who_refuses_even_the_least_call_fails() -> None:
    found = examined(lambda body: Answer(400, {}, b'{"error": "no such tenant"}'))
    assert (found.state, "no such tenant" in found.said) == ("failed", True)
    found = examined(lambda body: answer_of({"error": {"code": "insufficient_quota"}}))
    assert (found.state, "its quota is exhausted" in found.said) == ("failed", True)
