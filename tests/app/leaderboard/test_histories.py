"""Boards over random histories: runs made, scored, scored again, withdrawn, in any order of events.

The database is the tests' PostgreSQL; each history has a data set version of its own, all on one map.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed
from hypothesis import settings as how
from hypothesis import strategies as st
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.comparing import holm
from app.leaderboard.keeping import Kept
from app.leaderboard.models import Board
from tests.support.factories import FAILED, MadeMap, make_map, make_run, make_version, option_question
from tests.support.scored_runs import score
from tests.support.turns import turn

QUESTIONS = 12
TEMPLATES = [f"Template_{number}" for number in range(6)]
LABELS = ("a", "b", "c", "d")
COUNTER = itertools.count()
Run = tuple[str, list[str | None], str]
"""Label, answers, and how it ends."""

RIGHT: list[str | None] = ["ABCD"[i % 4] for i in range(QUESTIONS)]
SILENT: list[str | None] = [None] * QUESTIONS
ANSWERS = st.one_of(
    st.just(RIGHT),
    st.just(SILENT),
    st.lists(st.sampled_from(["A", "B", "C", "D", None]), min_size=QUESTIONS, max_size=QUESTIONS),
)
RUNS = st.lists(
    st.tuples(
        st.sampled_from(LABELS), ANSWERS, st.sampled_from(["complete", "complete", "incomplete", "cancelled"])
    ),
    min_size=1,
    max_size=5,
)


@pytest.fixture(scope="module")
def place(make_database: Callable[[], Settings]) -> tuple[Settings, MadeMap]:
    settings = make_database()
    return settings, make_map(settings)


def questions() -> list[Any]:
    return [
        option_question(i, key=i % 4, template=TEMPLATES[i % 6], split="hidden" if i % 6 == 5 else "public")
        for i in range(QUESTIONS)
    ]


def write(settings: Settings, statement: str, **binds: Any) -> None:
    with connect(settings, Role.WORKER) as connection:
        connection.execute(text(statement), binds)
        connection.commit()


def play(
    place: tuple[Settings, MadeMap],
    runs: Sequence[Run],
    order: list[int],
    again: list[int],
) -> tuple[str, dict[int, int]]:
    """Make the runs in their order, score them in another, some again; the data set, and which run is which."""
    settings, made_map = place
    version = make_version(settings, questions(), name=f"history_{next(COUNTER)}", made_map=made_map)
    made = {}
    for number, (label, answers, status) in enumerate(runs):
        given_answers: list[object] = list(answers)
        if status == "incomplete":
            given_answers[0] = FAILED
        asked_as = "complete" if status == "cancelled" else status
        made[number] = make_run(settings, version, given_answers, label, status=asked_as)
    for number in [*order, *(number for number in again if number in made)]:
        score(settings, made[number])
    for number, (_, _, status) in enumerate(runs):
        if status == "cancelled":
            write(settings, "update run set status = 'cancelled' where id = :id", id=made[number])
    return version.dataset, made


def shown(board: Board, made: dict[int, int]) -> list[Any]:
    """The board without what depends on when it was made: numbers of runs are their places in the history."""
    number_of = {run: number for number, run in made.items()}
    return [
        [(number_of[row.run], *row.model_dump(exclude={"run"}).items()) for row in rows]
        for rows in (board.rows, *(section.rows for section in board.templates.values()))
    ]


def wilson_by_roots(right: float, n: int) -> tuple[float, float]:
    """Wilson's ends as the roots of (p - score)^2 = z^2 p (1 - p) / n, by halving: no closed form."""
    z = 1.959963984540054
    mean = right / n

    def root(inside: float, outside: float) -> float:
        for _ in range(100):
            middle = (inside + outside) / 2
            if (middle - mean) ** 2 <= z * z * middle * (1 - middle) / n:
                inside = middle
            else:
                outside = middle
        return inside

    return root(mean, 0.0), root(mean, 1.0)


def check(board: Board) -> None:
    for section in (board, *board.templates.values(), *board.groups.values()):
        rows = section.rows
        scored = [row for row in rows if row.score is not None]
        assert rows[: len(scored)] == scored, "the others stand behind"
        assert [row.score for row in scored] == sorted((row.score for row in scored), reverse=True)
        assert all(row.rank is not None and row.low is not None and row.high is not None for row in scored)
        assert all(row.rank is None for row in rows[len(scored) :])
        ranks = [row.rank or 0 for row in scored]
        assert ranks == sorted(ranks)
        assert all(rank <= place for place, rank in enumerate(ranks, 1))
        for row in scored:
            low, high = wilson_by_roots(row.states.correct, row.n)
            if section in board.templates.values():
                assert (row.low, row.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))
            assert low - 1e-9 <= row.low <= row.high <= high + 1e-9, "no two questions are about one place"
            assert row.score == pytest.approx(row.states.correct / row.n)
            assert math.isclose(sum(row.states.model_dump().values()), row.n)
        assert not ranks or ranks[0] == 1


def check_ties(settings: Settings, board: Board) -> None:
    """Who shares a rank with whom, from the stored tests: tied with all above is rank 1; surely worse is further down."""
    scored = [row for row in board.rows if row.score is not None]
    statement = text(
        "select run_id, other_id, p from run_comparison"
        " where scope = 'all' and run_id = any(:runs) and other_id = any(:runs)"
    )
    with connect(settings, Role.API) as connection:
        found = connection.execute(statement, {"runs": [row.run for row in scored]}).all()
    adjusted = holm({frozenset((row.run_id, row.other_id)): row.p for row in found})
    for place, row in enumerate(scored):
        sure = [above for above in scored[:place] if adjusted[frozenset((above.run, row.run))] <= 0.05]
        assert (row.rank or 0) >= 1 + len(sure)
        assert place == 0 or row.rank == max(scored[place - 1].rank or 0, 1 + len(sure))


def test_a_history_with_ranks_apart(place: tuple[Settings, MadeMap]) -> None:
    name, _ = play(
        place,
        [
            ("b", RIGHT, "complete"),
            ("a", RIGHT, "complete"),
            ("c", SILENT, "complete"),
            ("d", RIGHT, "incomplete"),
        ],
        [3, 2, 1, 0],
        [1],
    )
    with connect(place[0], Role.API) as connection:
        board = read_board(connection, name)
    assert [(row.name, row.rank) for row in board.rows] == [("a", 1), ("b", 1), ("c", 3), ("d", None)]
    check(board)
    check_ties(place[0], board)


def test_boards_of_any_history(place: tuple[Settings, MadeMap]) -> None:
    look_at(place, 4)


@pytest.mark.long
def test_boards_of_many_histories(place: tuple[Settings, MadeMap]) -> None:
    """Others with every run, by the date."""
    look_at(place, 25, turn())


def look_at(place: tuple[Settings, MadeMap], examples: int, drawn_by: int | None = None) -> None:
    """`check_history` of so many histories, the same ones each time, or those of a seed."""

    def each(runs: list[Run], random: Any, again: list[int]) -> None:
        check_history(place, runs, random, again)

    drawn = given(RUNS, st.randoms(use_true_random=False), st.lists(st.integers(0, 4), max_size=2))
    bounds = how(
        max_examples=examples,
        deadline=None,
        derandomize=drawn_by is None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    bounds(drawn(each if drawn_by is None else seed(drawn_by)(each)))()


def check_history(place: tuple[Settings, MadeMap], runs: list[Run], random: Any, again: list[int]) -> None:
    settings = place[0]
    order = list(range(len(runs)))
    random.shuffle(order)
    name, made = play(place, runs, order, again)
    other_name, other_made = play(place, runs, list(range(len(runs))), [])
    with connect(settings, Role.API) as connection:
        kept = Kept()
        board = read_board(connection, name, "answer_type", kept=kept)
        assert read_board(connection, name, "answer_type", kept=kept) is board
        other = read_board(connection, other_name, "answer_type")
    check(board)
    check_ties(settings, board)
    assert shown(board, made) == shown(other, other_made), "the same from any order of events"
    complete = {label for label, _, status in runs if status == "complete"}
    assert {row.name for row in board.rows if row.rank is not None} == complete
