"""Answers as objects with the fields of GS-QA's parsed answers."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.identity import canonical_json
from app.scores.reading.cleaning import MAX_SEGMENT
from app.scores.reading.structures import MAX_ENTRIES, read_structures

FIELDS = {"name", "address", "distance", "length", "area", "azimuth_angle", "count"}


def said(answer: str) -> list[dict[str, Any]]:
    """The objects without what is None."""
    objects = read_structures(answer)
    assert all(set(one) == FIELDS for one in objects)
    return [{field: value for field, value in one.items() if value is not None} for one in objects]


@pytest.mark.parametrize(
    ("answer", "objects"),
    [
        ('{"name": "Adler", "distance": "1.2 km"}', [{"name": "Adler", "distance": 1200.0}]),
        ('See {"name": "Adler"} or {"poi_name": "Krone"}.', [{"name": "Adler"}, {"name": "Krone"}]),
        ('{"azimuth_angle": "north-east", "area": "2 ha"}', [{"azimuth_angle": 45.0, "area": 20_000.0}]),
        ('{"count": "forty-two", "length": NaN}', [{"count": 42.0}]),
        ('{"azimuth_angle": -30}', []),
        ('{"azimuth_angle": 1e400}', []),
        ('{"address": "Städtle 3"}', [{"address": "Städtle 3"}]),
        ('{"name": "A\\u0000\\ud800dler"}', [{"name": "A  dler"}]),
        ("", []),
        ("Adler", [{"name": "Adler"}]),
        ("Adler\nHerrengasse 2, Vaduz", [{"name": "Adler", "address": "2 Herrengasse, Vaduz"}]),
    ],
)
def test_objects(answer: str, objects: list[dict[str, Any]]) -> None:
    found = said(answer)
    assert [
        {field: value for field, value in one.items() if field in wanted}
        for one, wanted in zip(found, objects)
    ] == objects
    assert len(found) == len(objects)


def test_a_list_gives_an_object_an_entry() -> None:
    found = said("Some options:\n1. Adler, 3 km\n2. **Krone** (500 m)\n- Linde")
    assert [(one["name"], one.get("distance")) for one in found] == [
        ("Adler", 3000.0),
        ("Krone", 500.0),
        ("Linde", None),
    ]


def test_long_values_end() -> None:
    (one,) = read_structures(json.dumps({"name": "Adler" * 10_000, "address": "Städtle " * 10_000}))
    assert len(one["name"]) == len(one["address"]) + 1 == MAX_SEGMENT


def test_long_lists_end() -> None:
    assert len(read_structures("- Adler\n" * 1000)) == MAX_ENTRIES
    assert len(read_structures('{"name": "Adler"}' * 1000)) == MAX_ENTRIES


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for one in read_structures(text):
        assert set(one) == FIELDS
        canonical_json(one).encode()


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
)


@given(st.dictionaries(st.sampled_from(sorted(FIELDS)), values))
def test_any_object_is_read(given_object: dict[str, Any]) -> None:
    for one in read_structures("Sure: " + json.dumps(given_object)):
        assert all("\0" not in value for value in one.values() if isinstance(value, str))
        canonical_json(one).encode()


HEAVY = ["- a 1 km\n", '{"name":', "1. ", "north 5 ha ", "Ä", "\u0301"]


@pytest.mark.parametrize("piece", HEAVY)
def test_long_texts_are_read(piece: str) -> None:
    assert len(read_structures(piece * (100_000 // len(piece)))) <= MAX_ENTRIES


@pytest.mark.long
def test_a_megabyte_is_read() -> None:
    for piece in HEAVY:
        assert len(read_structures(piece * (1_000_000 // len(piece)))) <= MAX_ENTRIES, piece
