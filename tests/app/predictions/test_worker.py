"""A worker of runs in this process, against a real database and endpoint: episodes of several calls, replay, refusals."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection

from app.core.clock import ManualClock, SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.inference.outcomes import Reply
from app.predictions.control import retry
from app.predictions.leases import Claimable, claim
from app.predictions.presentations import ROTATED, presentations
from app.predictions.progress import error_reasons, progress_of
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from app.predictions.worker import RunWorker
from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import CHAT, Call, CallResult
from tests.support.factories import (
    QuestionSpec,
    count_question,
    make_version,
    option_question,
    options_dataset,
)
from tests.support.faulty_endpoint import completion, says
from tests.support.http_server import Answer as HttpAnswer
from tests.support.http_server import Request, serving_http
from tests.support.processes import Scripted, query, scalar, wait_until
from tests.support.runs import hashes_of

QUESTIONS = 5


def _say(run: RunView, words: str) -> Call:
    return Call(CHAT, {"model": run.model, "messages": [{"role": "user", "content": words}]})


@solver("test_twice", version=1, calls=(CHAT,))
def open_twice(connection: Connection, run: RunView) -> NextStep:
    """Asks, then asks again with what it was told; its answer holds both replies."""

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        replies = [result.expect(Reply) for result in results]
        if len(replies) < 2:
            told = replies[0].content if replies else "nothing"
            return _say(run, f"{question.id} {len(replies)}: told {told}\nA) yes\nB) no")
        return Answer("answered", " ".join(str(reply.content) for reply in replies))

    return next_step


@solver("test_faulty", version=1)
def open_faulty(connection: Connection, run: RunView) -> NextStep:
    """Fails on questions without a repeat."""

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Answer:
        if not question.repeat:
            raise RuntimeError("a fault of the solver's own")
        return Answer("answered", "1")

    return next_step


@solver("test_broken", version=1)
def open_broken(connection: Connection, run: RunView) -> NextStep:
    """Does not even start."""
    raise ValueError("no luck")


def make_run(
    settings: Settings,
    name: str,
    url: str | None = None,
    policy: str = "first_option",
    questions: Sequence[QuestionSpec] | None = None,
    **more: int,
) -> int:
    version = make_version(settings, questions or options_dataset(QUESTIONS))
    return make_run_of(settings, version.id, name, url, policy, **more)


def make_run_of(
    settings: Settings,
    version_id: int,
    name: str,
    url: str | None = None,
    policy: str = "first_option",
    **more: int,
) -> int:
    now = SystemClock().now()
    key_variable = "TRIGPOINT_TEST_KEY_NOT_SET" if more.pop("keyed", 0) else None
    with connect(settings, Role.WORKER) as connection:
        stored = store_endpoint(connection, url, f"scripted:{policy}", key_variable, now) if url else None
        plan = RunPlan(
            version_id,
            name,
            1,
            name,
            endpoint_id=stored.id if stored else None,
            repeats=more.get("repeats", 1),
            presentation=dict(ROTATED) if more.get("rotated") else {},
        )
        run_id = plan_run(connection, plan, now, settings.batch_size).id
        connection.commit()
    return run_id


def work(settings: Settings) -> list[int]:
    """Work what waits; the runs that were finished."""
    finished: list[int] = []
    engine = make_engine(settings, Role.WORKER)
    try:
        RunWorker(engine, settings, SystemClock(), "test", finished.append).work()
    finally:
        engine.dispose()
    return finished


def test_an_episode_of_two_calls(quick: Settings, endpoint: Callable[..., Scripted]) -> None:
    server = endpoint("first_option")
    run_id = make_run(quick, "test_twice", server.url)
    assert work(quick) == [run_id]
    assert {row[0] for row in query(quick, "select answer from prediction")} == {"A A"}
    assert query(quick, "select ordinal, state, count(*) from step group by 1, 2 order by 1") == [
        (0, "done", QUESTIONS),
        (1, "done", QUESTIONS),
    ]


def test_stored_calls_are_replayed_and_not_made_again(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    run_id = make_run(quick, "test_twice", server.url)
    work(quick)
    # As if every worker had died after its first call: the first steps are there, the second ones and the end are not.
    query(quick, "delete from prediction")
    query(quick, "delete from step where ordinal = 1")
    query(quick, "update step set response = jsonb_set(response, '{choices,0,message,content}', '\"kept\"')")
    query(quick, "update batch set state = 'waiting'")
    query(quick, "update run set status = 'running'")
    before = len(server.requests())
    assert work(quick) == [run_id]
    assert len(server.requests()) - before == QUESTIONS
    assert {row[0] for row in query(quick, "select answer from prediction")} == {"kept A"}
    request = scalar(quick, "select request #>> '{messages,0,content}' from step where ordinal = 1 limit 1")
    assert "told kept" in request


def test_what_was_answered_is_stored_before_the_next_call_has_a_place(quick: Settings) -> None:
    """With one place, the first calls of other questions go before the second call of the first one."""
    asked: list[bytes] = []
    go_on = threading.Event()

    def answer(request: Request) -> HttpAnswer:
        asked.append(request.body)
        if len(asked) == QUESTIONS - 1:
            assert go_on.wait(60)
        return says(completion("A"))

    with serving_http(answer) as url:
        run_id = make_run(quick, "test_twice", f"{url}/v1")
        query(quick, """update endpoint set limits = '{"concurrency": 1}'""")
        worker = threading.Thread(target=work, args=(quick,))
        worker.start()
        wait_until(lambda: len(asked) == QUESTIONS - 1, "the endpoint to hold a call back", 30)
        stored = "select count(*) from step where state = 'done'"
        wait_until(lambda: scalar(quick, stored) == QUESTIONS - 2, "all answers to be stored", 30)
        go_on.set()
        worker.join(60)
    with connect(quick, Role.WORKER) as connection:
        assert progress_of(connection, run_id).status == "complete"


MIXED = [option_question(0, key=1), count_question(1), option_question(2, key=3, options=tuple("vwxyz"))]
"""Four options, none, and five: ten ways to show them all."""
SHOWN = (
    "select rotation, request #>> '{messages,0,content}' as asked from prediction"
    " join step using (run_id, question_id, presentation_key, repeat)"
    " where question_id = :question and repeat = 0 order by rotation"
)


def test_each_question_is_asked_in_every_rotation_of_its_options(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    run_id = make_run(quick, "direct", server.url, questions=MIXED, rotated=1, repeats=2)
    assert work(quick) == [run_id]
    with connect(quick, Role.WORKER) as connection:
        found = progress_of(connection, run_id)
    assert (found.status, found.total, found.done, found.rotated) == ("complete", 20, 20, True)
    assert len(server.requests()) == len({request["hash"] for request in server.requests()}) == 20
    four, none, five = (row[0] for row in query(quick, "select id from question order by position"))
    asked = query(quick, SHOWN, question=four)
    assert [row.rotation for row in asked] == [0, 1, 2, 3]
    assert "A) Adler\nB) Krone\nC) Linde\nD) Bohne" in asked[0].asked
    assert "A) Bohne\nB) Adler\nC) Krone\nD) Linde" in asked[3].asked
    assert [row.rotation for row in query(quick, SHOWN, question=none)] == [0]
    last = query(quick, SHOWN, question=five)
    assert [row.rotation for row in last] == [0, 1, 2, 3, 4]
    assert "A) z\nB) v\nC) w\nD) x\nE) y" in last[4].asked


def test_a_rotation_is_resumed_by_itself(quick: Settings, endpoint: Callable[..., Scripted]) -> None:
    """Half of the rotations are done, one has its first step; the others have nothing."""
    server = endpoint("first_option")
    run_id = make_run(quick, "test_twice", server.url, rotated=1)
    work(quick)
    query(quick, "delete from prediction where rotation > 1")
    third, fourth = (shown.key for shown in presentations(ROTATED, 4)[2:])
    query(quick, "delete from step where presentation_key = :key and ordinal = 1", key=third)
    query(quick, "delete from step where presentation_key = :key", key=fourth)
    query(quick, "update batch set state = 'waiting'")
    query(quick, "update run set status = 'running'")
    before = len(server.requests())
    assert work(quick) == [run_id]
    assert len(server.requests()) - before == (1 + 2) * QUESTIONS
    assert scalar(quick, "select count(*) from prediction") == 4 * QUESTIONS
    assert scalar(quick, "select count(*) from step where state = 'done'") == 2 * 4 * QUESTIONS


def test_retries_are_attempts_with_their_reasons(quick: Settings, endpoint: Callable[..., Scripted]) -> None:
    run_id = make_run(quick, "direct", endpoint("failing").url, "failing")
    assert work(quick) == [run_id]
    with connect(quick, Role.WORKER) as connection:
        assert progress_of(connection, run_id).status == "incomplete"
        ((reason, count),) = error_reasons(connection, run_id)
    assert count == QUESTIONS
    assert "HTTP 500" in reason
    assert "tried 2 times" in reason
    attempts = query(
        quick, "select attempt, state, http_status, count(*) from step group by 1, 2, 3 order by 1"
    )
    assert attempts == [(0, "failed", 500, QUESTIONS), (1, "failed", 500, QUESTIONS)]


def test_a_fault_of_a_solver_is_an_error_and_not_a_wrong_answer(quick: Settings) -> None:
    run_id = make_run(quick, "test_faulty", repeats=2)
    assert work(quick) == [run_id]
    assert query(quick, "select repeat, state, count(*) from prediction group by 1, 2 order by 1") == [
        (0, "error", QUESTIONS),
        (1, "answered", QUESTIONS),
    ]
    assert "RuntimeError: a fault of the solver's own" in scalar(
        quick, "select error from prediction where repeat = 0 limit 1"
    )


def test_a_solver_that_does_not_start_ends_in_errors_that_say_so(quick: Settings) -> None:
    run_id = make_run(quick, "test_broken")
    assert work(quick) == [run_id]
    assert {row[0] for row in query(quick, "select error from prediction")} == {
        "the solver test_broken did not start: no luck"
    }


def test_a_missing_key_asks_nothing(quick: Settings, endpoint: Callable[..., Scripted]) -> None:
    server = endpoint("first_option")
    run_id = make_run(quick, "direct", server.url, keyed=1)
    assert work(quick) == [run_id]
    assert server.requests() == []
    assert "set TRIGPOINT_TEST_KEY_NOT_SET" in scalar(quick, "select error from prediction limit 1")


def test_two_workers_share_a_run(quick: Settings, endpoint: Callable[..., Scripted]) -> None:

    server = endpoint("first_option")
    run_id = make_run(quick, "direct", server.url)
    threads = [threading.Thread(target=work, args=(quick,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(server.requests()) == QUESTIONS
    assert scalar(quick, "select status from run where id = :id", id=run_id) == "complete"


def test_failures_in_a_row_are_counted_across_batches(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("truncated")
    lone = quick.model_copy(update={"concurrency": 1, "batch_size": 1})
    version_id = make_version(quick, options_dataset(60)).id
    run_id = make_run_of(lone, version_id, "direct", server.url, "truncated")
    assert work(lone) == [run_id]
    assert len(server.requests()) == 20 * lone.tries
    reasons = [
        row[0] for row in query(quick, "select error from prediction order by error like 'not asked%'")
    ]
    assert "not JSON" in reasons[19]
    assert len(set(reasons[20:])) == 1
    prefix, _, failure = reasons[20].partition(": the last 20 questions failed: ")
    assert prefix == "not asked"
    assert failure in reasons[:20]


@contextmanager
def lingering(settings: Settings, finished: list[int]) -> Iterator[RunWorker]:
    """A worker that lingers for an hour and adds to `finished`; stopped when left."""
    engine = make_engine(settings, Role.WORKER)
    run_worker = RunWorker(engine, settings, SystemClock(), "test", finished.append, linger=3600.0)
    thread = threading.Thread(target=run_worker.work)
    thread.start()
    try:
        yield run_worker
    finally:
        run_worker.stop()
        thread.join(30)
        engine.dispose()
    assert not thread.is_alive()


def test_a_worker_that_lingers_takes_up_the_next_run_and_ends_when_it_is_stopped(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    version_id = make_version(quick, options_dataset(QUESTIONS)).id
    runs = [make_run_of(quick, version_id, "direct", server.url)]
    finished: list[int] = []
    with lingering(quick, finished) as run_worker:
        wait_until(lambda: finished == runs, "the first run")
        runs.append(make_run_of(quick, version_id, "test_twice", server.url))
        run_worker.look_again()
        wait_until(lambda: finished == runs, "the second run")
    assert len(server.requests()) == 3 * QUESTIONS


LEFT = "select count(*) from batch where state <> 'done'"


def test_a_run_that_is_taken_up_again_is_read_anew(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    version_id = make_version(quick, options_dataset(QUESTIONS)).id
    run_id = make_run_of(quick, version_id, "direct", server.url)
    with connect(quick, Role.WORKER) as connection:
        others = claim(connection, "another", SystemClock().now(), 3600.0, Claimable(suspects=False))
        connection.commit()
    assert others is not None
    finished: list[int] = []
    with lingering(quick, finished) as run_worker:
        wait_until(lambda: scalar(quick, LEFT) == 1, "all batches but the other's to be done")
        # Once another run is worked, this one has been let go of.
        meanwhile = make_run_of(quick, version_id, "test_twice", server.url)
        run_worker.look_again()
        wait_until(lambda: finished == [meanwhile], "another run")
        asked = len(server.requests())
        query(quick, """update endpoint set limits = '{"concurrency": 1}'""")
        query(quick, "update batch set state = 'waiting' where id = :id", id=others.batch_id)
        server.hold()
        run_worker.look_again()
        server.wait_for(asked + 1)
        wait_until(lambda: scalar(quick, UNDER_WAY) >= 2, "a call that waits for its place")
        assert len(server.requests()) == asked + 1
        server.release()
        wait_until(lambda: finished == [meanwhile, run_id], "the run")
    assert len(server.requests()) == 3 * QUESTIONS


def test_a_run_that_is_retried_while_another_is_worked_is_asked_again(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    broken, held, mended = endpoint("truncated"), endpoint("first_option"), endpoint("first_option")
    version_id = make_version(quick, options_dataset(30)).id
    failing = make_run_of(quick, version_id, "direct", broken.url, "truncated")
    # In one batch, of which more is to be laid out while the first run is retried.
    whole = quick.model_copy(update={"batch_size": 30})
    other = make_run_of(whole, version_id, "test_twice", held.url)
    finished: list[int] = []
    held.hold()
    with lingering(quick, finished) as run_worker:
        wait_until(lambda: finished == [failing], "the run that fails")
        query(
            quick,
            "update endpoint set url = :url, model = 'scripted:first_option' where url = :broken",
            url=mended.url,
            broken=broken.url,
        )
        with connect(quick, Role.WORKER) as connection:
            retry(connection, failing, quick.batch_size)
            connection.commit()
        held.release()
        run_worker.look_again()
        wait_until(lambda: sorted(finished) == [failing, failing, other], "both runs")
    assert scalar(quick, "select status from run where id = :id", id=failing) == "complete"


UNDER_WAY = "select count(*) from step where state = 'sent'"


def test_calls_that_were_ready_and_never_left_are_taken_back_when_the_worker_stops(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    """The endpoint takes one call at a time; others are committed and wait for their place."""
    server = endpoint("first_option")
    server.hold()
    run_id = make_run(quick, "direct", server.url)
    query(quick, """update endpoint set limits = '{"concurrency": 1}'""")
    engine = make_engine(quick, Role.WORKER)
    run_worker = RunWorker(engine, quick, SystemClock(), "test", lambda run: None)
    thread = threading.Thread(target=run_worker.work)
    thread.start()
    try:
        server.wait_for(1)
        wait_until(lambda: scalar(quick, UNDER_WAY) >= 2, "a call that waits for its place")
    finally:
        run_worker.stop()
        server.release()
        thread.join()
        engine.dispose()
    assert len(server.requests()) == 1
    assert [row[0] for row in query(quick, "select state from step")] == ["done"]
    assert scalar(quick, "select reserved_prompt + reserved_completion from run") == 0
    assert work(quick) == [run_id]
    assert len(server.requests()) == len({request["hash"] for request in server.requests()}) == QUESTIONS
    assert scalar(quick, "select count(*) from step") == QUESTIONS
    assert scalar(quick, "select reasked from run") == 0


def test_answers_that_came_before_the_worker_stopped_are_not_asked_for_again(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    """Each question has two calls, and the worker stops while the first ones are in flight."""
    server = endpoint("first_option")
    server.hold()
    run_id = make_run(quick, "test_twice", server.url)
    engine = make_engine(quick, Role.WORKER)
    run_worker = RunWorker(engine, quick, SystemClock(), "test", lambda run: None)
    thread = threading.Thread(target=run_worker.work)
    thread.start()
    try:
        server.wait_for(2)
    finally:
        run_worker.stop()
        server.release()
        thread.join()
        engine.dispose()
    assert {row[0] for row in query(quick, "select state from step")} == {"done"}
    assert work(quick) == [run_id]
    assert scalar(quick, "select count(*) from step") == len(server.requests()) == 2 * QUESTIONS
    assert scalar(quick, "select reasked from run") == 0


@pytest.mark.parametrize("taken", [True, False], ids=["another has the lease", "nobody has taken the lease"])
def test_calls_that_were_ready_do_not_leave_where_another_may_have_asked_them(
    quick: Settings, endpoint: Callable[..., Scripted], taken: bool
) -> None:
    """A worker stands still past its lease while calls wait for their place; it wakes, and they have it."""
    quick = quick.model_copy(update={"lease_seconds": 2.0})
    server = endpoint("first_option")
    server.hold()
    run_id = make_run(quick, "direct", server.url)
    query(quick, """update endpoint set limits = '{"concurrency": 1}'""")
    clock = ManualClock(datetime.now(UTC))
    engine = make_engine(quick, Role.WORKER)
    run_worker = RunWorker(engine, quick, clock, "test", lambda run: None)
    thread = threading.Thread(target=run_worker.work)
    thread.start()
    try:
        server.wait_for(1)
        wait_until(lambda: scalar(quick, UNDER_WAY) >= 2, "a call that waits for its place")
        if taken:
            query(
                quick,
                "update batch set owner = 'another', fencing_token = fencing_token + 1 where state = 'leased'",
            )
            query(quick, "update step set state = 'lost' where state = 'sent'")
        clock.advance(3600)
    finally:
        server.release()
        thread.join()
        engine.dispose()
    asked = [request["hash"] for request in server.requests()]
    assert len(asked) == len(set(asked))
    lost = set(hashes_of(quick, run_id, "lost"))
    if taken:
        assert len(lost) >= 2
        assert lost & set(asked) == {asked[0]}
    else:
        assert (len(asked), lost) == (QUESTIONS, set())
        assert scalar(quick, "select status from run where id = :id", id=run_id) == "complete"


def test_an_endpoint_with_fewer_places_than_the_worker_has_questions_is_never_asked_more(
    quick: Settings, endpoint: Callable[..., Scripted]
) -> None:
    quick = quick.model_copy(update={"batch_size": 4, "request_timeout_seconds": 60.0})
    server = endpoint("first_option")
    server.hold()
    run_id = make_run(quick, "direct", server.url, questions=options_dataset(40))
    query(quick, """update endpoint set limits = '{"concurrency": 2}'""")
    thread = threading.Thread(target=work, args=(quick,))
    thread.start()
    server.wait_for(2)
    wait_until(lambda: scalar(quick, UNDER_WAY) >= 3, "a call that is ready")
    assert len(server.requests()) == 2
    server.release()
    thread.join()
    assert scalar(quick, "select status from run where id = :id", id=run_id) == "complete"
    assert len(server.requests()) == 40
