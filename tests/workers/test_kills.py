"""A worker is killed at every stage of a call; the run completes, and nothing committed is asked again."""

import signal
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from app.cli.following import look_at
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.predictions.presentations import presentations
from tests.support.processes import PrivateRedis, Scripted, Workers, query, scalar, wait_until
from tests.support.runs import (
    check_paid_once,
    check_whole,
    hashes_of,
    start_held,
    start_run,
    wait_for_end,
    wait_for_scores,
)
from tests.workers.fault_plans import away, wait_for_seconds


def test_killed_while_it_waits_for_the_endpoint(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    server.hold()
    run_id = start_run(quick, server.url)
    victim = workers.start()
    server.wait_for(quick.concurrency)
    victim.kill()
    server.release()
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=quick.concurrency)


@pytest.mark.parametrize("goes_on", [False, True], ids=["and its session, too", "and its session goes on"])
def test_killed_before_the_commit(
    quick: Settings,
    workers: Workers,
    endpoint: Callable[..., Scripted],
    superuser_of: Callable[[Settings], str],
    goes_on: bool,
) -> None:
    """PostgreSQL may commit what a worker sent before it died; then nothing of that is asked again."""
    server = endpoint("first_option")
    run_id = start_run(quick, server.url)
    (shown,) = presentations({}, None)
    predict_all = """
        insert into trigpoint.prediction (
            run_id, version_id, question_id, question_revision, presentation_key, repeat, state, detail, fencing_token,
            created_at
        )
        select run.id, version_id, question.id, question.revision, %s, 0, 'answered', '{}', 0, now()
        from trigpoint.run
        inner join trigpoint.question using (version_id)
        where run.id = %s
    """
    standing = """
        pid
        from pg_stat_activity
        where datname = current_database() and usename = 'trigpoint_worker' and wait_event = 'transactionid'
    """
    with psycopg.connect(superuser_of(quick), autocommit=True) as watcher:
        with psycopg.connect(superuser_of(quick)) as blocker:
            blocker.execute(predict_all, (shown.key, run_id))
            victim = workers.start()
            # The answer is there; the worker's transaction stands at its insert into prediction.
            wait_until(lambda: watcher.execute(f"select {standing}").fetchone(), "a blocked insert")
            victim.kill()
            answered = len(server.requests())
            assert 0 < answered <= quick.concurrency
            assert hashes_of(quick, run_id, "done") == []
            if not goes_on:
                watcher.execute(f"select pg_terminate_backend(pid) from (select {standing}) as standing")
                wait_until(lambda: not watcher.execute(f"select {standing}").fetchone(), "its end")
            blocker.rollback()
        if goes_on:
            wait_until(lambda: hashes_of(quick, run_id, "done"), "the commit")
    in_flight = len(hashes_of(quick, run_id, "sent"))
    # One may have been committed that did not reach the endpoint any more.
    assert goes_on or answered <= in_flight <= quick.concurrency
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight)


def test_killed_after_the_commit(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    run_id = start_run(quick, server.url)
    victim = workers.start()
    wait_until(
        lambda: scalar(quick, "select count(*) from prediction where run_id = :id", id=run_id), "a prediction"
    )
    server.hold()
    victim.kill()
    committed = set(hashes_of(quick, run_id, "done"))
    in_flight = len(hashes_of(quick, run_id, "sent"))
    assert committed
    server.release()
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    asked = Counter(request["hash"] for request in server.requests())
    assert all(asked[key] == 1 for key in committed)
    assert scalar(quick, "select reasked from run where id = :id", id=run_id) == in_flight


@pytest.mark.long
def test_killed_in_the_middle_of_rotations(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    """Some rotations of a question are there, others in flight, others untouched: only what is missing is asked."""
    server = endpoint("slow", "--delay", "0.5")
    run_id = start_run(quick, server.url, "scripted:slow", questions=10, rotated=True)
    victim = workers.start()
    some = "select count(*) from prediction where run_id = :id"
    wait_until(lambda: scalar(quick, some, id=run_id) >= 3, "three predictions")
    server.hold()
    victim.kill()
    committed = set(hashes_of(quick, run_id, "done"))
    in_flight = len(hashes_of(quick, run_id, "sent"))
    assert 3 <= len(committed) < 40
    server.release()
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id, questions=10, each=4)
    asked = Counter(request["hash"] for request in server.requests())
    assert len(asked) == 40
    assert all(asked[key] == 1 for key in committed)
    assert scalar(quick, "select reasked from run where id = :id", id=run_id) == in_flight
    wait_for_scores(quick, run_id)
    whole = "select score, n, states ->> 'correct' from board_aggregate where run_id = :id and scope = 'all'"
    assert query(quick, whole, id=run_id) == [(0.25, 10, "10")]


def test_a_stalled_worker_writes_nothing_when_it_wakes(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    server.hold()
    run_id = start_run(quick, server.url)
    sleeper = workers.start()
    server.wait_for(quick.concurrency)
    sleeper.signal(signal.SIGSTOP)
    workers.start()
    lost = "select count(*) from step where run_id = :id and state = 'lost'"
    wait_until(lambda: scalar(quick, lost, id=run_id) == quick.concurrency, "the expired lease")
    server.release()
    wait_for_end(quick, run_id)
    before = query(
        quick,
        "select id, fencing_token, created_at from prediction where run_id = :id order by id",
        id=run_id,
    )
    sleeper.signal(signal.SIGCONT)
    wait_until(lambda: "lease lost" in sleeper.log.read_text(), "the sleeper to find its lease gone")
    after = query(
        quick,
        "select id, fencing_token, created_at from prediction where run_id = :id order by id",
        id=run_id,
    )
    assert after == before
    check_whole(quick, run_id)
    assert hashes_of(quick, run_id, "lost")
    assert not hashes_of(quick, run_id, "sent")


def test_sigterm_finishes_what_is_in_flight_and_hands_the_rest_back(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    server.hold()
    run_id = start_run(quick, server.url)
    first = workers.start()
    server.wait_for(quick.concurrency)
    first.process.terminate()
    wait_until(lambda: "Warm shutdown" in first.log.read_text(), "the soft shutdown to begin")
    server.release()
    first.process.wait(20)
    assert len(server.requests()) == quick.concurrency
    assert len(hashes_of(quick, run_id, "done")) == quick.concurrency
    assert query(quick, "select 1 from batch where state = 'leased'") == []
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=0)
    assert scalar(quick, "select max(attempt) from batch where run_id = :id", id=run_id) == 0


@pytest.mark.long
def test_redis_restarts_empty_in_the_middle_and_the_worker_lives_on(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted], broker: PrivateRedis
) -> None:
    server = endpoint("first_option")
    server.hold()
    run_id = start_run(quick, server.url)
    worker = workers.start()
    server.wait_for(quick.concurrency)
    broker.kill()
    server.release()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=0)
    broker.start()
    wait_for_scores(quick, run_id)
    another = start_run(quick, server.url, name="another")
    wait_for_end(quick, another)
    wait_for_scores(quick, another)
    assert worker.process.poll() is None


def test_redis_gone_before_the_worker_could_read_its_message(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted], broker: PrivateRedis
) -> None:
    server = endpoint("first_option")
    run_id = start_run(quick, server.url)
    broker.kill()
    broker.start()
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)


def test_database_backends_are_terminated_in_the_middle(
    quick: Settings,
    workers: Workers,
    endpoint: Callable[..., Scripted],
    superuser_of: Callable[[Settings], str],
) -> None:
    server, run_id = start_held(quick, workers, endpoint)
    with psycopg.connect(superuser_of(quick), autocommit=True) as connection:
        killed = connection.execute(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            " where datname = current_database() and usename = 'trigpoint_worker'"
        ).fetchone()
    assert killed is not None
    assert killed[0] >= 1
    server.release()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=0)


@pytest.mark.long
def test_the_database_is_away_for_longer_than_leases_last(
    quick: Settings,
    workers: Workers,
    endpoint: Callable[..., Scripted],
    superuser: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What was in flight is stored when it is back, and who watches the run waits too: nothing is asked again."""
    server, run_id = start_held(quick, workers, endpoint)
    with ThreadPoolExecutor() as threads:
        with away(quick, superuser):
            watcher = threads.submit(look_at, make_engine(quick, Role.WORKER, pool_size=1), run_id)
            server.release()
            wait_for_seconds(1.5 * quick.lease_seconds)
        assert watcher.result(10).run == run_id
    told = capsys.readouterr().err
    assert (told.count("PostgreSQL does not answer: "), "not currently accepting connections" in told) == (
        1,
        True,
    )
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=0)
    assert scalar(quick, "select max(attempt) from batch where run_id = :id", id=run_id) == 0
    assert [worker.process.poll() for worker in workers.started] == [None]
    assert "Traceback" not in workers.started[0].log.read_text()
