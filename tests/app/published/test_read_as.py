"""What a reader took an answer to be, in words: nothing of JSON is left."""

from typing import Any

import pytest

from app.published.read_as import say_read
from app.published.reasons import NARROW
from app.scores import scorers  # noqa: F401 (registers them)
from app.scores.registry import get_scorer

OPTIONS = ["Adler", "Krone", "Linde", "Bohne"]
PLACE = {"objects": [{"lon": 9.5, "lat": 47.1, "name": "Adler", "address": None}], "tolerated": []}


@pytest.mark.parametrize(
    ("scorer", "answer", "gold", "said"),
    [
        ("option", "The answer is C.", {"index": 0}, "C: Linde"),
        ("name", "Adler", {"names": ["Adler"]}, "Adler"),
        ("azimuth", "271.25 degrees", {"azimuth": 90.0}, "271.25°"),
        ("count", "12345", {"count": 4}, f"12{NARROW}345"),
        ("area", "12345.5 square metres", {"area": 4.0}, f"12{NARROW}345.5{NARROW}m²"),
        ("distance", "1.5 km", {"distance": 4.0}, f"1{NARROW}500{NARROW}m"),
        ("location", "47.123456, 9.512345", PLACE, "lon 9.512345, lat 47.123456"),
        ("fact", "in 1998", {"fact": {"kind": "year", "value": 1998, "unit": ""}}, "1998"),
    ],
)
def test_what_scorers_read(scorer: str, answer: str, gold: dict[str, Any], said: str) -> None:
    name = {"azimuth": "angle"}.get(scorer, scorer)
    score = get_scorer(name).judge(answer, gold, OPTIONS if scorer == "option" else None)
    assert say_read(score.parsed, OPTIONS if scorer == "option" else None) == said


def test_stations_are_told_in_their_order_with_what_became_of_them() -> None:
    key = {"osm_key": "n1", "osm_keys": ["n1"], "name": "Rathaus", "lon": 9.52, "lat": 47.14}
    said = (
        '[{"station_name": "Nord", "station_location": [9.6, 47.2]}, {"station_name": "Rathaus"},'
        ' {"station_id": "n3"}]'
    )
    score = get_scorer("hits").judge(said, {"stations": [key]}, None)
    assert say_read(score.parsed, None) == (
        "1. Nord, lon 9.6, lat 47.2: not in the key; 2. Rathaus: in the key; 3. n3: not in the key"
    )


def test_the_letter_is_the_one_that_the_option_was_shown_with() -> None:
    assert [say_read({"index": 2}, OPTIONS, rotation) for rotation in range(4)] == [
        "C: Linde",
        "B: Linde",
        "A: Linde",
        "D: Linde",
    ]


def test_what_cannot_be_read_says_why() -> None:
    score = get_scorer("count").judge("none of them opens on Mondays", {"count": 4}, None)
    assert str(say_read(score.parsed, None)).startswith("nothing: ")
    assert say_read(None, None) is None


@pytest.mark.parametrize(
    "read", [{"deep": {"a": [1, {"b": None}]}}, {"objects": [{"name": "x"}], "judged": 3}]
)
def test_no_form_is_shown_as_json(read: dict[str, Any]) -> None:
    assert not set("{}[]\"'") & set(str(say_read(read, None)))
