"""Benchmarks: a chat endpoint that answers each prompt after a fixed time and counts what it was asked.

A process of its own: `python -m perf.runs_endpoint --delay 0.1 --port-file FILE`. An answer depends on the prompt alone
and has the form that the prompt asks for, so that scorers have something to read.
"""

import argparse
import asyncio
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import uvloop
from aiohttp import web

MODEL = "scripted:paced"
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


class Paced:
    """The server: waits, answers, counts; under /control it tells and forgets."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._asked: Counter[str] = Counter()
        self._in_flight = 0
        self._most = 0

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """Answer by path; without aiohttp's router and application, whose time a worker would be charged with."""
        handlers = {
            "/v1/chat/completions": self._complete,
            "/v1/models": self._models,
            "/control/asked": self._tell,
            "/control/forget": self._forget,
        }
        handler = handlers.get(request.path)
        return await handler(request) if handler else web.Response(status=404)

    async def _models(self, request: web.BaseRequest) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    async def _complete(self, request: web.BaseRequest) -> web.Response:
        self._in_flight += 1
        self._most = max(self._most, self._in_flight)
        try:
            until = asyncio.get_running_loop().time() + self._delay
            body = json.loads(await request.read())
            prompt = str(body["messages"][-1]["content"])
            self._asked[digest_of(prompt)] += 1
            completion = json.dumps(_completion(prompt))
            await asyncio.sleep(until - asyncio.get_running_loop().time())
            return web.Response(text=completion, content_type="application/json")
        finally:
            self._in_flight -= 1

    async def _tell(self, request: web.BaseRequest) -> web.Response:
        return web.json_response({"asked": self._asked, "in_flight": self._most})

    async def _forget(self, request: web.BaseRequest) -> web.Response:
        self._asked, self._most = Counter(), self._in_flight
        return web.json_response({})


def _completion(prompt: str) -> dict[str, Any]:
    content = answer_to(prompt)
    asked, answered = len(prompt.split()), len(content.split())
    return {
        "id": "paced",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        ],
        "usage": {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered},
    }


async def serve(delay: float, port_file: Path) -> None:
    """Serve on a free port of the loopback, written to `port_file`, until the process is ended."""
    runner = web.ServerRunner(web.Server(Paced(delay).answer, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=512).start()
    fresh = port_file.with_name(port_file.name + ".new")
    fresh.write_text(f"{runner.addresses[0][1]}\n")
    fresh.replace(port_file)
    await asyncio.Event().wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m perf.runs_endpoint", description="A paced chat endpoint."
    )
    parser.add_argument("--delay", type=float, default=0.1, help="seconds that an answer takes (0.1)")
    parser.add_argument("--port-file", type=Path, required=True, help="where the port is written")
    options = parser.parse_args(arguments)
    uvloop.run(serve(options.delay, options.port_file))
    return 0


if __name__ == "__main__":
    sys.exit(main())
