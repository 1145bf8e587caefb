"""Keys of published questions computed again: what the command says, what is stored, and boards with and without them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.command_line import trigpoint
from tests.support.published_mapeval import RELEASE, write_textual
from tests.support.service import patient_client, serving

SAMPLE = RELEASE / "mapeval-textual-45.json"


def rows(settings: Settings, statement: str) -> list[Any]:
    with connect(settings, Role.WORKER) as connection:
        return list(connection.execute(text(statement)))


def recheck(settings: Settings, dataset: str, *more: str) -> Any:
    done = trigpoint(settings, "recheck", dataset, *more, "--json")
    assert done.status == 0, done.err
    return done.json


@pytest.fixture(scope="module")
def loaded(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = make_database()
    folder = tmp_path_factory.mktemp("release")
    assert (
        trigpoint(settings, "load", "mapeval-textual", str(write_textual(folder)), "--out", "small").status
        == 0
    )
    asked = rows(settings, "select id, options ->> 0 as first from question order by position")
    path = folder / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"id": row.id, "answer": row.first}) for row in asked))
    assert trigpoint(settings, "submit", "small", str(path), "--name", "the first option").status == 0
    return settings


def test_a_wrong_key_and_an_equal_one_are_flagged_and_boards_told_apart(
    loaded: Settings, tmp_path: Path
) -> None:
    report = recheck(loaded, "small", "--markdown", str(tmp_path / "report.md"))
    found = {one["key"]: (one["verdict"], one["check"], one["flagged"]) for one in report["items"]}
    assert found == {
        "id 1": ("agrees", "direction", False),
        "id 2": ("contradicts", "direction", True),
        "id 3": ("cannot be checked", "open then", False),
        "id 4": ("cannot be checked", "other", True),
        "id 5": ("cannot be checked", "unanswerable", False),
    }
    assert report["verdicts"] == {"agrees": 1, "contradicts": 1, "cannot be checked": 3}
    written = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "the azimuth is 180.0°" in written
    assert "| direction | 1 | 1 | 0 |" in written
    board = trigpoint(loaded, "leaderboard", "small", "--by", "recheck", "--json").json
    assert {name: (group["n"], group["rows"][0]["score"]) for name, group in board["groups"].items()} == {
        "flagged": (2, 0.0),
        "not flagged": (3, pytest.approx(1 / 3)),
    }
    assert board["groups"]["flagged"]["chance"] == pytest.approx((1 / 4 + 1 / 3) / 2)


def test_rechecking_again_stores_the_same(loaded: Settings) -> None:
    recheck(loaded, "small")
    statement = "select question_id, verdict, working from question_recheck order by question_id"
    before = rows(loaded, statement)
    recheck(loaded, "small@1")
    assert rows(loaded, statement) == before
    assert len(before) == 5


def test_a_recheck_that_was_stopped_goes_on_with_the_runs_that_lack_groups(loaded: Settings) -> None:
    recheck(loaded, "small")
    groups = (
        "select run_id, profile, scope, score from board_aggregate where scope like 'recheck:%'"
        " order by profile, scope"
    )
    before = rows(loaded, groups)
    with connect(loaded, Role.WORKER) as connection:
        connection.execute(text("delete from board_aggregate where scope = 'recheck:flagged'"))
        connection.commit()
    recheck(loaded, "small")
    assert len(rows(loaded, groups)) < len(before), "a run that has groups by the same findings is left alone"
    with connect(loaded, Role.WORKER) as connection:
        connection.execute(text("delete from board_aggregate where scope like 'recheck:%'"))
        connection.commit()
    recheck(loaded, "small")
    assert rows(loaded, groups) == before != []


def test_the_terminal_shows_flagged_questions_with_their_working(loaded: Settings) -> None:
    told = trigpoint(loaded, "recheck", "small").out
    assert "small@1: 1 agree, 1 are contradicted, 3 cannot be checked; 2 flagged." in told
    assert "id 2: contradicts. From New Bridge to Old Mill the azimuth is 180.0°. The key is 'East'" in told
    assert "id 4: The key is one of several equal options: options 2 and 3 are 'Via B'." in told


def test_everybody_sees_the_report_of_an_open_data_set(loaded: Settings) -> None:
    recheck(loaded, "small")
    pages = ("/v1/datasets/small/recheck", "/datasets/small/recheck")
    with serving(loaded) as address, patient_client(address) as client:
        assert [client.get(page).status_code for page in pages] == [404, 404]
        assert trigpoint(loaded, "imported", "open", "small", "--licence", "CC-BY-4.0").status == 0
        found, page = (client.get(one) for one in pages)
        assert (found.status_code, found.json()["verdicts"]["contradicts"]) == (200, 1)
        assert "Contradicted: <bdi>From New Bridge to Old Mill the azimuth is 180.0°." in page.text
        assert 'href="/datasets/small%401/recheck"' in client.get("/datasets/small").text
        groups = client.get("/leaderboards/small/templates?by=recheck").text
    assert ("not flagged" in groups, "Keys of others, rechecked" in groups) == (True, True)


def test_what_is_not_there_is_refused(database: Settings) -> None:
    assert trigpoint(database, "recheck", "nowhere").status == 2


def test_the_sample_of_the_release(database: Settings) -> None:
    if not SAMPLE.exists():
        pytest.skip(f"{SAMPLE} is not here: the authors' files are not part of the project")
    assert trigpoint(database, "load", "mapeval-textual", str(SAMPLE)).status == 0
    report = recheck(database, "mapeval_textual")
    flagged = {one["key"]: one["verdict"] for one in report["items"] if one["flagged"]}
    assert flagged == {"id 310": "cannot be checked", "id 505": "contradicts", "id 510": "contradicts"}
    assert report["verdicts"]["agrees"] == 11
