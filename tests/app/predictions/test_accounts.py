"""Accounts and budgets: what a run has spent and has in flight, kept once however often a commit is tried."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from sqlalchemy import text

from app.core.errors import Conflict, UsageError
from app.core.settings import Settings
from app.inference.outcomes import Failure, Reply
from app.inference.tokens import Tokens, reckoned, taken
from app.inference.tool_requests import ToolRequest
from app.predictions import control
from app.predictions.accounts import (
    Budget,
    Halted,
    OverBudget,
    halted_runs,
)
from app.predictions.costs import Prices
from app.predictions.units import Kind, Refused, Unit, Write, write_units
from tests.support.leased_run import START, Bench

PRICES = Prices(Decimal(1), Decimal(2), "EUR")


@pytest.fixture
def bench(database: Settings) -> Bench:
    return Bench(database)


def account(bench: Bench) -> tuple[int, ...]:
    with bench.engine.begin() as connection:
        row = connection.execute(
            text("select spent_prompt, spent_completion, reserved_prompt, reserved_completion from run")
        ).one()
    return tuple(row)


def allow(bench: Bench, tokens: int | None) -> None:
    with bench.engine.begin() as connection:
        connection.execute(
            text("update run set budget = jsonb_build_object('tokens', cast(:tokens as int))"),
            {"tokens": tokens},
        )


def call(bench: Bench, place: int, tokens: Tokens) -> Write:
    lease = bench.one
    question = lease.question_ids[place]
    values = {
        "run_id": bench.run_id,
        "version_id": bench.version.id,
        "question_id": question,
        "question_revision": bench.revisions[question],
        "presentation_key": "k",
        "repeat": 0,
        "ordinal": 0,
        "attempt": 0,
        "kind": "chat",
        "request_hash": "h",
        "request": "{}",
        "sent_at": START,
        "reserved_prompt": tokens.prompt,
        "reserved_completion": tokens.completion,
    }
    return Write(Kind.SENT, values)


def closing(sent: Write, spent: Tokens) -> Write:
    values = sent.values | {
        "state": "done",
        "response": "{}",
        "http_status": 200,
        "usage": None,
        "error": None,
        "answered_at": START,
        "latency_ms": 1,
        "finish_reason": "stop",
        "engine": None,
        "spent_prompt": spent.prompt,
        "spent_completion": spent.completion,
    }
    return Write(Kind.CLOSED, values)


def write(bench: Bench, *writes: Write) -> Refused:
    with bench.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        return write_units(connection, [Unit(bench.one, [one]) for one in writes])


def test_a_call_is_reserved_and_then_spent(bench: Bench) -> None:
    sent = call(bench, 0, Tokens(10, 5))
    write(bench, sent)
    assert account(bench) == (0, 0, 10, 5)
    write(bench, closing(sent, Tokens(9, 2)), call(bench, 1, Tokens(3, 3)))
    assert account(bench) == (9, 2, 3, 3)


@pytest.mark.parametrize("budget", [None, 20])
def test_what_is_written_again_counts_once_and_leaves(bench: Bench, budget: int | None) -> None:
    if budget is not None:
        allow(bench, budget)
    sent = call(bench, 0, Tokens(10, 5))
    for _ in range(2):
        assert write(bench, sent) == {}
        assert account(bench) == (0, 0, 10, 5)
    for _ in range(2):
        assert write(bench, closing(sent, Tokens(7, 7))) == {}
        assert account(bench) == (7, 7, 0, 0)


def test_a_call_that_was_stored_before_its_run_was_paused_leaves(bench: Bench) -> None:
    sent = call(bench, 0, Tokens(10, 5))
    write(bench, sent)
    with bench.engine.begin() as connection:
        control.pause(connection, bench.run_id)
    assert write(bench, sent) == {}
    assert account(bench) == (0, 0, 10, 5)


def test_what_the_budget_has_no_room_for_waits_and_what_it_never_has_pauses(bench: Bench) -> None:
    allow(bench, 20)
    first = call(bench, 0, Tokens(10, 5))
    refused = write(bench, first, call(bench, 1, Tokens(10, 0)))
    assert [type(error) for error in refused.values()] == [OverBudget]
    assert account(bench) == (0, 0, 10, 5)
    refused = write(bench, closing(first, Tokens(8, 4)), call(bench, 1, Tokens(10, 0)))
    assert [type(error) for error in refused.values()] == [Halted]
    assert account(bench) == (8, 4, 0, 0)
    with bench.engine.begin() as connection:
        assert connection.execute(text("select status, pause_reason from run")).one() == ("paused", "budget")
        assert halted_runs(connection, {bench.run_id}) == {bench.run_id}
        assert connection.execute(text("select count(*) from step")).scalar_one() == 1


def test_no_call_leaves_a_run_that_is_paused_and_answers_are_kept(bench: Bench) -> None:
    sent = call(bench, 0, Tokens(10, 5))
    write(bench, sent)
    with bench.engine.begin() as connection:
        assert control.pause(connection, bench.run_id).changed
        assert not control.pause(connection, bench.run_id).changed
    refused = write(bench, closing(sent, Tokens(1, 1)), call(bench, 1, Tokens(2, 2)))
    assert [type(error) for error in refused.values()] == [Halted]
    assert account(bench) == (1, 1, 0, 0)
    with bench.engine.begin() as connection:
        assert connection.execute(text("select state from step")).scalars().all() == ["done"]


def test_a_budget_that_is_used_up_is_no_reason_to_resume(bench: Bench) -> None:
    allow(bench, 5)
    with bench.engine.begin() as connection:
        used_up = "update run set endpoint_id = :id, spent_prompt = 6"
        connection.execute(text(used_up), {"id": _endpoint(bench)})
    assert [type(error) for error in write(bench, call(bench, 0, Tokens(1, 0))).values()] == [Halted]
    for budget, words in ((Budget(), "does not suffice"), (Budget(tokens=6), "used up")):
        with bench.engine.connect() as connection, pytest.raises(Conflict, match=words):
            control.resume(connection, bench.run_id, budget, START)
    with bench.engine.begin() as connection:
        control.resume(connection, bench.run_id, Budget(tokens=7), START)
    assert write(bench, call(bench, 0, Tokens(1, 0))) == {}


def _endpoint(bench: Bench) -> int:
    with bench.engine.begin() as connection:
        statement = (
            "insert into endpoint (name, url, model, created_at) values ('e', 'u', 'm', :now) returning id"
        )
        return int(connection.execute(text(statement), {"now": START}).scalar_one())


@pytest.mark.parametrize("act", [control.pause, lambda c, run: control.cancel(c, run, START)])
def test_what_is_finished_stays_finished(bench: Bench, act: Callable[..., object]) -> None:
    with bench.engine.begin() as connection:
        connection.execute(text("update run set status = 'incomplete'"))
    with bench.engine.connect() as connection, pytest.raises(Conflict, match="is incomplete"):
        act(connection, bench.run_id)


def test_a_budget_in_money() -> None:
    budget = Budget.given(None, "0.000012")
    assert budget.suffices(Tokens(2, 5), PRICES)
    assert not budget.suffices(Tokens(3, 5), PRICES)
    for nonsense in ("much", "0", "-1", "NaN", "inf", ""):
        with pytest.raises(UsageError):
            Budget.given(None, nonsense)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 3}, Tokens(7, 3)),
        ({"prompt_tokens": -7, "completion_tokens": 1e300}, Tokens(0, 1_000_000_000)),
        ({"prompt_tokens": "7", "completion_tokens": True}, Tokens(12, 2)),
        (None, Tokens(12, 2)),
    ],
)
def test_what_a_call_took(usage: dict[str, object] | None, expected: Tokens) -> None:
    body = {"messages": [{"role": "user", "content": "x" * 45}], "max_tokens": 9}
    before = reckoned(body)
    assert before == Tokens(12, 9)
    assert taken(Reply("abcde", "stop", usage, {}), before) == expected
    asked = ToolRequest("call_0", "find", '{"q":"park"}')
    thinking = Reply("abcde", "stop", usage, {}, reasoning="I look.", tool_calls=(asked,))
    uncounted = Tokens(12, 7) if expected == Tokens(12, 2) else expected
    assert taken(thinking, before) == uncounted
    assert taken(Failure("no", heals=True), before) == Tokens()
