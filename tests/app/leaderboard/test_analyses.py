"""Analyses over runs, by hand: skills, cities, effort, two boards; hidden questions change nothing."""

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest
from pydantic import BaseModel

from app.core.clock import SystemClock
from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.analyses import read_cities, read_effort, read_skills, read_versus
from app.leaderboard.board import read_board
from app.leaderboard.dials import read_dial
from app.leaderboard.models import Board
from app.plotting.pictures import analysis
from tests.support.factories import MadeVersion, make_run, make_version, option_question
from tests.support.judged_runs import judged_question, make_verdicts, verdicts_by
from tests.support.processes import query
from tests.support.scored_runs import score

TEMPLATES = ("Retrieve_Coordinates", "Find_Cover_AOI", "Query_Length")
"""Of three dimensions: node, area, road."""
RIGHT = {"a": (4, 4, 0), "b": (3, 3, 2), "c": (1, 1, 2), "d": (0, 0, 4)}
"""By run: how many of four questions of each template are right. Node and area go together, road goes against them."""


class Made(NamedTuple):
    settings: Settings
    version: MadeVersion
    runs: dict[str, int]
    judged: list[int]

    def board(self, name: str = "cities", profile: str = "trigpoint") -> Board:
        with connect(self.settings, Role.API) as connection:
            return read_board(connection, name, None, profile)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    questions = [
        option_question(4 * t + i, template=name) for t, name in enumerate(TEMPLATES) for i in range(4)
    ]
    hidden = option_question(99, template="Retrieve_Coordinates", split="hidden")
    version = make_version(settings, [*questions, hidden], name="cities")
    keys = ["ABCD"[one.gold["index"]] for one in questions]
    runs = {}
    for label, counts in RIGHT.items():
        right = [i < count for count in counts for i in range(4)]
        answers = [key if ok else "BCDA"["ABCD".index(key)] for key, ok in zip(keys, right, strict=True)]
        longer = [
            f"{'x ' * (50 if ok else 5)}\nAnswer: {one}" for one, ok in zip(answers, right, strict=True)
        ]
        runs[label] = make_run(settings, version, [*longer, "A"], label)
        score(settings, runs[label])
    reasoning = make_version(settings, [judged_question("DS", i) for i in range(3)], name="reasoning")
    judged = []
    for label, lost in (("a", 5.0), ("b", 10.0), ("z", 0.0)):
        answers_run = make_run(settings, reasoning, ["2", "2", "2"], label)
        score(settings, answers_run)
        replies = verdicts_by(["DS"] * 3, lambda place, _, lost=lost: {"formula": lost} if lost else {})  # type: ignore[misc]
        judged.append(make_verdicts(settings, reasoning, answers_run, replies))
    return Made(settings, version, runs, judged)


def test_skills_are_correlated_over_runs(made: Made) -> None:
    with connect(made.settings, Role.API) as connection:
        found = read_skills(connection, made.board())
    assert (found.runs, found.by, found.skills) == (4, "dimension", ["node", "area", "road"])
    values = {(one.first, one.second): one.pearson for one in found.pairs}
    assert values["node", "area"].value == pytest.approx(1.0)
    # Scores of node 4, 3, 1, 0 and of road 0, 2, 2, 4, of four each: deviations 2, 1, -1, -2 and -2, 0, 0, 2.
    assert values["node", "road"].value == pytest.approx(-8 / (10 * 8) ** 0.5)
    assert values["node", "road"].low is not None


def test_skills_of_few_runs_are_refused(made: Made) -> None:
    board = made.board()
    fewer = board.model_copy(update={"rows": board.rows[:3]})
    with (
        connect(made.settings, Role.API) as connection,
        pytest.raises(UsageError, match=r"cities@1 has 3 runs with a score .* takes 4"),
    ):
        read_skills(connection, fewer)


def test_cities_have_the_scores_of_one_run(made: Made) -> None:
    with connect(made.settings, Role.API) as connection:
        found = read_cities(connection, made.board(), made.runs["b"])
        assert (found.name, found.templates, len(found.cities)) == ("b", [*TEMPLATES], 1)
        assert [(one.n, one.score) for one in found.cells] == [(4, 0.75), (4, 0.75), (4, 0.5)]
        assert all(one.low < one.score < one.high for one in found.cells)
        first = read_cities(connection, made.board(), None)
        assert first.run == made.board().rows[0].run
        with pytest.raises(NotFound, match="no run 999 with a score"):
            read_cities(connection, made.board(), 999)


def test_effort_tells_time_and_length(made: Made) -> None:
    """A run of 12 answers had calls of 1 to 12 seconds; right answers are longer in every run."""
    statement = (
        "insert into step (run_id, batch_id, fencing_token, version_id, question_id, question_revision,"
        " presentation_key, repeat, ordinal, attempt, kind, state, request_hash, request, sent_at, latency_ms)"
        " select run_id, 1, 1, version_id, question_id, question_revision, presentation_key, repeat, 0, 0, 'chat',"
        " 'done', 'x', '{}', :now, 1000 * row_number() over (order by id) from prediction where run_id = :run"
    )
    query(made.settings, statement, now=SystemClock().now(), run=made.runs["a"])
    with connect(made.settings, Role.API) as connection:
        found = read_effort(connection, made.board())
    by_name = {one.name: one for one in found.runs}
    assert by_name["a"].seconds == pytest.approx(6.5)
    assert by_name["b"].seconds is None
    assert by_name["a"].n == 12
    assert by_name["a"].score == pytest.approx(8 / 12)
    assert by_name["b"].within.value == pytest.approx(1.0)
    assert found.seconds.value is None, "one run alone has times"
    assert found.letters.n == 4


def test_one_board_against_another(made: Made) -> None:
    """Models are told apart by the names of their runs of answers; z is on one board alone."""
    judged = made.board("reasoning", "judge_pure")
    with connect(made.settings, Role.API) as connection:
        found = read_versus(connection, made.board(), judged)
        assert [one.name for one in found.models] == ["a", "b"]
        assert [one.first for one in found.models] == pytest.approx([8 / 12, 8 / 12])
        assert [one.second for one in found.models] == pytest.approx([20 / 25, 20 / 25])
        assert found.pearson.value is None, "two models alone"
        with pytest.raises(UsageError, match="No model has a run with a score on both boards"):
            read_versus(connection, made.board().model_copy(update={"rows": []}), judged)


@pytest.fixture(scope="module")
def dialled(made: Made) -> Made:
    """Six questions with two options, of which `easy` has five right, and six with four, of which it has two right."""
    shown = [("Adler", "Krone")] * 6 + [("Adler", "Krone", "Linde", "Bohne")] * 6
    questions = [option_question(200 + i, options=options) for i, options in enumerate(shown)]
    hidden = option_question(300, options=("Adler", "Krone", "Linde"), split="hidden")
    version = make_version(made.settings, [*questions, hidden], name="dials")
    right = "A" * 5 + "B" + "A" * 2 + "B" * 4
    runs = {"easy": make_run(made.settings, version, [*right, "B"], "easy")}
    score(made.settings, runs["easy"])
    return made._replace(version=version, runs=runs)


def test_a_dial_has_a_score_for_each_group_of_public_questions(dialled: Made) -> None:
    with connect(dialled.settings, Role.API) as connection:
        found = read_dial(connection, dialled.board("dials"), "options")
    (curve,) = found.runs
    assert (found.questions, curve.name) == (12, "easy")
    assert [(one.least, one.most, one.n) for one in curve.points] == [(2, 2, 6), (4, 4, 6)]
    assert [one.score for one in curve.points] == pytest.approx([5 / 6, 2 / 6])
    assert all(one.low < one.score < one.high for one in curve.points)


def test_letters_of_prompts_are_counted(dialled: Made) -> None:
    """As far as the number of the question: prompts differ in nothing else, so there is one group alone."""
    with connect(dialled.settings, Role.API) as connection:
        board = dialled.board("dials")
        with pytest.raises(
            NotFound, match=r"dials@1 do not differ enough in letters of the prompt \(12 of them"
        ):
            read_dial(connection, board, "letters")
        with pytest.raises(
            NotFound, match=r"\(0 of them have such a number\)\. Other dials: options, letters, answers, hops"
        ):
            read_dial(connection, board, "distance")


@pytest.mark.parametrize("what", ["skills", "cities", "dial", "effort", "versus"])
def test_pictures_are_the_same_twice_and_tell_the_figures(made: Made, dialled: Made, what: str) -> None:
    board = made.board("dials" if what == "dial" else "cities")
    with connect(made.settings, Role.API) as connection:
        readings: dict[str, Callable[[], BaseModel]] = {
            "skills": lambda: read_skills(connection, board),
            "cities": lambda: read_cities(connection, board, None),
            "dial": lambda: read_dial(connection, board, "options"),
            "effort": lambda: read_effort(connection, board),
            "versus": lambda: read_versus(connection, board, made.board("reasoning", "judge_hybrid")),
        }
        found = readings[what]()
    drawn = analysis(what, board, found, 8, "svg")
    assert drawn == analysis(what, board, found, 8, "svg")
    said = drawn.decode()
    assert f"{board.dataset}@1" in said
    assert "OpenStreetMap contributors" in said
    assert "nan" not in said.lower().replace("nano", "")
    assert {
        "skills": "-0.89",
        "cities": "Query_Length",
        "dial": "options of a question",
        "effort": "seconds",
        "versus": "reasoning@1",
    }[what] in said
    assert analysis(what, board, found, 8, "png").startswith(b"\x89PNG")
    assert "NaN" not in json.dumps(found.model_dump(mode="json"))
