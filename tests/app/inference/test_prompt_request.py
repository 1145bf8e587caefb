"""When and how a call's bytes leave, seen from a bare socket at the other end."""

import asyncio
import json
import socket

import pytest

from app.inference.chat import ChatClient, Endpoint
from app.inference.outcomes import Failure, Reply

GOOD = json.dumps({"choices": [{"message": {"content": "B"}, "finish_reason": "stop"}]}).encode()
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(GOOD),
    GOOD,
)
LONG = "word " * 4_000_000
"""More than a connection takes while nobody reads at its other end."""


def body_of(prompt: str) -> str:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": prompt}]})


async def received(reader: asyncio.StreamReader) -> bytes:
    """The body of one request."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        line.split(b":")[1] for line in head.lower().splitlines() if line.startswith(b"content-length")
    )
    return await reader.readexactly(int(length))


def test_a_call_leaves_in_the_turn_that_makes_it() -> None:
    async def run() -> bytes:
        loop = asyncio.get_running_loop()
        client = ChatClient(5)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            endpoint = Endpoint(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", "m")
            first = asyncio.create_task(client.complete(endpoint, body_of("first")))
            connection, _ = await loop.run_in_executor(None, listening.accept)
            with connection:
                await loop.run_in_executor(None, connection.recv, 65536)
                connection.sendall(ANSWER)
                await first
                second = asyncio.create_task(client.complete(endpoint, body_of("second")))
                await asyncio.sleep(0)
                sent = connection.recv(65536, socket.MSG_DONTWAIT)
                connection.sendall(ANSWER)
                await second
        await client.close()
        return sent

    head, _, body = asyncio.run(run()).partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/chat/completions")
    assert body.decode() == body_of("second")


def test_a_prompt_that_is_not_taken_at_once_arrives_whole() -> None:
    async def run() -> tuple[Reply | Failure, bytes]:
        arrived = asyncio.get_running_loop().create_future()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            arrived.set_result(await received(reader))
            writer.write(ANSWER)

        client = ChatClient(30)
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            outcome = await client.complete(Endpoint(f"http://127.0.0.1:{port}/v1", "m"), body_of(LONG))
            await client.close()
        return outcome, await arrived

    outcome, body = asyncio.run(run())
    assert isinstance(outcome, Reply)
    assert outcome.content == "B"
    assert body.decode() == body_of(LONG)


@pytest.mark.parametrize("ending", ["silence", "a close"])
def test_a_prompt_that_is_never_taken_is_a_failure_that_heals(ending: str) -> None:
    async def run() -> Reply | Failure:
        async def take_little(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            if ending == "a close":
                writer.transport.abort()

        client = ChatClient(0.5 if ending == "silence" else 30)
        async with await asyncio.start_server(take_little, "127.0.0.1", 0, limit=1024) as server:
            port = server.sockets[0].getsockname()[1]
            outcome = await client.complete(Endpoint(f"http://127.0.0.1:{port}/v1", "m"), body_of(LONG))
            await client.close()
        return outcome

    outcome = asyncio.run(run())
    assert isinstance(outcome, Failure)
    assert outcome.heals
    words = "did not answer within 0.5 s" if ending == "silence" else "cannot be reached"
    assert words in outcome.reason
