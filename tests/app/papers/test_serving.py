"""The tables of papers over REST and on their page: the same cells, no endpoint for who has no key."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.papers.models import PaperReport
from app.papers.reading import read_paper
from tests.app.dashboard.test_pages import Cells
from tests.support.factories import make_run
from tests.support.planted_secrets import make_key
from tests.support.scored_runs import MadeBoard, make_gsqa_board
from tests.support.service import patient_client, serving

NAME = "<b>name</b> \u202e of a run"


class Served(NamedTuple):
    settings: Settings
    board: MadeBoard
    client: httpx.Client
    key: dict[str, str]
    unfinished: int

    @property
    def run(self) -> int:
        return self.board.runs["toy model"]


@pytest.fixture(scope="module")
def served(make_database: Callable[[], Settings]) -> Iterator[Served]:
    settings = make_database()
    board = make_gsqa_board(settings)
    unfinished = make_run(settings, board.version, ["Krone"] * 12, "unfinished", status="running")
    endpoint = (
        "insert into trigpoint.endpoint (name, record, url, model, limits, created_at)"
        " values ('secret_endpoint', 'secret_endpoint', 'http://x.example/v1', 'secret_model', '{}', now()) returning id"
    )
    with connect(settings, Role.OWNER) as owner:
        number = owner.execute(text(endpoint)).scalar_one()
        owner.execute(
            text("update run set label = :label, endpoint_id = :endpoint where id = :run"),
            {"label": NAME, "endpoint": number, "run": board.runs["toy model"]},
        )
        owner.commit()
    key = {"Authorization": f"Bearer {make_key(settings, 'reader')}"}
    with serving(settings) as address, patient_client(address) as client:
        yield Served(settings, board, client, key, unfinished)


def test_rest_gives_what_is_read_to_who_has_a_key(served: Served) -> None:
    answer = served.client.get(
        f"/v1/papers/gsqa?run={served.run}&run=1", headers=served.key
    ).raise_for_status()
    with connect(served.settings, Role.API) as connection:
        assert PaperReport(**answer.json()) == read_paper(connection, "gsqa", [served.run, 1])
    (mine, _) = answer.json()["runs"]
    assert (mine["name"], mine["model"]) == (NAME, "secret_model")
    assert served.client.get(f"/v1/papers/gsqa?run={served.run}").status_code == 401


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/v1/papers/chess?run=1", 404, "there are: evgeoqa, gsqa, mapeval, mapqa, spatial-agent, urban"),
        ("/v1/papers/gsqa?run=999", 404, "There is no run 999"),
        ("/v1/papers/urban?run=1", 400, "trigpoint paper gsqa 1"),
        ("/v1/papers/gsqa?run=0", 422, ""),
        ("/v1/papers/gsqa?runs=1", 422, "there is no such parameter here; there are: run"),
        ("/v1/papers/gsqa?" + "run=1&" * 21, 422, ""),
    ],
)
def test_rest_says_what_is_wrong(served: Served, path: str, status: int, said: str) -> None:
    answer = served.client.get(path, headers=served.key)
    assert answer.status_code == status
    assert said in answer.text


def test_rest_refuses_a_run_that_is_not_complete(served: Served) -> None:
    answer = served.client.get(f"/v1/papers/gsqa?run={served.unfinished}", headers=served.key)
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


def test_the_page_shows_the_same_cells_and_marks_both_kinds(served: Served) -> None:
    page = served.client.get(f"/papers/gsqa?run={served.run}").raise_for_status().text
    cells = Cells(page)
    assert not cells._stack
    with connect(served.settings, Role.API) as connection:
        report = read_paper(connection, "gsqa", [served.run])
    for table in report.tables:
        for row in table.rows:
            assert f'data-row="{table.table} {table.measure} {row.key}"' in page
    assert page.count('<tr class="mine"') == len(report.tables)
    assert page.count('<span class="tag">published</span>') == sum(len(one.rows) - 1 for one in report.tables)


def test_the_page_hides_endpoints_and_shows_hostile_names_as_text(served: Served) -> None:
    page = served.client.get(f"/papers/gsqa?run={served.run}").raise_for_status().text
    assert "secret_" not in page
    assert "<b>name" not in page
    assert "\u202e" not in page
    assert "&lt;b&gt;name" in page


def test_a_complete_runs_page_leads_to_its_paper(served: Served) -> None:
    link = f'href="/papers/gsqa?run={served.run}"'
    assert link in served.client.get(f"/runs/{served.run}").text
    assert "/papers/" not in served.client.get(f"/runs/{served.unfinished}").text


def test_a_page_without_runs_shows_the_published_rows(served: Served) -> None:
    page = served.client.get("/papers/urban").raise_for_status().text
    assert "GPT-4o" in page
    assert '<tr class="mine"' not in page
