"""A judge's endpoint in tests: an examiner who marks what he is sent, and the runs that he is to mark."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from app.core.clock import SystemClock
from app.core.identity import digest
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.messages import WORK, Messenger, make_celery
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from app.solvers.judge import find_judged, judging
from app.solvers.run_kinds import JUDGEMENT
from tests.support.factories import MadeVersion, make_run, make_version
from tests.support.faulty_responses import Planted, examine, see, write_verdict
from tests.support.http_server import Answer, Request, serving_http

BAD = (
    "I would give it full marks.",
    '{"criteria": {}, "answer": NaN, "faults": []}',
    '{"criteria": {"coordinates": 2}, "answer": 10, "faults": []} reason:[[2]], answer:[[10]], total:[[12]]',
    "reason:[[15]], answer:[[10]], total:[[25]]",
)
"""Replies that are no verdicts."""


@dataclass
class Examiner:
    """A judge's endpoint: marks what it is sent, or as `wayward` says, and notes every call."""

    wayward: Callable[[str, int], str | None] = lambda prompt, tries: None
    asked: list[str] = field(default_factory=list)
    tries: Counter[str] = field(default_factory=Counter)
    gate: threading.Event = field(default_factory=threading.Event)
    closes_after: int | None = None
    """So many calls are let through before the gate closes by itself."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """The gate is open: nothing is held back."""
        self.gate.set()

    def answer(self, request: Request) -> Answer:
        """One chat completion."""
        if request.path.endswith("/models"):
            return _json({"data": [{"id": "examiner"}]})
        body = json.loads(request.body)
        prompt = body["messages"][1]["content"]
        with self.lock:
            self.asked.append(digest(body))
            self.tries[prompt] += 1
            tries = self.tries[prompt]
            if len(self.asked) - 1 == self.closes_after:
                self.gate.clear()
        self.gate.wait(60)
        said = self.wayward(prompt, tries)
        if said is None:
            seen = see(prompt)
            said = write_verdict(seen.maxima, examine(seen), lazy=int(digest(prompt), 16) % 3 == 0)
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        message = {"role": "assistant", "content": said}
        return _json({"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage})


def _json(value: Any) -> Answer:
    return Answer(200, {"Content-Type": "application/json"}, json.dumps(value).encode())


@contextmanager
def serving(examiner: Examiner) -> Iterator[str]:
    """The examiner's URL."""
    with serving_http(examiner.answer) as url:
        try:
            yield f"{url}/v1"
        finally:
            examiner.gate.set()


def make_judged(
    settings: Settings, cases: Sequence[Planted], *more: str | None, name: str = "reasoning"
) -> tuple[MadeVersion, int]:
    """A complete run that gave the planted responses; `more` are answers of a second repeat."""
    version = make_version(settings, [case.spec for case in cases], name=name, benchmark="gsqa")
    return version, make_run(settings, version, [*(case.response for case in cases), *more], label="pupil")


def start_judge(settings: Settings, judged: int, url: str, seed: int = 0) -> int:
    """A judge's run over another run, enqueued."""
    now = SystemClock().now()
    with connect(settings, Role.WORKER) as connection:
        row = find_judged(connection, judged)
        stored = store_endpoint(connection, url, "examiner", None, now)
        plan = RunPlan(
            row.version_id,
            "judge",
            1,
            "pupil, judged by examiner",
            seed,
            stored.id,
            {"temperature": 0.6},
            row.repeats,
            judging(judged, schema=True),
            kind=JUDGEMENT,
        )
        run_id = plan_run(connection, plan, now, settings.batch_size).id
        connection.commit()
    Messenger(make_celery(settings)).send(WORK)
    return run_id
