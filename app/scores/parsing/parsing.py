"""Parse a run's answers by a chat endpoint: every call is a committed step before it leaves, and never made again.

Reads and writes `step` (kind `parse`); commits as it goes. The caller alone parses the run (predictions.scoring_lock).
A reply that keeps to no schema is the answer's fault by rule; an endpoint that fails is ours, and nothing is parsed.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.core.clock import Clock
from app.core.errors import EndpointUnavailable
from app.core.identity import canonical_json, digest
from app.inference.bodies import shaped
from app.inference.chat import ChatClient, Endpoint
from app.inference.completions import read_completion
from app.inference.outcomes import Failure, Reply
from app.inference.pacing import Pacer
from app.inference.retrying import LIMITED_TRIES, LONGEST_BACKOFF, Circuit
from app.scores import queries
from app.scores.parsing.asked import read_objects, request_body
from app.solvers.base import PARSE_ORDINAL

Key = tuple[str, str]
"""(our scorer's name, the answer)."""
Progress = Callable[[int, int], None]
"""Told (answers asked for, answers to ask for)."""
USAGE = ("prompt_tokens", "completion_tokens", "total_tokens")


class Pace(NamedTuple):
    """How an endpoint is asked: calls in flight, calls for one answer, seconds before the second call, and for one."""

    concurrency: int
    tries: int
    backoff_seconds: float
    timeout_seconds: float


@dataclass(frozen=True)
class Due:
    """An answer to be parsed, and the first prediction that gave it, to which its steps belong."""

    key: Key
    prediction_id: int
    body: Mapping[str, Any]
    request_hash: str


@dataclass
class Parsed:
    """By answer, its objects; `unparseable` ones got a reply that keeps to no schema, and have none."""

    model: str
    objects: dict[Key, list[dict[str, Any]]] = field(default_factory=dict)
    unparseable: int = 0
    stored: int = 0
    requests: int = 0
    usage: Counter[str] = field(default_factory=Counter)

    def take(self, key: Key, reply: Reply) -> None:
        """Read a reply, stored or new, and count what it cost."""
        objects = read_objects(reply.content)
        self.unparseable += objects is None
        self.objects[key] = objects or []
        for name in USAGE:
            spent = (reply.usage or {}).get(name)
            if isinstance(spent, int) and not isinstance(spent, bool):
                self.usage[name] += spent

    def as_json(self) -> dict[str, Any]:
        """{answers, stored, requests, unparseable, usage}: distinct answers; what those stored cost is in it."""
        return {
            "answers": len(self.objects),
            "stored": self.stored,
            "requests": self.requests,
            "unparseable": self.unparseable,
            "usage": {name: self.usage[name] for name in USAGE},
        }


def parse_answers(
    connection: Connection,
    run_id: int,
    endpoint: Endpoint,
    rows: Iterable[tuple[str, Row[Any]]],
    pace: Pace,
    clock: Clock,
    progress: Progress,
) -> Parsed:
    """Parse each distinct answer of `rows` (scorer's name, prediction) once; what is stored is not asked for again.

    Raises EndpointUnavailable where answers are left over: the next call goes on with those.
    """
    due = _distinct(endpoint, rows)
    parsed = Parsed(endpoint.model)
    connection.execute(queries.LOSE_PARSE_STEPS, {"run_id": run_id})
    connection.commit()
    steps = connection.execute(queries.PARSE_STEPS, {"run_id": run_id}).all()
    connection.rollback()
    done = {step.request_hash: step.response for step in steps if step.state == "done"}
    left = []
    for one in due:
        reply = read_completion(done.get(one.request_hash))
        if reply is None:
            left.append(one)
        else:
            parsed.stored += 1
            parsed.take(one.key, reply)
    if left:
        attempts = Counter(step.prediction_id for step in steps)
        asking = _Asking(connection, endpoint, pace, clock, parsed, attempts)
        asyncio.run(asking.ask_all(left, progress))
        asking.raise_for_gaps(len(due))
    return parsed


def _distinct(endpoint: Endpoint, rows: Iterable[tuple[str, Row[Any]]]) -> list[Due]:
    first: dict[Key, int] = {}
    for scorer, row in rows:
        first.setdefault((scorer, row.answer or ""), row.id)
    bodies = (
        (key, number, shaped(request_body(endpoint.model, *key), endpoint.body))
        for key, number in first.items()
    )
    return [Due(key, number, body, digest(body)) for key, number, body in bodies]


class _Asking:
    """One pass over the answers that are left; its writes are small and happen between the calls."""

    def __init__(
        self,
        connection: Connection,
        endpoint: Endpoint,
        pace: Pace,
        clock: Clock,
        parsed: Parsed,
        attempts: Counter[int],
    ) -> None:
        self._connection = connection
        self._endpoint = endpoint
        self._pace = pace
        self._clock = clock
        self._parsed = parsed
        self._attempts = attempts
        self._failures: Counter[str] = Counter()
        self._circuit = Circuit()

    async def ask_all(self, due: Sequence[Due], progress: Progress) -> None:
        """Ask for each, as many at once as the pace allows."""
        queue = list(reversed(due))
        client = ChatClient(self._pace.timeout_seconds)
        pacer = Pacer(self._pace.concurrency)

        async def work() -> None:
            while queue and not self._circuit.is_open:
                one = queue.pop()
                progress(len(due) - len(queue) - 1, len(due))
                outcome = await self._ask(client, pacer, one)
                if isinstance(outcome, Reply):
                    self._circuit.note(None)
                    self._parsed.take(one.key, outcome)
                else:
                    if outcome.exhausted:
                        self._circuit.exhaust(outcome.reason)
                    self._circuit.note(outcome.reason)
                    self._failures[outcome.reason] += 1

        try:
            await asyncio.gather(*(work() for _ in range(min(self._pace.concurrency, len(due)))))
        finally:
            await client.close()

    def raise_for_gaps(self, total: int) -> None:
        """Raise EndpointUnavailable where an answer was not parsed, with the commonest reason."""
        left = total - len(self._parsed.objects)
        if left:
            ((reason, _),) = self._failures.most_common(1)
            raise EndpointUnavailable(
                f"{left} of {total} answers could not be parsed: {reason}. The answers are not to blame: nothing "
                f"was scored. Repair {self._endpoint.url}, then give the same command again: it asks for what is left."
            )

    async def _ask(self, client: ChatClient, pacer: Pacer, one: Due) -> Reply | Failure:
        weight, tries = 0.0, 0
        while True:
            await pacer.enter(asyncio.Event())
            attempt = self._send(one)
            outcome = await client.complete(self._endpoint, dict(one.body))
            self._close(one, attempt, outcome)
            failure = outcome if isinstance(outcome, Failure) else None
            await pacer.leave(
                answered=failure is None,
                limited=failure is not None and failure.is_crowded,
                pause=failure.retry_after if failure else None,
            )
            if failure is None:
                return outcome
            tries += 1
            weight += 1 / LIMITED_TRIES if failure.limited else 1
            if not failure.heals or weight >= self._pace.tries:
                return failure
            if failure.retry_after is None:
                await asyncio.sleep(min(LONGEST_BACKOFF, self._pace.backoff_seconds * 2 ** min(tries - 1, 6)))

    def _send(self, one: Due) -> int:
        """Store the call before it leaves; its number among the calls for this prediction."""
        attempt = self._attempts[one.prediction_id]
        self._attempts[one.prediction_id] += 1
        self._parsed.requests += 1
        values = {
            "prediction_id": one.prediction_id,
            "ordinal": PARSE_ORDINAL,
            "attempt": attempt,
            "request_hash": one.request_hash,
            "request": canonical_json(one.body),
            "sent_at": self._clock.now(),
        }
        self._connection.execute(queries.INSERT_PARSE_STEP, values)
        self._connection.commit()
        return attempt

    def _close(self, one: Due, attempt: int, outcome: Reply | Failure) -> None:
        reply = outcome if isinstance(outcome, Reply) else None
        values = {
            "prediction_id": one.prediction_id,
            "attempt": attempt,
            "state": "done" if reply else "failed",
            "response": canonical_json(reply.raw) if reply else None,
            "http_status": outcome.http_status,
            "usage": canonical_json(outcome.usage) if outcome.usage else None,
            "error": outcome.reason if isinstance(outcome, Failure) else None,
            "answered_at": self._clock.now(),
        }
        self._connection.execute(queries.CLOSE_PARSE_STEP, values)
        self._connection.commit()
