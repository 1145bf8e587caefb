"""A model that calls tools of the tests' town, in both manners; what it says depends on the conversation alone.

Its endpoint notes what it is asked as the scripted endpoint does, and may go away for a while.
"""

import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from app.core.identity import digest
from tests.app.agent_tools.conftest import CENTRE, FAR
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import Scripted, wait_until
from tests.support.turns_endpoint import Message, calling, writing

NUMBER = re.compile(r"\(question (\d+)\)")
NAMES: Final = ("Krone", "Linde", "Sonne", "Adler", "Café Élan")
HERE, THERE = (f"{lat},{lon}" for lon, lat in (CENTRE, FAR))
ToolWish = tuple[str, dict[str, Any]]


def wishes_of(question: int) -> list[list[ToolWish]]:
    """The calls that the model makes for a question, turn by turn: some fail, one is repeated, one tool is invented."""
    search: ToolWish = ("place_search", {"query": NAMES[question % len(NAMES)]})
    way = "travel_time" if question % 10 == 0 else "distance"
    return [
        [search, ("calculator", {"expression": f"{question} * 7"})],
        [("reverse_geocode", {"where": HERE}), ("place_details", {"place": f"n{900_000 + question}"})],
        [("move", {"origin": HERE, "direction": "east", "distance_m": 10 + question}), search],
        [("ask_a_friend", {"about": question})],
        [(way, {"origin": HERE, "destination": THERE if way == "distance" else HERE})],
    ]


CALLS: Final = sum(map(len, wishes_of(0)))
"""Calls of tools in an episode."""
ASKED: Final = {"native": len(wishes_of(0)) + 1, "json": CALLS + 1}
"""Calls of the model in an episode, by the manner: in text, each message has one call."""


def say(body: Mapping[str, Any]) -> Message:
    """The next message of a conversation."""
    messages = body["messages"]
    found = NUMBER.search(messages[1]["content"])
    assert found is not None
    wishes = wishes_of(int(found[1]))
    said = sum(message["role"] == "assistant" for message in messages)
    if "tools" in body:
        return calling(*wishes[said]) if said < len(wishes) else {"content": "4"}
    flat = [wish for turn in wishes for wish in turn]
    message = writing(flat[said][0], **flat[said][1]) if said < len(flat) else writing("answer", text="4")
    fenced = f"```json\n{message['content']}\n```"
    return {"content": fenced} if said % 2 else message


class AgentEndpoint:
    """The model's endpoint: answers after `delay` seconds, and writes what it was asked to the file `log`."""

    def __init__(self, log: Path, delay: float) -> None:
        log.touch()
        self._log = log
        self._delay = delay
        self._lock = threading.Lock()
        self._received = 0
        self._serving = ExitStack()
        self.port = 0

    def start(self) -> None:
        """Listen: at a free port at first, and at the same later."""
        url = self._serving.enter_context(serving_http(self._answer, self.port))
        self.port = int(url.rsplit(":", 1)[1])

    def stop(self) -> None:
        """Refuse connections; who was being answered still is."""
        self._serving.close()

    def as_scripted(self) -> Scripted:
        """What troubles and checkers know of endpoints."""
        return Scripted(None, self.port, self._log)

    def _answer(self, request: Request) -> Answer:
        if request.path == "/control/wait":
            wanted = int(request.query["received"])
            wait_until(lambda: self._received >= wanted, f"{wanted} requests", 240)
            return _json({})
        if request.path.endswith("/models"):
            return _json({"data": [{"id": "turns"}]})
        body = json.loads(request.body)
        with self._lock, self._log.open("a") as log:
            log.write(f"{json.dumps({'hash': digest(body)})}\n")
            self._received += 1
        time.sleep(self._delay)
        message = {"role": "assistant", "content": None, **say(body)}
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        return _json({"choices": [{"index": 0, "message": message, "finish_reason": finish}]})


def _json(value: Any) -> Answer:
    return Answer(200, {"Content-Type": "application/json"}, json.dumps(value).encode())


@contextmanager
def agent_endpoint(folder: Path, delay: float) -> Iterator[AgentEndpoint]:
    """The endpoint at work."""
    endpoint = AgentEndpoint(folder / "asked.log", delay)
    endpoint.start()
    try:
        yield endpoint
    finally:
        endpoint.stop()
