"""Reading lengths and distances: metres, whatever unit they are given in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.reading.lengths import read_length


@pytest.mark.parametrize(
    ("answer", "metres"),
    [
        ("450", 450),
        ("450 m", 450),
        ("about 450 metres", 450),
        ("450m", 450),
        ("1.2 km", 1200),
        ("1,234.5 meters", 1234.5),
        ("2 kilometres (1.24 miles)", 2000),
        ("It is 1200 m, that is 1.2 km, away.", 1200),
        ("half past 3? No: Answer: 700 m", 700),
        ("three hundred and forty metres", 340),
        ("1 mile", 1609.344),
        ("2 nautical miles", 3704),
        ("100 yards", 91.44),
        ("1,000 feet", 304.8),
        ("50 cm", 0.5),
        ("The answer is 5 km.", 5000),
        ("800-metre", 800),
    ],
)
def test_reads_metres(answer: str, metres: float) -> None:
    assert read_length(answer).value == pytest.approx(metres)


@pytest.mark.parametrize(
    "answer",
    ["", "far", "5 to 10 km", "10-15 m", "300 m2", "300 m^2", "300 square metres", "300 metres squared",
     "20 minutes", "90 degrees", "1 km or 5 km", "12 and 15", "1e999 m"],
)  # fmt: skip
def test_reads_no_metres(answer: str) -> None:
    assert read_length(answer).value is None
    assert read_length(answer).reason


@given(st.text())
def test_any_text_is_read_or_not(text: str) -> None:
    reading = read_length(text)
    assert (reading.value is None) == bool(reading.reason)
