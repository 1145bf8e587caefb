"""The steps of one episode: what is stored of them, what is to be stored, and when that is committed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.core.clock import Clock
from app.core.identity import canonical_json, digest_of_canonical
from app.inference.tokens import Tokens
from app.predictions.accounts import Halted, OverBudget
from app.predictions.ledger import Ledger
from app.predictions.reusing import reused_step
from app.predictions.run_context import Item, StoredStep
from app.predictions.toolbox import Executor
from app.predictions.units import Kind, Write
from app.solvers.calls import CHAT, Call, CallResult


def item_key(item: Item) -> dict[str, Any]:
    """What names an item's rows, of steps and of predictions."""
    return {
        "run_id": item.run.run_id,
        "question_revision": item.revision,
        "presentation_key": item.presentation.key,
        "repeat": item.question.repeat,
    }


def _without_reservations(sent: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sent.items() if not name.startswith("reserved_")}


class OpenStep:
    """The step of one try of a call: committed, or not yet."""

    def __init__(self, steps: "EpisodeSteps", sent: Write) -> None:
        self._steps = steps
        self._sent = sent
        self.request: str = sent.values["request"]
        self.key = {name: sent.values[name] for name in ("ordinal", "attempt")}
        self.is_committed = False

    async def commit(self) -> None:
        """Commit it as sent, with all of the episode that is not stored yet. Raises as `Ledger.write` does."""
        await self._steps.save(self._sent)
        self.is_committed = True

    async def withdraw(self) -> None:
        """Take it back; raises Fenced where another has the lease."""
        await self._steps.save(Write(Kind.WITHDRAWN, self._sent.values))
        self.is_committed = False

    def may_leave(self) -> bool:
        """Whether nobody else can have the lease by now."""
        return self._steps.is_sure()

    def whole(self, result: CallResult, answered_at: datetime) -> Write:
        """The step with its answer, for a call that was answered before anything of it was committed."""
        values = _without_reservations(self._sent.values) | {
            "response": None if result.response is None else canonical_json(result.response),
            "answered_at": answered_at,
            "latency_ms": result.latency_ms,
        }
        return Write(Kind.WHOLE, values)


class EpisodeSteps:
    """The steps of an item; `unsaved` writes go to the ledger with the next ones."""

    def __init__(self, item: Item, ledger: Ledger, clock: Clock) -> None:
        self._item = item
        self._ledger = ledger
        self._clock = clock
        self._unsaved: list[Write] = []

    def is_sure(self) -> bool:
        """Whether nobody else can have the item's lease by now."""
        return self._ledger.is_sure_of(self._item.lease)

    def stored(self, ordinal: int, request_hash: str) -> StoredStep | None:
        """The step in which exactly this call was answered."""
        for step in self._item.steps:
            if step.ordinal == ordinal and step.state == "done" and step.request_hash == request_hash:
                return step
        return None

    def next_attempt(self, ordinal: int) -> int:
        """The number of the next try of a call; 0 for the first."""
        return max((step.attempt for step in self._item.steps if step.ordinal == ordinal), default=-1) + 1

    def failures_under_this_lease(self, ordinal: int) -> int:
        """How many tries of a call have failed since the batch was made."""
        return sum(
            step.ordinal == ordinal and step.state == "failed" and step.batch_id == self._item.lease.batch_id
            for step in self._item.steps
        )

    def reuse(self, ordinal: int, call: Call, request_hash: str, executor: Executor) -> CallResult | None:
        """The result that an earlier run got for exactly this call, with a step that says so; only chat is reused."""
        found = self._item.reusable.get(request_hash) if call.kind == CHAT else None
        result = None if found is None else executor.replay(found.reply.raw)
        if found is None or result is None:
            return None
        sent = self._sent(ordinal, self.next_attempt(ordinal), call, Tokens())
        self._unsaved.append(reused_step(sent.values, found))
        return result

    def open(self, ordinal: int, attempt: int, call: Call, reserved: Tokens) -> OpenStep:
        """The step of a try that is about to be made."""
        return OpenStep(self, self._sent(ordinal, attempt, call, reserved))

    def close(self, step: OpenStep, result: CallResult) -> None:
        """Note what came of a try; it is stored with what comes next.

        An answer whose step was not committed before cost nothing: its step is stored whole. A failure of such a call
        leaves no step, since nothing was asked of anybody.
        """
        failure = result.failure
        if not step.is_committed:
            if failure is None:
                self._unsaved.append(step.whole(result, self._clock.now()))
            return
        values = (
            item_key(self._item)
            | step.key
            | {
                "state": "done" if failure is None else "failed",
                "response": None if result.response is None else canonical_json(result.response),
                "http_status": result.http_status,
                "usage": canonical_json(result.usage) if result.usage else None,
                "error": failure and failure.reason,
                "answered_at": self._clock.now(),
                "latency_ms": result.latency_ms,
                "finish_reason": result.finish_reason,
                "engine": result.engine,
                "spent_prompt": result.spent.prompt,
                "spent_completion": result.spent.completion,
            }
        )
        self._unsaved.append(Write(Kind.CLOSED, values))

    def take_unsaved(self) -> list[Write]:
        """What is not stored yet; the caller stores it."""
        unsaved, self._unsaved = self._unsaved, []
        return unsaved

    async def save(self, *more: Write) -> None:
        """Store what is not stored yet, and `more`; raises as `Ledger.write` does."""
        writes = [*self._unsaved, *more]
        if not writes:
            return
        try:
            await self._ledger.write(self._item.lease, writes)
        except (Halted, OverBudget):
            # Only the call that was to leave is refused: the other writes are committed.
            self._unsaved = []
            raise
        self._unsaved = []

    def _sent(self, ordinal: int, attempt: int, call: Call, reserved: Tokens) -> Write:
        request = canonical_json(call.body)
        values = item_key(self._item) | {
            "version_id": self._item.run.version_id,
            "question_id": self._item.question.id,
            "ordinal": ordinal,
            "attempt": attempt,
            "kind": call.kind,
            "request_hash": digest_of_canonical(request),
            "request": request,
            "sent_at": self._clock.now(),
            "reserved_prompt": reserved.prompt,
            "reserved_completion": reserved.completion,
        }
        return Write(Kind.SENT, values)
