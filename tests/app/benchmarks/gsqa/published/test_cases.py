"""Cases: what a line holds, and that any answer is scored by rule."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.published.cases import ANSWER_TYPES, Case, read_cases, score_case
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.scores.paper_rules import Point

PLACE = {"addr_street": "Städtle", "addr_city": "Vaduz", "lon": 9.52, "lat": 47.14}
GOLD: dict[str, dict[str, Any]] = {
    "name": {"poi_name": "Adler"},
    "loc": PLACE,
    "distance": {"distance": 100.0},
    "angle": {"angle": 90.0},
    "count": {"count": 4},
    "area": {"area": 250.5},
    "length": {"length": 17.25},
    "external": {"multihop_long_answer": "Adler Opened: 1904"},
}
NOT_ATTEMPTED = {"attempted": False, "P": 0.0, "R": 0.0, "F1": 0.0}


def case(answer_type: str, parsed: Any = None, text: str | None = "", template: str = "T1") -> Case:
    return Case("c", template, answer_type, [GOLD[answer_type]], text, parsed, "recursive")


def line(**changed: Any) -> bytes:
    fields = {
        "case": "c",
        "template": "T1",
        "answer_type": "name",
        "gold": [{"poi_name": "Adler"}],
        "predicted_text": "Adler",
        "predicted_parsed": None,
        "parsed_lookup": "toplevel",
        **changed,
    }
    return json.dumps(fields).encode()


def test_a_right_answer() -> None:
    scores = score_case(case("name", [{"name": "The Adler"}], "It is the Adler."))
    whole = {"attempted": True, "P": 1.0, "R": 1.0, "F1": 1.0}
    assert scores == {"case": "c", "text": whole, "parsed": whole}


@pytest.mark.parametrize(
    ("answer_type", "parsed", "scores"),
    [
        ("count", [{"count": 5}], {"attempted": True, "relative_error": 0.25}),
        ("count", [{"count": "3.7"}], {"attempted": False, "relative_error": 1.0}),
        ("count", [{"count": 3.7}], {"attempted": True, "relative_error": 0.25}),
        ("distance", [{"distance": -100}], {"attempted": True, "relative_error": 2.0}),
        ("angle", [{"azimuth_angle": -30}], {**NOT_ATTEMPTED, "angle_error": 1.0}),
        ("angle", [{"azimuth_angle": 361}], {**NOT_ATTEMPTED, "angle_error": 1.0}),
        ("angle", [{"azimuth_angle": float("nan")}], {**NOT_ATTEMPTED, "angle_error": 1.0}),
        ("angle", [{"azimuth_angle": float("inf")}], {**NOT_ATTEMPTED, "angle_error": 1.0}),
        ("loc", [{"name": "Adler"}], NOT_ATTEMPTED),
        ("loc", [{"address": "Städtle 3"}], {"attempted": True, "P": 0.5, "R": 0.5, "F1": 0.5}),
        ("name", [], NOT_ATTEMPTED),
        ("name", None, NOT_ATTEMPTED),
        ("external", [{"name": "Adler"}], None),
    ],
)
def test_parsed_scores(answer_type: str, parsed: Any, scores: dict[str, Any] | None) -> None:
    assert score_case(case(answer_type, parsed))["parsed"] == scores


def test_questions_that_lean_on_facts_have_no_parsed_score() -> None:
    assert score_case(case("name", [{"name": "Adler"}], template="T8"))["parsed"] is None


def test_an_answer_without_words_is_not_attempted() -> None:
    assert score_case(case("name", text=" \n"))["text"] == NOT_ATTEMPTED
    assert score_case(case("name", text=None))["text"] is None


def test_distance_errors_are_of_placed_addresses() -> None:
    gazetteer = {"Vaduz": Point(9.52, 47.14)}
    for parsed, error in [
        ([{"address": "Vaduz"}], 0.0),
        ([{"address": "Atlantis"}, {"address": "Vaduz"}], 0.0),
        ([{"address": "Atlantis"}], None),
        ([], None),
    ]:
        scores = score_case(case("loc", parsed), gazetteer.get)
        assert scores["parsed"]["distance_error"] == error
    assert "distance_error" not in score_case(case("loc", []))["parsed"]


def test_lines_become_cases() -> None:
    cases = list(read_cases([line(), b"\n", line(case="d", more=1)], "cases.jsonl"))
    assert [one.case for one in cases] == ["c", "d"]
    assert cases[0].gold == [{"poi_name": "Adler"}]


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        (b"{", "line 2: it is not JSON \\(the name of a field"),
        (b"[" * 100_000, "line 2"),
        (b"\xff", "line 2"),
        (b"3", "line 2"),
        (b"{}", "there is no field 'case'"),
        (line(answer_type="colour"), "'colour'"),
        (line(parsed_lookup="deep"), "'deep'"),
        (line(gold=[]), "gold"),
        (line(gold=["Adler"]), "gold"),
        (line(predicted_text=3), "predicted_text"),
    ],
)
def test_a_line_that_is_no_case_is_named(bad: bytes, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        list(read_cases([line(), bad], "cases.jsonl"))


def test_gold_that_cannot_be_scored_is_named() -> None:
    with pytest.raises(UsageError, match="Case c: its gold does not fit 'count'"):
        score_case(Case("c", "T23", "count", [{"name": "Adler"}], "4", [], "toplevel"))


@pytest.mark.parametrize("number", ["NaN", "1e400", "-Infinity", "9" * 10_000])
def test_numbers_beyond_all_reach_are_not_attempted(number: str) -> None:
    text = line(answer_type="count", gold=[{"count": 4}], predicted_parsed=[{"count": 0}])
    (one,) = read_cases([text.replace(b'"count": 0', f'"count": {number}'.encode())], "cases.jsonl")
    assert score_case(one)["parsed"] == {"attempted": False, "relative_error": 1.0}


fields = st.sampled_from(["name", "address", "distance", "length", "area", "azimuth_angle", "count"])
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
json_values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(fields, inner, max_size=4)
)


@given(st.sampled_from(ANSWER_TYPES), json_values, st.text())
def test_any_answer_is_scored(answer_type: str, parsed: Any, text: str) -> None:
    scores = score_case(case(answer_type, parsed, text))
    canonical_json(scores)
    for part in (scores["text"], scores["parsed"] or {}):
        assert all(0 <= part[share] <= 1 for share in ("P", "R", "F1") if share in part)
        assert part.get("relative_error", 0) >= 0
        assert 0 <= part.get("angle_error", 0) <= 1


@pytest.mark.parametrize(
    "piece",
    [pytest.param("Adler. ", marks=pytest.mark.long), "[", '{"name": ', "ресторан ", "\u0301", "9"],
)
def test_a_megabyte_is_scored(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    scores = score_case(case("name", [{"name": text[:50_000]}], text))
    assert scores["text"]["attempted"]
    assert scores["text"]["R"] == (1.0 if "Adler" in piece else 0.0)
