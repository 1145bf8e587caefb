"""The thread that judges beside a run: what it has judged and scored, and that nothing which fails ends it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.scoring_lock import only_one
from tests.support.factories import make_run, make_version, options_dataset
from tests.support.processes import query, scalar, wait_until
from workers import forerunner as module
from workers.forerunner import Forerunner

SCORES = """
select count(*)
from score
inner join prediction on score.prediction_id = prediction.id
where prediction.run_id = :id
"""
VALUE = "select score from board_aggregate where run_id = :id and scope = 'all'"
NO_RUN = 10**9


@contextmanager
def forerunner(settings: Settings) -> Iterator[Forerunner]:
    thread = Forerunner(settings)
    thread.start()
    try:
        yield thread
    finally:
        thread.stop()
    assert not thread.is_alive()


def make_answered(settings: Settings, answers: str = "ABAB") -> int:
    """A run with four answers."""
    return make_run(settings, make_version(settings, options_dataset(4)), list(answers))


def judge_half(settings: Settings, thread: Forerunner, run_id: int) -> None:
    """Have the answers A judged before those that are B are there."""
    query(settings, "update prediction set state = 'no_answer' where answer = 'B'")
    thread.look(run_id)
    wait_until(lambda: scalar(settings, SCORES, id=run_id) == 2, "the first answers to be judged")
    query(settings, "update prediction set state = 'answered' where answer = 'B'")


def test_answers_are_judged_before_the_run_ends_and_scored_when_it_has(database: Settings) -> None:
    run_id = make_answered(database)
    with forerunner(database) as thread:
        judge_half(database, thread, run_id)
        thread.look(run_id)
        assert scalar(database, "select count(*) from board_aggregate") == 0
        assert thread.finish(run_id)
        wait_until(lambda: scalar(database, "select count(*) from board_aggregate") > 0, "the board")
    assert scalar(database, SCORES, id=run_id) == 4
    assert scalar(database, VALUE, id=run_id) == 0.5


def test_the_last_answers_have_their_scores_before_boards_are_reckoned(database: Settings) -> None:
    run_id = make_answered(database, "AABB")
    with forerunner(database) as thread:
        judge_half(database, thread, run_id)
        with connect(database, Role.WORKER) as other, only_one(other, run_id) as alone:
            assert alone
            thread.finish(run_id)
            wait_until(lambda: scalar(database, SCORES, id=run_id) == 4, "the last answers to be judged")
        assert scalar(database, "select count(*) from board_aggregate") == 0


@pytest.mark.parametrize("left", [0, 1])
def test_who_rests_is_called_by_the_last_answers(
    database: Settings, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    monkeypatch.setattr(module, "PACE", 3600.0)
    run_id = make_answered(database, "AABB")
    with forerunner(database) as thread:
        judge_half(database, thread, run_id)
        thread.look(run_id)
        thread.look(run_id, left=left)
        wait_until(lambda: scalar(database, SCORES, id=run_id) == 4, "the last answers to be judged")


def test_a_run_that_cannot_be_judged_does_not_keep_others_waiting(database: Settings) -> None:
    run_id = make_answered(database)
    with forerunner(database) as thread:
        thread.look(NO_RUN)
        thread.finish(NO_RUN)
        thread.look(run_id)
        wait_until(lambda: scalar(database, SCORES, id=run_id) == 4, "the answers to be judged")


def test_once_it_is_stopped_somebody_else_is_to_score(database: Settings) -> None:
    run_id = make_answered(database)
    thread = Forerunner(database)
    assert not thread.finish(run_id)
    with forerunner(database) as thread:
        pass
    assert not thread.finish(run_id)
    assert scalar(database, "select count(*) from board_aggregate") == 0
