"""An episode: one question, shown one way, once, from its first call to its prediction.

Every call is committed as `sent` before it leaves; its answer is committed together with the prediction that follows
from it, or before the next call waits for its place; it is resumed by replaying its stored steps. Invariant: a call
that is stored as `done` is never made again.
"""

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import Fenced, ServiceUnavailable
from app.core.identity import canonical_json, digest
from app.core.log import get_logger
from app.inference.retrying import LONGEST_BACKOFF
from app.predictions.accounts import Halted, OverBudget
from app.predictions.episode_steps import EpisodeSteps, OpenStep, item_key
from app.predictions.ledger import Ledger
from app.predictions.run_context import Item
from app.predictions.toolbox import Deferred, Executor, Stopped
from app.predictions.units import Kind, Write
from app.solvers.base import Answer, Unusable
from app.solvers.calls import Call, CallFailure, CallResult

logger = get_logger(__name__)
LOOK_AGAIN = 0.5
"""Seconds after which a call that the budget, or a lease that is to be renewed first, holds back tries again."""
STEP_LIMIT = "step_limit"
"""The outcome in a prediction's detail where the solver asked for more calls than an episode may have."""


class Episodes:
    """Works items; shared by all slots of a worker."""

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock

    async def work(self, item: Item) -> asyncio.Future[None]:
        """Bring one item to its prediction; the future is its commit.

        Raises Fenced, or Stopped or Halted where it must wait.
        """
        if item.run.refusal is not None or item.run.opened is None:
            return self.give_up(item, item.run.refusal or "the solver did not start")
        steps = EpisodeSteps(item, self._ledger, self._clock)
        try:
            return self._end(item, steps, await self._play(item, steps))
        except Stopped:
            # What came back before is paid for: it is not asked again when the run goes on.
            await steps.save()
            raise
        except Unusable as error:
            return self._end(item, steps, str(error))
        except (DBAPIError, Fenced, Halted, ServiceUnavailable):
            raise
        except Exception as error:
            # A fault of a solver or a tool is ours, never the model's wrong answer, and concerns this question alone.
            logger.exception("solver failed", run=item.run.run_id, question=item.question.id)
            return self._end(item, steps, f"the solver failed: {type(error).__name__}: {error}")

    async def _play(self, item: Item, steps: EpisodeSteps) -> Answer | str:
        """Ask the solver for one step after the other: its answer, or why there is none by a fault of ours."""
        assert item.run.opened is not None
        solver, next_step = item.run.opened.solver, item.run.opened.next_step
        results: list[CallResult] = []
        step = next_step(item.question, results)
        while isinstance(step, Call):
            if len(results) >= solver.most_steps:
                return Answer("no_answer", None, {"outcome": STEP_LIMIT, "steps": len(results)})
            result = await self._result(item, steps, len(results), step)
            if result.failure is not None:
                return result.failure.reason
            results.append(result)
            step = next_step(item.question, results)
        return step

    async def _result(self, item: Item, steps: EpisodeSteps, ordinal: int, call: Call) -> CallResult:
        """The result of a call: as it is stored, as an earlier run was answered, or by making the call."""
        executor = item.run.toolbox.executor(call.kind)
        request_hash = digest(call.body) if item.steps or item.reusable else None
        if request_hash is not None:
            stored = steps.stored(ordinal, request_hash)
            result = None if stored is None else executor.replay(stored.response or {})
            if stored is not None and result is not None:
                # A solver may cap the time of an episode: it is to see what it saw before.
                return replace(result, latency_ms=stored.latency_ms)
            result = result or steps.reuse(ordinal, call, request_hash, executor)
            if result is not None:
                return result
        return await self._call(item, steps, ordinal, call, executor)

    async def _call(
        self, item: Item, steps: EpisodeSteps, ordinal: int, call: Call, executor: Executor
    ) -> CallResult:
        """Make one call, with retries, until it has a value or no try is left."""
        attempt = steps.next_attempt(ordinal)
        used = float(steps.failures_under_this_lease(ordinal))
        timeouts = 0
        while True:
            refusal = item.run.toolbox.refusal()
            if refusal is not None:
                return CallResult(failure=CallFailure(refusal, retryable=False))
            step = steps.open(ordinal, attempt, call, executor.reserve(call))
            result = await self._execute(item, steps, executor, call, step, timeouts)
            if result is None:
                continue
            steps.close(step, result)
            failure = result.failure
            if failure is None:
                executor.circuit.note(None)
                return result
            used += failure.counts
            timeouts += failure.timed_out
            if not failure.retryable or used >= executor.tries:
                reason = failure.reason + (f" (tried {attempt + 1} times)" if attempt else "")
                executor.circuit.note(reason)
                return CallResult(failure=CallFailure(reason, retryable=False))
            await steps.save()
            attempt += 1
            if failure.retry_after is None:
                longest = executor.backoff_seconds * 2 ** min(attempt - 1, 6)
                await _pause(item, min(LONGEST_BACKOFF, longest))

    async def _execute(
        self,
        item: Item,
        steps: EpisodeSteps,
        executor: Executor,
        call: Call,
        step: OpenStep,
        timeouts: int,
    ) -> CallResult | None:
        """One try of a call; None, after a moment, where it could not leave.

        What came back before was paid for: it is stored before the call waits for its place, which others may take
        first, or while a call runs whose step is not committed first.
        """
        try:
            if executor.commits_first:
                await steps.save()
                return await executor.execute(call, step, timeouts)
            _, result = await asyncio.gather(steps.save(), executor.execute(call, step, timeouts))
            return result
        except (Deferred, OverBudget):
            await _pause(item, LOOK_AGAIN)
            return None

    def give_up(self, item: Item, reason: str) -> asyncio.Future[None]:
        """Store an error as the item's prediction."""
        return self._ledger.enter(item.lease, [self._prediction(item, reason)])

    def _end(self, item: Item, steps: EpisodeSteps, end: Answer | str) -> asyncio.Future[None]:
        """Store the prediction together with what of the steps is not stored yet."""
        return self._ledger.enter(item.lease, [*steps.take_unsaved(), self._prediction(item, end)])

    def _prediction(self, item: Item, end: Answer | str) -> Write:
        return prediction_write(item, end, item_key(item), self._clock.now())


async def _pause(item: Item, seconds: float) -> None:
    """Wait; raises Stopped where the run is halted meanwhile."""
    try:
        await asyncio.wait_for(item.run.halt.wait(), seconds)
    except TimeoutError:
        return
    raise Stopped


def prediction_write(item: Item, end: Answer | str, key: dict[str, Any], now: datetime) -> Write:
    """The prediction row of an item: an answer, or the reason why there is none."""
    answer = end if isinstance(end, Answer) else None
    values = key | {
        "version_id": item.run.version_id,
        "question_id": item.question.id,
        "rotation": item.presentation.rotation,
        "state": answer.state if answer else "error",
        "answer": answer.text if answer else None,
        "detail": canonical_json(answer.detail if answer else {}),
        "error": None if answer else str(end).replace("\0", " "),
        "created_at": now,
    }
    return Write(Kind.PREDICTED, values)
