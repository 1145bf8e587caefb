"""Figures of checked reasoning: of stored answers, through the check of a worker, as REST and pages show them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import Row, text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.rescore import RescoreRequest, rescore_run
from app.published.reasoning import CheckedReasoning, read_reasoning
from app.reviews.broken_steps import kind_of
from app.reviews.judge_study.responses import read_run
from app.reviews.judge_study.studying import study
from app.scores import reasoning as checking
from app.scores.reasoning import Checker
from app.scores.reasoning_figures import FAILED, check_answer, runs_to_check
from tests.app.dashboard.test_pages import Cells
from tests.support.checked_reasoning import MadeReasoning, check, make_reasoning
from tests.support.planted_secrets import make_key
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving

Made = tuple[Settings, MadeReasoning]


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    return settings, make_reasoning(settings)


@pytest.fixture
def checked(made: Made) -> Made:
    check(made[0], made[1].run)
    return made


def rows(settings: Settings) -> Sequence[Row[Any]]:
    everything = "select * from reasoning_figures order by prediction_id, checker_version"
    with connect(settings, Role.WORKER) as connection:
        return connection.execute(text(everything)).all()


def waiting(settings: Settings) -> list[int]:
    with connect(settings, Role.WORKER) as connection:
        return runs_to_check(connection)


def read(settings: Settings, run: int) -> list[CheckedReasoning]:
    with connect(settings, Role.API) as connection:
        return read_reasoning(connection, [run])


def test_a_scored_run_waits_until_all_its_public_answers_are_checked(made: Made) -> None:
    settings, reasoning = made
    assert waiting(settings) == [reasoning.run], "the judge's run states no steps of its own"
    assert read(settings, reasoning.run) == []
    check(settings, reasoning.run)
    assert waiting(settings) == []
    assert len(rows(settings)) == 6, "the hidden question has no figures"


def test_broken_steps_are_counted_by_task(checked: Made) -> None:
    settings, reasoning = checked
    (found,) = read(settings, reasoning.run)
    distance, roads = found.tasks
    assert (distance.task, distance.answers, distance.checked, distance.checked_steps) == ("DS", 2, 1, 3)
    assert distance.broken == {"arithmetic drift": 1}
    assert [(one.step, one.answers) for one in distance.first] == [("dlat_rad", 1)]
    assert (roads.task, roads.checked, roads.broken) == ("RE", 4, {"topological blindness": 3})
    assert (found.all.answers, found.all.broken_answers, found.all.share) == (6, 4, 0.8)


def test_the_judges_marks_stand_beside_and_the_study_says_the_same(checked: Made) -> None:
    """Of five checked answers the judge and the check call two broken and one fine."""
    settings, reasoning = checked
    (found,) = read(settings, reasoning.run)
    (told,) = found.judges
    assert (told.both_broken, told.both_fine, told.only_check, told.only_judge) == (2, 1, 2, 0)
    with connect(settings, Role.MAINTAINER) as connection:
        studied = study(connection, reasoning.run, [])
        assert studied.judged == len(read_run(connection, reasoning.run).responses) == 6
    assert studied.checks == found.judges
    assert studied.steps == found.tasks


def test_rescoring_gives_the_same_rows_again(checked: Made) -> None:
    settings, reasoning = checked
    before = rows(settings)
    rescore_run(settings, RescoreRequest(reasoning.run), lambda *_: None)
    assert rows(settings) == before
    assert waiting(settings) == []
    score(settings, reasoning.run)
    assert waiting(settings) == [reasoning.run], "answers may have come since"
    check(settings, reasoning.run)
    assert rows(settings) == before


def test_a_new_checker_computes_anew_and_old_figures_stay(
    checked: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, reasoning = checked
    before, (old,) = rows(settings), read(settings, reasoning.run)
    key = ("urban_reasoning", checking.STEPS)
    today = checking._CHECKERS.added[key]
    monkeypatch.setitem(
        checking._CHECKERS.added,
        key,
        Checker(today.version + 1, lambda *_: checking.Reasoning((), None, False)),
    )
    assert waiting(settings) == [reasoning.run]
    assert read(settings, reasoning.run) == [old], "old figures are shown until there are new ones"
    check(settings, reasoning.run)
    (new,) = read(settings, reasoning.run)
    assert (new.checker_version, new.all.answers, new.all.checked) == (today.version + 1, 6, 0)
    assert [row for row in rows(settings) if row.checker_version == today.version] == before


def test_an_answer_that_the_check_cannot_cope_with_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: str) -> None:
        raise RecursionError("too deep")

    monkeypatch.setitem(checking._CHECKERS.added, ("urban_reasoning", checking.STEPS), Checker(1, fails))
    assert check_answer("urban_reasoning", "Distance", "…", "((((((") == FAILED


@pytest.mark.parametrize(
    ("step", "kind"),
    [("bearing_leg5", "bearing_leg"), ("distance_23", "distance"), ("lat1_deg", "lat1_deg"), ("a", "a")],
)
def test_steps_of_legs_are_counted_together(step: str, kind: str) -> None:
    assert kind_of(step) == kind


def test_rest_and_pages_show_the_figures(checked: Made) -> None:
    settings, reasoning = checked
    headers = {"Authorization": f"Bearer {make_key(settings, 'reader')}"}
    reference = reasoning.version.reference
    with serving(settings) as address, patient_client(address) as client:
        rest = client.get(f"/v1/runs/{reasoning.run}/reasoning", headers=headers).raise_for_status().json()
        compared = client.get(f"/v1/datasets/{reference}/reasoning").raise_for_status().json()
        page = Cells(client.get(f"/runs/{reasoning.run}").text)
        board = Cells(client.get(f"/leaderboards/{reference}").text)
        of_judge = client.get(f"/v1/runs/{reasoning.judge}/reasoning", headers=headers)
    (found,) = read(settings, reasoning.run)
    assert rest == found.model_dump(mode="json")
    assert [one["run"] for one in compared["runs"]] == [reasoning.run]
    assert page.cells["reasoning RE", "topological_blindness"][1] == "3"
    assert (
        page.cells["reasoning all", "broken"][1]
        == board.cells[f"reasoning {reasoning.run}", "broken"][1]
        == "4"
    )
    assert page.cells["first DS dlat_rad arithmetic drift", "answers"][1] == "1"
    assert page.cells[f"judge run {reasoning.judge} (examiner)", "both_broken"][1] == "2"
    assert of_judge.status_code == 404
    assert "has no figures of its reasoning" in of_judge.json()["detail"]
