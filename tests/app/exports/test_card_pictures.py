"""Pictures in cards: their numbers, the same bytes twice, beside the card; no gold in them."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.exported import Export
from app.exports.formats import FORMATS, WITH_CARD
from app.leaderboard import formatting as words
from app.leaderboard.board import read_board
from app.plotting.canvas import render
from app.plotting.cards import card_pictures
from app.plotting.templates import draw_templates
from tests.app.exports.conftest import DATASETS
from tests.support.command_line import export, trigpoint
from tests.support.scored_runs import make_knowledge_board

Read = Callable[..., Export]


def texts(svg: bytes) -> list[str]:
    found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314
    return ["".join(one.itertext()).strip() for one in found]


@pytest.mark.parametrize("form", sorted(WITH_CARD))
def test_a_card_shows_pictures_that_lie_beside_it(
    datasets: Settings, read: Read, tmp_path: Path, form: str
) -> None:
    files = export(datasets, "choices", tmp_path, "--format", form, "--with-gold")
    shown = re.findall(r"^!\[(.+)\]\((.+)\)$", files["README.md"].decode(), re.M)
    assert [file for _, file in shown] == ["pictures/templates.png"]
    assert all(files[file].startswith(b"\x89PNG") for _, file in shown)
    assert all(len(said) > 30 for said, _ in shown), "what cannot be seen is said"
    exported = read("choices", with_gold=True)
    pictured = replace(exported, pictures=card_pictures(exported))
    assert files == FORMATS[form](pictured), "the same bytes from another process"


@pytest.mark.parametrize("name", DATASETS)
def test_the_numbers_are_those_of_the_table(read: Read, name: str) -> None:
    exported = read(name)
    found = texts(render(lambda: draw_templates(exported), "x", "y", "svg"))
    counts = Counter(one.template for one in exported.questions)
    told = [
        (words.count(counts[template]), f"{words.percent(counts[template] / len(exported.questions))} %")
        for template in exported.version.templates
    ]
    shares = [place for place, one in enumerate(found) if one.endswith(" %")]
    assert [(found[place - 1], found[place]) for place in shares] == told
    assert any("© OpenStreetMap contributors" in one for one in found)


@pytest.mark.parametrize("name", DATASETS)
def test_gold_is_in_no_picture(read: Read, name: str) -> None:
    without, everything = (card_pictures(read(name, *gold)) for gold in ((False, False), (True, True)))
    assert without == everything


def test_a_board_is_the_one_that_anybody_sees(read: Read, database: Settings) -> None:
    make_knowledge_board(database)
    with connect(database, Role.API) as connection:
        board = read_board(connection, "toy_knowledge")
    exported = read("choices")
    _, picture = card_pictures(exported, board)
    assert picture.file == "pictures/board.png"
    assert f"{len(board.rows)} runs" in picture.shows
    assert picture == card_pictures(exported, board)[1]
    with_both = FORMATS["parquet"](replace(exported, pictures=card_pictures(exported, board)))
    assert with_both["pictures/board.png"] == picture.content


@pytest.mark.parametrize(
    ("form", "said"), [("jsonl", "jsonl has none"), ("parquet", "choices@1 has no run yet")]
)
def test_boards_that_cannot_be_shown(datasets: Settings, tmp_path: Path, form: str, said: str) -> None:
    done = trigpoint(datasets, "export", "choices", "--to", str(tmp_path), "--format", form, "--with-board")
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert list(tmp_path.iterdir()) == []
