"""Gold in words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.published.tokens import tokens_of
from app.benchmarks.gsqa.published.wording import gold_text, in_words, sector_of
from app.scores.reading.number_words import words_in

LAST_DIGIT_CUT_OFF = (
    "one thousand twenty-nine point one six seven one nine five eight eight seven four one one two meters"
)
ADDRESS = {
    "addr_housenumber": "3",
    "addr_street": "Städtle",
    "addr_city": "Vaduz",
    "addr_state": None,
    "addr_postcode": "9490",
    "lon": 9.52,
    "lat": 47.14,
}


@pytest.mark.parametrize(
    ("answer_type", "gold", "text"),
    [
        ("name", {"poi_name": "Adler"}, "Adler"),
        ("name", {"lake_name": "Rhein"}, "Rhein"),
        ("name", {"road_name": "Landstrasse"}, "Landstrasse"),
        ("loc", ADDRESS, "Städtle Vaduz 9490"),
        ("loc", {"lon": 9.5, "lat": 47.1}, ""),
        ("angle", {"angle": 186.9}, "south"),
        ("external", {"multihop_long_answer": "Adler Opened: 1904"}, "Adler Opened: 1904"),
    ],
)
def test_texts(answer_type: str, gold: dict[str, Any], text: str) -> None:
    assert gold_text(answer_type, gold) == text


@pytest.mark.parametrize(
    ("answer_type", "gold", "words"),
    [
        ("count", {"count": 176}, "one hundred seventy-six"),
        ("count", {"count": 0}, "zero"),
        ("count", {"count": -20}, "minus twenty"),
        ("count", {"count": 12_000}, "twelve thousand"),
        ("count", {"count": 2_000_019}, "two million nineteen"),
        ("count", {"count": 10**15}, "one thousand trillion"),
        ("length", {"length": 1029.1671958874113}, LAST_DIGIT_CUT_OFF),
        ("distance", {"distance": 635.47}, "six hundred thirty-five point four seven meters"),
        ("length", {"length": 14.0}, "fourteen point zero meters"),
        (
            "area",
            {"area": 11_858.09},
            "eleven thousand eight hundred fifty-eight point zero nine meters squared",
        ),
    ],
)
def test_numbers_are_spelled_out_digit_by_digit(answer_type: str, gold: dict[str, Any], words: str) -> None:
    assert list(tokens_of(gold_text(answer_type, gold))) == words.split()


@pytest.mark.parametrize(
    ("degrees", "sector"),
    [
        (0, "north"),
        (22.49, "north"),
        (22.5, "northeast"),
        (67.5, "northeast"),
        (67.51, "east"),
        (112.49, "east"),
        (112.5, "southeast"),
        (157.5, "southeast"),
        (180, "south"),
        (202.49, "south"),
        (202.5, "southwest"),
        (247.5, "southwest"),
        (270, "west"),
        (292.49, "west"),
        (292.5, "northwest"),
        (337.5, "northwest"),
        (337.51, "north"),
        (360, "north"),
        (-0.1, None),
        (360.1, None),
        (float("nan"), None),
    ],
)
def test_sectors_as_published_own_both_edges(degrees: float, sector: str | None) -> None:
    assert sector_of(degrees) == sector


@given(st.integers(0, 999_999_999))
def test_whole_numbers_in_words_are_read_back(number: int) -> None:
    assert [found.value for found in words_in(in_words(number))] == [number]
