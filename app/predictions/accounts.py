"""What a run has spent, what is in flight of it, and what it may spend; kept in the transactions that write its steps.

Invariant: a call leaves only if the run was neither paused nor cancelled, and its budget sufficed for what was spent,
for all that is in flight and for this call, when the call was committed as sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Self

from sqlalchemy import Connection, Row

from app.core.errors import UsageError
from app.inference.tokens import Tokens
from app.predictions import queries_control as queries
from app.predictions.costs import Prices

LIVE = ("queued", "running")
"""The states in which a run is worked."""


class Halted(Exception):
    """The run is paused or cancelled: the call does not leave."""


class OverBudget(Exception):
    """The budget has no room for the call beside those in flight; it may have when they are back."""


@dataclass(frozen=True)
class Budget:
    """What all calls of a run may take together; None is no limit. Money is in the currency of the run's prices."""

    tokens: int | None = None
    money: Decimal | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> Self:
        """The budget as a run's row holds it."""
        told = stored or {}
        money = told.get("money")
        return cls(told.get("tokens"), None if money is None else Decimal(money))

    @classmethod
    def given(cls, tokens: int | None, money: str | None) -> Self:
        """The budget of a command line. Raises UsageError for what is not an amount of money."""
        if money is None:
            return cls(tokens, None)
        try:
            amount = Decimal(money)
        except ArithmeticError as error:
            raise UsageError(f"{money!r} is not an amount of money: give a number such as 2.50.") from error
        if not amount.is_finite() or amount <= 0:
            raise UsageError(f"A budget of {money} is none: give a number above 0, such as 2.50.")
        return cls(tokens, amount)

    def as_json(self) -> dict[str, Any] | None:
        """As it is stored and shown; money as text, so that it is not rounded."""
        if self.tokens is None and self.money is None:
            return None
        return {"tokens": self.tokens, "money": None if self.money is None else str(self.money)}

    def over(self, other: Self) -> "Budget":
        """This budget, and `other` where this one says nothing."""
        return Budget(
            other.tokens if self.tokens is None else self.tokens,
            other.money if self.money is None else self.money,
        )

    def suffices(self, taken: Tokens, prices: Prices | None) -> bool:
        """Whether so many tokens are within it."""
        if self.tokens is not None and taken.prompt + taken.completion > self.tokens:
            return False
        return self.money is None or prices is None or prices.amount(*taken) <= self.money


Verdict = Literal["go", "wait", "halt"]


def verdicts_on(account: Row[Any], calls: Sequence[Tokens]) -> list[Verdict]:
    """Which of `calls` may leave, in their order; `account` is the run's row, locked by `LOCK_ACCOUNT`.

    `halt` where the budget has no room for a call even when nothing is in flight.
    """
    if account.status not in LIVE:
        return ["halt"] * len(calls)
    if account.budget is None:
        return ["go"] * len(calls)
    budget, prices = Budget.of(account.budget), Prices.of(account.prices)
    spent = Tokens(account.spent_prompt, account.spent_completion)
    in_flight = Tokens(account.reserved_prompt, account.reserved_completion)
    verdicts: list[Verdict] = []
    for call in calls:
        if not budget.suffices(_sum((spent, call)), prices):
            verdicts.append("halt")
        elif "halt" in verdicts or not budget.suffices(_sum((spent, in_flight, call)), prices):
            verdicts.append("wait")
        else:
            verdicts.append("go")
            in_flight = _sum((in_flight, call))
    return verdicts


def halted_runs(connection: Connection, run_ids: set[int]) -> set[int]:
    """Those of the runs that are not to be worked."""
    return set(connection.execute(queries.HALTED_RUNS, {"run_ids": sorted(run_ids)}).scalars())


def _sum(amounts: Sequence[Tokens]) -> Tokens:
    return Tokens(sum(one.prompt for one in amounts), sum(one.completion for one in amounts))
