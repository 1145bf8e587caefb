"""A chat endpoint in tests whose every message a test decides, by what it is asked; it keeps what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.support.http_server import Answer, Request, serving_http

Message = dict[str, Any]


@dataclass
class Turns:
    """What the endpoint says to a request, as the message of its choice; `asked` are the requests' bodies.

    `usage` is what each answer says that it took; None where it says nothing.
    """

    say: Callable[[dict[str, Any]], Message]
    asked: list[dict[str, Any]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    url: str = ""
    usage: dict[str, int] | None = None

    def answer(self, request: Request) -> Answer:
        """One chat completion."""
        if request.path.endswith("/models"):
            return _json({"data": [{"id": "turns"}]})
        body = json.loads(request.body)
        with self.lock:
            self.asked.append(body)
        message = {"role": "assistant", "content": None, **self.say(body)}
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        told: dict[str, Any] = {"id": "turn", "object": "chat.completion", "created": 0, "model": "turns"}
        told |= {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
        return _json(told | ({"usage": self.usage} if self.usage else {}))


def _json(value: Any) -> Answer:
    return Answer(200, {"Content-Type": "application/json"}, json.dumps(value).encode())


@contextmanager
def serving_turns(say: Callable[[dict[str, Any]], Message]) -> Iterator[Turns]:
    """The endpoint at work."""
    turns = Turns(say)
    with serving_http(turns.answer) as url:
        turns.url = f"{url}/v1"
        yield turns


def in_turn(messages: Sequence[Message]) -> Callable[[dict[str, Any]], Message]:
    """Says the messages one after the other in each conversation, and the last one for ever."""

    def say(body: dict[str, Any]) -> Message:
        said = sum(message["role"] == "assistant" for message in body["messages"])
        return messages[min(said, len(messages) - 1)]

    return say


def calling(*calls: tuple[str, dict[str, Any]]) -> Message:
    """A message that asks for these calls of tools, in the protocol's fields."""
    return {
        "tool_calls": [
            {
                "id": f"c{place}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for place, (name, arguments) in enumerate(calls)
        ]
    }


def writing(action: str, **arguments: Any) -> Message:
    """A message whose text is an action."""
    return {"content": json.dumps({"action": action, "arguments": arguments})}
