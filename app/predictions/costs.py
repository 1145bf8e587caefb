"""What a run has cost: the tokens of all of its calls, retries included, at the prices that it was made with."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from sqlalchemy import Connection

from app.core.errors import NotFound
from app.predictions.queries_endpoints import COST_OF_RUN

MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Money for a million tokens."""

    prompt: Decimal
    completion: Decimal
    currency: str

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> Self | None:
        """Prices as an endpoint's or a run's row holds them; None where there are none."""
        if not stored:
            return None
        return cls(Decimal(stored["prompt"]), Decimal(stored["completion"]), stored["currency"])

    def as_json(self) -> dict[str, str]:
        """As they are stored: numbers as text, so that none is rounded."""
        return {
            "prompt": str(self.prompt),
            "completion": str(self.completion),
            "currency": self.currency,
        }

    def amount(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """What so many tokens cost."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / MILLION


@dataclass(frozen=True)
class Cost:
    """Tokens of a run's calls, and money where its endpoint had prices when it was made.

    `without_usage` counts answers of which the endpoint did not say what they took, and calls lost with their worker;
    `truncated` counts answers that ended because the token budget did.
    """

    endpoint: dict[str, str | None] | None
    prompt_tokens: int
    completion_tokens: int
    without_usage: int
    truncated: int
    prices: Prices | None

    @property
    def amount(self) -> Decimal | None:
        """Money, in the currency of the prices."""
        if self.prices is None:
            return None
        return self.prices.amount(self.prompt_tokens, self.completion_tokens)

    def as_json(self) -> dict[str, Any]:
        """What `run show --json` adds."""
        amount = self.amount
        cost = None
        if amount is not None and self.prices is not None:
            cost = {
                "amount": float(amount),
                "currency": self.prices.currency,
                "prices": self.prices.as_json(),
            }
        return {
            "endpoint": self.endpoint,
            "usage": {
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": self.completion_tokens,
                "without_usage": self.without_usage,
            },
            "cost": cost,
            "truncated": self.truncated,
        }


def cost_of(connection: Connection, run_id: int) -> Cost:
    """What a run has cost so far. Raises NotFound."""
    row = connection.execute(COST_OF_RUN, {"run_id": run_id}).one_or_none()
    if row is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    named = ("name", "url", "model", "revision")
    endpoint = None if row.name is None else {name: getattr(row, name) for name in named}
    return Cost(
        endpoint,
        int(row.prompt_tokens),
        int(row.completion_tokens),
        row.without_usage,
        row.truncated,
        Prices.of(row.prices),
    )
