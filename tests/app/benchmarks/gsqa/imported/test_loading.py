"""The authors' files as they are read: every stored score comes out again, and each fault is told with its place."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import NotFound, UsageError
from app.core.settings import PROJECT_ROOT
from app.questions.imported.formats import ImportedFiles, find_format
from tests.support.published_gsqa import QUESTIONS, place, question, write_release

RELEASE = PROJECT_ROOT.parent / "shared" / "published" / "gsqa"
TOP = "Which restaurant is nearest?"


def read(folder: Path, changed: Mapping[str, Any] | None = None) -> ImportedFiles:
    return find_format("gsqa").read(write_release(folder, changed))


def test_every_score_of_the_release_comes_out_again() -> None:
    if not RELEASE.exists():
        pytest.skip(f"{RELEASE} is not here: the authors' files are not part of the project")
    files = find_format("gsqa").read(RELEASE)
    stored = [
        value
        for path in RELEASE.glob("*/*/baseline_answers.json")
        for baseline in json.loads(path.read_text(encoding="utf-8")).values()
        for part in baseline.values()
        for name, value in part["scores"].items()
        if name != "distance_error"
    ]
    assert files.scores.compared == len(stored) > 2000
    assert list(files.scores.differing) == []
    assert len(files.questions) == len(list(RELEASE.glob("*/*/question.json"))) == 56
    assert {one.name: len(one.answers) for one in files.baselines} == dict.fromkeys(
        ["G", "GT", "GR", "L", "LT", "LR"], 56
    )
    # Of T3, T9, T15 and T19 two questions each are in the sample, and all of them have the anchor's geometry.
    assert files.notes["answer_has_anchor_geometry"] == 8


def test_questions_come_in_the_order_of_templates_and_numbers(tmp_path: Path) -> None:
    files = read(tmp_path)
    keys = ["T5/3", "T17/1", "T19/1", "T22/1", "T24/2", "T26/1"]
    assert [one.key for one in files.questions] == keys
    assert {one.key: one.scorer for one in files.questions}["T22/1"] == "angle"
    assert {one.name: [answer.key for answer in one.answers] for one in files.baselines} == {
        "G": keys,
        "GT": keys,
    }


def test_scores_that_stand_in_the_files_are_compared(tmp_path: Path) -> None:
    scores = read(tmp_path).scores
    assert scores.differing == []
    assert scores.compared == 8 + 8 + 9 + 6


def test_a_score_that_differs_is_told_with_its_file(tmp_path: Path) -> None:
    told = {"G": {"text": {"answer": "Five.", "scores": {"F1": 0.9, "attempted": True}}}}
    (differing,) = read(tmp_path, {"T24/ 2/baseline_answers.json": told}).scores.differing
    assert differing.startswith("T24/2/G: text F1 is 0.9 in ")
    assert "baseline_answers.json, and 0.0 by the rules" in differing


def test_distance_errors_stand_on_the_authors_geocoder_and_are_left_out(tmp_path: Path) -> None:
    before = read(tmp_path).scores.compared
    told = {"G": {"text": {"answer": "Vaduz"}, "parsed": {"answer": [], "scores": {"distance_error": 0.3}}}}
    assert read(tmp_path, {"T17/ 1/baseline_answers.json": told}).scores.compared == before


def test_known_faults_are_counted(tmp_path: Path) -> None:
    twice = question("name", "knn+name", [place("Torkel"), place("Torkel")], "Is it  near schloss vaduz?")
    files = read(tmp_path, {"T5/ 4/question.json": twice})
    assert files.notes == {
        "answer_has_anchor_geometry": 1,
        "answers_repeat": 1,
        "anchor_name_altered": 1,
        "double_blank": 1,
        "without_answers": 5,
        "left_out": 1,
    }
    assert set(files.notes) <= set(find_format("gsqa").faults)


def test_not_a_number_in_an_answer_is_null_and_counted(tmp_path: Path) -> None:
    text = '{"G": {"text": {"answer": "Four"}, "parsed": {"answer": [{"count": NaN, "name": "\\u0000"}]}}}'
    files = read(tmp_path, {"T24/ 2/baseline_answers.json": text})
    (answer,) = [one for one in files.baselines[0].answers if one.key == "T24/2"]
    assert answer.parsed == {"objects": [{"count": None, "name": None}], "lookup": "toplevel"}
    assert files.notes["not_a_number"] == 1


FAULTS: Mapping[str, tuple[str, Any, str]] = {
    "not JSON": (
        "T5/ 3/question.json",
        '{"question": "x",\n"answers": [}',
        r"question\.json, line 2: it is not JSON",
    ),
    "not an object": ("T5/ 3/question.json", [1], "the whole is not an object"),
    "no text": ("T5/ 3/question.json", {"answers": []}, "question is missing"),
    "no answers": (
        "T5/ 3/question.json",
        question("name", "", [], TOP),
        "answers is not a list of objects with",
    ),
    "text of no character": (
        "T5/ 3/question.json",
        question("name", "", [place("x")], "a\0b"),
        "no database keeps",
    ),
    "unknown type": (
        "T5/ 3/question.json",
        question("colour", "", [place("x")], TOP),
        "answer_type is 'colour'",
    ),
    "no name": ("T5/ 3/question.json", question("name", "", [{"id": 1}], TOP), r"answers\[0\] has no name"),
    "no number": (
        "T24/ 2/question.json",
        question("count", "", [{"count": "4"}], TOP),
        r"count is a text, not a number",
    ),
    "NaN": (
        "T24/ 2/question.json",
        json.dumps(question("count", "", [{"count": float("nan")}], TOP)),
        r"answers\[0\]\.count is not a number of JSON",
    ),
    "no geometry": ("T17/ 1/question.json", question("loc", "", [{"id": 1}], TOP), r"geometry is missing"),
    "bad geometry": (
        "T17/ 1/question.json",
        question("loc", "", [place("x") | {"geometry": "POINT (1"}], TOP),
        "is not a geometry in WKT",
    ),
    "far away": (
        "T17/ 1/question.json",
        question("loc", "", [place("x", lat=95.0)], TOP),
        "lies outside of longitude",
    ),
    "no template": ("T99/ 1/question.json", QUESTIONS["T5/ 3"], "T99 is none of GS-QA's 28 templates"),
    "twice": ("T5/3/question.json", QUESTIONS["T5/ 3"], "are both question T5/3"),
    "no question": ("T5/ 3/question.json", None, r"question\.json is missing"),
    "answers are a list": ("T5/ 3/baseline_answers.json", [], "the whole is not an object"),
    "no text of an answer": (
        "T5/ 3/baseline_answers.json",
        {"G": {"text": {}}},
        r"G\.text\.answer is missing",
    ),
    "a number for a text": (
        "T5/ 3/baseline_answers.json",
        {"G": {"text": {"answer": 4}}},
        r"neither a text nor null",
    ),
    "bad name of a baseline": ("T5/ 3/baseline_answers.json", {"a\nb": {}}, "is not a short printable word"),
    "nested": ("T5/ 3/baseline_answers.json", "[" * 100_000, "nested too deep"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_its_file_and_place(tmp_path: Path, name: str) -> None:
    path, content, said = FAULTS[name]
    with pytest.raises(UsageError, match=said) as told:
        read(tmp_path, {path: content})
    assert str(tmp_path) in str(told.value)


def test_a_file_of_absurd_size_is_refused(tmp_path: Path) -> None:
    release = write_release(tmp_path)
    with (release / "T5/ 3/question.json").open("r+b") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        find_format("gsqa").read(release)


@pytest.mark.parametrize("folder", ["empty", "absent"])
def test_a_folder_without_questions_is_refused(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"holds no questions of GS-QA|cannot be read"):
        find_format("gsqa").read(tmp_path / folder)


def test_an_unknown_format_names_those_there_are() -> None:
    with pytest.raises(NotFound, match="there are: evgeoqa, gsqa"):
        find_format("nonsense")
