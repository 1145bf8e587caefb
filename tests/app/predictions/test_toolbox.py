"""Tools in an episode: retries and a circuit breaker of their own, errors of ours, and the limit of steps."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import Connection

from app.core.settings import Settings
from app.predictions import toolbox
from app.predictions.resources import WorkerResources
from app.predictions.toolbox import CallStep, CallTerms, Executor, executor
from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import CHAT, Call, CallFailure, CallResult
from tests.app.predictions.test_worker import QUESTIONS, make_run, work
from tests.support.factories import options_dataset
from tests.support.processes import Scripted, query, scalar

TOOL = "test_tool"
LIMIT = 3


class Lookup(Executor):
    """Fails as often as `failures` says, then tells what it was asked."""

    def __init__(self, tries: int, failures: int) -> None:
        super().__init__(tries, backoff_seconds=0.001)
        self.left = failures
        self.asked = 0

    async def execute(self, call: Call, step: CallStep, timeouts: int) -> CallResult:
        await step.commit()
        self.asked += 1
        if self.left:
            self.left -= 1
            return CallResult(failure=CallFailure("the map is away", retryable=True))
        return self.replay({"said": call.body["about"]})

    def replay(self, response: dict[str, Any]) -> CallResult:
        return CallResult(response["said"], response=response)


Register = Callable[[int], list[Lookup]]


@pytest.fixture
def register() -> Iterator[Register]:
    """Registers the tool, whose executors fail so often; gives the executors that are opened."""
    opened: list[Lookup] = []

    def register(failures: int) -> list[Lookup]:
        @executor(TOOL)
        def open_lookup(terms: CallTerms, resources: WorkerResources) -> Executor:
            opened.append(Lookup(terms.tries, failures))
            return opened[-1]

        return opened

    yield register
    toolbox._REGISTERED.pop(TOOL, None)


@solver("test_lookup", version=1, calls=(CHAT, TOOL))
def open_lookup_solver(connection: Connection, run: RunView) -> NextStep:
    """Asks the model, looks something up, and answers with what it found."""

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        if not results:
            messages = [{"role": "user", "content": f"{question.id}\nA) yes\nB) no"}]
            return Call(CHAT, {"model": run.model, "messages": messages})
        if len(results) == 1:
            return Call(TOOL, {"about": question.id})
        return Answer("answered", results[1].expect(str))

    return next_step


@solver("test_restless", version=1, calls=(TOOL,), most_steps=LIMIT)
def open_restless(connection: Connection, run: RunView) -> NextStep:
    """Looks things up for ever."""

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call:
        return Call(TOOL, {"about": f"{question.id} {len(results)}"})

    return next_step


def test_a_tool_that_fails_once_is_tried_again(
    quick: Settings, endpoint: Callable[..., Scripted], register: Register
) -> None:
    register(1)
    server = endpoint("first_option")
    run_id = make_run(quick, "test_lookup", server.url)
    assert work(quick) == [run_id]
    answers = query(quick, "select question_id, answer, state from prediction")
    assert all(answer == question for question, answer, _ in answers)
    assert len(server.requests()) == QUESTIONS
    steps = query(quick, "select kind, state, count(*) from step group by 1, 2 order by 1, 2")
    assert [tuple(row) for row in steps] == [
        (CHAT, "done", QUESTIONS),
        (TOOL, "done", QUESTIONS),
        (TOOL, "failed", 1),
    ]
    assert scalar(quick, "select spent_prompt > 0 from run") is True


def test_a_tool_that_is_away_ends_in_errors_of_ours_and_spares_the_endpoint(
    quick: Settings, endpoint: Callable[..., Scripted], register: Register
) -> None:
    lookups = register(10**6)
    quick = quick.model_copy(update={"concurrency": 1})
    server = endpoint("first_option")
    run_id = make_run(quick, "test_lookup", server.url, questions=options_dataset(30))
    assert work(quick) == [run_id]
    assert scalar(quick, "select status from run") == "incomplete"
    reasons = query(quick, "select error, count(*) from prediction group by 1 order by 2 desc")
    assert [tuple(row) for row in reasons] == [
        ("the map is away (tried 2 times)", 20),
        ("not asked: the last 20 questions failed: the map is away (tried 2 times)", 10),
    ]
    assert lookups[0].asked == 40
    # Once the tool's breaker is open the endpoint is not paid for episodes that cannot end.
    assert len(server.requests()) == 20


def test_an_episode_without_end_is_ended_and_is_no_answer(quick: Settings, register: Register) -> None:
    register(0)
    run_id = make_run(quick, "test_restless")
    assert work(quick) == [run_id]
    assert scalar(quick, "select status from run") == "complete"
    found = query(quick, "select state, answer, detail from prediction")
    assert [tuple(row) for row in found] == [
        ("no_answer", None, {"outcome": "step_limit", "steps": LIMIT})
    ] * QUESTIONS
    assert scalar(quick, "select count(*) from step where state = 'done'") == LIMIT * QUESTIONS


def test_a_solver_whose_calls_nobody_makes_does_not_start(quick: Settings) -> None:
    run_id = make_run(quick, "test_restless")
    assert work(quick) == [run_id]
    (reason,) = {row[0] for row in query(quick, "select error from prediction")}
    assert "nothing makes calls of kind 'test_tool'" in reason
