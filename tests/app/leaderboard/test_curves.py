"""Boards and reports by the length of contexts, by the number of options and by what is worked out, counted by hand."""

import json
from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import Kind, read_board
from app.leaderboard.report import report_run
from app.leaderboard.report_models import Cell
from app.scores.grouping import by_number, name_groups
from tests.support.command_line import trigpoint
from tests.support.explored import planted, store
from tests.support.factories import (
    MADE_AT,
    QuestionSpec,
    make_run,
    make_version,
    option_question,
    options_dataset,
)
from tests.support.scored_runs import score

FOUR, TWO = ("Adler", "Krone", "Linde", "Bohne"), ("Adler", "Krone")
FRAMES = (None, None, 14, 9, 14, 14)
"""The zoom of each question's picture."""
# Template, options, words of the context, split, and what the run says: A is right.
ASKED: list[tuple[str, Sequence[str], int | None, str, str]] = [
    ("Straight_Line_Distance", FOUR, 10, "public", "A"),
    ("Direction_From", FOUR, 250, "public", "B"),
    ("Count_Within", FOUR, 251, "public", "A"),
    ("Count_Within", FOUR, 1600, "public", "A"),
    ("Open_At", TWO, None, "public", "B"),
    ("Open_At", TWO, 20, "hidden", "A"),
]
CURVES: dict[Kind, dict[str, tuple[int, float]]] = {
    "context": {"1 to 250 words": (2, 0.5), "251 to 500 words": (1, 1.0), "1501 words and more": (1, 1.0)},
    "options": {"2 options": (1, 0.0), "4 options": (4, 0.75)},
    "sub_kind": {"counting": (2, 1.0), "direction": (1, 0.0), "straight line": (1, 1.0)},
    "zoom": {"9": (1, 1.0), "14": (2, 0.5)},
}


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, int]:
    """The data set of these questions, and the run."""
    settings = make_database()
    specs = [
        option_question(number, options=options, template=template, split=split)
        for number, (template, options, _, split, _) in enumerate(ASKED)
    ]
    version = make_version(settings, specs, name="curves", benchmark="mapeval", publish=False)
    with connect(settings, Role.WORKER) as connection:
        for question, zoom in zip(version.questions, FRAMES, strict=True):
            connection.execute(
                text("update proof set parameters = cast(:told as jsonb) where question_id = :id"),
                {"told": json.dumps({"frame": f"9.5,47.1,{zoom},800,600"} if zoom else {}), "id": question},
            )
        for question, (_, _, words, _, _) in zip(version.questions, ASKED, strict=True):
            context = [{"type": "context", "title": "Context", "document": "word\n " * (words or 0)}]
            connection.execute(
                text("update question set prompt = cast(:context as jsonb) || prompt where id = :id"),
                {"context": json.dumps(context if words else []), "id": question},
            )
        connection.execute(
            text("update dataset_version set state = 'published', published_at = :at where id = :id"),
            {"at": MADE_AT, "id": version.id},
        )
        connection.commit()
    run = make_run(settings, version, [answer for *_, answer in ASKED], "scripted")
    score(settings, run)
    return settings, run


@pytest.mark.parametrize("kind", CURVES)
def test_a_board_counts_public_questions_of_each_group(made: tuple[Settings, int], kind: Kind) -> None:
    with connect(made[0], Role.API) as connection:
        board = read_board(connection, "curves", kind)
    found = {name: (group.n, group.rows[0].score) for name, group in board.groups.items()}
    assert list(found.items()) == list(CURVES[kind].items())


def test_reports_have_the_same_figures(made: tuple[Settings, int]) -> None:
    settings, run = made
    with connect(settings, Role.MAINTAINER) as connection:
        (found,) = report_run(connection, run).runs
    shown: dict[Kind, dict[str, Cell]] = {
        "context": found.contexts,
        "options": found.option_counts,
        "sub_kind": found.sub_kinds,
        "zoom": found.zooms,
    }
    for kind, cells in shown.items():
        assert {name: (cell.n, cell.score) for name, cell in cells.items() if cell.n} == CURVES[kind]
    told = trigpoint(settings, "report", str(run)).out
    assert all(
        one in told
        for one in ("length of the context", "number of options", "what is worked out", "zoom of the picture")
    )


def test_tiers_of_questions_about_stations(make_database: Callable[[], Settings]) -> None:
    """Of eight episodes the first is hidden; the last two are right. All are in one density."""
    settings = make_database()
    episodes = [*planted(1)[:6], *planted(1)[-2:]]
    _, run = store(settings, episodes)
    told = [(one.gold["tier"], one.error is None) for one in episodes[1:]]
    names = {"10": "0 to 10 km", "20": "10 to 20 km", "none": "20 km and more"}
    right = {name: [is_right for tier, is_right in told if names[tier] == name] for name in names.values()}
    by_hand = {name: (len(one), sum(one) / len(one)) for name, one in right.items()}
    with connect(settings, Role.API) as connection:
        groups = read_board(connection, "explored", "tier").groups
        assert read_board(connection, "explored", "density").groups == {}
    assert {name: (group.n, group.rows[0].score) for name, group in groups.items()} == by_hand
    assert list(groups) == list(by_hand)
    with connect(settings, Role.MAINTAINER) as connection:
        (found,) = report_run(connection, run).runs
    assert {name: (cell.n, cell.score) for name, cell in found.tiers.items() if cell.n} == by_hand
    assert "distance of the first station" in trigpoint(settings, "report", str(run)).out


def test_densities_stand_from_the_densest_on() -> None:
    assert name_groups("density", ["low", "road", "top", None, "mid", "high"]) == [
        "top",
        "high",
        "mid",
        "low",
        "road",
    ]
    assert name_groups("density", ["cluster_2", "cluster_1"]) == ["cluster_1", "cluster_2"]


def test_where_all_questions_are_alike_there_is_no_curve(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    questions: list[QuestionSpec] = options_dataset(4)
    score(
        settings, make_run(settings, make_version(settings, questions, name="alike"), ["A"] * 4, "scripted")
    )
    with connect(settings, Role.API) as connection:
        assert [read_board(connection, "alike", kind).groups for kind in CURVES] == [{}] * len(CURVES)


def test_groups_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["10 options", "2 options", "4 options"], key=by_number) == [
        "2 options",
        "4 options",
        "10 options",
    ]
