"""Reading numbers, counts and areas."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.reading.areas import read_area
from app.scores.reading.counts import read_count
from app.scores.reading.number_words import words_in
from app.scores.reading.numbers import numbers_in
from tests.support.reading_time import assert_linear

HEAVY = [
    "9",
    "1 111 ",
    "1,111,",
    "1.111.",
    "1-",
    "million ",
    "two hundred ",
    "e",
    "1e",
    "-",
    "٣",
    "²",
    "\u0301",
    "there are ",
    "answer: 1 ",
]


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("12", 12),
        ("12 restaurants", 12),
        ("There are 12 restaurants within 5 km.", 12),
        ("There are **7** restaurants in Region 5", 7),
        ("there are about seven cafes in region 5", 7),
        ("twelve", 12),
        ("three hundred and forty-two", 342),
        ("two thousand and twenty", 2020),
        ("1,234", 1234),
        ("1.234.567", 1234567),
        ("1 234", 1234),
        ("1\u00a0234", 1234),
        ("1\u202f234", 1234),
        ("1'234", 1234),
        ("12.0", 12),
        ("12,5", 12.5),
        ("Answer: 12 (of 15 in all)", 12),
        ("First I thought 5.\nAnswer: 12", 12),
        ("1.5 million", 1.5e6),
        ("2e3", 2000),
        ("3 × 10^2", 300),
        ("-5", -5),
        ("２３", 23),
        ("١٢", 12),
        ("~12", 12),
        ("12 restaurants, yes, 12", 12),
        ('{"count": 12, "distance": 500}', 12),
        ('I count {"count": "twelve"} of them within 5 km', 12),
    ],
)
def test_reads_counts(answer: str, count: float) -> None:
    assert read_count(answer).value == pytest.approx(count)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "many",
        "10-15",
        "about 10 to 15",
        "12 of 15",
        "Answer: 10 or 11",
        "5 km",
        "1e999",
        "9" * 200,
        "1.2.3",
        '{"count": 12} {"count": 13}',
    ],
)
def test_leaves_counts_unread(answer: str) -> None:
    assert read_count(answer).value is None


@pytest.mark.parametrize(
    ("answer", "square_metres"),
    [
        ("123,456 m²", 123456),
        ("123456.789 m2", 123456.789),
        ("12.3 ha", 123000),
        ("1.2 km²", 1.2e6),
        ("1.2 square kilometres", 1.2e6),
        ("3.5 square kilometers", 3.5e6),
        ("5 sq m", 5),
        ("1.2 million square metres", 1.2e6),
        ("twelve hectares", 120000),
        ("1.2 km² (1,200,000 m²)", 1.2e6),
        ("123,400 m² (about 12 ha)", 123400),
        ("The parks within 500 m cover 5 ha.", 50000),
        ("2 acres", 8093.7128448),
        ("5000", 5000),
        ('{"area": "1.2 km²", "count": 3}', 1.2e6),
        ("Answer: 5000 square meters", 5000),
        ("㎢ are big: 2 ㎢", 2e6),
    ],
)
def test_reads_areas(answer: str, square_metres: float) -> None:
    assert read_area(answer).value == pytest.approx(square_metres)


@pytest.mark.parametrize(
    "answer", ["", "large", "5 km", "1.2 km² or 5 ha", "10 to 20 ha", "5000 or 6000", "nan", "inf m2"]
)
def test_leaves_areas_unread(answer: str) -> None:
    assert read_area(answer).value is None


@given(st.floats(min_value=1e-3, max_value=1e15))
def test_a_float_written_out_is_read_back_exactly(value: float) -> None:
    assert read_area(f"{value!r} m2").value == value


@given(st.integers(0, 10**15))
def test_thousands_separators_change_nothing(value: int) -> None:
    for written in (str(value), f"{value:,}", f"{value:,}".replace(",", " "), f"{value:,}".replace(",", "'")):
        assert read_count(written).value == value


@given(st.text())
def test_never_raises_and_gives_finite_numbers(text: str) -> None:
    for value in (read_count(text).value, read_area(text).value):
        assert value is None or math.isfinite(value)
    assert all(math.isfinite(number.value) for number in numbers_in(text) + words_in(text))


@pytest.mark.parametrize("piece", HEAVY)
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    assert_linear(read_count, piece, 100_000)
    assert_linear(read_area, piece, 100_000)


@pytest.mark.long
def test_a_megabyte_is_read_in_linear_time() -> None:
    for piece in HEAVY:
        assert_linear(read_count, piece, 1_000_000)
        assert_linear(read_area, piece, 1_000_000)
