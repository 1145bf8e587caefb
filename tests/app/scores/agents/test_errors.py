"""What went wrong in episodes: each class by a case that is of it and by its nearest neighbours that are not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.scores.agents.errors import MissedEpisode, classes_of
from app.scores.registry import EpisodeStep
from tests.support.stored_episodes import MadeStep, fails, nearby, search, tool

NAME = {"names": ["Adler"], "objects": [{"osm_key": "n2", "name": "Adler"}], "tolerated": []}
ASKED = MissedEpisode(
    "Which restaurant is nearest to the museum at 47.1000, 9.5000?",
    (),
    NAME,
    frozenset(["n1"]),
    None,
    (),
    "wrong",
)
PLAN = {"calls": [{"tool": "place_search", "arguments": {"query": "Museum"}}]}


def found(*steps: MadeStep, **changes: Any) -> list[str]:
    taken = tuple(EpisodeStep(one.kind, one.request, one.response or {}) for one in steps)
    return classes_of(replace(ASKED, steps=taken, **changes))


def test_gold_that_was_seen() -> None:
    assert found(nearby("n1", "n2"), question="Which n1?") == ["gold_not_used"]
    assert found(search("Krone", "n3")) == []
    assert found(tool("say", {}, {"sentence": "the ADLER, perhaps"})) == ["gold_not_used"], (
        "by its name, in words"
    )
    assert found(tool("say", {}, {"sentence": "Adlerhof"})) == [], "names count as whole words"
    assert found(fails("say", {}, "Adler is no type")) == [], "an error finds nothing"


def test_what_the_question_says_is_not_found() -> None:
    assert found(search("Adler", "n2"), question="How far is Adler from here?") == []


def test_the_right_option_counts_as_gold() -> None:
    gold = {"index": 0, "text": "Adler", "objects": ["n2"]}
    assert found(search("x", "n2"), gold=gold, options=("Adler", "Krone")) == ["gold_not_used"]
    assert found(search("x", "n3"), gold={"index": 1, "text": "yes"}, options=("yes", "no")) == []


@pytest.mark.parametrize(
    ("hit", "query", "plan", "expected"),
    [
        ("n7", "museum ", PLAN, ["wrong_place"]),
        ("n1", "Museum", PLAN, []),
        ("n7", "Adler", PLAN, []),
        ("n7", "Museum", None, []),
        ("n7", "Museum", {"calls": []}, []),
    ],
)
def test_a_search_that_finds_another_place(hit: str, query: str, plan: Any, expected: list[str]) -> None:
    assert found(search(query, hit), plan=plan, gold={"count": 3}) == expected


def test_the_first_such_search_counts() -> None:
    assert found(search("Museum", "n1"), search("Museum", "n7"), plan=PLAN, gold={}) == []


@pytest.mark.parametrize(
    ("steps", "is_invented"),
    [
        ([nearby("n5")], True),
        ([search("x", "n3"), nearby("n3")], False),
        ([nearby("47.1,9.5")], False),
        ([nearby("47.1000,9.5000")], False),
        ([nearby("47.1234,9.5000")], True),
        ([search("x", "n3"), nearby("47.1030,9.5000")], False),
        ([tool("move", {"lat": 47.55551, "lon": 9.5}, {"sentence": ""})], True),
        ([tool("calculator", {"expression": "3.14159 * 2"}, {"sentence": "6.28"})], False),
    ],
)
def test_arguments_that_nobody_told(steps: Sequence[MadeStep], is_invented: bool) -> None:
    assert ("invented_argument" in found(*steps)) == is_invented


def measured(result: Mapping[str, Any], sentence: str = "") -> MadeStep:
    return tool("measure", {}, {"sentence": sentence, "result": dict(result)})


@pytest.mark.parametrize(
    ("parsed", "result", "expected"),
    [
        ({"metres": 240.0}, {"distance_m": 955.0}, True),
        ({"metres": 950.0}, {"distance_m": 955.0}, False),
        ({"metres": 240.0}, {"seconds": 955.0}, False),
        ({"square_metres": 1.0}, {"area_m2": 2.0, "perimeter_m": 1.0}, True),
        ({"azimuth": 359.5}, {"degrees": 0.2}, False),
        ({"azimuth": 180.0}, {"degrees": 0.2}, True),
        ({"count": 3}, {"places": [{}, {}]}, True),
        ({"count": 7}, {"places": [{}, {}], "total": 7}, False),
        ({}, {"distance_m": 955.0}, False),
    ],
)
def test_numbers_that_the_last_result_contradicts(
    parsed: dict[str, Any], result: dict[str, Any], expected: bool
) -> None:
    assert (found(measured(result), parsed=parsed) == ["result_contradicted"]) == expected


@pytest.mark.parametrize(
    ("sentence", "index", "expected"),
    [
        ("It is the Krone.", 1, True),
        ("It is the Krone.", 0, False),
        ("Krone or Linde", 1, False),
        ("None", 1, False),
    ],
)
def test_options_that_the_last_result_contradicts(sentence: str, index: int, expected: bool) -> None:
    told = found(
        measured({}, sentence), gold={}, options=("Krone", "Linde", "Bohne"), parsed={"index": index}
    )
    assert ("result_contradicted" in told) == expected


def test_the_last_result_is_not_an_error() -> None:
    steps = (measured({"distance_m": 955.0}), fails("measure", {}, "no"))
    assert found(*steps, parsed={"metres": 1.0}) == ["result_contradicted"]


def test_an_answer_that_cannot_be_read() -> None:
    assert found(outcome="unparseable") == ["unreadable"]
    assert found(outcome=None) == []
