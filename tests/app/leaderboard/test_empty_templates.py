"""Templates that a map cannot give: told on boards, with their reasons, from the report of generation."""

import json
from collections.abc import Callable

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.models import Refusal
from tests.support.command_line import trigpoint
from tests.support.factories import MADE_AT, count_question, make_run, make_version, name_question
from tests.support.scored_runs import score
from tests.support.service import serving

REPORTS = {
    "T7": {"version": 1, "capacity": 0, "accepted": 0, "selected": 0, "refused": {"no_facts": 0}},
    "T11": {
        "version": 1,
        "capacity": 40,
        "accepted": 0,
        "selected": 0,
        "refused": {"zero": 3, "vacuous": 37},
    },
    "T12": {"version": 1, "capacity": 0, "accepted": 0, "selected": 0, "refused": {}},
    "T8": {"version": 1, "capacity": 0, "accepted": 0, "selected": 0, "refused": {"no_facts": 0}},
}
"""What generating tells of templates that give nothing; those that have questions are added."""
NO_FACTS = "no external facts about the map's places are stored"


@pytest.fixture(scope="module")
def shared(make_database: Callable[[], Settings]) -> Settings:
    settings = make_database()
    version = make_version(settings, [name_question(0), count_question(1)], name="partial", publish=False)
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text(
                "update dataset_version set templates = templates || cast(:reports as jsonb), state = 'published',"
                " published_at = :at where id = :id"
            ),
            {"reports": json.dumps(REPORTS), "at": MADE_AT, "id": version.id},
        )
        connection.commit()
    score(settings, make_run(settings, version, ["Krone", "1"]))
    make_version(settings, [count_question(2)], name="whole", made_map=version.map)
    return settings


def test_a_board_tells_which_templates_its_map_cannot_give(shared: Settings) -> None:
    with connect(shared, Role.API) as connection:
        board = read_board(connection, "partial")
        whole = read_board(connection, "whole")
    told = {one.template: one for one in board.empty_templates}
    assert sorted(told) == ["T11", "T12", "T7", "T8"]
    assert not told.keys() & board.templates.keys()
    assert told["T7"].refused == [Refusal(reason="no_facts", questions=0, meaning=NO_FACTS)]
    assert [(one.reason, one.questions) for one in told["T11"].refused] == [("vacuous", 37), ("zero", 3)]
    assert told["T11"].capacity == 40
    assert told["T12"].refused == []
    assert whole.empty_templates == []


def test_terminal_json_rest_and_page_tell_the_same(shared: Settings) -> None:
    shown = trigpoint(shared, "leaderboard", "partial", COLUMNS="300").out
    assert "4 templates of gsqa cannot be asked on this map" in shown
    assert f"T7, T8: {NO_FACTS}." in shown, "templates with the same reasons stand together"
    assert "would be right; the number would be zero." in shown, "the most frequent reason first"
    assert "cannot be asked" not in trigpoint(shared, "leaderboard", "whole").out
    printed = trigpoint(shared, "leaderboard", "partial", "--json").json
    with serving(shared) as address:
        rest = httpx.get(f"{address}/v1/leaderboards/partial", timeout=60).raise_for_status().json()
        page = httpx.get(f"{address}/leaderboards/partial", timeout=60).raise_for_status().text
    assert printed["empty_templates"] == rest["empty_templates"]
    assert "4 templates of gsqa cannot be asked on this map" in page
    assert NO_FACTS.replace("'", "&#39;") in page
    assert "(37); the number would be zero (3)" in page
