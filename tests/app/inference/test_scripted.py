"""The scripted endpoint's policies, over HTTP; its log tells every request."""

import asyncio
import io
import json
from collections.abc import Sequence
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestClient, TestServer

from app.core.identity import digest
from app.inference.scripted import DOES_NOT_KNOW, POLICIES, ScriptedEndpoint, first_option, has_options, mixed

OPTIONS = "Which?\n\nA) one\nB) two"


def ask(
    policy: str, prompts: Sequence[Any], model: str | None = None, **more: Any
) -> tuple[list[tuple[int, str]], list[dict[str, Any]]]:
    """Status and content of each answer, and the log."""
    log = io.StringIO()

    async def run() -> list[tuple[int, str]]:
        endpoint = ScriptedEndpoint(policy, log, **more)
        async with TestClient(TestServer(endpoint.application())) as client:
            answers = []
            for prompt in prompts:
                body = {"model": model or endpoint.model, "messages": [{"role": "user", "content": prompt}]}
                response = await client.post("/v1/chat/completions", json=body)
                text = await response.text()
                try:
                    answers.append((response.status, json.loads(text)["choices"][0]["message"]["content"]))
                except (ValueError, KeyError):
                    answers.append((response.status, text))
            return answers

    return asyncio.run(run()), [json.loads(line) for line in log.getvalue().splitlines()]


def test_first_option_and_not_knowing() -> None:
    assert ask("first_option", [OPTIONS, "How many?"])[0] == [(200, "A"), (200, DOES_NOT_KNOW)]
    assert ask("does_not_know", [OPTIONS])[0] == [(200, DOES_NOT_KNOW)]
    assert has_options(OPTIONS)
    assert not has_options("A man, a plan")
    assert first_option("x") == DOES_NOT_KNOW


def test_a_message_in_parts_is_read_by_its_text() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QQ=="}}
    assert ask("first_option", [[{"type": "text", "text": OPTIONS}, picture]])[0] == [(200, "A")]
    assert ask("first_option", [[picture, {"type": "text", "text": "How many?"}]])[0] == [
        (200, DOES_NOT_KNOW)
    ]


def test_rate_limits_hit_the_first_try_only() -> None:
    answers, log = ask("rate_limited", [OPTIONS, OPTIONS, OPTIONS])
    assert [status for status, _ in answers] == [429, 200, 200]
    assert len(log) == 3


def test_garbage_is_well_formed_and_truncated_is_not() -> None:
    ((status, words),), _ = ask("garbage", [OPTIONS])
    assert status == 200
    assert "marmalade" in words
    ((status, text),), _ = ask("truncated", [OPTIONS])
    assert status == 200
    with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
        json.loads(text)
    assert ask("html", [OPTIONS])[0][0][1].startswith("<!doctype html>")
    assert ask("failing", [OPTIONS])[0][0][0] == 500


def test_mixed_depends_on_the_prompt_alone() -> None:
    prompts = [f"{OPTIONS} {number}" for number in range(40)]
    once = [mixed(prompt) for prompt in prompts]
    assert once == [mixed(prompt) for prompt in prompts]
    assert len(set(once)) >= 5
    answers, _ = ask("mixed", [prompt for prompt in prompts for _ in range(2)])
    assert [text for _, text in answers[1::2]] == once
    assert {status for status, _ in answers[::2]} == {200, 429, 500}


def test_another_models_name_is_refused() -> None:
    assert ask("first_option", [OPTIONS], model="gpt")[0][0][0] == 404


def test_the_log_carries_the_hash_of_the_request() -> None:
    body = {"model": "scripted:first_option", "messages": [{"role": "user", "content": OPTIONS}]}
    _, log = ask("first_option", [OPTIONS])
    assert log[0]["hash"] == digest(body)
    assert set(log[0]) == {"number", "hash", "time"}


def test_bad_requests_are_refused_and_every_policy_is_listed() -> None:
    async def run() -> list[int]:
        statuses = []
        for policy in POLICIES:
            async with TestClient(TestServer(ScriptedEndpoint(policy).application())) as client:
                response = await client.post("/v1/chat/completions", data=b"{")
                statuses.append(response.status)
                models = await client.get("/v1/models")
                if policy != "html":
                    assert (await models.json())["data"][0]["id"] == f"scripted:{policy}"
        return statuses

    assert set(asyncio.run(run())) == {400}


def test_holding_and_releasing() -> None:
    async def run() -> str:
        endpoint = ScriptedEndpoint("first_option")
        async with TestClient(TestServer(endpoint.application())) as client:
            await client.post("/control/hold")
            body = {"model": endpoint.model, "messages": [{"role": "user", "content": OPTIONS}]}
            call = asyncio.create_task(client.post("/v1/chat/completions", json=body))
            await client.get("/control/wait?received=1")
            assert not call.done()
            await client.post("/control/release")
            response: aiohttp.ClientResponse = await call
            return str((await response.json())["choices"][0]["message"]["content"])

    assert asyncio.run(run()) == "A"
