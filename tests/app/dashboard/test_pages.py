"""Terminal, REST and page show one board: compared cell by cell, over real HTTP and a real process."""

import html
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from app.core.settings import Settings
from app.dashboard import wording
from app.leaderboard import formatting
from app.leaderboard.models import Board
from tests.support.command_line import trigpoint
from tests.support.factories import count_question, make_run, make_version
from tests.support.scored_runs import make_gsqa_board, make_knowledge_board, score
from tests.support.service import serving

STATES = ("correct", "wrong", "unparseable", "no_answer", "error", "missing")


class Cells(HTMLParser):
    """Every element with data-cell: its run or template, its text, and the values of <data> in it."""

    VOID = {"meta", "link", "img", "br", "rect", "path", "input", "hr"}

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: dict[tuple[str, str], tuple[str, str]] = {}
        self.order: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._stack: list[tuple[str, str | None]] = []
        self._row = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.elements.append((tag, given))
        if tag == "tr":
            self._row = given.get("data-run") or given.get("data-template") or ""
            if given.get("data-run"):
                self.order.append(self._row)
        cell = given.get("data-cell") or (given.get("data-run") if tag == "td" else None)
        if cell:
            self.cells[self._row, cell] = ("", "")
        if tag not in self.VOID:
            self._stack.append((tag, cell))
        if tag == "data":
            for _, open_cell in self._stack:
                if open_cell:
                    shown, _ = self.cells[self._row, open_cell]
                    self.cells[self._row, open_cell] = (shown, given["value"] or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self._stack.pop()[0] == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        for _, cell in self._stack:
            if cell:
                shown, value = self.cells[self._row, cell]
                self.cells[self._row, cell] = (shown + data, value)


@pytest.fixture(scope="module")
def shared(make_database: Callable[[], Settings]) -> Settings:
    settings = make_database()
    make_knowledge_board(settings)
    make_gsqa_board(settings)
    return settings


@pytest.fixture(scope="module")
def address(shared: Settings) -> Iterator[str]:
    with serving(shared) as address:
        yield address


@pytest.mark.parametrize("dataset", ["toy_knowledge", "toy_gsqa"])
def test_terminal_rest_and_page_agree(shared: Settings, address: str, dataset: str) -> None:
    rest = httpx.get(f"{address}/v1/leaderboards/{dataset}").raise_for_status().json()
    command = trigpoint(shared, "leaderboard", dataset, "--json")
    assert command.status == 0, command.err
    assert command.json == rest
    assert command.out.count("\n") == 1

    page = Cells(httpx.get(f"{address}/leaderboards/{dataset}").raise_for_status().text)
    assert page.order == [str(row["run"]) for row in rest["rows"]]
    for row in rest["rows"]:
        for name, (shown, value) in expected_cells(row).items():
            got_shown, got_value = page.cells[str(row["run"]), name]
            assert (got_shown.removesuffix(" %"), got_value) == (shown, value), name
    for template, section in rest["templates"].items():
        for row in section["rows"]:
            shown, value = page.cells[template, str(row["run"])]
            assert (shown.strip(), value) == (formatting.percent(row["score"]), as_value(row["score"]))
        assert page.cells[template, "random"][1] == as_value(section["random_expectation"])

    terminal = trigpoint(shared, "leaderboard", dataset, "--by-template", COLUMNS="160").out
    for row in Board(**rest).rows:
        line = next(line for line in terminal.splitlines() if formatting.name(row)[:20] in line)
        counts = [str(getattr(row.states, state)) for state in STATES]
        assert line.split()[-6:] == counts
        assert formatting.percent(row.score) in line.split()
        assert formatting.interval(row) in line.split()
    assert rest["attribution"] in terminal
    for expectation in ("chance", "random_expectation"):
        if rest[expectation] is not None:
            assert f"{formatting.percent(rest[expectation])} %" in terminal


def as_value(number: float | None) -> str:
    return "null" if number is None else str(number)


def expected_cells(row: dict[str, Any]) -> dict[str, tuple[str, str]]:
    as_row = Board.model_fields["rows"].annotation.__args__[0](**row)
    cells = {
        "rank": (formatting.rank(as_row), as_value(row["rank"])),
        "name": (html.unescape(wording.breakable(row["name"])), ""),
        "score": (formatting.percent(row["score"]), as_value(row["score"])),
        "interval": (
            formatting.interval(as_row),
            "null" if row["low"] is None else f"{row['low']} {row['high']}",
        ),
    }
    return cells | {state: (str(row["states"][state]), str(row["states"][state])) for state in STATES}


@pytest.mark.parametrize(
    "path", ["/", "/leaderboards/toy_knowledge", "/leaderboards/toy_gsqa@1", "/leaderboards/nope"]
)
def test_pages_are_whole_and_ask_nobody_else(address: str, path: str) -> None:
    answer = httpx.get(address + path)
    page = Cells(answer.text)
    assert not page._stack
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy
    for tag, attributes in page.elements:
        assert tag not in ("iframe", "style")
        assert tag != "script" or (attributes.get("src") or "").startswith("/static/")
        assert "style" not in attributes, "the policy forbids it"
        assert not any(name.startswith("on") for name in attributes)
        if tag in ("img", "link"):
            target = attributes.get("src") or attributes["href"] or ""
            assert target.startswith("/static/")
            assert httpx.get(address + target).status_code == 200
        if tag == "img":
            assert "alt" in attributes
        if tag == "svg":
            assert "aria-hidden" in attributes or attributes.get("aria-label")
    assert [attributes.get("lang") for tag, attributes in page.elements if tag == "html"] == ["en"]
    assert "© OpenStreetMap contributors, ODbL 1.0" in answer.text


def test_style_asks_nobody_else(address: str) -> None:
    style = httpx.get(f"{address}/static/trigpoint.css").raise_for_status().text
    assert not re.search(r"url\(|@import|https?:", style)
    assert "prefers-color-scheme: dark" in style


def test_names_are_escaped(address: str) -> None:
    page = httpx.get(f"{address}/leaderboards/toy_knowledge").text
    assert "<b>model" not in page
    assert f"broken {wording.breakable('<b>model</b>')}" in page
    assert "&lt;b&gt;model" in page


def test_states_are_told_without_colour(address: str) -> None:
    page = httpx.get(f"{address}/leaderboards/toy_knowledge").text
    assert ">incomplete<" in page
    assert ">running<" in page
    assert 'aria-label="100.0 %, interval' in page


def test_an_unknown_data_set_is_a_page_with_404(address: str) -> None:
    answer = httpx.get(f"{address}/leaderboards/<script>alert(1)</script>")
    assert answer.status_code == 404
    assert "<script>" not in answer.text
    missing = httpx.get(f"{address}/leaderboards/nope")
    assert (missing.status_code, "toy_knowledge@1" in missing.text) == (404, True)


def test_an_empty_service_says_what_to_do(database: Settings) -> None:
    with serving(database) as address:
        assert "trigpoint generate" in httpx.get(address).text
        assert httpx.get(f"{address}/v1/datasets").json()["datasets"] == []
        make_version(database, [])
        assert "trigpoint evaluate" in httpx.get(f"{address}/leaderboards/toy").text


def test_sql_stands_on_the_page_and_in_the_terminal(database: Settings) -> None:
    version = make_version(database, [count_question(i) for i in range(3)], name="with_sql")
    went = [("rows", True, None), ("timeout", True, None), ("invalid", False, "column")]
    details = [{"sql": {"state": state, "valid": valid, "kind": kind}} for state, valid, kind in went]
    run = make_run(database, version, ["4"] * 3, "m (text_to_sql)", "text_to_sql", details=details)
    score(database, run)
    score(database, make_run(database, version, ["4"] * 3, "m"))
    with serving(database) as address:
        page = Cells(httpx.get(f"{address}/leaderboards/with_sql").raise_for_status().text)
        rest = Board(**httpx.get(f"{address}/v1/leaderboards/with_sql").raise_for_status().json())
    (sql,) = (row.sql for row in rest.rows if row.sql is not None)
    expected = formatting.sql_cells(sql)
    assert {name: page.cells[f"sql {run}", name][0] for name in expected} == expected
    assert (expected["valid"], expected["timeouts"], expected["column"]) == ("66.7", "1", "1")
    terminal = trigpoint(database, "leaderboard", "with_sql", "--sql", COLUMNS="160").out
    line = [line for line in terminal.splitlines() if "text_to_sql" in line][-1]
    assert line.split()[-len(expected) :] == list(expected.values())
    assert "no run wrote SQL" not in terminal
