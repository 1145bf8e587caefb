"""Endpoints that misbehave on the wire: bytes written by hand over real sockets, and what a call makes of them."""

import asyncio
import gzip
import json
import struct
from collections.abc import Awaitable, Callable
from socket import SO_LINGER, SOL_SOCKET

import psutil
import pytest

from app.inference.chat import ChatClient, Endpoint
from app.inference.completions import read_retry_after
from app.inference.outcomes import Failure, Reply

Writes = Callable[[asyncio.StreamWriter], Awaitable[None]]
GOOD = json.dumps({"choices": [{"message": {"content": "B"}, "finish_reason": "stop"}]}).encode()
BODY = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
JSON = "application/json"


def head(status: str, *headers: str) -> bytes:
    return "\r\n".join((f"HTTP/1.1 {status}", *headers, "", "")).encode()


def sends(*chunks: bytes) -> Writes:
    """Writes these bytes and closes."""

    async def write(writer: asyncio.StreamWriter) -> None:
        for chunk in chunks:
            writer.write(chunk)
            await writer.drain()

    return write


def ask(write: Writes, timeout: float = 5.0) -> Reply | Failure:
    """What the client makes of a server that reads the request and then does as `write` says."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        try:
            await write(writer)
        except ConnectionError:
            return  # the client has seen enough
        finally:
            writer.close()

    async def run() -> Reply | Failure:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        client = ChatClient(timeout)
        try:
            port = server.sockets[0].getsockname()[1]
            return await client.complete(Endpoint(f"http://127.0.0.1:{port}/v1", "m"), BODY)
        finally:
            await client.close()
            server.close()

    return asyncio.run(run())


async def resets(writer: asyncio.StreamWriter) -> None:
    """Half an answer, then RST."""
    writer.write(head("200 OK", f"Content-Type: {JSON}", "Content-Length: 500") + GOOD[:20])
    await writer.drain()
    writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@pytest.mark.parametrize(
    ("write", "heals", "words"),
    [
        pytest.param(resets, True, "cannot be reached", id="reset-mid-body"),
        pytest.param(sends(), True, "cannot be reached", id="closed-without-a-word"),
        pytest.param(sends(b"SSH-2.0-OpenSSH_9.2\r\n"), True, "cannot be reached", id="another-protocol"),
        pytest.param(
            sends(head("200 OK", f"Content-Type: {JSON}", f"Content-Length: {len(GOOD) + 9}"), GOOD),
            True,
            "cannot be reached",
            id="shorter-than-it-says",
        ),
        pytest.param(
            sends(head("200 OK", f"Content-Type: {JSON}", "Transfer-Encoding: chunked"), b"zz\r\n", GOOD),
            True,
            "cannot be reached",
            id="chunks-that-are-none",
        ),
        pytest.param(
            sends(head("200 OK", f"Content-Type: {JSON}", "Content-Encoding: gzip"), GOOD),
            True,
            "cannot be reached",
            id="gzip-that-is-none",
        ),
        pytest.param(
            sends(head("200 OK", f"X-Much: {'x' * 100_000}")), True, "cannot be reached", id="huge-header"
        ),
        pytest.param(
            sends(head("200 OK", f"Content-Type: {JSON}"), GOOD[:-2]),
            True,
            "is not JSON",
            id="truncated-json",
        ),
        pytest.param(sends(head("200 OK", f"Content-Type: {JSON}")), True, "is not JSON", id="nothing-in-it"),
        pytest.param(
            sends(
                head("200 OK", "Content-Type: text/event-stream"), b"data: " + GOOD + b"\n\ndata: [DONE]\n\n"
            ),
            False,
            "a stream of events",
            id="a-stream-nobody-asked-for",
        ),
        pytest.param(
            sends(head("404 Not Found", f"Content-Type: {JSON}"), b'{"error": "no model `m`"}'),
            False,
            "HTTP 404: “no model `m`”",
            id="wrong-model",
        ),
    ],
)
def test_what_an_endpoint_may_send(write: Writes, heals: bool, words: str) -> None:
    failure = ask(write)
    assert isinstance(failure, Failure)
    assert (failure.heals, words in failure.reason) == (heals, True), failure.reason
    assert len(failure.reason) < 400


def grown(write: Writes) -> tuple[Reply | Failure, int]:
    """What came of it, and by how many bytes this process has grown."""
    process = psutil.Process()
    before = process.memory_info().rss
    return ask(write), process.memory_info().rss - before


def test_fifty_megabytes_are_not_read() -> None:
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(head("200 OK", f"Content-Type: {JSON}", f"Content-Length: {50 << 20}"))
        for _ in range(50):
            writer.write(b"x" * (1 << 20))
            await writer.drain()

    failure, bytes_more = grown(write)
    assert isinstance(failure, Failure)
    assert "larger than 4 MB" in failure.reason
    assert bytes_more < 30 << 20


def test_fifty_megabytes_that_were_packed_small_are_not_unpacked() -> None:
    packed = gzip.compress(b"x" * (50 << 20))
    answer = head(
        "200 OK", f"Content-Type: {JSON}", "Content-Encoding: gzip", f"Content-Length: {len(packed)}"
    )
    failure, bytes_more = grown(sends(answer, packed))
    assert isinstance(failure, Failure)
    assert "larger than 4 MB" in failure.reason
    assert bytes_more < 45 << 20


@pytest.mark.parametrize(
    ("header", "date", "seconds"),
    [
        ("Wed, 21 Oct 2026 07:28:30 GMT", "Wed, 21 Oct 2026 07:28:00 GMT", 30.0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:30 GMT", None),
        ("Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:30 GMT", 300.0),
        ("Wed, 21 Oct 2026 07:28:30 GMT", None, None),
        ("Wed, 99 Oct 2026 07:28:30 GMT", "Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("tomorrow", "Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("-5", None, None),
        ("1e400", None, None),
        ("9" * 4000, None, None),
        ("86400", None, 300.0),
    ],
    ids=lambda value: str(value)[:20],
)
def test_waits_as_they_are_written(header: str, date: str | None, seconds: float | None) -> None:
    assert read_retry_after(header, date) == seconds


def test_a_wait_that_cannot_be_read_is_no_wait() -> None:
    headers = ("Retry-After: soon", f"Content-Type: {JSON}", "Content-Length: 2")
    failure = ask(sends(head("429 Too Many Requests", *headers), b"{}"))
    assert isinstance(failure, Failure)
    assert (failure.limited, failure.heals, failure.retry_after) == (True, True, None)
