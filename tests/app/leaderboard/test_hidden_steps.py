"""Boards speak of hidden questions in steps: whose runs differ in one hidden answer learns nothing from any number."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.pairwise import compare_runs
from app.leaderboard.report import report_run
from app.scores.pairs import LEVEL
from app.scores.withholding import STEP
from tests.support.factories import MadeVersion, make_run, make_version, option_question
from tests.support.scored_runs import score

PUBLIC, HIDDEN = 10, 20
KEYS = ["ABCD"[i % 4] for i in range(PUBLIC + HIDDEN)]


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, MadeVersion]:
    settings = make_database()
    split = ["public"] * PUBLIC + ["hidden"] * HIDDEN
    questions = [option_question(i, i % 4, split=split[i]) for i in range(PUBLIC + HIDDEN)]
    return settings, make_version(settings, questions, name="half_hidden")


def answers(public: int, hidden: Sequence[int]) -> list[str]:
    """So many right answers to public questions, and right ones to these hidden ones."""
    right = {*range(public), *(PUBLIC + number for number in hidden)}
    return [key if i in right else "ABCD"[(i + 1) % 4] for i, key in enumerate(KEYS)]


NUMBERS = itertools.count()


def run_of(made: tuple[Settings, MadeVersion], given: list[str]) -> int:
    settings, version = made
    number = make_run(settings, version, given, f"model {next(NUMBERS)}")
    score(settings, number)
    return number


def told(settings: Settings, run: int) -> dict[str, Any]:
    """All that boards and reports say of a run, but who it is and its rank."""
    with connect(settings, Role.API) as connection:
        board = read_board(connection, "half_hidden", "answer_type")
    sections = [board.rows, *(one.rows for one in [*board.templates.values(), *board.groups.values()])]
    with connect(settings, Role.MAINTAINER) as connection:
        (reported,) = report_run(connection, run).runs
    nobody = {"run": 0, "name": "", "rank": 0}
    found: dict[str, Any] = {
        "rows": [row.model_dump() | nobody for rows in sections for row in rows if row.run == run],
        "report": reported.model_dump() | nobody,
    }
    return found


ALIKE = (range(9), range(11), [*range(9), 15], range(1, 11), range(8), range(12))


def test_one_hidden_answer_more_or_less_changes_no_number(made: tuple[Settings, MadeVersion]) -> None:
    settings, _ = made
    base = told(settings, run_of(made, answers(7, range(10))))
    assert [row["score"] for row in base["rows"]] == [17 / 30, 0.7, 0.7]
    for hidden in ALIKE:
        assert told(settings, run_of(made, answers(7, hidden))) == base, hidden


def test_nor_does_a_comparison_with_it(made: tuple[Settings, MadeVersion]) -> None:
    """Half the interval's width is that of the public answers, which are the same, and what steps may hide."""
    settings, _ = made
    base = run_of(made, answers(7, range(10)))
    for hidden in (range(10), *ALIKE):
        other = run_of(made, answers(7, hidden))
        with connect(settings, Role.API) as connection:
            (pair,) = compare_runs(connection, [base, other]).pairs
        assert (pair.difference, pair.p, pair.n, pair.places) == (0, 1, 30, PUBLIC), hidden
        assert pair.high is not None
        assert pair.low == -pair.high
        assert pair.high > STEP / 30
        assert (pair.high, pair.detectable) == WIDTHS.setdefault("first", (pair.high, pair.detectable)), (
            hidden
        )


WIDTHS: dict[str, Any] = {}


def test_public_answers_and_whole_steps_are_seen(made: tuple[Settings, MadeVersion]) -> None:
    settings, _ = made
    shown = [
        told(settings, run_of(made, answers(public, range(hidden))))["rows"][0]["score"]
        for public, hidden in ((7, 10), (8, 10), (7, 15), (10, 20), (0, 0))
    ]
    assert shown == [17 / 30, 18 / 30, 22 / 30, 1.0, 0.0]


def test_no_number_of_any_run_lies_between_two_steps(made: tuple[Settings, MadeVersion]) -> None:
    settings, _ = made
    for right in range(HIDDEN + 1):
        run_of(made, answers(3, range(right)))
    with connect(settings, Role.API) as connection:
        statement = "select run_id, scope, n, score from board_aggregate where score is not null"
        rows = connection.execute(text(statement)).all()
        pairs = connection.execute(text("select * from run_comparison")).all()
    scores = {(row.run_id, row.scope): row.score for row in rows}
    whole = {round(row.score * 30, 9) for row in rows if row.scope == "all"}
    assert whole >= {3, 8, 13, 18, 23}
    assert {number % STEP for number in whole} <= {0, 1, 2, 3, 4}
    assert {row.n for row in rows if row.scope != "all"} == {PUBLIC}, "groups count public questions alone"
    assert len(pairs) > 400
    for pair in pairs:
        shown = scores[pair.run_id, pair.scope] - scores[pair.other_id, pair.scope]
        assert pair.difference == pytest.approx(shown, abs=1e-12)
        if pair.low is not None and min(abs(pair.low), abs(pair.high)) > 1e-9 and pair.scope == "all":
            assert (pair.p <= LEVEL) == (pair.low > 0 or pair.high < 0)


def test_repeats_are_told_of_public_questions_alone(made: tuple[Settings, MadeVersion]) -> None:
    settings, version = made
    spreads = []
    for second in (range(10), range(HIDDEN), range(11)):
        rounds = answers(7, range(10)) + answers(6, second)
        run = make_run(settings, version, rounds, f"repeated {next(NUMBERS)}")
        score(settings, run)
        with connect(settings, Role.API) as connection:
            (row,) = [row for row in read_board(connection, "half_hidden").rows if row.run == run]
        assert row.spread is not None
        spreads.append((row.spread.lowest, row.spread.highest))
    assert spreads == [(0.6, 0.7)] * 3
