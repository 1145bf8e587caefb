"""Caps of an episode, and the counts that it is told by. An episode that reaches a cap has no answer."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal

from app.core.identity import canonical_json
from app.inference.tokens import Tokens
from app.solvers.agents.terms import AgentTerms

CapOutcome = Literal[
    "step_limit", "token_limit", "money_limit", "time_limit", "loop", "call_limit", "unusable_replies"
]
"""What an episode that reached a cap came to. `loop` is the third call of a tool that is equal to two before, or the
fifth reply in a row in which no action can be read. Episodes of `georover` have no `loop`: `call_limit` is their
twentieth call of a tool, `unusable_replies` their third reply in a row that is neither a call nor an answer."""
IDENTICAL: Final = 3
UNREADABLE: Final = 5
MILLION: Final = 1_000_000


class CapReached(Exception):
    """The episode may make no more calls; or its trial, where it is one of several."""

    def __init__(self, outcome: CapOutcome, *, of_trial: bool = False) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.of_trial = of_trial


@dataclass
class Meter:
    """What an episode has taken so far. Time is the sum of what its calls took, so that a replay finds the same."""

    terms: AgentTerms
    prices: Mapping[str, Any] | None = None
    spent: Tokens = field(default_factory=Tokens)
    milliseconds: int = 0
    chat_calls: int = 0
    tool_calls: int = 0
    failed_calls: int = 0
    repeated_calls: int = 0
    format_faults: int = 0
    left_out: int = 0
    may_loop: bool = False
    """Whether the same calls may be made again and again."""
    _seen: Counter[str] = field(default_factory=Counter)
    _unread: int = 0

    def admit_chat(self, reckoned: Tokens) -> None:
        """Raise CapReached where a chat call that is reckoned to take so much is beyond a cap."""
        self._admit_step()
        terms = self.terms
        wanted = Tokens(self.spent.prompt + reckoned.prompt, self.spent.completion + reckoned.completion)
        if terms.tokens is not None and sum(wanted) > terms.tokens:
            raise CapReached("token_limit")
        if terms.money is not None and self.prices and self._cost(wanted) > Decimal(terms.money):
            raise CapReached("money_limit")

    def admit_tool(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Count a call of a tool as wanted. Raises CapReached where it is beyond a cap, or the third of its kind."""
        self._admit_step()
        key = canonical_json([name, dict(arguments)])
        self._seen[key] += 1
        if self._seen[key] >= IDENTICAL and not self.may_loop:
            raise CapReached("loop")
        self.repeated_calls += self._seen[key] > 1

    def note_chat(self, spent: Tokens, milliseconds: int | None) -> None:
        """Count a chat call that was answered."""
        self.chat_calls += 1
        self.spent = Tokens(self.spent.prompt + spent.prompt, self.spent.completion + spent.completion)
        self.milliseconds += milliseconds or 0

    def note_tool(self, *, failed: bool, milliseconds: int | None) -> None:
        """Count a call of a tool that was answered."""
        self.tool_calls += 1
        self.failed_calls += failed
        self.milliseconds += milliseconds or 0

    def note_form(self, faults: int, *, is_read: bool) -> None:
        """Count what was wrong in the form of a reply. Raises CapReached where too many in a row cannot be read."""
        self.format_faults += faults
        self._unread = 0 if is_read else self._unread + 1
        if self._unread >= UNREADABLE:
            raise CapReached("loop")

    def begin_again(self) -> None:
        """A new trial of the same question: calls that were made before may be made again."""
        self._seen.clear()
        self._unread = 0

    def as_json(self) -> dict[str, int]:
        """The counts as a prediction's detail holds them."""
        names = ("chat_calls", "tool_calls", "failed_calls", "repeated_calls", "format_faults", "left_out")
        return {name: getattr(self, name) for name in names}

    def _admit_step(self) -> None:
        if self.terms.steps is not None and self.chat_calls + self.tool_calls >= self.terms.steps:
            raise CapReached("step_limit")
        if self.terms.seconds is not None and self.milliseconds > self.terms.seconds * 1000:
            raise CapReached("time_limit")

    def _cost(self, taken: Tokens) -> Decimal:
        prices = self.prices or {}
        return (
            Decimal(prices["prompt"]) * taken.prompt + Decimal(prices["completion"]) * taken.completion
        ) / MILLION
