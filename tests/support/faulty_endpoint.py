"""A chat server on the loopback whose models misbehave as servers do: each in its own way, by its name."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from tests.support.http_server import Answer, Request, serving_http

Chat = Callable[[dict[str, Any], int], Answer]
"""The answer to a request for the n-th time."""
JSON = {"Content-Type": "application/json"}


def says(body: Any, status: int = 200, **headers: str) -> Answer:
    """An answer of JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, JSON | named, json.dumps(body).encode())


def completion(content: Any = "A", finish: str = "stop", **choice: Any) -> dict[str, Any]:
    """A completion that says `content`."""
    message = {"role": "assistant", "content": content}
    return {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": finish, **choice}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
    }


def first(answer: Answer) -> Chat:
    """Gives this answer the first time, and a good one from then on."""
    return lambda body, time: answer if time == 1 else says(completion())


def always(answer: Answer) -> Chat:
    """Gives this answer each time."""
    return lambda body, time: answer


UPSTREAM = {"code": 502, "message": "the upstream was idle"}
QUOTA = {
    "message": "You exceeded your current quota: look at your plan and billing.",
    "code": "insufficient_quota",
}
PAGE = Answer(200, {"Content-Type": "text/html"}, b"<html><title>502 Bad Gateway</title></html>")
THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "Perhaps B."}]}


def without_seed(body: dict[str, Any], time: int) -> Answer:
    """Refuses fields that it does not know, as FastAPI does; it knows no seed."""
    fault = {"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}
    refused = {"object": "error", "message": {"detail": [fault]}, "type": "invalid_request_error"}
    return says(refused, 422) if "seed" in body else says(completion())


def of_its_own_sampling(body: dict[str, Any], time: int) -> Answer:
    """Takes no temperature but 1, and calls the longest answer by another name."""
    if body.get("temperature", 1) != 1:
        told = {"message": "Only the default temperature is supported.", "code": "unsupported_value"}
        return says({"error": told}, 400)
    if "max_tokens" in body:
        told = {"message": "Use max_completion_tokens instead.", "code": "unsupported_parameter"}
        return says({"error": told}, 400)
    return says(completion())


HEALING = {
    "error": first(says({"error": UPSTREAM})),
    "error-429": first(says({"error": {"message": "slower", "code": 429}})),
    "error-text": first(says({"error": "the provider failed"})),
    "detail": first(says({"detail": "Internal Server Error"})),
    "finish": first(says(completion("", "error", error=UPSTREAM))),
    "finish-partial": first(says(completion("It seems to be B, but let me", "error", error=UPSTREAM))),
    "finish-letter": first(says(completion("B", "error"))),
    "choice-error": first(says(completion("B", "stop", error=UPSTREAM))),
    "empty-choices": first(says({"choices": [], "usage": {"prompt_tokens": 9}})),
    "null-choices": first(says({"choices": None, "usage": None})),
    "no-choices": first(says({"id": "x"})),
    "page": first(PAGE),
    "not-json": first(Answer(200, JSON, b"upstream connect error")),
    "half-json": first(Answer(200, JSON, json.dumps(completion("B")).encode()[:60])),
    "cut-off": first(Answer(200, JSON, json.dumps(completion("B")).encode()[:60], length=200)),
    "overloaded": first(says({"type": "error", "error": {"type": "overloaded_error"}}, 529)),
    "milliseconds": first(says({"error": {"message": "slower"}}, 429, Retry_After_Ms="20")),
}
"""Fail once for each question, then answer."""
READ = {
    "parts": always(says(completion([{"type": "text", "text": "A"}]))),
    "thinking": always(says(completion([THOUGHT, {"type": "text", "text": "A"}]))),
    "created": always(says(completion(), 201)),
    "comments": always(Answer(200, JSON, b": PROCESSING\n\n" + json.dumps(completion()).encode())),
}
"""Answer in their own form."""
LASTING = {
    "finish-lasting": always(says(completion("A", "error", error=UPSTREAM))),
    "page-lasting": always(PAGE),
    "empty-lasting": always(says({"choices": []})),
    "error-lasting": always(says({"error": UPSTREAM})),
}
"""Never answer."""
REFUSING = {
    "quota": always(says({"error": QUOTA}, 429)),
    "quota-within": always(says({"error": QUOTA})),
    "unpaid": always(says({"error": {"message": "add credits"}}, 402)),
    "within-400": always(says({"error": {"message": "too long", "code": 400}})),
    "redirect": always(Answer(308, {"Location": "/elsewhere/v1/chat/completions"}, b"")),
    "seed": without_seed,
    "sampling": of_its_own_sampling,
}
"""Refuse what they are asked."""
MODELS: dict[str, Chat] = {**HEALING, **READ, **LASTING, **REFUSING}


@dataclass
class Misbehaving:
    """The server: where it is, and what it was asked, by model."""

    url: str = ""
    asked: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    paths: set[str] = field(default_factory=set)

    def times(self, model: str) -> list[int]:
        """How often each question was asked of a model."""
        seen = Counter(body["messages"][-1]["content"] for body in self.asked.get(model, []))
        return sorted(seen.values())


@contextmanager
def misbehaving() -> Iterator[Misbehaving]:
    """A server with all MODELS, for a block."""
    server, lock = Misbehaving(), Lock()

    def answer(request: Request) -> Answer:
        server.paths.add(request.path)
        if request.path.endswith("/models"):
            return says({"data": [{"id": model} for model in MODELS]})
        if not request.path.endswith("/chat/completions"):
            return says({"detail": "Not Found"}, 404)
        body = json.loads(request.body)
        with lock:
            asked = server.asked.setdefault(body["model"], [])
            asked.append(body)
            time = sum(one["messages"] == body["messages"] for one in asked)
        return MODELS[body["model"]](body, time)

    with serving_http(answer) as url:
        server.url = f"{url}/v1"
        yield server
