"""Runs with tools: ranked apart from runs without, and told in what they differ."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.comparing import Compared
from app.leaderboard.formatting import cautions, say_differences
from app.leaderboard.history import read_history
from app.leaderboard.pairwise import compare_runs
from app.leaderboard.setups import differing, ranks_apart, setup_of, tools_of
from tests.support.stored_episodes import make_agents

AGENT = {"agent": {"tools": "all", "manner": "json", "steps": 30}}


@pytest.mark.parametrize(
    ("model", "sampling", "presentation", "expected"),
    [
        ("m", {"temperature": 0}, AGENT, []),
        ("n", {"temperature": 0}, AGENT, ["model"]),
        ("m", {"temperature": 1}, AGENT, ["sampling"]),
        ("m", {"temperature": 0}, {"agent": {**AGENT["agent"], "tools": "mapeval"}}, ["tools"]),
        ("m", {"temperature": 0}, {"agent": {**AGENT["agent"], "steps": 31}}, ["budget"]),
        ("m", {"temperature": 0}, {}, ["tools", "budget"]),
    ],
)
def test_what_differs(
    model: str, sampling: dict[str, int], presentation: dict[str, object], expected: list[str]
) -> None:
    ours = setup_of("m", {"temperature": 0}, AGENT)
    assert differing([ours, setup_of(model, sampling, presentation)]) == expected


def test_a_run_without_tools_has_none() -> None:
    assert tools_of({"rotate": True}) is None
    assert tools_of(AGENT) == "all"


def test_ranks_are_counted_apart() -> None:
    surely = [
        Compared(one, other, 0.5, 0.0001, None) for one in (1, 2, 3) for other in (2, 3, 4) if one < other
    ]
    assert ranks_apart([1, 2, 3, 4], frozenset([2, 4]), surely) == {1: 1, 3: 2, 2: 1, 4: 2}


def test_differences_in_words() -> None:
    assert say_differences(["tools"]) == "These runs differ in tools alone."
    assert say_differences(["model", "tools", "budget"]).startswith(
        "These runs differ in model, tools and budget:"
    )


def test_boards_and_comparisons_tell_runs_with_tools_apart(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    made = make_agents(settings)
    with connect(settings, Role.API) as connection:
        board = read_board(connection, made.version.reference)
        history = read_history(connection, made.version.dataset)
    assert [(row.run, row.tools, row.rank) for row in board.rows] == [
        (made.direct, None, 1),
        (made.second, "mapeval", 1),
        (made.first, "all", 1),
    ]
    assert board.differ == ["tools", "budget"]
    assert [one for one in cautions(board) if "tools" in one] == [
        "With tools (toy/better, toy/agent): runs whose models could call tools are ranked apart.",
        "The runs with tools differ in tools and budget: their scores do not tell which of these matters.",
    ]
    assert {row.entries[0].rank for row in history.rows} == {1}
    with connect(settings, Role.API) as connection:
        assert compare_runs(connection, [made.first, made.second]).differ == ["tools", "budget"]
        both = compare_runs(connection, [made.first, made.direct])
        assert both.differ == ["tools", "budget"]


def test_boards_without_tools_say_nothing_of_them(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    made = make_agents(settings)
    with connect(settings, Role.OWNER) as connection:
        connection.execute(text("update trigpoint.run set presentation = '{}'"))
        connection.commit()
    with connect(settings, Role.API) as connection:
        board = read_board(connection, made.version.reference)
    assert (board.differ, [row.tools for row in board.rows]) == ([], [None] * 3)
    assert not [one for one in cautions(board) if "tools" in one]
