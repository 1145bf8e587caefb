"""Answers by the rules that fit MapQA's keys and by ours; right or wrong is decided by hand."""

import json
from typing import Any

import pytest

from app.core.errors import UsageError
from app.scores.paper_rules import find_rules, paper_profile


def scored(kind: str, key: str, answer: str) -> dict[str, Any]:
    rules = find_rules("mapqa")
    assert rules is not None
    line = json.dumps({"case": 1, "type": kind, "key": key, "answer": answer}).encode()
    (told,) = rules.score_cases([line], "cases")
    return dict(told)


@pytest.mark.parametrize(
    ("kind", "key", "answer", "ours", "published"),
    [
        ("amenities", "fast_food", "Fast food.", True, True),
        ("amenities", "fast_food", "It is a restaurant.", False, False),
        ("nearest_amenity", "Villa Redondo", "The nearest one is VILLA REDONDO", True, True),
        ("compare_closer", "Shell", "Shellfish Bar", False, False),
        # Theirs finds the name among any others; ours wants one.
        ("compare_closer", "Shell", "World or Shell", False, True),
        ("amenities_around", "No amenities found", "No amenities found", True, True),
        ("amenities_around", "No amenities found", "none", True, True),
        ("amenities_around", "No amenities found", "bar", False, False),
        ("amenities_around", "dentist; dojo; restaurant", "restaurant; dentist; dojo", True, True),
        ("amenities_around", "dentist; dojo; restaurant", "dentist; dojo", False, False),
        ("amenities_around", "dentist; dojo", "dentist; dojo; bar", False, False),
        # Without "; " there is one part.
        ("amenities_around", "dentist; dojo", "dentist, dojo", True, False),
        ("intersection", "Babi's Beer Emporium", "Babis Beer Emporium", True, True),
        ("distance", "22872.87 meters", "22.8 km", True, True),
        ("distance", "22872.87 meters", "22872.87", True, True),
        # The way over the ground, at 34 degrees north: 1 / cos(latitude) shorter than the plane.
        ("distance", "22872.87 meters", "18962 m", False, False),
    ],
)  # fmt: skip
def test_answers_by_ours_and_by_theirs(kind: str, key: str, answer: str, ours: bool, published: bool) -> None:
    told = scored(kind, key, answer)
    assert (told["ours"]["correct"], told["published"]["correct"]) == (ours, published)


def test_sets_tell_how_much_of_them_is_right() -> None:
    # Two of three are named, and one too many: 2 * 2 / (3 + 3).
    assert scored("adjacent", "Krone; Linde; Sonne", "Krone; Linde; Adler")["published"][
        "f1"
    ] == pytest.approx(2 / 3)
    assert scored("amenities_around", "No amenities found", "bar")["published"]["f1"] == 0.0
    assert scored("distance", "100.00 meters", "80 m")["published"]["relative_error"] == pytest.approx(0.2)


def test_an_answer_without_a_word_is_unread() -> None:
    for kind, key in (("amenities", "bar"), ("adjacent", "Krone"), ("distance", "5.00 meters")):
        assert scored(kind, key, "…")["published"]["unread"]


def test_the_profile_has_the_three_kinds_of_answers() -> None:
    rules = find_rules("mapqa")
    assert rules is not None
    assert set(paper_profile(rules).scorers) == {"name", "mapqa_names", "mapqa_distance"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "cases, line 1: it is not JSON"),
        (b"[]", "it is not a JSON object"),
        (b'{"case": 1}', "there is no field 'type'"),
        (b'{"case": 1, "type": "x", "key": "a", "answer": "b"}', "type is 'x', not one of adjacent"),
        (b'{"case": 1, "type": "distance", "key": "far", "answer": "b"}', "key is 'far', which is no answer"),
        (b'{"case": 1, "type": "distance", "key": 5, "answer": "b"}', "key or answer is no text"),
    ],
)
def test_faults_of_cases_are_told_by_line(line: bytes, said: str) -> None:
    rules = find_rules("mapqa")
    assert rules is not None
    with pytest.raises(UsageError, match=said.replace("[", r"\[")):
        list(rules.score_cases([line], "cases"))
