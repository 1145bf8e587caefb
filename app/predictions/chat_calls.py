"""Makes calls of kind `chat`: asks the run's endpoint, at its pace, once the call is committed.

Where its place is near, a call is committed first and leaves the moment that it has its place: no place stands empty
for a commit.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from app.inference.bodies import longest_answer
from app.inference.chat import ChatClient, Endpoint
from app.inference.completions import read_completion
from app.inference.images import is_on_this_host
from app.inference.limits import prompt_tokens, tokens_used
from app.inference.outcomes import Failure, Reply
from app.inference.pacing import Pacer
from app.inference.patience import Patience
from app.inference.retrying import LIMITED_TRIES
from app.inference.tokens import Tokens, reckoned, taken
from app.predictions.resources import WorkerResources
from app.predictions.toolbox import CallStep, CallTerms, Deferred, Executor, Stopped, executor
from app.solvers.calls import CHAT, Call, CallFailure, CallResult

TURNS_TO_LEAVE = 2
"""Turns of the event loop in which a call whose place is free leaves: it wakes, makes its request and writes it."""


@dataclass
class _Place:
    """A place for one call among those in flight, and what came back of it."""

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


class ChatExecutor(Executor):
    """Asks one endpoint for one run. Only its failures open the endpoint's circuit breaker."""

    def __init__(
        self,
        terms: CallTerms,
        endpoint: Endpoint,
        client: ChatClient,
        pacer: Pacer,
        patience: Patience,
        public_url: str | None = None,
    ) -> None:
        super().__init__(terms.tries, terms.backoff_seconds)
        self._halt = terms.halt
        self._engine = terms.engine
        self._endpoint = endpoint
        self._client = client
        self._pacer = pacer
        self._patience = patience
        self._public_url = public_url

    def reserve(self, call: Call) -> Tokens:
        """The prompt, and the longest answer that the call allows."""
        return reckoned(call.body, self._client.picture_size)

    async def execute(self, call: Call, step: CallStep, timeouts: int) -> CallResult:
        """Ask the endpoint once; the result holds a Reply. A call that has no place before the run is halted is
        taken back, since it never left.
        """
        likely = 0.0
        if self._pacer.limits.tokens_per_minute:
            likely = self._pacer.reckon(
                prompt_tokens(call.body, self._client.picture_size), longest_answer(call.body)
            )
        if await self._pacer.come_near(self._halt):
            outcome = await self._ask_committed(step, timeouts, likely)
        else:
            async with _place(self._pacer, self._halt, likely) as place:
                await step.commit()
                outcome = place.outcome = await self._send(step, timeouts)
        return self._result(outcome, self.reserve(call))

    async def _ask_committed(self, step: CallStep, timeouts: int, likely: float) -> Reply | Failure:
        """Commit the step while its place is near, and ask when it is there."""
        try:
            await step.commit()
        except BaseException:
            self._pacer.turn_back()
            raise
        try:
            async with _place(self._pacer, self._halt, likely, is_ready=True) as place:
                outcome = place.outcome = await self._send(step, timeouts)
        except Stopped:
            await step.withdraw()
            raise
        await _let_calls_leave()
        return outcome

    async def _send(self, step: CallStep, timeouts: int) -> Reply | Failure:
        """Let a committed call leave. Raises Deferred, and takes it back, where another may have asked it meanwhile."""
        request = await self._client.with_pictures(step.request, self._public_url)
        if isinstance(request, Failure):
            return request
        # Asked last: reading pictures may take longer than the rest of the lease.
        if not step.may_leave():
            await step.withdraw()
            raise Deferred
        longest = self._patience.seconds(timeouts)
        outcome = await self._client.complete(self._endpoint, request, longest)
        if isinstance(outcome, Reply):
            self._patience.note((outcome.latency_ms or 0) / 1000)
        elif outcome.timed_out:
            self._patience.note_timeout()
        return outcome

    def _result(self, outcome: Reply | Failure, before: Tokens) -> CallResult:
        told: dict[str, Any] = {
            "spent": taken(outcome, before),
            "usage": outcome.usage,
            "latency_ms": outcome.latency_ms,
            "http_status": outcome.http_status,
        }
        if isinstance(outcome, Reply):
            return _answered(outcome, engine=outcome.engine or self._engine, **told)
        if outcome.exhausted:
            self.circuit.exhaust(outcome.reason)
        counts = 1 / LIMITED_TRIES if outcome.limited else 1.0
        failure = CallFailure(
            outcome.reason, outcome.heals, outcome.retry_after, counts, timed_out=outcome.timed_out
        )
        return CallResult(failure=failure, **told)

    def replay(self, response: dict[str, Any]) -> CallResult | None:
        """The reply that a step stored, read again."""
        reply = read_completion(response)
        return None if reply is None else _answered(reply)


def _answered(reply: Reply, **told: Any) -> CallResult:
    return CallResult(reply, response=reply.raw, finish_reason=reply.finish_reason, **told)


class NoEndpoint(Executor):
    """Stands for the endpoint of a run that names none: each of its calls fails."""

    def __init__(self) -> None:
        super().__init__(tries=1, backoff_seconds=0.0)

    async def execute(self, call: Call, step: CallStep, timeouts: int) -> CallResult:
        """Fails without a step."""
        return CallResult(failure=CallFailure("the run names no endpoint", retryable=False))

    def replay(self, response: dict[str, Any]) -> CallResult | None:
        """What was asked before can be read all the same."""
        reply = read_completion(response)
        return None if reply is None else _answered(reply)


@executor(CHAT)
def open_chat(terms: CallTerms, resources: WorkerResources) -> Executor:
    """Asks at a pace that all runs of the endpoint share."""
    if terms.endpoint is None:
        return NoEndpoint()
    pacer = resources.pacer(terms.endpoint, terms.limits)
    patience = resources.patience(terms.endpoint, terms.limits)
    public_url = None if is_on_this_host(terms.endpoint.url) else resources.settings.public_url
    return ChatExecutor(terms, terms.endpoint, resources.client, pacer, patience, public_url)
