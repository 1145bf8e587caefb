"""The chat client against real servers on loopback: every way in which an endpoint can fail is a value with a reason."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import EndpointRefused, EndpointUnavailable
from app.inference.chat import BODY_LIMIT, ChatClient, Endpoint
from app.inference.checking import base_url, check_endpoint
from app.inference.completions import Fetched, parse_json, read_answer, read_completion, read_retry_after
from app.inference.outcomes import Failure, Reply

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
GOOD = {"choices": [{"message": {"content": "B"}, "finish_reason": "stop"}], "usage": {"total_tokens": 3}}
BODY = {"model": "m", "messages": [{"role": "user", "content": "?"}]}


def ask(handler: Handler, key: str | None = None, timeout: float = 5.0) -> Reply | Failure:
    """What the client makes of a server that answers with `handler`."""

    async def run() -> Reply | Failure:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", handler)
        runner = web.AppRunner(application, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        client = ChatClient(timeout)
        try:
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            return await client.complete(Endpoint(url, "m", key), BODY)
        finally:
            await client.close()
            await runner.cleanup()

    return asyncio.run(run())


def says(status: int, text: str, content_type: str = "application/json", **headers: str) -> Handler:
    async def handler(request: web.Request) -> web.Response:
        return web.Response(status=status, text=text, content_type=content_type, headers=headers)

    return handler


def timer_of(client: int, server: int) -> str:
    """The timer of a connection between two ports, as the kernel tells: 01 resends, 02 is that of keepalives."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = (f":{client:04X}", f":{server:04X}")
    return next(row[5][:2] for row in rows if row[1].endswith(ends[0]) and row[2].endswith(ends[1]))


def test_a_call_asks_whether_the_other_host_lives() -> None:
    async def handler(request: web.Request) -> web.Response:
        assert request.transport is not None
        client, server = (request.transport.get_extra_info(end)[1] for end in ("peername", "sockname"))
        while timer_of(client, server) == "01":
            await asyncio.sleep(0.01)
        return web.json_response(GOOD | {"system_fingerprint": timer_of(client, server)})

    reply = ask(handler)
    assert isinstance(reply, Reply)
    assert reply.engine == "02"


def test_a_completion() -> None:
    reply = ask(says(200, json.dumps(GOOD)))
    assert reply == Reply("B", "stop", {"total_tokens": 3}, GOOD)


@pytest.mark.parametrize(
    ("handler", "heals", "words"),
    [
        (says(401, '{"error": "no"}'), False, "HTTP 401"),
        (says(404, "<html>", "text/html"), False, "HTTP 404: “a web page"),
        (says(500, "oops"), True, "HTTP 500"),
        (says(302, ""), False, "HTTP 302, a redirect: it does not say where to"),
        (says(200, "<!doctype html><p>hi", "text/html"), True, "a web page, not JSON"),
        (says(200, "<html>"), True, "a web page, not JSON"),
        (says(200, '{"choices": ['), True, "is not JSON"),
        (says(200, '{"choices": [NaN]}'), True, "is not JSON"),
        (says(200, "[" * 100_000), True, "is not JSON"),
        (says(200, "[]"), True, "without choices"),
        (says(200, '{"choices": []}'), True, "without choices"),
        (says(200, '{"choices": [{"message": {"content": 7}}]}'), True, "content that is not a text"),
        (says(200, "x" * (BODY_LIMIT + 1)), False, "larger than 4 MB"),
    ],
)
def test_failures_say_what_was_wrong(handler: Handler, heals: bool, words: str) -> None:
    failure = ask(handler)
    assert isinstance(failure, Failure)
    assert failure.heals is heals
    assert words in failure.reason
    assert len(failure.reason) < 300


def test_bytes_that_are_no_text_are_the_endpoints_failure() -> None:
    async def handler(request: web.Request) -> web.Response:
        body = b'{"choices": [{"message": {"content": "\xff\xfe\xc3("}, "finish_reason": "stop"}]}'
        return web.Response(body=body, content_type="application/json")

    assert ask(handler) == Failure("the endpoint's answer is not UTF-8", True, 200)


def test_rate_limits_carry_their_wait() -> None:
    failure = ask(says(429, "slow down", **{"Retry-After": "7"}))
    assert isinstance(failure, Failure)
    assert (failure.limited, failure.retry_after, failure.http_status, failure.heals) == (
        True,
        7.0,
        429,
        True,
    )
    waits = {text: read_retry_after(text) for text in ("3", "0.5", "-1", "soon", "inf", "nan", "1e9", "")}
    assert waits == {
        "3": 3,
        "0.5": 0.5,
        "-1": None,
        "soon": None,
        "inf": None,
        "nan": None,
        "1e9": 300,
        "": None,
    }


def test_silence_and_slow_drips_end_at_the_timeout() -> None:
    async def silent(request: web.Request) -> web.Response:
        await asyncio.Event().wait()
        return web.Response()

    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b" ")
            await asyncio.sleep(0.02)

    for handler in (silent, drip):
        failure = ask(handler, timeout=0.3)
        assert isinstance(failure, Failure)
        assert failure.heals
        assert "did not answer within 0.3 s" in failure.reason
        assert failure.is_crowded


def test_a_connection_that_breaks_in_the_middle_heals() -> None:
    async def cut(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b'{"choices"')
        assert request.transport is not None
        request.transport.close()
        return response

    failure = ask(cut)
    assert isinstance(failure, Failure)
    assert failure.heals
    assert "cannot be reached" in failure.reason


def test_the_key_is_sent_and_never_kept() -> None:
    async def echo(request: web.Request) -> web.Response:
        return web.Response(status=401, text=f"bad key {request.headers['Authorization']}")

    failure = ask(echo, key="sk-secret")
    assert isinstance(failure, Failure)
    assert "bad key Bearer [key]" in failure.reason
    assert "sk-secret" not in failure.reason


def test_the_key_is_not_kept_however_it_is_spelt() -> None:
    """Escaped in JSON, in an answer that is stored as it came, and in the address of a redirect."""
    key = "a/key+1234"
    spelt = (
        '{"choices": [{"message": {"content": "'
        + "\\u0061\\/key\\u002B1234"
        + '"}, "finish_reason": "stop"}]}'
    )
    reply = ask(says(200, spelt), key=key)
    assert isinstance(reply, Reply)
    assert reply.content == "[key]"
    assert key not in str(reply.raw)
    failure = ask(says(308, "", Location="/v2/A%2fKEY%2B1234/chat"), key=key)
    assert isinstance(failure, Failure)
    assert "/v2/[key]/chat" in failure.reason


@pytest.mark.parametrize(
    "line",
    [
        "HTTP/1.1 200 OK\r\nX-Echo {key}\r\n\r\n",
        "HTTP/1.1 2{key} OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: {key}\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{key}\r\n",
    ],
    ids=["header", "status", "length", "chunk"],
)
def test_the_key_is_not_kept_of_what_is_no_http(line: str) -> None:
    """A client's fault quotes what it could not read."""
    key = "Zx9-SeCrEt/KeY+0123456789"

    async def run() -> Reply | Failure:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(line.format(key=key).encode())
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        client = ChatClient(5.0)
        try:
            port = server.sockets[0].getsockname()[1]
            return await client.complete(Endpoint(f"http://127.0.0.1:{port}/v1", "m", key), BODY)
        finally:
            await client.close()
            server.close()

    failure = asyncio.run(run())
    assert isinstance(failure, Failure)
    assert key[:12].casefold() not in failure.reason.casefold()


@pytest.mark.parametrize("key", ["A", "1", "EMPTY", "none"])
def test_a_word_in_place_of_a_key_changes_no_answer(key: str) -> None:
    said = {"choices": [{"message": {"content": f"{key} is A of 1"}, "finish_reason": "stop"}]}
    reply = ask(says(200, json.dumps(said)), key=key)
    assert isinstance(reply, Reply)
    assert reply.content == f"{key} is A of 1"


def test_a_redirect_is_not_followed_and_says_where_to() -> None:
    followed: list[web.Request] = []

    async def redirect(request: web.Request) -> web.Response:
        followed.append(request)
        raise web.HTTPPermanentRedirect("/v1/chat/completions")

    failure = ask(redirect, key="sk-secret")
    assert isinstance(failure, Failure)
    assert re.search(
        r"HTTP 308, a redirect: it leads to http://127\.0\.0\.1:\d+/v1/chat/completions,", failure.reason
    )
    assert (len(followed), failure.heals) == (1, False)


def test_what_postgresql_cannot_store_is_replaced() -> None:
    parsed = parse_json('{"a\\u0000": ["x\\u0000y", "\\ud800"]}')
    assert parsed == {"a\ufffd": ["x\ufffdy", "?"]}
    json.dumps(parsed).encode()


@pytest.mark.parametrize(
    "raw", [None, 3, [], {"choices": {}}, {"choices": [3]}, {"choices": [{"message": None}]}]
)
def test_what_is_no_completion(raw: Any) -> None:
    assert read_completion(raw) is None


def test_a_completion_without_content_is_one() -> None:
    reply = read_completion({"choices": [{"message": {"content": None}, "finish_reason": "length"}]})
    assert reply is not None
    assert (reply.content, reply.finish_reason) == (None, "length")


def test_base_urls() -> None:
    for written in ("http://h/v1", "http://h/v1/", " http://h/v1/chat/completions/ "):
        assert base_url(written) == "http://h/v1"


def check(application: web.Application, model: str | None) -> str:
    """The check of an endpoint, against a server in a thread's loop of its own."""

    async def run() -> str:
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
            return await asyncio.to_thread(check_endpoint, url, model, None, 5.0)
        finally:
            await runner.cleanup()

    return asyncio.run(run())


def test_the_check_without_a_list_of_models_asks_one_short_chat() -> None:
    asked: list[Any] = []

    async def complete(request: web.Request) -> web.Response:
        asked.append(await request.json())
        return web.json_response(GOOD)

    application = web.Application()
    application.router.add_post("/v1/chat/completions", complete)
    assert check(application, "tiny") == "tiny"
    assert [(body["model"], body["max_tokens"]) for body in asked] == [("tiny", 1)]


def test_the_check_wants_a_choice_among_models() -> None:
    application = web.Application()
    application.router.add_get("/v1/models", says(200, '{"data": [{"id": "a"}, {"id": "b"}]}'))
    assert (
        check_fails(application, None, EndpointRefused) == "lists 2 models (a, b): choose one with --model."
    )
    assert check_fails(application, "c", EndpointRefused).endswith(
        "does not know the model 'c'; it lists: a, b."
    )


def check_fails(application: web.Application, model: str | None, kind: type[Exception]) -> str:
    fresh = web.Application()
    fresh.router.add_get("/v1/models", next(iter(application.router.routes())).handler)
    with pytest.raises(kind) as raised:
        check(fresh, model)
    return str(raised.value).partition("/v1 ")[2]


def test_an_endpoint_that_is_overloaded_is_unavailable() -> None:
    application = web.Application()
    application.router.add_get("/v1/models", says(503, "busy"))
    with pytest.raises(EndpointUnavailable, match=r"HTTP 503: “busy”\. Nothing was made"):
        check(application, "m")


def test_a_number_beyond_all_numbers_is_not_json() -> None:
    text = '{"choices": [{"message": {"content": "A"}}], "usage": {"total": 1e400}}'
    outcome = read_answer(Fetched(200, "application/json", text))
    assert isinstance(outcome, Failure)
    assert "is not JSON" in outcome.reason


TEXTS = st.text(st.characters() | st.sampled_from("\0\\ud8\ud800\udc00\U0001f600"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda of: st.lists(of, max_size=3) | st.dictionaries(TEXTS, of, max_size=3),
    max_leaves=12,
)


@given(VALUES, st.booleans())
def test_whatever_json_says_comes_out_storable(value: Any, escaped: bool) -> None:
    """As PostgreSQL stores it, in UTF-8 and without NUL; and unchanged where it was so already."""
    told = json.dumps(value, ensure_ascii=escaped)
    found = parse_json(told)
    stored = json.dumps(found, ensure_ascii=False)
    stored.encode()
    assert "\0" not in "".join(_texts_of(found))
    if not re.search("[\0\ud800-\udfff]", "".join(_texts_of(value))):
        assert found == value


def _texts_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, one in value.items() for text in [key, *_texts_of(one)]]
    if isinstance(value, list):
        return [text for one in value for text in _texts_of(one)]
    return [value] if isinstance(value, str) else []
