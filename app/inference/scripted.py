"""A small OpenAI-compatible server whose answers follow a policy: for tests, the demo and benchmarks.

Reads requests only: it knows no gold. Writes a log, one JSON line a request, flushed before the answer is made.
Under /control a test can hold every answer back, wait until requests are there, and let them go.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from json import JSONDecodeError
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from aiohttp import web

from app import __version__
from app.core.clock import Clock, SystemClock
from app.core.errors import UsageError
from app.core.identity import canonical_json, digest
from app.core.strict_json import read_json

DOES_NOT_KNOW = "I do not know"
NONSENSE = "purple marmalade orbits the seventh umbrella"
PAGE = "<!doctype html><html><body><h1>It works!</h1></body></html>"
DIMENSIONS = 256
_LETTERED = re.compile(r"^A[).:]\s", re.MULTILINE)

POLICIES = {
    "first_option": "answers A where the prompt has lettered options, else that it does not know",
    "does_not_know": "always says that it does not know",
    "slow": "as first_option, after --delay seconds",
    "rate_limited": "refuses the first try of every prompt with 429 and Retry-After, then as first_option",
    "garbage": "well-formed answers whose words mean nothing",
    "truncated": "JSON that stops in the middle",
    "failing": "HTTP 500, always",
    "html": "a web page instead of JSON, everywhere",
    "written": "what a file says: --answers, JSON objects with a list contains and an answer; the first that fits",
    "mixed": "by the prompt's hash: letters, not knowing, nonsense; some prompts fail once with 429 or 500",
}


def has_options(prompt: str) -> bool:
    """Whether a prompt offers lettered options."""
    return _LETTERED.search(prompt) is not None


def first_option(prompt: str) -> str:
    """The answer of the policy of that name."""
    return "A" if has_options(prompt) else DOES_NOT_KNOW


def mixed(prompt: str) -> str:
    """The final answer of the policy of that name: depends on the prompt alone."""
    kind = int(digest(prompt)[:8], 16) % 8
    if kind == 4:
        return DOES_NOT_KNOW
    if kind == 5:
        return NONSENSE
    return f"Answer: {'ABCDAxAB'[kind]}" if has_options(prompt) else f"It is {kind * 7}."


def choices_of(body: dict[str, Any]) -> list[str]:
    """The answers that a request allows by guided choice, as vLLM reads it; none where it allows any."""
    structured = body.get("structured_outputs")
    choices = structured.get("choice") if isinstance(structured, dict) else body.get("guided_choice")
    return [str(choice) for choice in choices] if isinstance(choices, list) else []


def embed_words(text: str) -> list[float]:
    """A vector of a text in which each word adds to two of DIMENSIONS places: texts that share words are near."""
    vector = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.casefold()) or [""]:
        for place in (int(digest(word)[:8], 16), int(digest(word)[8:16], 16)):
            vector[place % DIMENSIONS] += 1.0
    return vector


class Written(NamedTuple):
    """An answer of the policy `written`, and the texts that a prompt must hold to get it."""

    contains: list[str]
    answer: str

    def fits(self, prompt: str) -> bool:
        """Whether the prompt holds all of the texts."""
        return all(text in prompt for text in self.contains)


def read_written(lines: Iterable[str]) -> list[Written]:
    """The answers in a file of JSON lines. Raises UsageError naming the line that is none."""
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            one = read_json(line)
        except JSONDecodeError as error:
            raise UsageError(f"Line {number} of the answers is not JSON ({error.msg}).") from error
        if not (isinstance(one, dict) and isinstance(one.get("contains"), list) and "answer" in one):
            raise UsageError(
                f"Line {number} of the answers is not an object with a list contains and an answer."
            )
        found.append(Written([str(text) for text in one["contains"]], str(one["answer"])))
    return found


class ScriptedEndpoint:
    """The server's state: its policy, its log, and what is held back."""

    def __init__(
        self,
        policy: str,
        log: TextIO | None = None,
        delay: float = 1.0,
        retry_after: float = 1.0,
        clock: Clock | None = None,
        answers: Sequence[Written] = (),
    ) -> None:
        self.policy = policy
        self.model = f"scripted:{policy}"
        self._log = log
        self._delay = delay
        self._retry_after = retry_after
        self._clock = clock or SystemClock()
        self._answers = answers
        self._received = 0
        self._tries: Counter[str] = Counter()
        self._open = asyncio.Event()
        self._open.set()
        self._changed = asyncio.Condition()

    def application(self) -> web.Application:
        """The routes."""
        application = web.Application(client_max_size=8 * 1024 * 1024)
        application.add_routes(
            [
                web.get("/version", self._version),
                web.get("/v1/models", self._models),
                web.post("/v1/chat/completions", self._complete),
                web.post("/v1/embeddings", self._embed),
                web.post("/control/hold", self._hold),
                web.post("/control/let-through", self._let_through),
                web.post("/control/release", self._release),
                web.get("/control/wait", self._wait),
            ]
        )
        return application

    async def _models(self, request: web.Request) -> web.Response:
        if self.policy == "html":
            return web.Response(text=PAGE, content_type="text/html")
        return web.json_response(
            {"object": "list", "data": [{"id": self.model, "object": "model", "owned_by": "trigpoint"}]}
        )

    async def _version(self, request: web.Request) -> web.Response:
        if self.policy == "html":
            return web.Response(text=PAGE, content_type="text/html")
        return web.json_response({"version": __version__})

    async def _complete(self, request: web.Request) -> web.Response:
        try:
            body = await request.json()
            prompt = "\n".join(_words_of(message["content"]) for message in body["messages"])
            asked = str(body["model"])
        except (ValueError, KeyError, TypeError):
            return _refusal(400, "messages and model are wanted")
        number = await self._note(body)
        await self._open.wait()
        if self.policy == "slow":
            await asyncio.sleep(self._delay)
        if asked != self.model and self.policy != "html":
            return _refusal(404, f"The model `{asked}` does not exist; there is `{self.model}`.")
        return self._answer(prompt, number, choices_of(body))

    async def _embed(self, request: web.Request) -> web.Response:
        """Vectors of words, whatever the policy; `failing` fails and `html` is a page here, too."""
        try:
            body = await request.json()
            texts, asked = [str(text) for text in body["input"]], str(body["model"])
        except (ValueError, KeyError, TypeError):
            return _refusal(400, "model and a list called input are wanted")
        await self._note(body)
        await self._open.wait()
        if self.policy == "html":
            return web.Response(text=PAGE, content_type="text/html")
        if self.policy == "failing":
            return _refusal(500, "something broke")
        if asked != self.model:
            return _refusal(404, f"The model `{asked}` does not exist; there is `{self.model}`.")
        data = [
            {"object": "embedding", "index": index, "embedding": embed_words(text)}
            for index, text in enumerate(texts)
        ]
        return web.json_response({"object": "list", "model": self.model, "data": data})

    async def _note(self, body: dict[str, Any]) -> int:
        self._received += 1
        if self._log is not None:
            line = {"number": self._received, "hash": digest(body), "time": self._clock.now().isoformat()}
            self._log.write(canonical_json(line) + "\n")
            self._log.flush()
        number = self._received
        async with self._changed:
            self._changed.notify_all()
        return number

    def _answer(self, prompt: str, number: int, choices: Sequence[str] = ()) -> web.Response:
        if self.policy == "html":
            return web.Response(text=PAGE, content_type="text/html")
        self._tries[digest(prompt)] += 1
        first_try = self._tries[digest(prompt)] == 1
        kind = int(digest(prompt)[:8], 16) % 8
        if first_try and (self.policy == "rate_limited" or (self.policy == "mixed" and kind == 6)):
            return _refusal(429, "too many requests", {"Retry-After": f"{self._retry_after:g}"})
        if self.policy == "failing" or (self.policy == "mixed" and kind == 7 and first_try):
            return _refusal(500, "something broke")
        said = {"does_not_know": DOES_NOT_KNOW, "garbage": NONSENSE, "mixed": mixed(prompt)}
        said["written"] = next((one.answer for one in self._answers if one.fits(prompt)), DOES_NOT_KNOW)
        content = said.get(self.policy, first_option(prompt))
        if choices and content not in choices:
            content = choices[0]
        completion = {
            "id": f"scripted-{number}",
            "object": "chat.completion",
            "created": 0,
            "model": self.model,
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
            ],
            "usage": _usage(prompt, content),
        }
        if self.policy == "truncated":
            text = canonical_json(completion)
            return web.Response(text=text[: len(text) // 2], content_type="application/json")
        return web.json_response(completion)

    async def _hold(self, request: web.Request) -> web.Response:
        self._open.clear()
        return web.json_response({"received": self._received})

    async def _let_through(self, request: web.Request) -> web.Response:
        """Answers what is held back now; what comes later is held back, too."""
        self._open.set()
        self._open = asyncio.Event()
        return web.json_response({"received": self._received})

    async def _release(self, request: web.Request) -> web.Response:
        self._open.set()
        return web.json_response({"received": self._received})

    async def _wait(self, request: web.Request) -> web.Response:
        """Answers when `received` requests have arrived since the start."""
        wanted = int(request.query["received"])
        async with self._changed:
            await self._changed.wait_for(lambda: self._received >= wanted)
        return web.json_response({"received": self._received})


def _words_of(content: Any) -> str:
    """The text of a message's content; of a list of parts, that of its text parts."""
    if not isinstance(content, list):
        return str(content)
    return "\n".join(str(part["text"]) for part in content if part.get("type") == "text")


def _usage(prompt: str, content: str) -> dict[str, int]:
    asked, answered = len(prompt.split()), len(content.split())
    return {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered}


def _refusal(status: int, message: str, headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response({"error": {"message": message, "code": status}}, status=status, headers=headers)


async def serve(
    endpoint: ScriptedEndpoint, host: str, port: int, port_file: Path | None, stop: asyncio.Event
) -> None:
    """Serve until `stop` is set. The port in use is written to `port_file` (complete, or absent) when it listens."""
    runner = web.AppRunner(endpoint.application(), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        bound = runner.addresses[0][1]
        if port_file is not None:
            fresh = port_file.with_name(port_file.name + ".new")
            fresh.write_text(f"{bound}\n")
            fresh.replace(port_file)
        await stop.wait()
    finally:
        await runner.cleanup()
