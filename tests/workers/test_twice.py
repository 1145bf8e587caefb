"""What two workers do at once is done once: every message is delivered twice, a batch has two holders that both live."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import redis

from app.core.settings import Settings
from app.predictions.messages import SCORE, WORK, Messenger, make_celery
from tests.support.processes import PrivateRedis, Scripted, Worker, Workers, query, wait_until
from tests.support.runs import (
    check_paid_once,
    check_whole,
    start_held,
    start_run,
    wait_for_end,
    wait_for_scores,
)
from tests.workers.fault_plans import take_leases

pytestmark = pytest.mark.long
SCORED = ("score", "board_aggregate")
RECEIVED = re.compile(r"Task (\S+)\[(\S+)\] received")


@pytest.fixture
def doubled(quick: Settings, tmp_path: Path) -> Iterator[Workers]:
    """Workers that get every message twice, and send it so."""
    made = Workers(quick, tmp_path, program="tests.workers.delivered_twice")
    try:
        yield made
    finally:
        made.kill_all()


def test_every_message_is_delivered_twice(
    quick: Settings, doubled: Workers, endpoint: Callable[..., Scripted], broker: PrivateRedis
) -> None:
    server = endpoint("slow", "--delay", "0.2")
    run_id = start_run(quick, server.url, "scripted:slow", 60)
    repeat_messages(broker, "work")
    pair = [doubled.start(), doubled.start()]
    wait_for_end(quick, run_id)
    check_whole(quick, run_id, 60)
    check_paid_once(quick, run_id, server, in_flight=0)
    wait_for_scores(quick, run_id)
    assert max(received(pair, WORK).values()) == 2
    assert query(quick, "select count(*), count(distinct prediction_id) from score") == [(60, 60)]
    boards = "select count(*), count(distinct (profile, scope)) from board_aggregate where run_id = :id"
    assert len({*query(quick, boards, id=run_id)[0]}) == 1
    assert not any("Traceback" in worker.log.read_text() for worker in pair)


def test_scores_are_asked_for_twice(
    quick: Settings, doubled: Workers, endpoint: Callable[..., Scripted], broker: PrivateRedis
) -> None:
    run_id = start_run(quick, endpoint("first_option").url)
    first = doubled.start()
    wait_for_scores(quick, run_id)
    stored = [query(quick, f"select {table}::text from {table} order by 1") for table in SCORED]
    first.process.terminate()
    first.process.wait()
    Messenger(make_celery(quick)).send(SCORE, run_id)
    repeat_messages(broker, "score")
    pair = [doubled.start(), doubled.start()]
    wait_until(lambda: set(received(pair, SCORE).values()) == {2}, "the message to come twice")
    for worker in pair:
        worker.process.terminate()
        worker.process.wait()
    assert [query(quick, f"select {table}::text from {table} order by 1") for table in SCORED] == stored
    assert not any("Traceback" in worker.log.read_text() for worker in pair)


def received(workers: Sequence[Worker], task: str) -> Counter[str]:
    """How often the workers say that they got each message of a task."""
    told = "".join(worker.log.read_text() for worker in workers)
    return Counter(number for name, number in RECEIVED.findall(told) if name == task)


def repeat_messages(broker: PrivateRedis, queue: str) -> None:
    """What this process has sent is there twice too."""
    with redis.Redis(port=broker.port) as client:
        message = client.lindex(queue, 0)
        assert message is not None
        client.lpush(queue, message)


def test_two_workers_with_one_lease(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    """Its batch is taken from a worker that lives, and leased to another: both ask, and one may write."""
    server, run_id = start_held(quick, workers, endpoint)
    take_leases(quick)
    workers.start()
    server.wait_for(2 * quick.concurrency)
    asked = [request["hash"] for request in server.requests()]
    assert sorted(asked[: quick.concurrency]) == sorted(asked[quick.concurrency :])
    server.release()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id)
    check_paid_once(quick, run_id, server, in_flight=quick.concurrency)
