"""An episode: one question, shown one way, once, from its first call to its prediction.

Every call is committed as `sent` before it leaves; its answer is committed together with the prediction that follows
from it; it is resumed by replaying its stored steps. Invariant: a call that is stored as `done` is never made again.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.core.clock import Clock
from app.core.errors import ServiceUnavailable
from app.core.identity import canonical_json, digest, digest_of_canonical
from app.core.log import get_logger
from app.inference.bodies import longest_answer
from app.inference.chat import ChatClient, Endpoint
from app.inference.completions import read_completion
from app.inference.limits import prompt_tokens, tokens_used
from app.inference.outcomes import Failure, Reply
from app.inference.pacing import Pacer
from app.inference.retrying import LIMITED_TRIES, LONGEST_BACKOFF
from app.predictions.accounts import NoRoom, Tokens, reckoned, taken
from app.predictions.ledger import Ledger
from app.predictions.reusing import reused_step
from app.predictions.rooms import Item, Room
from app.predictions.units import Kind, Write
from app.solvers.base import Answer, ChatCall, SqlCall, Unusable

logger = get_logger(__name__)
LOOK_FOR_ROOM = 0.5
"""Seconds after which a call that the budget, or a lease that is to be renewed first, holds back tries again."""
TURNS_TO_LEAVE = 2
"""Turns of the event loop in which a call whose place is free leaves: it wakes, makes its request and writes it."""


class Stopped(Exception):
    """The worker is to end, or the run is paused; the episode goes on elsewhere, or later."""


@dataclass
class _Place:
    """A place for one call, and what came back of it."""

    outcome: Reply | Failure | None = None


@asynccontextmanager
async def _place(
    pacer: Pacer, halt: asyncio.Event, likely: float, *, is_ready: bool = False
) -> AsyncIterator[_Place]:
    """A place for a call of `likely` tokens, given back when left; raises Stopped where `halt` is set before."""
    if not await (pacer.enter_ready(halt) if is_ready else pacer.enter(halt, likely)):
        raise Stopped
    place = _Place()
    try:
        yield place
    finally:
        outcome = place.outcome
        failure = outcome if isinstance(outcome, Failure) else None
        await pacer.leave(
            answered=isinstance(outcome, Reply),
            limited=failure is not None and failure.is_crowded,
            pause=failure.retry_after if failure else None,
            reckoned=likely,
            used=tokens_used(outcome.usage) if outcome is not None and outcome.usage else None,
            seconds=(outcome.latency_ms or 0) / 1000 if outcome is not None else 0.0,
        )


async def _let_calls_leave() -> None:
    """Before an answer is read: answers come in bunches, and each has given its place to a call that is ready."""
    for _ in range(TURNS_TO_LEAVE):
        await asyncio.sleep(0)


class Episodes:
    """Works items; shared by all slots of a worker."""

    def __init__(self, ledger: Ledger, client: ChatClient, clock: Clock) -> None:
        self._ledger = ledger
        self._client = client
        self._clock = clock

    async def work(self, item: Item) -> asyncio.Future[None]:
        """Bring one item to its prediction; the future is its commit.

        Raises Fenced, or Stopped or Halted where it must wait.
        """
        room = item.room
        if room.refusal is not None or room.move is None:
            return self.give_up(item, room.refusal or "the solver did not start")
        replies: list[Reply] = []
        pending: list[Write] = []
        try:
            move = room.move(item.asked, replies)
            while not isinstance(move, Answer):
                ordinal = len(replies)
                stored = _stored_reply(item, ordinal, move)
                reused = None if stored is not None else self._reuse(item, ordinal, move)
                if stored is not None:
                    replies.append(stored)
                elif reused is not None:
                    replies.append(reused[0])
                    pending = [*pending, reused[1]]
                else:
                    reply, pending = await self._call(item, ordinal, move, pending)
                    if isinstance(reply, str):
                        room.circuit.note(reply)
                        return self.give_up(item, reply, pending)
                    room.circuit.note(None)
                    replies.append(reply)
                move = room.move(item.asked, replies)
        except Unusable as error:
            return self.give_up(item, str(error), pending)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # A fault of a solver is ours, never the model's wrong answer.
            logger.exception("solver failed", run=room.run_id, question=item.asked.id)
            return self.give_up(item, f"the solver failed: {type(error).__name__}: {error}", pending)
        return self._ledger.enter(item.lease, [*pending, self._prediction(item, move)])

    async def _call(
        self, item: Item, ordinal: int, call: ChatCall | SqlCall, pending: list[Write]
    ) -> tuple[Reply | str, list[Write]]:
        """Make one call, with retries: the reply, or why there is none, and the writes that are still to be made."""
        room = item.room
        before = reckoned(call.body) if isinstance(call, ChatCall) else Tokens()
        attempt = max((step.attempt for step in item.steps if step.ordinal == ordinal), default=-1) + 1
        weight = float(
            sum(
                step.ordinal == ordinal and step.state == "failed" and step.batch_id == item.lease.batch_id
                for step in item.steps
            )
        )
        timed_out = 0
        while True:
            if room.circuit.is_open:
                return room.circuit.told, pending
            if isinstance(call, SqlCall):
                outcome = await self._run_sql(item, ordinal, attempt, call, pending)
            else:
                asked = await self._ask(item, ordinal, attempt, call, pending, timed_out)
                if asked is None:
                    pending = []
                    await self._pause(item, LOOK_FOR_ROOM)
                    continue
                outcome = asked
            closing = self._closed(item, ordinal, attempt, outcome, before)
            if isinstance(outcome, Reply):
                return outcome, [closing]
            timed_out += outcome.timed_out
            if outcome.exhausted:
                room.circuit.exhaust(outcome.reason)
            weight += 1 / LIMITED_TRIES if outcome.limited else 1
            if not outcome.heals or weight >= room.tries:
                times = f" (tried {attempt + 1} times)" if attempt else ""
                return outcome.reason + times, [closing]
            await self._ledger.write(item.lease, [closing])
            pending = []
            attempt += 1
            if outcome.retry_after is None:
                await self._pause(item, min(LONGEST_BACKOFF, room.backoff_seconds * 2 ** min(attempt - 1, 6)))

    async def _ask(
        self,
        item: Item,
        ordinal: int,
        attempt: int,
        call: ChatCall,
        pending: list[Write],
        timed_out: int,
    ) -> Reply | Failure | None:
        """One call of the endpoint, at its pace, once it and what is pending are committed.

        Where its place is near it is committed first, and leaves the moment that it has its place: no place stands
        empty for a commit. A call that has none before the worker stops is taken back, since it never left.
        None where it is to be tried again soon: the run's budget has no room for it, or the lease may have passed to
        another meanwhile; what was pending is committed all the same.
        """
        room = item.room
        if room.endpoint is None or room.pacer is None:
            return Failure("the run names no endpoint", heals=False)
        likely = 0.0
        if room.pacer.limits.tokens_per_minute:
            likely = room.pacer.reckon(prompt_tokens(call.body), longest_answer(call.body))
        try:
            if await room.pacer.come_near(room.halt):
                try:
                    sent = await self._commit(item, ordinal, attempt, call, pending)
                except BaseException:
                    room.pacer.turn_back()
                    raise
                try:
                    async with _place(room.pacer, room.halt, likely, is_ready=True) as place:
                        place.outcome = await self._send(item, room.endpoint, sent, timed_out)
                except Stopped:
                    await self._withdraw(item, sent)
                    raise
                await _let_calls_leave()
            else:
                async with _place(room.pacer, room.halt, likely) as place:
                    sent = await self._commit(item, ordinal, attempt, call, pending)
                    place.outcome = await self._send(item, room.endpoint, sent, timed_out)
        except NoRoom:
            return None
        return place.outcome

    async def _send(
        self, item: Item, endpoint: Endpoint, sent: Write, timed_out: int
    ) -> Reply | Failure | None:
        """Let a committed call leave; or take it back, and give None, where another may have asked it meanwhile."""
        if self._ledger.is_sure_of(item.lease):
            patience = item.room.patience
            longest = None if patience is None else patience.seconds(timed_out)
            outcome = await self._client.complete(endpoint, sent.values["request"], longest)
            if patience is not None and isinstance(outcome, Reply):
                patience.note((outcome.latency_ms or 0) / 1000)
            elif patience is not None and isinstance(outcome, Failure) and outcome.timed_out:
                patience.note_timeout()
            return outcome
        await self._withdraw(item, sent)
        return None

    async def _withdraw(self, item: Item, sent: Write) -> None:
        """Take a call back that is committed and never left; raises Fenced where another has the lease."""
        await self._ledger.write(item.lease, [Write(Kind.WITHDRAWN, sent.values)])

    async def _commit(
        self, item: Item, ordinal: int, attempt: int, call: ChatCall | SqlCall, pending: list[Write]
    ) -> Write:
        """Commit what is pending and that the call leaves now; raises as `Ledger.write` does."""
        sent = self._sent(item, ordinal, attempt, call)
        await self._ledger.write(item.lease, [*pending, sent])
        return sent

    async def _run_sql(
        self, item: Item, ordinal: int, attempt: int, call: SqlCall, pending: list[Write]
    ) -> Reply | Failure:
        """The outcome of a model's SQL as a reply; a failure where it is ours."""
        if item.room.sql is None:
            raise ValueError("the run has nothing that runs SQL")
        await self._commit(item, ordinal, attempt, call, pending)
        try:
            outcome = await item.room.sql.ask(call.schema, call.relations, call.sql)
        except ServiceUnavailable as error:
            return Failure(str(error), heals=True)
        return sql_reply(outcome.as_json())

    def _reuse(self, item: Item, ordinal: int, call: ChatCall | SqlCall) -> tuple[Reply, Write] | None:
        """The reply that an earlier run got for exactly this call, and the step that says so."""
        if not item.reusable or isinstance(call, SqlCall):
            return None
        wanted = digest(call.body)
        found = item.reusable.get(wanted)
        if found is None:
            return None
        attempt = max((step.attempt for step in item.steps if step.ordinal == ordinal), default=-1) + 1
        sent = self._sent(item, ordinal, attempt, call)
        return found.reply, reused_step(sent.values, found)

    async def _pause(self, item: Item, seconds: float) -> None:
        try:
            await asyncio.wait_for(item.room.halt.wait(), seconds)
        except TimeoutError:
            return
        raise Stopped

    def give_up(self, item: Item, reason: str, pending: Sequence[Write] = ()) -> asyncio.Future[None]:
        """Store an error as the item's prediction, after the writes that are still to be made."""
        return self._ledger.enter(item.lease, [*pending, self._prediction(item, reason)])

    def _key(self, item: Item) -> dict[str, Any]:
        return {
            "run_id": item.room.run_id,
            "question_revision": item.revision,
            "presentation_key": item.presentation.key,
            "repeat": item.asked.repeat,
        }

    def _sent(self, item: Item, ordinal: int, attempt: int, call: ChatCall | SqlCall) -> Write:
        before = reckoned(call.body) if isinstance(call, ChatCall) else Tokens()
        request = canonical_json(call.body)
        values = self._key(item) | {
            "version_id": item.room.version_id,
            "question_id": item.asked.id,
            "ordinal": ordinal,
            "attempt": attempt,
            "kind": "tool" if isinstance(call, SqlCall) else "chat",
            "request_hash": digest_of_canonical(request),
            "request": request,
            "sent_at": self._clock.now(),
            "reserved_prompt": before.prompt,
            "reserved_completion": before.completion,
        }
        return Write(Kind.SENT, values)

    def _closed(
        self, item: Item, ordinal: int, attempt: int, outcome: Reply | Failure, before: Tokens
    ) -> Write:
        answered = isinstance(outcome, Reply)
        spent = taken(outcome, before) if outcome.http_status != 0 else Tokens()
        values = self._key(item) | {
            "ordinal": ordinal,
            "attempt": attempt,
            "state": "done" if answered else "failed",
            "response": canonical_json(outcome.raw) if isinstance(outcome, Reply) else None,
            "http_status": outcome.http_status or None,
            "usage": canonical_json(outcome.usage) if outcome.usage else None,
            "error": outcome.reason if isinstance(outcome, Failure) else None,
            "answered_at": self._clock.now(),
            "latency_ms": outcome.latency_ms,
            "finish_reason": outcome.finish_reason if isinstance(outcome, Reply) else None,
            "engine": _engine(item.room, outcome) if isinstance(outcome, Reply) else None,
            "spent_prompt": spent.prompt,
            "spent_completion": spent.completion,
        }
        return Write(Kind.CLOSED, values)

    def _prediction(self, item: Item, end: Answer | str) -> Write:
        return prediction_write(item, end, self._key(item), self._clock.now())


def prediction_write(item: Item, end: Answer | str, key: dict[str, Any], now: datetime) -> Write:
    """The prediction row of an item: an answer, or the reason why there is none."""
    answer = end if isinstance(end, Answer) else None
    values = key | {
        "version_id": item.room.version_id,
        "question_id": item.asked.id,
        "rotation": item.presentation.rotation,
        "state": answer.state if answer else "error",
        "answer": answer.text if answer else None,
        "detail": canonical_json(answer.detail if answer else {}),
        "error": None if answer else str(end).replace("\0", " "),
        "created_at": now,
    }
    return Write(Kind.PREDICTED, values)


def _engine(room: Room, reply: Reply) -> str | None:
    """What made a reply: as it says itself, else as the last check of the endpoint found; nothing made SQL's rows."""
    return reply.engine or (room.engine if reply.http_status else None)


def sql_reply(outcome: dict[str, Any]) -> Reply:
    """The outcome of a model's SQL, stored or just made, as a reply."""
    return Reply(None, None, None, outcome, http_status=0)


def _stored_reply(item: Item, ordinal: int, call: ChatCall | SqlCall) -> Reply | None:
    """The reply that was stored for exactly this call, read again."""
    if not item.steps:
        return None
    wanted = digest(call.body)
    for step in item.steps:
        if step.ordinal == ordinal and step.state == "done" and step.request_hash == wanted:
            return (
                sql_reply(step.response or {})
                if isinstance(call, SqlCall)
                else read_completion(step.response)
            )
    return None
