"""Benchmarks: a chat endpoint that answers each prompt after a fixed time and counts what it was asked.

A process of its own: `python -m perf.runs_endpoint --delay 0.1 --port-file FILE`. An answer depends on the prompt alone
and has the form that the prompt asks for, so that scorers have something to read. With --agents the model calls tools
before it answers (`perf.agents_model`).
"""

import argparse
import asyncio
import hashlib
import json
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import uvloop

MODEL = "scripted:paced"
LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
FORMS = (
    ("azimuth", "{} degrees"),
    ("coordinates alone", "latitude 47.{:04d}, longitude 9.5{:03d}"),
    ("whole number", "{}"),
    ("square metres", "{} m2"),
    ("number of metres", "{} m"),
    ("letter of the right option", "A"),
)
"""Words of a prompt's last sentence, and the answer to it with a number below 360."""


class Completeness(NamedTuple):
    """How what was asked differs from what was to be asked, in prompts."""

    missing: int
    twice: int
    foreign: int

    @property
    def is_whole(self) -> bool:
        """Whether each prompt was asked as often as it was to be, and no other."""
        return not any(self)


def compare(wanted: Mapping[str, int], asked: Mapping[str, int]) -> Completeness:
    """Compare digests of prompts, with how often each is to be asked and was."""
    missing = sum(max(0, times - asked.get(key, 0)) for key, times in wanted.items())
    twice = sum(max(0, times - wanted[key]) for key, times in asked.items() if key in wanted)
    foreign = sum(times for key, times in asked.items() if key not in wanted)
    return Completeness(missing, twice, foreign)


def digest_of(prompt: str) -> str:
    """What a prompt is known by; white space at its ends counts for nothing."""
    return hashlib.sha256(prompt.strip().encode()).hexdigest()


def answer_to(prompt: str) -> str:
    """The answer: of the form that the prompt asks for, the same whenever it is asked."""
    number = int(digest_of(prompt)[:8], 16) % 360
    last = prompt.strip().rsplit("\n\n", 1)[-1]
    return next((form.format(number, number) for words, form in FORMS if words in last), f"Number {number}")


class Said(NamedTuple):
    """What is said to a request: the digest that the request is known by, and the message."""

    key: str
    message: dict[str, Any]


def say_answer(body: Mapping[str, Any]) -> Said:
    """The answer to the last message's prompt."""
    prompt = str(body["messages"][-1]["content"])
    return Said(digest_of(prompt), {"content": answer_to(prompt)})


class Paced:
    """What is asked of the endpoint, and when each answer is due: after the same time, so in the order they came."""

    def __init__(self, delay: float, say: Callable[[Mapping[str, Any]], Said] = say_answer) -> None:
        self._delay = delay
        self._say = say
        self._asked: Counter[str] = Counter()
        self._in_flight = 0
        self._most = 0
        self._due: deque[tuple[float, Connection, bytes]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def take(self, connection: "Connection", path: bytes, body: bytes) -> None:
        """Answer a request, at once or when its time has come."""
        now = asyncio.get_running_loop().time()
        if path == b"/v1/chat/completions":
            self._in_flight += 1
            self._most = max(self._most, self._in_flight)
            request = json.loads(body)
            said = self._say(request)
            self._asked[said.key] += 1
            self._due.append((now + self._delay, connection, _response(200, _completion(request, said))))
            if self._timer is None:
                self._wait()
        else:
            connection.send(self._tell(path))

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_at(self._due[0][0], self._answer) if self._due else None

    def _answer(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._due and self._due[0][0] <= now:
            _, connection, response = self._due.popleft()
            self._in_flight -= 1
            connection.send(response)
        self._wait()

    def _tell(self, path: bytes) -> bytes:
        if path == b"/v1/models":
            return _response(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})
        if path == b"/control/asked":
            return _response(200, {"asked": self._asked, "in_flight": self._most})
        if path == b"/control/forget":
            self._asked, self._most = Counter(), self._in_flight
            return _response(200, {})
        return _response(404, {})


class Connection(asyncio.Protocol):
    """One connection, request after request. Of HTTP it knows what the sides send: a length, and a body of it.

    No more, because the sides share the machine with it, and would be charged with a framework's time.
    """

    def __init__(self, paced: Paced) -> None:
        self._paced = paced
        self._data = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back; uvloop's transports are none of asyncio's classes."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Take every request that is whole."""
        self._data += data
        while (end := self._data.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._data[:end])
            length = LENGTH.search(head)
            whole = end + 4 + (int(length[1]) if length else 0)
            if len(self._data) < whole:
                return
            body = bytes(self._data[end + 4 : whole])
            del self._data[:whole]
            self._paced.take(self, head.split(b" ", 2)[1], body)

    def send(self, response: bytes) -> None:
        """Send, where somebody is still there."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(response)


def _response(status: int, told: Mapping[str, Any]) -> bytes:
    body = json.dumps(told).encode()
    head = f"HTTP/1.1 {status} \r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _completion(request: Mapping[str, Any], said: Said) -> dict[str, Any]:
    message = {"role": "assistant", "content": None, **said.message}
    asked = sum(len(str(one.get("content") or "").split()) for one in request["messages"])
    answered = len(str(message["content"] or "").split())
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    return {
        "id": "paced",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered},
    }


async def serve(paced: Paced, port_file: Path) -> None:
    """Serve on a free port of the loopback, written to `port_file`, until the process is ended."""
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(paced), "127.0.0.1", 0, backlog=512
    )
    fresh = port_file.with_name(port_file.name + ".new")
    fresh.write_text(f"{server.sockets[0].getsockname()[1]}\n")
    fresh.replace(port_file)
    await asyncio.Event().wait()


def _model(*, agents: bool) -> Callable[[Mapping[str, Any]], Said]:
    if not agents:
        return say_answer
    from perf.agents_model import say_next

    return say_next


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m perf.runs_endpoint", description="A paced chat endpoint."
    )
    parser.add_argument("--delay", type=float, default=0.1, help="seconds that an answer takes (0.1)")
    parser.add_argument("--agents", action="store_true", help="call tools before each answer")
    parser.add_argument("--port-file", type=Path, required=True, help="where the port is written")
    options = parser.parse_args(arguments)
    uvloop.run(serve(Paced(options.delay, _model(agents=options.agents)), options.port_file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
