"""Hits@K of answers to questions of EVGeoQA, reckoned by hand over five stations of a key."""

import json
from typing import Any

import pytest

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.scores.registry import get_scorer
from app.scores.score import Score

# One hundredth of a degree of longitude is 759 m here.
NAMES = ("Rathaus", "Mühleholz", "Park & Ride", "Schloss", None)
KEY = [
    {
        "osm_key": f"n{1 + place}",
        "osm_keys": [f"n{1 + place}"],
        "name": name,
        "lon": 9.5 + place / 100,
        "lat": 47.1,
    }
    for place, name in enumerate(NAMES)
]
KEY[0]["osm_keys"] = ["n1", "w7"]
FAR = {"station_name": "Elsewhere", "station_location": [9.7, 47.3]}


def score(answer: Any) -> Score:
    said = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return get_scorer("hits").judge(said, {"stations": KEY, "tier": "10"}, None)


def hits(answer: Any) -> list[float]:
    return [score(answer).components[f"hits_{rank}"].value for rank in (1, 2, 3)]


def named(*names: str) -> list[dict[str, Any]]:
    return [{"station_name": name} for name in names]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (named("Rathaus", "A", "B"), [1, 1, 1]),
        (named("A", "Schloss", "B"), [0, 1, 1]),
        (named("A", "B", "mühleholz"), [0, 0, 1]),
        (named("A", "B", "C", "Rathaus"), [0, 0, 0]),
        (named("A", "A", "a", "B", "Rathaus"), [0, 0, 1]),
        (named("park&ride"), [1, 1, 1]),
        (named("Park Ride Nord"), [0, 0, 0]),
    ],
    ids=["first", "second", "third", "fourth", "repeats count once", "spelling", "longer name"],
)
def test_the_first_different_stations_count(answer: Any, expected: list[float]) -> None:
    assert hits(answer) == expected


def test_an_id_decides_where_there_is_one() -> None:
    assert hits([{"station_id": "w7", "station_name": "Elsewhere"}]) == [1, 1, 1]
    assert hits([{"station_id": "n99", "station_name": "Rathaus"}]) == [0, 0, 0]
    assert hits([{"station_id": "the first", "station_name": "Rathaus"}]) == [1, 1, 1], "that is no id"


def test_a_place_counts_up_to_100_metres() -> None:
    near = {
        "station_name": "Ladesäule",
        "station_location": [9.5412, 47.1],
    }  # 91 m from the one without a name
    far = {"station_name": "Ladesäule", "station_location": [9.5414, 47.1]}  # 106 m
    assert hits([near]) == [1, 1, 1]
    assert hits([far]) == [0, 0, 0]
    assert hits([{"station_name": "Ladesäule", "station_location": "9.54,47.1"}]) == [1, 1, 1]
    assert hits([{"station_name": "Ladesäule", "station_location": [47.1, 9.54]}]) == [0, 0, 0]


def test_a_name_with_a_place_elsewhere_is_another_station_of_that_name() -> None:
    assert hits([{"station_name": "Rathaus", "station_location": [9.51, 47.1]}]) == [1, 1, 1]
    assert hits([{"station_name": "Rathaus", "station_location": [9.7, 47.3]}]) == [0, 0, 0]


def test_stations_of_one_name_at_two_places_are_two() -> None:
    chain = [{"station_name": "Chain", "station_location": [9.6 + place / 10, 47.2]} for place in range(3)]
    assert hits([*chain, *named("Rathaus")]) == [0, 0, 0]
    again = [chain[0], {"station_name": "Chain", "station_location": [9.6001, 47.2]}, chain[1]]
    assert hits([*again, *named("Rathaus")]) == [0, 0, 1]


@pytest.mark.parametrize(
    "answer",
    [
        '```json\n[{"station_name": "Rathaus"}]\n```',
        'I looked at [9.5, 47.1] and [3].\n\n[{"station_name": "Rathaus"}] is what I found.',
        '{"answer": {"stations": [{"station_name": "Rathaus"}]}}',
        '{"station_name": "Rathaus"}\n{"station_name": "Schloss"}',
        '<think>[{"station_name": "Elsewhere"}]</think>[{"station_name": "Rathaus"}]',
        'First: [{"station_name": "Elsewhere"}]. No, rather: [{"station_name": "Rathaus"}]',
        '[{"station_name": "Rathaus", "station_distance": "3.525 km"}, {"station_na',
    ],
    ids=["fence", "prose", "wrapped", "objects", "thinking", "last list", "broken off"],
)
def test_lists_are_found_in_what_models_write(answer: str) -> None:
    assert hits(answer) == [1, 1, 1]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (["A", "mühleholz", "B"], [0, 1, 1]),
        ('The best are ["A", "B", "Schloss"].', [0, 0, 1]),
        ({"stations": ["Rathaus", "A"]}, [1, 1, 1]),
        (["n99", "n3"], [0, 1, 1]),
        (["9.7,47.3", "9.5412,47.1"], [0, 1, 1]),
        ([{"name": "A"}, {"name": "Schloss", "distance": 4}], [0, 1, 1]),
        ([{"osm_key": "n99", "name": "Rathaus"}, {"id": "n2"}], [0, 1, 1]),
        ([{"id": 5, "name": "Rathaus"}], [1, 1, 1]),
        ([{"lon": 9.7, "lat": 47.3}, {"longitude": "9.5412", "latitude": "47.1"}], [0, 1, 1]),
        ([{"station_name": "Ladesäule", "station_location": {"lon": 9.5412, "lat": 47.1}}], [1, 1, 1]),
        ([{"station_name": "Rathaus", "station_location": {"longitude": 9.7, "latitude": 47.3}}], [0, 0, 0]),
        ([{"name": "Ladesäule", "location": {"lat": 47.1, "lng": 9.5412}}], [1, 1, 1]),
        ([{"name": "Ladesäule", "coordinates": [9.5412, 47.1]}], [1, 1, 1]),
        ({"name": "A", "beside": [{"name": "Rathaus"}]}, [0, 0, 0]),
        ([{"station_name": "A"}, {"name": "Rathaus"}], [0, 0, 0]),
    ],
    ids=[
        "names",
        "names within words",
        "names in an object",
        "ids",
        "points",
        "name",
        "id",
        "an id of another kind",
        "points as objects",
        "a point as an object",
        "a name with a point elsewhere",
        "location",
        "coordinates",
        "what lies beside",
        "the fields that are asked for come first",
    ],
)
def test_other_forms_are_read_where_there_is_no_list_as_it_is_asked_for(
    answer: Any, expected: list[float]
) -> None:
    assert hits(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Rathaus",
        "[]",
        "[1, 2]",
        "[" * 100_000,
        '{"a":' * 100_000,
        '[{"station_name": 5}]',
        '{"name": "Search_Stations", "arguments": {"coord": [9.5, 47.1], "types": ["Rathaus"]}}',
        '{"seen": ["Elsewhere"], "chosen": ["Rathaus"]}',
    ],
    ids=[
        "empty",
        "prose",
        "no station",
        "numbers",
        "deep lists",
        "deep objects",
        "no text",
        "a call",
        "two lists of texts",
    ],
)
def test_what_holds_no_list_of_stations_is_unparseable_and_worth_nothing(answer: str) -> None:
    found = score(answer)
    assert (found.outcome.value, found.value) == ("unparseable", 0.0)
    assert all(not part.attempted and part.value == 0.0 for part in found.components.values())


def test_long_lists_are_read_up_to_a_limit() -> None:
    assert hits(named(*(f"S{number}" for number in range(20_000)))) == [0, 0, 0]
    assert len(score(named(*(f"S{number}" for number in range(100)))).parsed["stations"]) == 10


def test_outcome_and_value_are_those_of_hits_at_3() -> None:
    found = score([FAR, FAR, *named("Schloss")])
    assert (found.outcome.value, found.value) == ("correct", 1.0)
    assert [one["hit"] for one in found.parsed["stations"]] == [False, True]
