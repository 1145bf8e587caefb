"""The textual file as it is read: padding dropped, equal options kept, keys from 0, malformed items told one by one."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import UsageError
from app.questions.imported.formats import ImportedFiles, find_format
from app.questions.prompts import context_of, words_of
from tests.support.published_mapeval import ITEMS, RELEASE, textual, write_textual

SAMPLE = RELEASE / "mapeval-textual-45.json"


def read(folder: Path, items: list[Any] | None = None) -> ImportedFiles:
    return find_format("mapeval-textual").read(write_textual(folder, items))


def test_the_sample_of_the_release() -> None:
    if not SAMPLE.exists():
        pytest.skip(f"{SAMPLE} is not here: the authors' files are not part of the project")
    files = find_format("mapeval-textual").read(SAMPLE)
    assert len(files.questions) == 45
    assert files.notes == {"padded_options": 8, "equal_options": 1, "key_is_one_of_equal_options": 1}
    by_key = {one.key: one for one in files.questions}
    assert by_key["id 310"].gold == {"index": 2, "also": [3], "reply": "textual"}
    assert list(by_key["id 396"].options or ()) == ["Yes", "No"]
    assert sum(one.gold_kind == "unanswerable" for one in files.questions) == 6
    assert any("line 50, id 310: " in one for one in files.listed)


def test_keys_count_from_zero_and_padding_is_dropped(tmp_path: Path) -> None:
    files = read(tmp_path)
    gold = {one.key: (one.template, one.gold["index"], one.gold_kind) for one in files.questions}
    assert gold == {
        "id 1": ("textual_poi", 0, "value"),
        "id 2": ("textual_poi", 1, "value"),
        "id 3": ("textual_poi", 1, "value"),
        "id 4": ("textual_routing", 1, "value"),
        "id 5": ("textual_unanswerable", -1, "unanswerable"),
    }
    assert files.notes == {"padded_options": 1, "equal_options": 1, "key_is_one_of_equal_options": 1}


def test_padding_before_the_key_moves_its_place(tmp_path: Path) -> None:
    (one,) = read(tmp_path, [textual(1, "Which?", ["A", "", "B"], 2)]).questions
    assert (one.options, one.gold["index"]) == (["A", "B"], 1)


def test_the_context_is_a_part_of_its_own(tmp_path: Path) -> None:
    prompt = read(tmp_path).questions[0].prompt
    assert context_of(prompt) == ITEMS[0]["context"].strip()
    assert words_of(prompt) == ITEMS[0]["question"]


def test_the_form_in_which_others_passed_it_on_counts_from_one(tmp_path: Path) -> None:
    item = {**textual(1, "Which?", [], 0), "options": ["A", "B"], "answer": 2}
    none = {**item, "id": 2, "answer": 0}
    assert [one.gold["index"] for one in read(tmp_path, [item, none]).questions] == [1, -1]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"id": None}, "`id` is missing, or no whole number"),
        ({"id": 1}, "an item before it has the same id"),
        ({"question": " "}, "`question` is empty"),
        ({"question": "a\0b"}, "a character that no database keeps"),
        ({"context": 7}, "`context` is no text"),
        ({"classification": "weather"}, "`classification` is 'weather'"),
        ({"answer": {"options": ["A", "B"], "correct": 2}}, "its key is 2, and it has 2 options"),
        ({"answer": {"options": ["A", "B", ""], "correct": 2}}, "its key is an empty option"),
        ({"answer": {"options": ["A", ""], "correct": 0}}, "it has 1 options that are not empty"),
        ({"answer": {"options": "A", "correct": 0}}, "`options` is not a list of texts"),
        ({"answer": {"options": ["A", "B"], "correct": True}}, "its key is no whole number"),
    ],
)
def test_a_malformed_item_is_left_out_and_told_with_its_line(
    tmp_path: Path, fault: dict[str, Any], said: str
) -> None:
    files = read(tmp_path, [ITEMS[0], {**textual(9, "Which?", ["A", "B"], 0), **fault}])
    assert [one.key for one in files.questions] == ["id 1"]
    assert files.notes == {"left_out": 1}
    (told,) = files.listed
    assert said in told
    assert "dataset.json, line 18" in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1: it is not JSON"),
        ("{}", "the whole is not a list of items"),
        ("[]", "no item of it can be asked"),
        (json.dumps([textual(1, "", ["A"], 0)]), "no item of it can be asked"),
    ],
)
def test_a_file_of_which_nothing_can_be_asked_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        find_format("mapeval-textual").read(path)
