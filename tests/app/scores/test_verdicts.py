"""Stored verdicts become scores: who gives an answer's points under which profile, and what forbids a mean."""

import json
from typing import Any

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.scoring import score_run
from app.solvers.judge import judging
from app.solvers.judging.rubrics import find_rubric
from tests.support.factories import QuestionSpec, make_run, make_version
from tests.support.faulty_responses import write_verdict
from tests.support.processes import query

HALF = {"DS": 5.0, "NV": 6.0}
"""What the judge takes off each answer."""


def question(task: str) -> QuestionSpec:
    gold = {"judge": {"rubric": task, "reference": "two", "facts": {}}, "count": 2}
    return QuestionSpec(task, "count", f"How many? ({task})", gold, {"task": task, "category": "restaurant"})


def verdict(task: str) -> str:
    rubric = find_rubric(task)
    maxima = {part: rubric.maximum_of(part) for part in rubric.parts()}
    return write_verdict(maxima, [("answer", "too few", HALF[task])])


def judged(settings: Settings, verdicts: list[Any], answers: list[Any]) -> int:
    """A judge's run over a run with these answers, scored."""
    version = make_version(settings, [question("DS"), question("NV")])
    of = make_run(settings, version, answers)
    run_id = make_run(settings, version, verdicts, solver="judge", label="judged")
    told = json.dumps(judging(of, schema=True))
    query(settings, "update run set presentation = cast(:told as jsonb) where id = :id", id=run_id, told=told)
    with connect(settings, Role.WORKER) as connection:
        scored = score_run(connection, run_id)
        connection.commit()
    assert scored.profile == "judge_hybrid, judge_pure"
    return run_id


def points(settings: Settings, run_id: int) -> dict[tuple[str, str], tuple[float, str]]:
    """By profile and template: the answer's points, and who gave them."""
    rows = query(
        settings,
        "select profile, template, components, parsed from score join prediction on prediction.id = prediction_id"
        " join question on question.id = question_id where run_id = :id",
        id=run_id,
    )
    return {
        (row.profile, row.template): (row.components["answer"]["value"], row.parsed["answer_by"])
        for row in rows
    }


def means(settings: Settings, run_id: int) -> dict[str, float | None]:
    rows = query(
        settings, "select profile, score from board_aggregate where run_id = :id and scope = 'all'", id=run_id
    )
    return {row.profile: row.score for row in rows}


def test_the_hybrid_takes_the_judges_answer_points_only_where_the_rubric_says_so(database: Settings) -> None:
    run_id = judged(database, [verdict("DS"), verdict("NV")], ["2", "2"])
    assert points(database, run_id) == {
        ("judge_hybrid", "DS"): (10, "count 4"),
        ("judge_hybrid", "NV"): (4, "judge"),
        ("judge_pure", "DS"): (5, "judge"),
        ("judge_pure", "NV"): (4, "judge"),
    }
    assert means(database, run_id) == pytest.approx(
        {"judge_hybrid": (25 / 25 + 24 / 30) / 2, "judge_pure": (20 / 25 + 24 / 30) / 2}
    )


def test_a_wrong_answer_has_no_computed_points(database: Settings) -> None:
    run_id = judged(database, [verdict("DS"), verdict("NV")], ["seven", "2"])
    assert points(database, run_id)["judge_hybrid", "DS"] == (0, "count 4")
    assert points(database, run_id)["judge_pure", "DS"] == (5, "judge")


def test_a_stored_verdict_that_is_none_forbids_a_mean_and_is_not_nought(database: Settings) -> None:
    run_id = judged(database, ["full marks", verdict("NV")], ["2", "2"])
    assert means(database, run_id) == {"judge_hybrid": None, "judge_pure": None}
    states = (
        "select states from board_aggregate where run_id = :id and scope = 'all' and profile = 'judge_pure'"
    )
    (row,) = query(database, states, id=run_id)
    assert (row.states["error"], row.states["wrong"]) == (1, 1)
    assert {template for _, template in points(database, run_id)} == {"NV"}


def test_no_answer_is_nought(database: Settings) -> None:
    run_id = judged(database, [None, verdict("NV")], [None, "2"])
    assert means(database, run_id)["judge_pure"] == pytest.approx((0 + 24 / 30) / 2)
