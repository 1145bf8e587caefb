"""The heat map and two runs compared: the board's and REST's numbers, and no hidden question listed."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.dashboard import wording
from app.db.engine import connect
from app.leaderboard import formatting
from app.published.templates import titles_of
from tests.app.dashboard.test_pages import Cells, as_value
from tests.support.factories import make_run, make_version, options_dataset
from tests.support.scored_runs import KNOWLEDGE, MadeBoard, make_knowledge_board, score
from tests.support.service import patient_client, serving


class Made(NamedTuple):
    settings: Settings
    board: MadeBoard
    client: httpx.Client

    def page(self, path: str) -> Cells:
        found = Cells(self.client.get(path).raise_for_status().text)
        assert not found._stack
        return found

    def duel(self, first: str, second: str) -> Any:
        runs = self.board.runs
        path = f"/v1/datasets/toy_knowledge/comparisons/{runs[first]}/{runs[second]}"
        return self.client.get(path).raise_for_status().json()


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    settings = make_database()
    board = make_knowledge_board(settings)
    make_version(settings, options_dataset(4), name="no_runs", made_map=board.version.map)
    with serving(settings) as address, patient_client(address) as client:
        yield Made(settings, board, client)


def test_the_heat_map_shows_the_board(made: Made) -> None:
    rest = made.client.get("/v1/leaderboards/toy_knowledge").json()
    page = made.page("/leaderboards/toy_knowledge/templates")
    for template, section in rest["templates"].items():
        for row in section["rows"]:
            shown, value = page.cells[template, str(row["run"])]
            assert value == as_value(row["score"])
            share = formatting.percent(row["score"])
            assert shown == share + formatting.span(row["low"], row["high"])
    for row in rest["rows"]:
        assert page.cells["all", str(row["run"])][1] == as_value(row["score"])
    assert "trigpoint evaluate" in made.client.get("/leaderboards/no_runs/templates").text


def test_the_heat_map_tells_how_many_questions_a_sample_was_asked(
    make_database: Callable[[], Settings],
) -> None:
    settings = make_database()
    board = make_knowledge_board(settings)
    run = make_run(settings, board.version, ["A"] * 5, "sampled")
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text("update run set sample = cast(:ids as text[]) where id = :run"),
            {"ids": board.version.questions[:5], "run": run},
        )
        connection.commit()
    score(settings, run)
    with serving(settings) as address, patient_client(address) as client:
        rest = client.get("/v1/leaderboards/toy_knowledge").json()
        page = Cells(client.get("/leaderboards/toy_knowledge/templates").raise_for_status().text)
    told = []
    for template, section in {**rest["templates"], "all": rest}.items():
        for row in section["rows"]:
            shown, _ = page.cells[template, str(row["run"])]
            if row["run"] != run or row["score"] is None:
                assert "question" not in shown
                continue
            assert shown.endswith("1 question" if row["n"] == 1 else f"{row['n']} questions")
            told.append(row["n"])
    assert len(told) > 1
    assert told[-1] == 5


@pytest.mark.parametrize("kind", ["city", "answer_type"])
def test_the_heat_map_shows_groups(made: Made, kind: str) -> None:
    rest = made.client.get("/v1/leaderboards/toy_knowledge", params={"by": kind}).raise_for_status().json()
    page = made.page(f"/leaderboards/toy_knowledge/templates?by={kind}")
    assert rest["groups"]
    for name, section in rest["groups"].items():
        for row in section["rows"]:
            assert page.cells[name, str(row["run"])][1] == as_value(row["score"])
    assert made.client.get("/leaderboards/toy_knowledge/templates?by=odd").status_code == 422
    assert (
        "Dimension: all public questions are in one group, or in none."
        in made.client.get("/leaderboards/toy_knowledge/templates?by=dimension").text
    )


@pytest.mark.parametrize(
    "path",
    [
        "/leaderboards/toy_knowledge",
        "/leaderboards/toy_knowledge/templates",
        "/leaderboards/toy_knowledge/compare",
        "/datasets/toy_knowledge/questions",
    ],
)
def test_templates_are_told_by_title_beside_their_id(made: Made, path: str) -> None:
    page = made.client.get(path).text.replace("\u200b", "")
    titles = titles_of("urban_knowledge")
    for name in KNOWLEDGE:
        told = f'<bdi>{name}</bdi>(?:</a>)? <span class="about">{re.escape(titles[name])}</span>'
        assert re.search(told, page), name
        assert len(re.findall(f"<bdi>{name}</bdi>", page)) == len(re.findall(told, page)), (
            "wherever it stands"
        )


def test_two_runs_are_what_rest_says(made: Made) -> None:
    rest = made.duel("gemma-3-270m", "random")
    runs = made.board.runs
    page = made.page(
        f"/leaderboards/toy_knowledge/compare?first={runs['gemma-3-270m']}&second={runs['random']}"
    )
    whole = next(one for one in rest["scopes"] if one["scope"] == "all")
    assert page.cells["", "difference"] == (
        f"{wording.points(whole['difference'])} points",
        str(whole["difference"]),
    )
    for scope in rest["scopes"]:
        if scope["scope"].startswith("template:"):
            for cell, value in (("first", "first_score"), ("second", "second_score"), ("difference",) * 2):
                assert page.cells[scope["scope"], cell][1] == as_value(scope[value])
    told = {cell: shown for (_, cell), (shown, _) in page.cells.items()}
    tally = [int(told[name]) for name in ("first-better", "second-better", "alike")]
    assert tally == [rest["public"][name] for name in ("first_better", "second_better", "alike")]
    assert {one["id"] for one in rest["questions"]} == {
        key for key, cell in page.cells if cell == "second"
    } - {
        "",
        *(one["scope"] for one in rest["scopes"]),
    }


def test_a_difference_is_that_of_the_scores_and_turns_round(made: Made) -> None:
    one, other = made.duel("oracle", "scripted:first-option"), made.duel("scripted:first-option", "oracle")
    assert [scope["scope"] for scope in one["scopes"]] == [scope["scope"] for scope in other["scopes"]]
    for mine, theirs in zip(one["scopes"], other["scopes"], strict=True):
        if mine["first_score"] is not None:
            assert mine["difference"] == pytest.approx(mine["first_score"] - mine["second_score"], abs=1e-12)
        assert mine["difference"] == pytest.approx(-theirs["difference"], abs=0)
        assert (mine["p"], mine["tied"]) == (theirs["p"], theirs["tied"])
        if mine["low"] is not None:
            assert (mine["low"], mine["high"]) == (-theirs["high"], -theirs["low"])
    assert one["public"]["second_better"] == 0


def test_hidden_questions_are_not_listed(made: Made) -> None:
    with connect(made.settings, Role.MAINTAINER) as connection:
        split = "select id from question where split = :split and version_id = :version"
        hidden, public = (
            set(connection.execute(text(split), {"split": name, "version": made.board.version.id}).scalars())
            for name in ("hidden", "public")
        )
    found = made.duel("oracle", "scripted:does-not-know")
    assert sum(found["public"].values()) == len(public)
    assert {one["id"] for one in found["questions"]} == public
    assert len(hidden) == 4
    whole = next(one for one in found["scopes"] if one["scope"] == "all")
    assert whole["n"] == len(public), "four hidden ones are too few to count"


def test_the_best_two_where_none_are_named(made: Made) -> None:
    page = made.client.get("/leaderboards/toy_knowledge/compare").text
    rows = made.client.get("/v1/leaderboards/toy_knowledge").json()["rows"]
    best = sorted((row for row in rows if row["score"] is not None), key=lambda row: -row["score"])[:2]
    chosen = re.findall(r'<option value="(\d+)" selected>', page)
    assert chosen == [str(row["run"]) for row in best]
    assert "cannot be compared" not in page
    assert "A comparison needs two scored runs." in made.client.get("/leaderboards/no_runs/compare").text


def test_runs_that_cannot_be_compared(made: Made) -> None:
    runs = made.board.runs
    running = made.client.get(
        f"/leaderboards/toy_knowledge/compare?first={runs['oracle']}&second={runs['org/model-in-progress']}"
    )
    assert "These two runs cannot be compared" in running.text
    for query, status in (("first=1&second=1", 400), ("first=999999&second=1", 404), ("first=x", 422)):
        answer = made.client.get(f"/leaderboards/toy_knowledge/compare?{query}")
        assert (answer.status_code, answer.headers["content-type"][:9]) == (status, "text/html"), query
    assert made.client.get("/v1/datasets/no_runs/comparisons/1/2").status_code == 404
