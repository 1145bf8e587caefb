"""Boards, their history and comparisons over real HTTP."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.factories import make_run
from tests.support.planted_secrets import make_key
from tests.support.scored_runs import MadeBoard, make_knowledge_board, score
from tests.support.service import serving


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, MadeBoard]:
    settings = make_database()
    return settings, make_knowledge_board(settings)


@pytest.fixture(scope="module")
def client(made: tuple[Settings, MadeBoard]) -> Iterator[httpx.Client]:
    with serving(made[0]) as address, httpx.Client(base_url=f"{address}/v1") as client:
        yield client


def test_a_board_that_has_not_changed_is_not_sent_again(
    made: tuple[Settings, MadeBoard], client: httpx.Client
) -> None:
    settings, board = made
    first = client.get("/leaderboards/toy_knowledge")
    tag = {"If-None-Match": first.headers["etag"]}
    assert client.get("/leaderboards/toy_knowledge", headers=tag).status_code == 304
    assert client.get("/leaderboards/toy_knowledge@1").content == first.content
    score(settings, make_run(settings, board.version, ["B"] * 48, "newcomer"))
    changed = client.get("/leaderboards/toy_knowledge", headers=tag)
    assert changed.status_code == 200
    assert "newcomer" in [row["name"] for row in changed.json()["rows"]]
    with connect(settings, Role.WORKER) as connection:
        connection.execute(text("update run set status = 'cancelled' where label = 'newcomer'"))
        connection.commit()
    again = client.get("/leaderboards/toy_knowledge", headers=tag)
    assert again.status_code == 304, "withdrawn, the board is what it was"


def test_groups_and_profiles(client: httpx.Client) -> None:
    by_city = client.get("/leaderboards/toy_knowledge", params={"by": "city"}).json()
    assert (by_city["by"], list(by_city["groups"])) == ("city", ["village"])
    assert by_city["groups"]["village"]["left_out"] == 4
    assert client.get("/leaderboards/toy_knowledge").json()["groups"] == {}
    judged = client.get("/leaderboards/toy_knowledge", params={"profile": "judge_pure"}).json()
    assert (judged["profile"], judged["rows"], judged["metric"]) == ("judge_pure", [], "mean_value")
    for wrong in ({"by": "colour"}, {"profile": "nope"}):
        assert client.get("/leaderboards/toy_knowledge", params=wrong).status_code == 422


def test_history(client: httpx.Client) -> None:
    found = client.get("/leaderboards/toy_knowledge/history").json()
    assert found["versions"] == [1]
    oracle = next(row for row in found["rows"] if row["name"] == "oracle")
    assert [(entry["rank"], entry["score"]) for entry in oracle["entries"]] == [(1, 1.0)]
    assert client.get("/leaderboards/nope/history").status_code == 404
    by_benchmark = client.get("/benchmarks/urban_knowledge/leaderboard").json()
    assert by_benchmark["datasets"] == [{"dataset": "toy_knowledge", "version": 1}]
    assert client.get("/benchmarks/nope/leaderboard").status_code == 404


def test_comparisons_of_a_board_need_no_key(client: httpx.Client) -> None:
    found = client.get("/datasets/toy_knowledge/comparisons", params={"limit": 4}).json()
    assert (len(found["runs"]), len(found["pairs"]), found["left_out"]) == (4, 6, 2)
    assert found["adjustment"].startswith("Holm")
    assert client.get("/datasets/toy_knowledge/comparisons", params={"scope": "nope"}).status_code == 404


def test_comparisons_of_runs_need_a_readers_key(
    made: tuple[Settings, MadeBoard], client: httpx.Client
) -> None:
    settings, board = made
    pair = f"{board.runs['oracle']},{board.runs['random']}"
    assert client.get("/comparisons", params={"runs": pair}).status_code == 401
    key = {"Authorization": f"Bearer {make_key(settings, 'reader')}"}
    found = client.get("/comparisons", params={"runs": pair, "dataset": "toy_knowledge"}, headers=key)
    assert found.json()["pairs"][0]["difference"] == pytest.approx(36 / 44)
    assert found.headers["cache-control"].startswith("private")
    for runs, status in (
        ("1,x", 400),
        ("", 400),
        ("1", 400),
        ("0,1", 400),
        (f"{board.runs['oracle']},999999", 404),
        (f"{board.runs['oracle']},{board.runs['org/model-in-progress']}", 409),
        ("9" * 19 + ",1", 400),
    ):
        assert client.get("/comparisons", params={"runs": runs}, headers=key).status_code == status, runs
