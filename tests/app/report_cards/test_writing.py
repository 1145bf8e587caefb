"""The files of a card: a page that stands alone whatever models say, JSON, a snippet for the hub."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from app.core.errors import UsageError
from app.core.settings import Role
from app.db.engine import connect
from app.report_cards.measuring_others import find_others
from app.report_cards.writing import check_folder, write_card
from tests.app.report_cards.conftest import Made


class Page(HTMLParser):
    """Tags, addresses and texts of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.policy = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""
        self.loaded += [
            value or "" for name, value in attrs if name in ("src", "srcset", "data", "xlink:href")
        ]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_stands_alone_and_shows_what_models_say_as_text(made: Made, tmp_path: Path) -> None:
    html = write_card(made.card("hostile", suite="geo<lite>"), tmp_path).html.read_text(encoding="utf-8")
    page = Page(html)
    assert not {"script", "iframe", "object", "link", "img", "b"} & set(page.tags)
    assert page.loaded == []
    assert "style" not in page.attributes
    assert not any(name.startswith("on") for name in page.attributes)
    assert page.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "url(" not in html
    assert "@import" not in html
    assert '<script>alert("model")</script> [U+202E]evil[U+202C]' in page.text
    assert "<b>model</b>" in page.text
    assert "\u202e" not in html


def test_the_page_says_the_numbers_of_the_card(made: Made, tmp_path: Path) -> None:
    card = made.card("mine", "directions")
    html = write_card(card, tmp_path).html.read_text(encoding="utf-8")
    assert f'id="overall"><data value="{card.overall.score}">' in html
    for one in card.templates:
        row = html.split(f'data-template="{one.benchmark}/{one.template}"')[1].split("</tr>")[0]
        assert f'<data value="{one.figure.score}">' in row
    assert "© OpenStreetMap contributors, ODbL 1.0" in html


def test_the_page_says_at_its_top_whether_the_model_is_better_than_another(
    made: Made, tmp_path: Path
) -> None:
    with connect(made.settings, Role.API) as connection:
        others = find_others(connection, [made.entry("mine")])
    card = made.card("mine", others=[one for one in others if one.name == "model B"])
    page = Page(write_card(card, tmp_path).html.read_text(encoding="utf-8"))
    (other,) = card.comparisons
    difference = next(row.difference for row in other.rows if row.skill == "all")
    assert difference is not None
    top = re.sub(r"\s+", " ", page.text).split("By skill")[0]
    asked = f"on the {difference.n} questions that both were asked"
    assert (
        f"Is it better than {other.name}, {asked}? {difference.answer} {difference.detail}. Skill by skill"
        in top
    )


def test_a_card_without_a_score_says_why_on_its_page(made: Made, tmp_path: Path) -> None:
    written = write_card(made.card("broken", left_out=["mapeval: needs a router"]), tmp_path)
    page = Page(written.html.read_text(encoding="utf-8"))
    said = re.sub(r"\s+", " ", page.text)
    assert "No overall score: run " in said
    assert "of 14 answers 1 failed and 1 missing" in said
    assert "mapeval: needs a router" in said
    assert yaml.safe_load(written.snippet.read_text(encoding="utf-8")) == {
        "model-index": [{"name": "model C", "results": []}]
    }


def test_without_chromium_all_but_the_pdf_is_written(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    written = write_card(made.card("mine"), tmp_path / "card", pdf=True)
    assert written.pdf is None
    assert written.no_pdf == "there is no Chromium; `scripts/browser` installs one"
    assert written.html.is_file()


def test_the_same_card_gives_the_same_files(made: Made, tmp_path: Path) -> None:
    first, second = (write_card(made.card("mine"), tmp_path / name) for name in ("one", "two"))
    assert first.html.read_bytes() == second.html.read_bytes()
    assert first.json.read_bytes() == second.json.read_bytes()
    assert json.loads(first.json.read_text(encoding="utf-8"))["model"] == "model A"


def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_asked(
    made: Made, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "odd" / "report-card.html").mkdir(parents=True)
    for name in ("file", "file/below", "odd", "x" * 300):
        with pytest.raises(UsageError, match="Choose another --to"):
            check_folder(tmp_path / name)
        with pytest.raises(UsageError, match="it asks nothing again"):
            write_card(made.card("mine"), tmp_path / name)
    check_folder(tmp_path / "new" / "below")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "odd"]
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_that_is_there_is_replaced_and_none_that_it_leads_to(made: Made, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "report-card.json").symlink_to(other)
    assert json.loads(write_card(made.card("mine"), tmp_path).json.read_text(encoding="utf-8"))
    assert other.read_text() == "mine"


def test_the_snippet_has_the_form_of_model_index(made: Made, tmp_path: Path) -> None:
    card = made.card("mine", "directions")
    text = write_card(card, tmp_path, source="https://example.org/card").snippet.read_text(encoding="utf-8")
    (entry,) = yaml.safe_load(text)["model-index"]
    assert entry["name"] == "model A"
    whole, *datasets = entry["results"]
    assert whole["metrics"][0]["value"] == round(100 * (card.overall.score or 0), 1)
    assert [one["dataset"]["name"] for one in datasets] == ["options@1", "directions@1"]
    for one in entry["results"]:
        assert one["task"]["type"] == "question-answering"
        assert one["source"]["url"] == "https://example.org/card"
        assert {"name", "type"} <= set(one["dataset"])
        assert all({"type", "value"} <= set(metric) for metric in one["metrics"])
