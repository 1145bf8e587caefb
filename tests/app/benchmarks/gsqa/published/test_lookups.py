"""Fields of parsed answers, whatever JSON they are."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.published.lookups import (
    LOOKUPS,
    MAX_DIGITS,
    Lookup,
    integer_of,
    integers_under,
    texts_under,
)

NESTED = [{"address": "Vaduz", "options": [{"name": "Adler"}, {"name": "Krone", "count": 3}]}]


@pytest.mark.parametrize(
    ("parsed", "field", "lookup", "texts"),
    [
        (NESTED, "name", "toplevel", []),
        (NESTED, "name", "recursive", ["Adler"]),
        ([{"options": [{"name": "Adler"}], "name": "Krone"}], "name", "recursive", ["Krone"]),
        ([{"name": None, "options": {"name": 7}}], "name", "recursive", ["7"]),
        ([{"name": ""}, {"name": None}, {}], "name", "toplevel", []),
        ([{"name": ""}, {"name": None}, {}], "name", "recursive", [""]),
        ([{"address": ""}, {"address": []}, {"address": " "}], "address", "toplevel", [" "]),
        ({"name": "Adler"}, "name", "toplevel", ["Adler"]),
        (["Adler", None, 3, []], "name", "recursive", []),
        (None, "name", "recursive", []),
        ([{"address": ["Vaduz", "Schaan"]}], "address", "toplevel", ["Vaduz Schaan"]),
        ([{"address": ["Städtle 3", 9490]}], "address", "toplevel", ["Städtle 3 9490"]),
    ],
)
def test_texts(parsed: Any, field: str, lookup: Lookup, texts: list[str]) -> None:
    assert texts_under(parsed, field, lookup) == texts


@pytest.mark.parametrize(
    ("parsed", "field", "integers"),
    [
        (NESTED, "count", [3]),
        ([{"count": 12}, {"count": "7"}, {"count": "many"}], "count", [12, 7]),
        ([{"directions": {"azimuth_angle": 225}}], "azimuth_angle", []),
        ([{"azimuth_angle": 22.5}], "azimuth_angle", [22]),
    ],
)
def test_integers(parsed: Any, field: str, integers: list[int]) -> None:
    assert integers_under(parsed, field, "recursive") == integers


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (12, 12),
        (-12, -12),
        (47.9, 47),
        (-0.9, 0),
        ("12", 12),
        (" +12 ", 12),
        ("3.7", None),
        ("1e3", None),
        ("1_000", None),
        ("١٢", None),
        ("", None),
        ("north", None),
        (True, None),
        (None, None),
        ([12], None),
        ({"value": 12}, None),
        (float("nan"), None),
        (float("inf"), None),
        (1e300, None),
        ("9" * MAX_DIGITS, int("9" * MAX_DIGITS)),
        ("9" * (MAX_DIGITS + 1), None),
        ("9" * 100_000, None),
        (10**MAX_DIGITS, None),
    ],
)
def test_whole_numbers_as_published(value: Any, whole: int | None) -> None:
    assert integer_of(value) == whole


def test_any_depth_is_searched() -> None:
    deep: Any = {"name": "Adler"}
    for _ in range(100_000):
        deep = [deep]
    assert texts_under(deep, "name", "recursive") == ["Adler"]


fields = st.sampled_from(["name", "count", "azimuth_angle", "other"])
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
json_values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(fields, inner, max_size=4)
)


@given(json_values, st.sampled_from(LOOKUPS))
def test_any_json_is_looked_through(parsed: Any, lookup: Lookup) -> None:
    for field in ("name", "count", "azimuth_angle"):
        assert all(isinstance(text, str) for text in texts_under(parsed, field, lookup))
        assert all(abs(number) < 10**MAX_DIGITS for number in integers_under(parsed, field, lookup))
