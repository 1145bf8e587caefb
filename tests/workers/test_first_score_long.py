"""The commands that README names for a first score of one's own model, against a server that takes 20 s a call."""

import json
import re
import shlex
import threading
import time

import pytest

from app.core.settings import PROJECT_ROOT, Settings
from tests.support.command_line import trigpoint
from tests.support.factories import make_version, options_dataset
from tests.support.http_server import Answer, Request, serving_http
from tests.support.processes import query

pytestmark = pytest.mark.long

TAKES = 20.0
QUESTIONS = 8
ANSWER = {"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]}


class SmallMachine:
    """Lists one model, and works on two calls at a time; the others wait."""

    def __init__(self) -> None:
        self._places = threading.Semaphore(2)
        self.calls = 0

    def __call__(self, request: Request) -> Answer:
        json_type = {"Content-Type": "application/json"}
        if request.path.endswith("/models"):
            return Answer(200, json_type, json.dumps({"data": [{"id": "small"}]}).encode())
        self.calls += 1
        with self._places:
            time.sleep(TAKES)
        return Answer(200, json_type, json.dumps(ANSWER).encode())


def commands_of_readme() -> list[list[str]]:
    """The block of README that holds the evaluation of an endpoint, a list of words for each command."""
    blocks = re.findall(r"```sh\n(.*?)```", (PROJECT_ROOT / "README.md").read_text(), re.DOTALL)
    (block,) = [one for one in blocks if "trigpoint evaluate" in one]
    return [shlex.split(line) for line in block.splitlines()]


def test_a_first_score_takes_few_commands_and_loses_no_question(quick: Settings) -> None:
    """With the settings that a fresh clone has; only the data set and the address are the test's own."""
    usual = {name: Settings.model_fields[name].default for name in ("concurrency", "first_calls", "tries")}
    usual["request_timeout_seconds"] = Settings.model_fields["request_timeout_seconds"].default
    settings = quick.model_copy(update=usual)
    version = make_version(settings, options_dataset(3 * QUESTIONS))
    commands = commands_of_readme()
    assert len(commands) <= 4
    assert commands[0] == ["make", "demo"]
    server = SmallMachine()
    with serving_http(server) as url:
        for _, *words in commands[1:]:
            own = {"demo_knowledge": version.reference, "http://127.0.0.1:8000/v1": f"{url}/v1", "40": "8"}
            done = trigpoint(settings, *[own.get(word, word) for word in words])
            assert done.status == 0, done.err
            if words[0] == "evaluate":
                assert len(re.findall(r"^Run \d+: asking, \d of 8 done", done.err, re.MULTILINE)) >= 3
    assert server.calls == QUESTIONS
    assert query(settings, "select distinct state from step") == [("done",)]
    assert query(settings, "select distinct state from prediction") == [("answered",)]
    assert "small" in done.out
