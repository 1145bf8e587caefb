"""How a run's calls went: their times, and the reasons of its errors. As the api role.

Times are of all calls; reasons are told of public questions alone, without the addresses that stand in them.
"""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.published import queries_runs as queries
from app.published.failures import kind_of, without_addresses


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Latency(_Model):
    """Times of a run's answered calls, in milliseconds; null where there is none."""

    calls: int
    median_ms: float | None
    slow_ms: float | None = Field(description="95 of 100 calls took at most this long")
    slowest_ms: int | None


class Reason(_Model):
    """Why answers are errors of ours."""

    reason: str
    answers: int
    question: str = Field(description="the id of one of the questions")


class RunCalls(_Model):
    """How a run's calls went."""

    run: int
    latency: Latency
    errors: list[Reason] = Field(
        description="errors on public questions, the most frequent first, at most 20"
    )


def read_calls(connection: Connection, run_id: int) -> RunCalls:
    """The calls of a run that is there."""
    key = {"run_id": run_id}
    reasons = connection.execute(queries.REASONS, {**key, "most": queries.MOST_REASONS})
    return RunCalls(
        run=run_id,
        latency=Latency(**connection.execute(queries.LATENCY, key).one()._mapping),
        errors=[
            Reason(reason=without_addresses(row.reason), answers=row.answers, question=row.question)
            for row in reasons
        ],
    )


def by_kind(errors: Iterable[Reason]) -> list[Reason]:
    """The reasons as anybody may read them: by kind, the commonest first."""
    kinds: dict[str, Reason] = {}
    for one in errors:
        kind = kind_of(one.reason)
        before = kinds.get(kind, Reason(reason=kind, answers=0, question=one.question))
        kinds[kind] = before.model_copy(update={"answers": before.answers + one.answers})
    return sorted(kinds.values(), key=lambda one: (-one.answers, one.reason))
