"""Reading directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.reading.angles import read_azimuth
from tests.support.reading_time import assert_linear


@pytest.mark.parametrize(
    ("answer", "azimuth"),
    [
        ("123.4°", 123.4),
        ("123.4 degrees", 123.4),
        ("azimuth: 123", 123),
        ("NE", 45),
        ("ne", 45),
        ("N", 0),
        ("north-east", 45),
        ("north east", 45),
        ("Northwest", 315),
        ("southerly", 180),
        ("to the western side", 270),
        ("north-northeast", 22.5),
        ("SSW", 202.5),
        ("northeast (45.5°)", 45.5),
        ("50 NE", 50),
        ("S 45° W", 225),
        ("N 10 E", 10),
        ("123°30'", 123.5),
        ("360", 0),
        ("359.999999 degrees", 359.999999),
        ("Hotel 5 is to the north-east", 45),
        ("within 500 m, direction 90", 90),
        ("one hundred and twenty degrees", 120),
        ("I first thought 20°.\nAnswer: 30°", 30),
        ("Answer: south", 180),
        ('{"name": "Adler 7", "azimuth_angle": 45}', 45),
        ('The direction: {"direction": "NE"}', 45),
    ],
)
def test_reads(answer: str, azimuth: float) -> None:
    assert read_azimuth(answer).value == pytest.approx(azimuth)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "over there",
        "361",
        "-20 degrees",
        "north or east",
        "10° to 20°",
        "10-20",
        "45 degrees, or 90 degrees",
        '{"azimuth_angle": -30}',
        '{"azimuth_angle": 10} {"azimuth_angle": 20}',
        '{"azimuth_angle": 1e400, "distance": 3}',
    ],
)
def test_leaves_unread(answer: str) -> None:
    assert read_azimuth(answer).value is None


@given(st.text())
def test_never_raises(text: str) -> None:
    value = read_azimuth(text).value
    assert value is None or 0 <= value < 360


@given(st.integers(0, 359))
def test_whole_degrees_are_read_back(degrees: int) -> None:
    for written in (f"{degrees}", f"{degrees}°", f"{degrees} degrees", f"Answer: {degrees}°."):
        assert read_azimuth(written).value == degrees


HEAVY = ["north", "north ", "N 1", "N", "1°", "9", "answer: x ", "NW-", "°", "\u0301"]


@pytest.mark.parametrize("piece", HEAVY)
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    assert_linear(read_azimuth, piece, 100_000)


@pytest.mark.long
def test_a_megabyte_is_read_in_linear_time() -> None:
    for piece in HEAVY:
        assert_linear(read_azimuth, piece, 1_000_000)
