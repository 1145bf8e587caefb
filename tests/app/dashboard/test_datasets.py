"""A data set's card and list of questions: REST's numbers, filters, pages, and a data set without questions."""

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.card import LIMITS
from app.leaderboard import formatting
from app.published.templates import titles_of
from tests.app.dashboard.test_pages import Cells
from tests.support.factories import MADE_AT, MadeMap, make_version, options_dataset
from tests.support.inspected_dataset import make_inspected
from tests.support.service import patient_client, serving

MANY = 120


class Made(NamedTuple):
    settings: Settings
    client: httpx.Client

    def page(self, path: str) -> str:
        return self.client.get(path).raise_for_status().text


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    settings = make_database()
    version = make_inspected(settings)
    make_version(settings, [], name="empty", made_map=version.map)
    make_version(settings, options_dataset(MANY), name="many", made_map=version.map)
    make_refused(settings, version.map)
    with serving(settings) as address, patient_client(address) as client:
        yield Made(settings, client)


def make_refused(settings: Settings, made_map: MadeMap) -> None:
    """A version of no question: all that could be asked was refused."""
    refused = {"T9": {"version": 1, "capacity": 5, "accepted": 0, "refused": {"vacuous": 3, "no_region": 2}}}
    version = make_version(settings, [], name="refused", made_map=made_map, publish=False)
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text(
                "update dataset_version set templates = cast(:templates as jsonb), state = 'published',"
                " published_at = :at where id = :version"
            ),
            {"templates": json.dumps(refused), "at": MADE_AT, "version": version.id},
        )
        connection.commit()


def test_the_card_says_what_rest_and_sql_say(made: Made) -> None:
    rest = made.client.get("/v1/datasets/shown").json()
    page = Cells(made.page("/datasets/shown"))
    assert not page._stack
    with connect(made.settings, Role.MAINTAINER) as connection:
        counted = connection.execute(
            text(
                "select split, count(*) from question join dataset_version as v on v.id = version_id"
                " join dataset on dataset.id = v.dataset_id where dataset.name = 'shown' group by split"
            )
        )
        splits = {row.split: row.count for row in counted}
    assert rest["questions"] == splits == {"public": 2, "hidden": 1}
    assert [page.cells["", cell][1] for cell in ("total", "public", "hidden")] == ["3", "2", "1"]
    for name, report in rest["templates"].items():
        for cell in ("capacity", "accepted"):
            assert page.cells[name, cell] == (formatting.count(report[cell]), str(report[cell]))
        assert page.cells[name, "refused"][1] == str(sum(report["refused"].values()))
    text_of = made.page("/datasets/shown")
    assert rest["canary"] in text_of
    assert "ODbL" in text_of


def test_the_card_says_how_to_cite_and_take_it_and_what_its_limits_are(made: Made) -> None:
    page = html.unescape(made.page("/datasets/shown"))
    assert "@misc{shown_1," in page
    assert "title = {shown@1: questions over village@2026-01-02T03:04:05Z}" in page
    assert "trigpoint export shown@1 --format parquet --to FOLDER" in page
    for limit in LIMITS:
        assert limit in page


def test_the_card_leads_to_its_maps(made: Made) -> None:
    map_page, tools = sorted(set(re.findall(r'href="(/snapshots/[^"]+)"', made.page("/datasets/shown"))))
    assert tools == f"{map_page}/tools"
    assert "2 January 2026" in made.page(map_page)
    assert "place_search" in made.page(tools)


def test_templates_are_told_in_words(made: Made) -> None:
    title = titles_of("urban_knowledge")["Find_Nearest_POI"]
    for path in ("/datasets/shown", "/datasets/shown/questions", "/leaderboards/shown/templates"):
        assert title in made.page(path)
    assert titles_of("no such benchmark") == {}


def test_where_questions_lie_is_drawn_on_the_server(made: Made) -> None:
    page = made.page("/datasets/shown")
    rest = made.client.get("/v1/datasets/shown/map").json()["grounds"][0]["cells"]
    drawn = page.count('class="spot question" transform="translate')
    assert drawn == sum(1 for cell in rest if cell["questions"])
    assert "© OpenStreetMap contributors</text>" in page


def test_a_data_set_without_questions(made: Made) -> None:
    page = made.page("/datasets/empty")
    assert "This version contains no questions" in page
    assert 'class="map"' not in page
    assert "This version contains no questions." in made.page("/datasets/empty/questions")
    assert made.client.get("/leaderboards/empty").status_code == 200


def test_refusals_are_told_in_words(made: Made) -> None:
    page = made.page("/datasets/refused")
    assert "0 with questions, of 1" in page
    assert 'vacuous <b data-cell="refused vacuous">3</b>' in page
    for told in ("more than a quarter of all places of the category", "the map has no region"):
        assert told in page
    assert "What the reasons mean" not in made.page("/datasets/shown"), "nothing of it was refused"


def test_questions_come_by_pages_without_seams(made: Made) -> None:
    path: str | None = "/datasets/many/questions?words=test+question"
    seen: list[str] = []
    for _ in range(10):
        page = made.page(path or "")
        seen += re.findall(r'<th scope="row" dir="auto"><a href="/datasets/many%401/questions/(\w+)">', page)
        found = re.search(r'<a rel="next" href="([^"]+)"', page)
        path = found[1].replace("&amp;", "&") if found else None
        if path is None:
            break
    assert len(seen) == len(set(seen)) == MANY
    assert 'class="pager"' not in made.page("/datasets/shown/questions"), "one page has no next one"


def test_filters_are_kept_and_hostile_words_are_words(made: Made) -> None:
    page = made.page("/datasets/shown/questions?split=hidden&words=%22%3E%3Cscript%3E")
    assert "No question of this version matches" in page
    assert '<option value="hidden" selected>' in page
    assert 'value="&#34;&gt;&lt;script&gt;"' in page
    assert "A hidden question?" in made.page("/datasets/shown/questions?split=hidden")
    assert "No question" in made.page("/datasets/shown/questions?words=%00%F0%9F%A7%AD+not+there")
    assert made.client.get("/datasets/shown/questions?split=other").status_code == 422
    assert made.client.get("/datasets/shown/questions?cursor=made-up").status_code == 400


@pytest.mark.parametrize("path", ["/datasets/nope", "/datasets/nope/questions", "/datasets/shown@9"])
def test_data_sets_that_are_not_there(made: Made, path: str) -> None:
    answer = made.client.get(path)
    assert (answer.status_code, "shown@1" in answer.text) == (404, True)
