"""The scorer `location`: coordinates in either order, addresses, names; whatever is said, the score has its bits."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.identity import canonical_json
from app.scores.reading.locations import read_location
from app.scores.registry import get_scorer
from app.scores.score import Outcome, Score
from app.solvers.oracle import say_gold

ADLER = {
    "osm_key": "n2",
    "name": "Gasthaus Adler",
    "lon": 9.5215,
    "lat": 47.1411,
    "distance": 120.0,
    "address": {
        "source": "own",
        "housenumber": "12",
        "street": "Landstrasse",
        "city": "Vaduz",
        "postcode": "9490",
    },
}
KIOSK = {
    "osm_key": "n3",
    "name": None,
    "lon": 9.53,
    "lat": 47.15,
    "distance": 900.0,
    "address": {"source": "near", "osm_key": "w9", "metres": 40.0, "housenumber": "3a", "street": "Im Rain"},
}
BARE = {
    "osm_key": "n4",
    "name": "Bare",
    "lon": -0.0000004,
    "lat": -33.12345678901234,
    "distance": 1.0,
    "address": None,
}
GOLD = {"objects": [ADLER], "tolerated": [KIOSK]}


def judge(answer: str, gold: dict[str, Any] = GOLD) -> Score:
    return get_scorer("location").judge(answer, gold, None)


@pytest.mark.parametrize(
    "answer",
    [
        "latitude 47.1411, longitude 9.5215",
        "Longitude: 9.5215; latitude: 47.1411.",
        "47.1411, 9.5215",
        "(47.1411, 9.5215)",
        "lon/lat: 9.5215, 47.1411",
        "(longitude, latitude) = (9.5215, 47.1411)",
        "47.1411° N, 9.5215° E",
        "9.5215 E 47.1411 N",
        "47° 8' 27.96\" N, 9° 31' 17.4\" E",
        "47°8′27.96″N 9°31′17.4″E",
        "It is at 47.1411, 9.5215.\n\nAnswer: 47.1411, 9.5215",
        '{"latitude": 47.1411, "longitude": 9.5215}',
        '```json\n{"lat": 47.1411, "lon": 9.5215}\n```',
        '{"name": "Somewhere else", "lat": "47.1411", "lng": "9.5215"}',
        "I think it is far.</think> 47.1411 9.5215",
        "Landstrasse 12, 9490 Vaduz",
        "12 Landstraße, Vaduz",
        "The restaurant is located at Landstr. 12 in Vaduz.",
        "Answer: Landstrasse 12",
        '{"address": "Landstrasse 12, Vaduz"}',
        "Gasthaus Adler",
        "gasthaus adler, Vaduz",
        "**Gasthaus Adler**",
    ],
)
def test_the_place_said_in_many_ways(answer: str) -> None:
    score = judge(answer)
    assert score.outcome == Outcome.CORRECT
    assert score.value == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("9.5215, 47.1411", 0.0),  # latitude first where no word says otherwise
        ("Landstrasse 14, Vaduz", 0.25),
        ("Landstrasse", 0.25),
        ("Vaduz", 0.0),
        ("9490", 0.0),
        ("Gasthaus", 0.0),
        ("Hinterlandstrasse 12", 0.0),
        ("Im Rain 3a", 0.8),  # an address 40 m beside the place
        ("Im Rain", 0.2),
        ("somewhere", 0.0),
        ("47.15, 9.53", 1.0),  # what is tolerated is accepted
        ("latitude -47.1411, longitude 9.5215", 0.0),
        ("47.1411 S, 9.5215 E", 0.0),
    ],
)
def test_what_an_answer_is_worth(answer: str, value: float) -> None:
    score = judge(answer)
    assert score.value == pytest.approx(value, abs=1e-9)
    assert score.outcome == (Outcome.CORRECT if value >= 0.5 else Outcome.WRONG)


@pytest.mark.parametrize(
    "answer", ["", "   ", "...", "95.1, 190.2", "latitude 91, longitude 9", "latitude 47.1, longitude 181"]
)
def test_what_no_reading_fits(answer: str) -> None:
    score = judge(answer)
    assert (score.outcome, score.value) == (Outcome.UNPARSEABLE, 0.0)
    assert not any(component.attempted for component in score.components.values())


@given(st.floats(0, 300), st.floats(0, 360))
def test_the_value_falls_with_the_distance(metres: float, azimuth: float) -> None:
    lon, lat, _ = Geod(ellps="WGS84").fwd(ADLER["lon"], ADLER["lat"], azimuth, metres)
    score = judge(f"latitude {lat:.9f}, longitude {lon:.9f}", {"objects": [ADLER], "tolerated": []})
    assert score.value == pytest.approx(max(0.0, 1 - metres / 200), abs=1e-5)
    assert score.components["error_metres"].value == pytest.approx(metres, abs=0.01)


@given(
    st.floats(-180, 180, allow_subnormal=False),
    st.floats(-90, 90, allow_subnormal=False),
)
def test_the_oracle_is_right_wherever_it_is(lon: float, lat: float) -> None:
    gold = {"objects": [{**BARE, "lon": lon, "lat": lat}], "tolerated": []}
    point = read_location(say_gold("location", gold)).value
    assert point is not None
    assert point.point == pytest.approx((lon, lat), abs=1e-19)
    assert judge(say_gold("location", gold), gold).value == pytest.approx(1.0, abs=1e-12)


def test_the_oracle_scores_one() -> None:
    for gold in (GOLD, {"objects": [BARE], "tolerated": []}):
        assert judge(say_gold("location", gold), gold).value == 1.0


@given(st.text())
def test_any_text_gets_a_score_that_can_be_stored(answer: str) -> None:
    score = judge(answer)
    assert 0.0 <= score.value <= 1.0
    assert score == judge(answer)
    stored = canonical_json(
        {"parsed": score.parsed, "components": {k: v.as_json() for k, v in score.components.items()}}
    )
    json.loads(stored, parse_constant=pytest.fail)  # what JSON has no number for
    assert "\\u0000" not in stored
    stored.encode()


@pytest.mark.parametrize(
    "answer",
    ["1e400, 1e400", "NaN, NaN", "9" * 100_000, "47.1, " * 50_000, "lat " * 200_000, "[" * 100_000, "{" * 50_000, "47.1 " * 100_000,
     "N 47 " * 100_000, "Landstrasse " * 100_000, '{"answer": ' * 5_000],
)  # fmt: skip
def test_hostile_answers_are_read_soon(answer: str) -> None:
    score = judge(answer)
    assert math.isfinite(score.value)


def test_one_answer_is_one_place() -> None:
    """A list of all the map's streets earns nothing but its first entry."""
    assert judge("Im Wald 1\nLandstrasse 12").value == 0.0
    assert judge("40.0, 9.0; 47.1411, 9.5215").value == 0.0
