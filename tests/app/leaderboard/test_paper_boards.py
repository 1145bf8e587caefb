"""Boards by the rules of a benchmark's paper: hand-checked figures, on every surface; hidden questions do not count."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.errors import NotFound
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting
from app.leaderboard.board import ProfileName, read_board
from app.leaderboard.models import Board
from app.scores.scoring import runs_of_old_profile, score_run
from tests.app.dashboard.test_pages import Cells
from tests.support.command_line import trigpoint
from tests.support.factories import (
    FAILED,
    azimuth_question,
    count_question,
    make_run,
    make_version,
    name_question,
)
from tests.support.scored_runs import MadeBoard, make_gsqa_board, make_knowledge_board, score
from tests.support.service import serving


class Made(NamedTuple):
    settings: Settings
    gsqa: MadeBoard

    def board(self, reference: str = "toy_gsqa", profile: ProfileName = "published") -> Board:
        with connect(self.settings, Role.API) as connection:
            return read_board(connection, reference, "answer_type", profile)


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    gsqa = make_gsqa_board(settings)
    make_knowledge_board(settings, gsqa.version.map)
    veiled = make_version(
        settings,
        [
            *(name_question(i, ("Krone",), "public" if i < 2 else "hidden") for i in range(14)),
            count_question(20, count=4),
            azimuth_question(21, azimuth=90.0),
        ],
        name="veiled",
        made_map=gsqa.version.map,
    )
    score(settings, make_run(settings, veiled, ["Krone", None, *["Krone"] * 12, "five", None], "half"))
    score(settings, make_run(settings, veiled, [*["Krone"] * 16, *["Adler"] * 16], "twice"))
    score(
        settings,
        make_run(settings, veiled, [FAILED, *["Krone"] * 15], "broken", status="incomplete"),
    )
    return Made(settings, gsqa)


def test_right_answers_and_measures_are_those_of_the_paper(made: Made) -> None:
    """Worked out by hand from the twelve answers of `toy model` and their gold (GS-QA, Tables 7 to 13)."""
    board = made.board()
    assert (board.profile, board.metric, board.better, board.n) == ("published", "accuracy", "higher", 12)
    assert [row.name for row in board.rows] == ["oracle", "toy model"]
    row = board.rows[1]
    assert (row.score, row.states.correct, row.states.wrong) == (5 / 12, 5, 7)
    angle = (45 / 180 + 10.5 / 180 + 0) / 3
    relative = (1 + 1 / 5 + 0 + 234.5 / 1234.5 + 69 / 2469 + 3693.5 / 3703.5) / 6
    told = {name: (one.value, one.attempted, one.n) for name, one in row.measures.items()}
    assert told["parsed_angle_error"] == (pytest.approx(angle), 3, 3)
    assert told["parsed_relative_error"] == (pytest.approx(relative), 6, 6)
    assert told["attempted"] == (1.0, 12, 12)
    assert [name for name, one in row.measures.items() if one.over_types is not None] == [
        "attempted",
        "text_F1",
    ]
    errors = {one.name: one.better for one in board.measures if one.better == "lower"}
    assert sorted(errors) == ["parsed_angle_error", "parsed_distance_error", "parsed_relative_error"]


def test_groups_have_their_own_figures(made: Made) -> None:
    board = made.board()
    by_type = {name: section.rows[1] for name, section in board.groups.items()}
    assert {name: row.score for name, row in by_type.items()} == {
        "area": 1 / 3,
        "azimuth": 2 / 3,
        "count": 1 / 3,
        "name": 1 / 3,
    }
    assert "parsed_relative_error" not in by_type["name"].measures
    assert by_type["count"].measures["parsed_relative_error"].value == pytest.approx((1 + 1 / 5 + 0) / 3)
    text_means = [row.measures["text_F1"].value for row in by_type.values()]
    assert board.rows[1].measures["text_F1"].over_types == pytest.approx(
        sum(mean or 0.0 for mean in text_means) / 4
    )


def test_the_two_profiles_stand_side_by_side(made: Made) -> None:
    ours = made.board(profile="trigpoint")
    assert (ours.metric, ours.right, ours.measures) == ("mean_value", None, [])
    assert all(row.measures == {} for row in ours.rows)
    assert ours.rows[1].score != made.board().rows[1].score


def test_a_benchmark_without_rules_of_a_paper_says_so(made: Made) -> None:
    with pytest.raises(NotFound, match="urban_knowledge has no profile 'published'"):
        made.board("toy_knowledge")
    refused = trigpoint(made.settings, "leaderboard", "toy_knowledge", "--profile", "published")
    assert refused.status == 2
    assert "its paper scores answers as Trigpoint does" in refused.err


def test_hidden_questions_do_not_count(made: Made) -> None:
    board, ours = made.board("veiled"), made.board("veiled", "trigpoint")
    assert (ours.n, ours.left_out, ours.step is not None) == (16, 0, True)
    assert (board.n, board.hidden, board.left_out, board.step, board.hidden_step) == (4, 12, 12, None, None)
    half = next(row for row in board.rows if row.name == "half")
    assert (half.score, half.n, half.step) == (1 / 4, 4, None)
    assert half.states.model_dump(exclude_defaults=True) == {"correct": 1, "wrong": 1, "no_answer": 2}
    assert formatting.NOT_BY_PAPER in trigpoint(
        made.settings, "leaderboard", "veiled", "--profile", "published", COLUMNS="300"
    ).out.replace("\n", " ")


def test_an_answer_without_an_attempt_is_left_out_or_the_worst(made: Made) -> None:
    board = made.board("veiled")
    half = next(row for row in board.rows if row.name == "half")
    assert half.measures["attempted"].value == 2 / 4, "of the number and a name; two are silent"
    assert (half.measures["text_F1"].value, half.measures["text_F1"].attempted) == (1 / 4, 2)
    assert half.measures["parsed_angle_error"].value is None, "nobody attempted it"
    assert (half.measures["parsed_F1"].value, half.measures["parsed_F1"].attempted) == (1.0, 1)
    assert half.measures["parsed_relative_error"].value == 1 / 4


def test_repeats_count_as_so_many_answers(made: Made) -> None:
    twice = next(row for row in made.board("veiled").rows if row.name == "twice")
    assert (twice.score, twice.states.correct, twice.states.wrong) == (1 / 4, 2, 2)
    assert (twice.measures["text_F1"].value, twice.measures["text_F1"].n) == (1 / 4, 8)
    assert twice.spread is not None
    assert (twice.spread.lowest, twice.spread.highest) == (0.0, 1 / 2)


def test_a_run_with_errors_has_no_figures(made: Made) -> None:
    broken = next(row for row in made.board("veiled").rows if row.name == "broken")
    assert (broken.score, broken.rank, broken.measures) == (None, None, {})
    assert broken.states.error == 1


@pytest.fixture(scope="module")
def address(made: Made) -> Iterator[str]:
    with serving(made.settings) as address:
        yield address


def test_terminal_rest_and_page_agree(made: Made, address: str) -> None:
    runs = made.gsqa.runs
    printed = trigpoint(made.settings, "leaderboard", "toy_gsqa", "--profile", "published", "--json").json
    rest = httpx.get(f"{address}/v1/leaderboards/toy_gsqa?profile=published", timeout=60).json()
    assert printed == rest
    page = httpx.get(f"{address}/leaderboards/toy_gsqa?profile=published", timeout=60).text
    cells = Cells(page).cells
    for row in rest["rows"]:
        assert cells[str(row["run"]), "score"][0].startswith(formatting.percent(row["score"]))
        for name, one in row["measures"].items():
            shown, value = cells[f"measure {name}", str(row["run"])]
            assert value == ("null" if one["value"] is None else str(one["value"]))
            assert shown.startswith(formatting.percent(one["value"]))
    for part in (
        "lower",
        "Trigpoint's rules".replace("'", "&#39;"),
        "the paper's rules".replace("'", "&#39;"),
    ):
        assert part in page
    assert "profile=published" in page
    assert 'id="rules"' not in httpx.get(f"{address}/leaderboards/toy_knowledge", timeout=60).text
    pair = httpx.get(
        f"{address}/v1/datasets/toy_gsqa/comparisons/{runs['oracle']}/{runs['toy model']}?profile=published",
        timeout=60,
    ).json()
    (whole,) = [one for one in pair["scopes"] if one["scope"] == "all"]
    assert (pair["profile"], whole["difference"]) == ("published", pytest.approx(7 / 12))
    assert pair["public"] == {"first_better": 7, "second_better": 0, "alike": 5}


@pytest.mark.parametrize("path", ["/leaderboards/toy_gsqa/templates", "/leaderboards/toy_gsqa/compare"])
def test_pages_beside_the_board_keep_the_rules(address: str, path: str) -> None:
    page = httpx.get(f"{address}{path}?profile=published", timeout=60).raise_for_status().text
    assert "the share of questions answered correctly by the paper&#39;s rules" in page
    assert "/leaderboards/toy_gsqa%401?profile=published" in page


def test_comparisons_reports_histories_and_pictures_take_the_profile(made: Made, tmp_path: Path) -> None:
    runs = [str(made.gsqa.runs[name]) for name in ("oracle", "toy model")]
    asked = ("--profile", "published")
    pair = trigpoint(made.settings, "compare", *runs, *asked, "--json").json
    assert (pair["profile"], pair["pairs"][0]["difference"]) == ("published", pytest.approx(7 / 12))
    told = trigpoint(made.settings, "report", *runs, *asked, "--json").json
    assert [run["overall"]["score"] for run in told["runs"]] == [1.0, 5 / 12]
    assert told["runs"][1]["measures"] == json.loads(made.board().rows[1].model_dump_json())["measures"]
    history = trigpoint(made.settings, "leaderboard", "toy_gsqa", *asked, "--history", "--json").json
    assert history["history"]["profile"] == "published"
    assert [row["entries"][0]["score"] for row in history["history"]["rows"]] == [1.0, 5 / 12]
    for name in ("board", "heatmap"):
        picture = tmp_path / f"{name}.svg"
        done = trigpoint(made.settings, "plot", name, "toy_gsqa", *asked, "--to", str(picture))
        assert done.status == 0
        assert "Scored by published 2" in picture.read_text()


def test_bi_views_have_the_profile_and_its_measures(made: Made) -> None:
    rows: list[Any] = []
    with connect(made.settings, Role.DASHBOARD) as connection:
        rows = list(
            connection.execute(
                text(
                    "select measure, mean, attempted_mean, attempted, measured_answers from bi_measure"
                    " where dataset = 'toy_gsqa' and label = 'toy model' and scope_kind = 'all'"
                )
            )
        )
        scores = connection.execute(
            text(
                "select score from bi_board where dataset = 'toy_gsqa' and profile = 'published' and shown"
                " and scope_kind = 'all' order by score"
            )
        ).scalars()
        assert list(scores) == [5 / 12, 1.0]
    told = {row.measure: row for row in rows}
    for name, one in made.board().rows[1].measures.items():
        assert one.value in (told[name].mean, told[name].attempted_mean)
        assert (one.attempted, one.n) == (told[name].attempted, told[name].measured_answers)


def test_runs_scored_before_get_their_figures_by_a_sweep_and_no_score_changes(database: Settings) -> None:
    board = make_gsqa_board(database)

    def read(table: str) -> list[str]:
        with connect(database, Role.WORKER) as connection:
            return sorted(connection.execute(text(f"select cast({table} as text) from {table}")).scalars())

    tables = ("score", "board_aggregate", "run_comparison")
    before = {table: read(table) for table in tables}
    with connect(database, Role.WORKER) as connection:
        for table in ("board_aggregate", "run_standing", "run_comparison"):
            connection.execute(text(f"delete from {table} where profile = 'published'"))
        connection.execute(text("update run_standing set layout = layout - 1"))
        connection.commit()
        waiting = runs_of_old_profile(connection)
        assert waiting == sorted(board.runs.values())
        for run in waiting:
            score_run(connection, run)
        connection.commit()
        assert runs_of_old_profile(connection) == []
    assert {table: read(table) for table in tables} == before
