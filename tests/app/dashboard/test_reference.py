"""A paper's figures under the board: in the terminal, over REST and on the page the same, and ranked nowhere."""

from collections.abc import Callable, Iterator

import httpx
import pytest

from app.core.settings import Settings
from app.leaderboard import formatting
from app.templates.catalogue import find_reference
from tests.app.dashboard.test_pages import Cells
from tests.support.command_line import trigpoint
from tests.support.factories import make_version, options_dataset
from tests.support.processes import PATIENCE
from tests.support.scored_runs import make_gsqa_board, make_knowledge_board
from tests.support.service import serving


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


def test_rest_and_page_show_every_figure(address: str) -> None:
    reference = find_reference("gsqa")
    assert reference is not None
    rest = httpx.get(f"{address}/v1/leaderboards/toy_gsqa", timeout=PATIENCE).json()
    assert rest["reference"] == reference.model_dump(mode="json")
    page = Cells(httpx.get(f"{address}/leaderboards/toy_gsqa", timeout=PATIENCE).text)
    for part in reference.parts:
        for name, figures in part.rows.items():
            for column, value in zip(part.columns, figures, strict=True):
                shown, stored = page.cells[f"paper {part.table} {part.measure} {name}", column]
                assert (shown, stored) == (
                    formatting.figure(part, value),
                    "null" if value is None else str(value),
                )


def test_they_are_marked_and_ranked_nowhere(shared: Settings, address: str) -> None:
    text = httpx.get(f"{address}/leaderboards/toy_gsqa", timeout=PATIENCE).text
    assert text.index('id="board"') < text.index('id="reference"')
    assert "another map (OpenStreetMap of the United States), other models" in text
    rest = httpx.get(f"{address}/v1/leaderboards/toy_gsqa", timeout=PATIENCE).json()
    assert {row["name"] for row in rest["rows"]} == {"oracle", "toy model"}
    assert "GPT-4o" not in str(rest["rows"]) + str(rest["templates"])


def test_the_terminal_shows_them_where_asked(shared: Settings) -> None:
    without = trigpoint(shared, "leaderboard", "toy_gsqa", COLUMNS="120").out
    assert "Claude" not in without
    shown = trigpoint(shared, "leaderboard", "toy_gsqa", "--reference", COLUMNS="120").out
    assert shown.startswith(without.rstrip()), "under the board, which stays as it is"
    lines = [line.split() for line in shown.splitlines()]
    assert "average 0.10 0.14 0.08 0.07 0.23 0.05 0.10 0.17 0.09 0.19".split() in lines
    assert "T6 – – – – 0.47 0.56 0.13 0.16 0.14 0.19".split() in lines
    assert "column not found 0.259 0.033 0.055".split() in lines
    assert "other models" in shown


def test_a_benchmark_without_a_paper_says_so(shared: Settings, address: str) -> None:
    make_version(shared, options_dataset(4), name="unpublished", benchmark="our_own")
    assert httpx.get(f"{address}/v1/leaderboards/unpublished", timeout=PATIENCE).json()["reference"] is None
    assert 'id="reference"' not in httpx.get(f"{address}/leaderboards/unpublished", timeout=PATIENCE).text
    shown = trigpoint(shared, "leaderboard", "unpublished", "--reference").out
    assert "No paper's figures are known for our_own." in shown


def test_the_knowledge_modules_row(shared: Settings) -> None:
    shown = trigpoint(shared, "leaderboard", "toy_knowledge", "--reference", COLUMNS="120").out
    assert "overall 0.5449 0.489 0.4672 0.4256 0.3457".split() in [
        line.split() for line in shown.splitlines()
    ]
