import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from app.core.identity import canonical_json
from app.questions.second_path import SecondAnswer, disagreements
from tests.support.second_path import answer

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def nearest(town: Any) -> SecondAnswer:
    """T1 with two names: Adler at 100 m and Krone at 200 m, and Linde tolerated."""
    for number, (metres, name) in enumerate([(100, "Adler"), (200, "Krone"), (298, "Linde")], start=2):
        town.poi(f"n{number}", metres, 20, name)
    for number in range(20):
        town.poi(f"w{number}", 5000, 0, f"Hof {number}")
    found = answer(town.layers(), "T1", {"anchor": "n1", "category": "restaurant", "distance": 300})
    assert found.refusal is None
    return found


def stored(found: SecondAnswer) -> dict[str, Any]:
    """The value as gold, after its way through the database."""
    value: dict[str, Any] = json.loads(canonical_json(found.value))
    return value


def test_equal_gold_agrees(nearest: SecondAnswer) -> None:
    assert disagreements("T1", stored(nearest), nearest, None) == []
    json.loads(canonical_json(nearest.as_json()))


def test_rounding_within_tolerance_agrees(nearest: SecondAnswer) -> None:
    gold = stored(nearest)
    gold["objects"][0]["distance"] += 0.0009
    assert disagreements("T1", gold, nearest, None) == []


def set_to(path: list[Any], value: Any) -> Change:
    def change(gold: dict[str, Any]) -> None:
        place: Any = gold
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (set_to(["names", 0], "Ochsen"), r"names: expected \['Adler', 'Krone'\], got \['Ochsen', 'Krone'\]"),
        (set_to(["names"], ["Krone", "Adler"]), "names"),
        (set_to(["objects", 0, "distance"], 100.01), r"objects n2, distance: expected 100.0\d+, got 100.01"),
        (set_to(["objects", 0, "distance"], None), "distance"),
        (set_to(["objects", 0, "distance"], float("nan")), "distance"),
        (set_to(["objects", 1, "name"], "krone"), "objects n3, name: expected 'Krone', got 'krone'"),
        (set_to(["objects", 1, "lon"], 9.6), "objects n3, lon"),
        (set_to(["objects", 1, "osm_key"], "n9"), r"objects: expected n3 \(Krone\), got nothing"),
        (set_to(["objects", 1, "azimuth"], 3), "objects n3: expected no azimuth, got 3"),
        (set_to(["objects"], "n2"), "expected a list of objects"),
        (set_to(["tolerated"], []), r"tolerated: expected n4 \(Linde\), got nothing"),
        (set_to(["extra"], 1), "extra: expected no such part of gold, got 1"),
        (lambda gold: gold.pop("names"), "names: expected .*, got nothing"),
        (lambda gold: gold["objects"].reverse(), "expected the nearest first"),
        (lambda gold: gold["objects"].append(gold["objects"][1]), "expected each object once"),
        (lambda gold: gold["objects"].append(gold["tolerated"][0]), r"expected no n4 \(Linde\), got it"),
        (lambda gold: gold["objects"][0].pop("lat"), "lat"),
    ],
)
def test_every_change_of_gold_is_named(nearest: SecondAnswer, change: Change, says: str) -> None:
    gold = copy.deepcopy(stored(nearest))
    change(gold)
    found = disagreements("T1", gold, nearest, None)
    assert found
    assert any(re.search(says, one) for one in found), found


def test_options_where_none_belong(nearest: SecondAnswer) -> None:
    assert disagreements("T1", stored(nearest), nearest, ["a"]) == ["expected no options, got ['a']"]


def test_gold_of_another_kind_or_under_a_key_that_is_not_proved_disagrees() -> None:
    """What the second path does not state, it does not prove: such gold is never taken for proved."""
    count = {"kind": "value", "value": {"count": 4}}
    plain, keyed = SecondAnswer({"count": 3}), SecondAnswer({"count": 3}, keys={"driving": count})
    assert disagreements("T24", {"count": 3}, keyed, None, keys={"driving": count}) == []
    assert disagreements("T24", {"count": 3}, plain, None, keys={"driving": count}) == [
        "gold under driving: expected none, since the second path does not prove it"
    ]
    assert disagreements("T24", {"count": 3}, keyed, None) == [
        "gold under driving: expected an answer, got none"
    ]
    wrong = {"driving": {"kind": "value", "value": {"count": 5}}}
    (one,) = disagreements("T24", {"count": 3}, keyed, None, keys=wrong)
    assert one.startswith("gold under driving: count")
    assert disagreements("T24", {}, SecondAnswer({}), None, "unanswerable") == [
        "kind of gold: expected value, got unanswerable"
    ]
    assert disagreements("T24", {}, SecondAnswer({}, kind="unanswerable"), None, "unanswerable") == []


def test_a_refusal_is_a_disagreement() -> None:
    refused = SecondAnswer({"count": 3}, "margin", {"near_edge": {"n2": 0.3}})
    (one,) = disagreements("T24", {"count": 3}, refused, None)
    assert "T24" in one
    assert "margin" in one
    assert "n2" in one
    assert len(disagreements("T24", {"count": 4}, refused, None)) == 2
    assert len(disagreements("T24", {"count": 4}, SecondAnswer({}, "unknown_object"), None)) == 1


@pytest.mark.parametrize(
    ("expected", "got", "agree"),
    [
        ({"count": 3}, {"count": 3}, True),
        ({"count": 3}, {"count": 3.0}, False),
        ({"count": 1}, {"count": True}, False),
        ({"count": 3}, {"count": 4}, False),
        ({"area": 1e6}, {"area": 1e6 + 0.9}, True),
        ({"area": 1e6}, {"area": 1e6 + 1.1}, False),
        ({"area": 10.0}, {"area": 10.00005}, True),
        ({"area": 10.0}, {"area": 10.0002}, False),
        ({"azimuth": 359.9999999}, {"azimuth": 0.0}, True),
        ({"azimuth": 0.0}, {"azimuth": 360.0}, False),
        ({"azimuth": 90.0}, {"azimuth": 90.0000009}, True),
        ({"azimuth": 90.0}, {"azimuth": 90.0000011}, False),
        ({"azimuth": 90.0}, {"azimuth": "90"}, False),
    ],
)
def test_tolerances(expected: dict[str, Any], got: dict[str, Any], agree: bool) -> None:
    assert (disagreements("T", got, SecondAnswer(expected), None) == []) is agree


OPTIONS = ["Adler", "Krone", "Linde", "Rose"]
KEY = SecondAnswer({"text": "Krone", "objects": ["n3"]})


@pytest.mark.parametrize(
    ("gold", "options", "says"),
    [
        ({}, OPTIONS, None),
        ({"index": 0}, OPTIONS, "option 0: expected the key 'Krone', got 'Adler'"),
        ({"index": 4}, OPTIONS, "index: expected 0 to 3, got 4"),
        ({"index": -3}, OPTIONS, "index: expected 0 to 3"),
        ({"index": True}, OPTIONS, "index: expected 0 to 3, got True"),
        ({"index": 0, "text": "Adler"}, OPTIONS, "text: expected 'Krone', got 'Adler'"),
        ({"objects": ["n2"]}, OPTIONS, "objects"),
        ({"objects": ["n3", "n2"]}, OPTIONS, "objects"),
        ({}, OPTIONS[:1], "options: expected 2 to 8, got 1"),
        ({}, None, "options: expected 2 to 8, got none"),
        ({}, ["Adler", "krone", "Linde", "Rose"], "option 1"),
    ],
)
def test_options(gold: dict[str, Any], options: list[str] | None, says: str | None) -> None:
    found = disagreements("T", {"index": 1, "text": "Krone", "objects": ["n3"], **gold}, KEY, options)
    assert (not found) if says is None else any(says in one for one in found)


@pytest.mark.parametrize(
    ("text", "agree"),
    [
        ("(9.12345, 47.00000)", True),  # half a step may be rounded either way
        ("(9.12346, 47.00000)", True),
        ("(9.12347, 47.00000)", False),
        ("(9.12345, 47.00001)", False),
        ("(9.12345,47.00000)", False),
        ("9.12345, 47.00000", False),
        ("(9.1234, 47.00000)", False),
    ],
)
def test_coordinates_agree_by_place(text: str, agree: bool) -> None:
    key = SecondAnswer(
        {"text": "(9.12346, 47.00000)", "objects": ["n1"]}, None, {"lon": 9.123455, "lat": 47.0}
    )
    gold = {"index": 2, "text": text, "objects": ["n1"]}
    assert (disagreements("Retrieve_Coordinates", gold, key, ["a", "b", text, "c"]) == []) is agree
