"""Comparisons as scoring writes them: of every pair of complete runs, hidden questions by stepped sums."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.ahead import open_ahead
from app.scores.scoring import runs_of_old_profile, score_run
from tests.support.explored import say, station
from tests.support.factories import FAILED, QuestionSpec, make_run, make_version, options_dataset
from tests.support.scored_runs import fill_boards, make_knowledge_board, runs_of, score

PAIRS = (
    "select run_id, other_id, scope, n, difference, p, templates, places from run_comparison order by 1, 2, 3"
)


def rows(settings: Settings, statement: str = PAIRS) -> list[Any]:
    with connect(settings, Role.API) as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


@pytest.fixture(scope="module")
def shared(fill_once: Callable[[str, Callable[[Settings], None]], Settings]) -> Settings:
    return fill_once("boards", fill_boards)


def test_each_pair_of_complete_runs_once_in_each_scope(shared: Settings) -> None:
    runs = runs_of(shared, "toy_knowledge")
    complete = sorted(number for label, number in runs.items() if label[:3] not in ("bro", "org"))
    assert len(complete) == 6
    found = [row for row in rows(shared) if row[0] in complete]
    assert {(row[0], row[1]) for row in found} == {
        (one, other) for one in complete for other in complete if one < other
    }
    scopes = {row[2] for row in found}
    assert len(scopes) == 1 + 4 + 1 + 1
    assert len(found) == 15 * len(scopes)


def test_questions_of_one_user_are_of_one_place(database: Settings) -> None:
    questions = [
        QuestionSpec(
            "Destination_With_Activity",
            "destinations",
            f"I am at {9.5 + user / 100}, 47.1 (longitude, latitude). Where do I charge beside a {activity}?",
            {"stations": [station(user, place)], "tier": "10", "need_moves": 0},
            {
                "destination": "charging_station",
                "activity": activity,
                "user": f"{9.5 + user / 100},47.1,road",
            },
            scorer="hits",
        )
        for user in range(8)
        for place, activity in enumerate(("cafe", "bank", "hotel"))
    ]
    version = make_version(database, questions, "drivers", benchmark="evgeoqa")
    for right in (8, 4):
        answers = [
            say(*(station(user if user < right else 90, place) for place in (place, 5, 6)))
            for user in range(8)
            for place in range(3)
        ]
        score(database, make_run(database, version, answers, f"toy/{right}"))
    (found,) = rows(database, "select n, places, difference from run_comparison where scope = 'all'")
    assert found == (24, 8, 0.5)


def test_differences_are_those_of_the_scores(shared: Settings) -> None:
    knowledge = set(runs_of(shared, "toy_knowledge").values())
    scores = {
        (row[0], row[1]): (row[2], row[3])
        for row in rows(shared, "select run_id, scope, score, n from board_aggregate where score is not null")
    }
    for one, other, scope, n, difference, p, templates, places in rows(shared):
        if one not in knowledge:
            continue
        assert difference == pytest.approx(scores[one, scope][0] - scores[other, scope][0], abs=1e-12)
        assert n == scores[one, scope][1] == scores[other, scope][1]
        assert 0 <= p <= 1
        assert templates == (1 if scope.startswith("template:") else 4)
        assert places == n, "each question of the toy names a place of its own"


def test_hidden_questions_of_a_small_group_do_not_count(shared: Settings) -> None:
    oracle = runs_of(shared, "toy_knowledge")["oracle"]
    counted = {row[2]: row[3] for row in rows(shared) if row[0] == oracle}
    assert counted["all"] == counted["city:village"] == counted["answer_type:option"] == 44, (
        "four hidden ones are too few"
    )


def test_a_run_that_is_scored_again_is_compared_again(database: Settings) -> None:
    version = make_version(database, options_dataset(12))
    first, second = (make_run(database, version, [answer] * 12, answer) for answer in "AB")
    score(database, first)
    assert rows(database) == []
    score(database, second)
    before = rows(database)
    with connect(database, Role.WORKER) as connection:
        connection.execute(text("update prediction set answer = 'A' where run_id = :id"), {"id": second})
        connection.commit()
    score(database, second)
    after = rows(database)
    assert [row[:4] for row in before] == [row[:4] for row in after]
    assert {row[4] for row in after} == {0.0}
    assert {row[5] for row in after} == {1.0, None} or {row[5] for row in after} == {1.0}


def test_runs_that_were_read_ahead_count_as_they_stand_when_the_run_is_scored(database: Settings) -> None:
    """One of two others is scored anew between; a third comes, and is in no memory."""
    version = make_version(database, options_dataset(12))
    same, changed, late, own = (make_run(database, version, [answer] * 12, answer) for answer in "ABCD")
    score(database, same)
    score(database, changed)
    with connect(database, Role.WORKER) as connection:
        ahead = open_ahead(connection, own)
        assert ahead is not None
        ahead.score(connection)
        connection.execute(text("update prediction set answer = 'A' where run_id = :id"), {"id": changed})
        connection.commit()
    score(database, changed)
    score(database, late)
    with connect(database, Role.WORKER) as connection:
        score_run(connection, own, ahead.grounds)
        connection.commit()
    remembered = rows(database)
    score(database, own)
    assert rows(database) == remembered
    assert {row[:2] for row in remembered if own in row[:2]} == {(one, own) for one in (same, changed, late)}


def test_a_run_that_is_complete_no_more_is_compared_no_more(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    first, second = (make_run(database, version, [answer] * 4, answer) for answer in "AB")
    for number in (first, second):
        score(database, number)
    assert rows(database)
    with connect(database, Role.WORKER) as connection:
        connection.execute(text("update run set status = 'incomplete' where id = :id"), {"id": second})
        connection.commit()
    score(database, second)
    assert rows(database) == []


def test_samples_and_broken_runs_are_not_compared(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    runs = [make_run(database, version, ["A"] * 4, "whole"), make_run(database, version, ["A"] * 4, "sample")]
    runs.append(make_run(database, version, ["A", "B", FAILED, "D"], "broken", status="incomplete"))
    with connect(database, Role.WORKER) as connection:
        connection.execute(
            text("update run set sample = array(select id from question) where label = 'sample'")
        )
        connection.commit()
    for number in runs:
        score(database, number)
    assert rows(database) == []


def test_two_runs_scored_at_once_are_compared(database: Settings) -> None:
    version = make_version(database, options_dataset(8))
    runs = [make_run(database, version, [answer] * 8, answer) for answer in "AB"]
    with connect(database, Role.WORKER) as slow:
        score_run(slow, runs[0])
        other = threading.Thread(target=score, args=(database, runs[1]))
        other.start()
        _wait_for_lock(database)
        slow.commit()
        other.join(30)
    assert {row[:2] for row in rows(database)} == {tuple(runs)}


def _wait_for_lock(settings: Settings) -> None:
    waits = "select count(*) from pg_locks where not granted and locktype in ('transactionid', 'tuple')"
    with connect(settings, Role.OWNER) as connection:
        for _ in range(2000):
            if connection.execute(text(waits)).scalar_one():
                return
            connection.rollback()
            threading.Event().wait(0.005)
    raise AssertionError("nobody waits")


def test_repeats_and_rotations_count_as_their_mean(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    score(database, make_run(database, version, ["A", "B", "C", "D", "A", "A", "A", "A"], "twice"))
    score(database, make_run(database, version, ["A"] * 16, "turned", rotated=True))
    whole = next(row for row in rows(database) if row[2] == "all")
    assert whole[4] == 1.25 / 2 - 0.25
    standing = rows(database, "select repeat_scores, calls, cost from run_standing order by run_id")
    assert standing == [([1.0, 0.25], 0, None), (None, 0, None)]


def test_runs_scored_before_there_were_comparisons_are_scored_again(database: Settings) -> None:
    board = make_knowledge_board(database)
    with connect(database, Role.WORKER) as connection:
        assert runs_of_old_profile(connection) == []
        connection.execute(text("delete from run_standing"))
        connection.execute(text("delete from run_comparison"))
        connection.commit()
        scored = [number for label, number in board.runs.items() if not label.startswith("org")]
        assert runs_of_old_profile(connection) == sorted(scored)
    before: list[Any] = []
    for number in scored:
        score(database, number)
    with connect(database, Role.WORKER) as connection:
        assert runs_of_old_profile(connection) == before
    assert len({row[:2] for row in rows(database)}) == 15
