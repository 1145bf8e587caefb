"""Judging ahead of a run's end: the same bits, what stands, and what is judged again."""

from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.ahead import open_ahead
from app.scores.scoring import score_run
from tests.support.factories import FAILED, make_run, make_version, options_dataset
from tests.support.processes import query, scalar
from tests.support.scored_runs import make_gsqa_board, make_knowledge_board

ROWS = {
    # Diagnoses are made when the run is scored.
    "score": "select score::text from score where profile <> 'diagnosis' order by prediction_id, profile, scorer_version",
    "board": "select board_aggregate::text from board_aggregate order by run_id, profile, scope",
}
VALUE = "select score from board_aggregate where run_id = :id and scope = 'all'"


def judge_ahead(settings: Settings, run_id: int) -> int:
    """How many answers were judged."""
    with connect(settings, Role.WORKER) as connection:
        ahead = open_ahead(connection, run_id)
        assert ahead is not None
        judged = ahead.score(connection)
        assert ahead.score(connection) == 0
        connection.commit()
        return judged


def score(settings: Settings, run_id: int) -> int:
    with connect(settings, Role.WORKER) as connection:
        scored = score_run(connection, run_id)
        connection.commit()
        return scored.answers


def rows(settings: Settings) -> dict[str, list[str]]:
    return {name: [row[0] for row in query(settings, statement)] for name, statement in ROWS.items()}


def test_judged_ahead_or_at_the_end_the_rows_are_the_same(database: Settings) -> None:
    make_gsqa_board(database)
    make_knowledge_board(database)
    runs = [row[0] for row in query(database, "select distinct run_id from board_aggregate order by 1")]
    before = rows(database)
    assert "published" in scalar(database, "select string_agg(distinct profile, ' ') from score")
    query(database, "delete from score")
    query(database, "delete from board_aggregate")
    for run_id in runs:
        judged = judge_ahead(database, run_id)
        assert judged == scalar(
            database, "select count(*) from prediction where run_id = :id and state = 'answered'", id=run_id
        )
    assert rows(database) == {"score": before["score"], "board": []}
    for run_id in runs:
        score(database, run_id)
    assert rows(database) == before


def test_answers_that_come_later_are_judged_by_the_next_look_or_at_the_end(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run_id = make_run(database, version, ["A", "A", FAILED, "D"], status="incomplete")
    last = scalar(database, "select max(id) from prediction")
    with connect(database, Role.WORKER) as connection:
        ahead = open_ahead(connection, run_id)
        assert ahead is not None
        connection.execute(text("update prediction set state = 'no_answer' where id = :id"), {"id": last})
        assert ahead.score(connection) == 2
        connection.execute(text("update prediction set state = 'answered' where id = :id"), {"id": last})
        assert ahead.score(connection) == 1
        connection.commit()
    assert score(database, run_id) == 3


def test_what_was_judged_ahead_stands_until_the_run_is_scored_again(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run_id = make_run(database, version, ["B", "A", "A", "A"])
    assert judge_ahead(database, run_id) == 4
    query(database, "update score set outcome = 'correct', value = 1")
    assert score(database, run_id) == 4
    assert scalar(database, VALUE, id=run_id) == 1.0
    assert score(database, run_id) == 4
    assert scalar(database, VALUE, id=run_id) == 0.0


def test_a_row_of_another_version_of_the_scorer_is_judged_anew(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run_id = make_run(database, version, ["B", "A", "A", "A"])
    judge_ahead(database, run_id)
    query(database, "update score set scorer_version = 0, outcome = 'correct', value = 1")
    score(database, run_id)
    assert scalar(database, VALUE, id=run_id) == 0.0
