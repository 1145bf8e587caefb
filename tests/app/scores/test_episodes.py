"""Scorers that look at the whole episode: they are handed its steps whenever an answer is scored."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores import registry
from app.scores.ahead import open_ahead
from app.scores.registry import EpisodeStep, episode_scorer
from app.scores.rescoring import Servers, rescore
from app.scores.score import Component, Outcome, Score
from app.scores.scoring import score_run
from tests.support.factories import QuestionSpec, make_run, make_version, name_question
from tests.support.processes import query

SCORER = "test_steps"
MOST = 4
STEPS = """
insert into step (
    run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat, ordinal,
    attempt, kind, state, request_hash, request, response, sent_at
)
select
    prediction.run_id, 1, 1, prediction.version_id, prediction.question_id, prediction.question_revision,
    prediction.presentation_key, prediction.repeat, made.ordinal, made.attempt, made.kind, made.state, 'x',
    jsonb_build_object('asked', made.ordinal), jsonb_build_object('said', made.ordinal), now()
from prediction
inner join question
    on prediction.version_id = question.version_id and prediction.question_id = question.id
inner join (
    values (0, 0, 'chat', 'done', 0), (0, 1, 'tool', 'failed', 1), (1, 1, 'tool', 'done', 1), (1000, 0, 'parse', 'done', 0),
    (2, 0, 'chat', 'done', 2)
) as made (ordinal, attempt, kind, state, from_position)
    on question.position >= made.from_position
where prediction.run_id = :run
"""
COUNTED = """
select question.position, score.value, score.parsed ->> 'kinds' as kinds
from score
inner join prediction on score.prediction_id = prediction.id
inner join question on prediction.version_id = question.version_id and prediction.question_id = question.id
where prediction.run_id = :run
order by question.position
"""
EXPECTED = [
    (0, 1 / MOST, "chat 0"),
    (1, 2 / MOST, "chat 0, tool 1"),
    (2, 3 / MOST, "chat 0, tool 1, chat 2"),
]


@pytest.fixture
def questions() -> Iterator[list[QuestionSpec]]:
    """Three questions whose scorer counts steps."""

    @episode_scorer(SCORER, version=1, graded=True)
    def count_steps(
        steps: Sequence[EpisodeStep], answer: str, gold: Mapping[str, Any], options: Sequence[str] | None
    ) -> Score:
        told = [f"{step.kind} {step.response['said']}" for step in steps]
        assert all(step.request["asked"] == step.response["said"] for step in steps)
        share = Component(len(steps) / MOST, 1.0, True)
        return Score(Outcome.WRONG, share.value, {"steps": share}, {"kinds": ", ".join(told)})

    yield [
        QuestionSpec(
            "T5",
            "name",
            f"Which? {number}",
            name_question().gold,
            {"anchor": f"n{number}", "category": "restaurant"},
            scorer=SCORER,
        )
        for number in range(3)
    ]
    registry._SCORERS.pop(SCORER)


def counted(settings: Settings, run_id: int) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in query(settings, COUNTED, run=run_id)]


def test_the_steps_are_there_live_ahead_of_time_and_again(
    database: Settings, questions: list[QuestionSpec]
) -> None:
    run_id = make_run(database, make_version(database, questions), ["Adler"] * 3)
    query(database, STEPS, run=run_id)
    with connect(database, Role.WORKER) as connection:
        ahead = open_ahead(connection, run_id)
        assert ahead is not None
        assert ahead.score(connection) == 3
        connection.commit()
    assert counted(database, run_id) == EXPECTED
    query(database, "delete from score")
    with connect(database, Role.WORKER) as connection:
        score_run(connection, run_id)
        connection.commit()
    assert counted(database, run_id) == EXPECTED
    board = query(database, "select * from board_aggregate order by scope")
    query(database, "update score set value = 0")
    with connect(database, Role.WORKER) as connection:
        rescore(connection, run_id, Servers(), SystemClock(), lambda *_: None)
    assert counted(database, run_id) == EXPECTED
    assert query(database, "select * from board_aggregate order by scope") == board


def test_an_answer_that_was_carried_over_has_the_steps_of_the_run_that_was_asked(
    database: Settings, questions: list[QuestionSpec]
) -> None:
    asked = make_run(database, make_version(database, questions, name="before"), ["Adler"] * 3)
    query(database, STEPS, run=asked)
    carried = make_run(database, make_version(database, questions, name="after"), ["Adler"] * 3)
    query(database, "update run set carried_from = :asked where id = :carried", asked=asked, carried=carried)
    with connect(database, Role.WORKER) as connection:
        score_run(connection, carried)
        connection.commit()
    assert counted(database, carried) == EXPECTED


def test_an_answer_without_calls_has_no_steps(database: Settings, questions: list[QuestionSpec]) -> None:
    run_id = make_run(database, make_version(database, questions), ["Adler"] * 3, solver="submitted")
    with connect(database, Role.WORKER) as connection:
        score_run(connection, run_id)
        connection.commit()
    assert counted(database, run_id) == [(place, 0.0, "") for place in range(3)]
