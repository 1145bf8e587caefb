"""Reading locations: points in several notations, and the words of addresses in JSON."""

import pytest

from app.scores.reading.locations import read_location

VADUZ = (9.521, 47.141)


@pytest.mark.parametrize(
    "answer",
    [
        "47.141, 9.521",
        "47.141 9.521",
        "(47.141°, 9.521°)",
        "47.141° N, 9.521° E",
        "47°8'27.6\"N 9°31'15.6\"E",
        "47° 8.46' N, 9° 31.26' E",
        "POINT(9.521 47.141)",
        "Point (9.521 47.141)",
        '{"type": "Point", "coordinates": [9.521, 47.141]}',
        "geo:47.141,9.521",
        "longitude, latitude: 9.521, 47.141",
        '{"lat": 47.141, "lon": 9.521}',
        "It is there.\nAnswer: 47.141, 9.521",
    ],
)
def test_points(answer: str) -> None:
    location = read_location(answer).value
    assert location is not None
    assert location.point == pytest.approx(VADUZ)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ('I found it: {"address": "Städtle 3, Vaduz"} as asked.', "Städtle 3, Vaduz"),
        ('{"name": "Adler", "address": "Städtle 3"}', "Städtle 3"),
        ("It is located at Städtle 3.", "Städtle 3."),
    ],
)
def test_words(answer: str, words: str) -> None:
    location = read_location(answer).value
    assert location is not None
    assert location.text == words
