"""A judge marks the answers of a finished run: real workers, and an endpoint that finds the planted faults itself."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.core.errors import Conflict, NotFound, UsageError
from app.core.identity import digest
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores import profiles
from app.scores.scoring import runs_of_old_profile, score_run
from app.scores.verdicts import HYBRID, PURE, judged_run
from app.solvers import find_solver
from app.solvers.judge import find_judged
from app.solvers.judging.rubrics import find_rubric
from tests.support.factories import FAILED, make_run, make_version, mixed_dataset
from tests.support.faulty_responses import COSTS, planted_cases, see
from tests.support.judge_endpoint import BAD, Examiner, make_judged, serving, start_judge
from tests.support.processes import Workers, query, scalar, wait_until
from tests.support.runs import wait_for_end, wait_for_scores


def scores_of(settings: Settings, run_id: int, profile: str, version: int | None = None) -> dict[str, Any]:
    """The score rows of a judge's run by question."""
    rows = query(
        settings,
        "select prediction.question_id, score.* from score join prediction on prediction.id = score.prediction_id"
        " where prediction.run_id = :id and score.profile = :profile"
        " and scorer_version = coalesce(:version, scorer_version) order by prediction.question_id",
        id=run_id,
        profile=profile,
        version=version,
    )
    return {row.question_id: row for row in rows}


def points_left(task: str, faults: Sequence[str]) -> dict[str, float]:
    """What planted faults leave of the rubric's points, by part."""
    rubric = find_rubric(task)
    left = {part: rubric.maximum_of(part) for part in rubric.parts()}
    for fault in faults:
        where, points = COSTS[task][fault]
        left[where] = max(0.0, left[where] - points)
    return left


def test_every_fault_that_is_named_lowers_the_score(quick: Settings, workers: Workers) -> None:
    """Over 300 responses; a third of the verdicts give full marks beside the faults, some replies are none at first."""
    cases = planted_cases()
    assert len(cases) >= 300
    broken = {
        digest(case.response): BAD[number % len(BAD)] for number, case in enumerate(cases) if number % 10 == 3
    }

    def wayward(prompt: str, tries: int) -> str | None:
        return broken.get(digest(see(prompt).response)) if tries == 1 else None

    examiner = Examiner(wayward)
    workers.settings = quick = quick.model_copy(update={"concurrency": 16, "batch_size": 100})
    with serving(examiner) as url:
        version, judged = make_judged(quick, cases)
        run_id = start_judge(quick, judged, url)
        workers.start()
        scored = "select count(*) from board_aggregate where run_id = :id"
        wait_until(lambda: scalar(quick, scored, id=run_id), "the scores of all verdicts", patience=150)
    assert scalar(quick, "select status from run where id = :id", id=run_id) == "complete"
    pure, hybrid = (scores_of(quick, run_id, name) for name in ("judge_pure", "judge_hybrid"))
    flawless = {}
    for case, question in zip(cases, version.questions, strict=True):
        left = points_left(case.task, case.faults)
        row = pure[question]
        assert {fault["fault"] for fault in row.parsed["faults"]} == set(case.faults)
        assert {name: row.components[name]["value"] for name in left} == pytest.approx(left)
        assert row.value == pytest.approx(sum(left.values()) / find_rubric(case.task).total)
        assert hybrid[question].components["reason"] == row.components["reason"]
        assert hybrid[question].parsed["answer_by"] != "judge"
        place = (case.task, case.spec.parameters["place"])
        if not case.faults:
            flawless[place] = row.value
        else:
            assert row.value < flawless[place] == 1.0
    asked_twice = sum(digest(case.response) in broken for case in cases)
    assert len(examiner.asked) == len(set(examiner.asked)) == len(cases) + asked_twice
    with connect(quick, Role.WORKER) as connection:
        found = judged_run(connection, run_id, judged)
    assert found.asked["asked_twice"] == asked_twice
    assert found.cost.prompt_tokens == 100 * len(examiner.asked)
    mean = sum(row.value for row in pure.values()) / len(cases)
    assert found.scores["judge_pure"]["score"] == pytest.approx(mean)
    assert found.tasks["PN"]["maximum"] == 30


def test_what_is_scored_again_is_the_same_to_the_bit_and_asks_nothing(
    quick: Settings, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = planted_cases(1)
    examiner = Examiner()
    with serving(examiner) as url:
        _, judged = make_judged(quick, cases)
        run_id = start_judge(quick, judged, url)
        workers.start()
        wait_for_scores(quick, run_id)
        before = [scores_of(quick, run_id, profile.name) for profile in (HYBRID, PURE)]
        boards = "select * from board_aggregate where run_id = :id order by profile, scope"
        board = query(quick, boards, id=run_id)
        asked = len(examiner.asked)
        query(
            quick,
            "delete from score using prediction where prediction.id = prediction_id and run_id = :id",
            id=run_id,
        )
        with connect(quick, Role.WORKER) as connection:
            score_run(connection, run_id)
            connection.commit()
        assert [scores_of(quick, run_id, profile.name) for profile in (HYBRID, PURE)] == before
        assert query(quick, boards, id=run_id) == board
        _score_by_newer_rules(quick, run_id, monkeypatch)
        newer = scores_of(quick, run_id, PURE.name, PURE.version + 1)
        assert [row.value for row in newer.values()] == [row.value for row in before[1].values()]
        assert len(examiner.asked) == asked


def _score_by_newer_rules(settings: Settings, run_id: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker finds the run by its older profiles, and scores it from stored verdicts."""
    newer = {one.name: replace(one, version=one.version + 1) for one in (HYBRID, PURE)}
    with monkeypatch.context() as patch, connect(settings, Role.WORKER) as connection:
        for name, profile in newer.items():
            patch.setitem(profiles._REGISTERED, name, profile)
        assert run_id in runs_of_old_profile(connection)
        score_run(connection, run_id)
        assert run_id not in runs_of_old_profile(connection)
        connection.commit()


def test_a_judge_without_verdict_is_an_error_of_ours_until_it_gives_one(
    quick: Settings, workers: Workers
) -> None:
    cases = planted_cases(1)
    examiner = Examiner(lambda prompt, tries: BAD[tries % len(BAD)] if "(case DR 0 2)" in prompt else None)
    with serving(examiner) as url:
        _, judged = make_judged(quick, cases)
        run_id = start_judge(quick, judged, url)
        workers.start()
        wait_for_scores(quick, run_id)
        why = query(quick, "select error from prediction where run_id = :id and state = 'error'", id=run_id)
        assert len(why) == 1
        assert why[0][0].startswith("the judge gave no verdict in 2 replies: ")
        assert scalar(quick, "select status from run where id = :id", id=run_id) == "incomplete"
        whole = "select distinct score from board_aggregate where run_id = :id and scope = 'all'"
        assert query(quick, whole, id=run_id) == [(None,)]
        asked = len(examiner.asked)
        examiner.wayward = lambda prompt, tries: None
        assert start_judge(quick, judged, url) == run_id
        wait_for_end(quick, run_id)
        wait_for_scores(quick, run_id)
        assert scalar(quick, "select status from run where id = :id", id=run_id) == "complete"
        assert len(examiner.asked) == asked + 1


@pytest.mark.long
def test_a_killed_worker_costs_no_verdict_twice_but_those_in_flight(
    quick: Settings, workers: Workers
) -> None:
    cases = planted_cases(2)
    examiner = Examiner(closes_after=5)
    with serving(examiner) as url:
        _, judged = make_judged(quick, cases)
        run_id = start_judge(quick, judged, url)
        victim = workers.start()
        done = "select count(*) from prediction where run_id = :id"
        wait_until(lambda: scalar(quick, done, id=run_id) >= 5, "five verdicts")
        wait_until(
            lambda: scalar(
                quick, "select count(*) from step where run_id = :id and state = 'sent'", id=run_id
            ),
            "a call in flight",
        )
        victim.kill()
        committed = {
            row[0]
            for row in query(
                quick, "select request_hash from step where run_id = :id and state = 'done'", id=run_id
            )
        }
        examiner.gate.set()
        workers.start()
        wait_for_end(quick, run_id)
        asked = Counter(examiner.asked)
        again = {key for key, times in asked.items() if times > 1}
        assert not again & committed
        reasked = scalar(quick, "select reasked from run where id = :id", id=run_id)
        assert 0 < reasked <= quick.concurrency
        assert len(again) <= reasked
        assert len(asked) == len(cases)
        assert scalar(quick, "select status from run where id = :id", id=run_id) == "complete"


def test_a_verdict_that_there_is_is_not_paid_for_again(quick: Settings, workers: Workers) -> None:
    """A second run gave the same answers but one: only that one is judged anew."""
    cases = planted_cases(1)
    examiner = Examiner()
    with serving(examiner) as url:
        version, judged = make_judged(quick, cases)
        first = start_judge(quick, judged, url)
        workers.start()
        wait_for_end(quick, first)
        asked = len(examiner.asked)
        other = [*(case.response for case in cases[:-1]), cases[-2].response]
        second = start_judge(quick, make_run(quick, version, other, label="twin"), url)
        wait_for_scores(quick, second)
    assert len(examiner.asked) == asked + 1
    with connect(quick, Role.WORKER) as connection:
        assert judged_run(connection, second, judged).asked["reused"] == len(cases) - 1
    same = version.questions[0]
    assert (
        scores_of(quick, second, "judge_pure")[same].value
        == scores_of(quick, first, "judge_pure")[same].value
    )


def test_no_answer_costs_nothing_and_counts_nought(quick: Settings, workers: Workers) -> None:
    cases = planted_cases(1)
    examiner = Examiner()
    with serving(examiner) as url:
        _, judged = make_judged(quick, cases, *[None] * len(cases))
        run_id = start_judge(quick, judged, url)
        workers.start()
        wait_for_scores(quick, run_id)
    assert len(examiner.asked) == len(cases)
    states = (
        "select states from board_aggregate where run_id = :id and scope = 'all' and profile = 'judge_pure'"
    )
    assert scalar(quick, states, id=run_id)["no_answer"] == len(cases)
    with connect(quick, Role.WORKER) as connection:
        score = judged_run(connection, run_id, judged).scores["judge_pure"]["score"]
    pure = [
        sum(points_left(case.task, case.faults).values()) / find_rubric(case.task).total for case in cases
    ]
    assert score == pytest.approx(sum(pure) / len(pure) / 2)


def test_what_cannot_be_judged(database: Settings) -> None:
    cases = planted_cases(1)[:3]
    version, judged = make_judged(database, cases)
    failed = make_run(
        database, version, [FAILED, *(case.response for case in cases[1:])], status="incomplete"
    )
    plain = make_run(database, make_version(database, mixed_dataset(), name="plain"), ["Adler"] * 8)
    with connect(database, Role.WORKER) as connection:
        assert find_judged(connection, judged).label == "pupil"
        with pytest.raises(NotFound, match="no run 999"):
            find_judged(connection, 999)
        with pytest.raises(Conflict, match="is incomplete"):
            find_judged(connection, failed)
        with pytest.raises(UsageError, match=r"8 questions of run \d+ name no known rubric"):
            find_judged(connection, plain)
        check = find_solver("judge").check
        assert check is not None
        with pytest.raises(UsageError, match="trigpoint run judge RUN"):
            check(connection, version.id)
