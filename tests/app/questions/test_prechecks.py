"""What is refused before any SQL is asked is what the derivation would have refused, for the same reason."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from app.questions.prechecks import Intended, refused_beforehand

CIRCLE = {"distance": 1000.0, "edge_metres": 5.0, "edge_ratio": 0.01}
PAIR = {"apart_least": 600.0, "apart_most": 50_000.0}


@pytest.mark.parametrize(("room", "reason"), [(1009.9, "leaves_outline"), (1010.0, None), (None, None)])
def test_a_circle_with_its_edge_stays_in_the_map(room: float | None, reason: str | None) -> None:
    assert refused_beforehand("gsqa", Intended(CIRCLE, {}, room=room)) == reason


def test_questions_without_a_circle_are_asked() -> None:
    assert refused_beforehand("gsqa", Intended({"category": "cafe"}, {}, room=0.0)) is None


def test_a_class_of_its_own_is_said_before_anchors_that_are_far_apart() -> None:
    far: dict[str, dict[str, Any]] = {
        "anchor": {"lon": 9.0, "lat": 47.0, "class": "museum"},
        "towards": {"lon": 11.0, "lat": 47.0},
    }
    assert (
        refused_beforehand("gsqa", Intended(PAIR, {**far, "category": {"class": "cafe"}}, room=5.0))
        == "anchors_far_apart"
    )
    assert (
        refused_beforehand("gsqa", Intended(PAIR, {**far, "category": {"class": "museum"}}, room=5.0))
        == "own_class"
    )
    assert refused_beforehand("gsqa", Intended({**PAIR, **CIRCLE}, far, room=5.0)) == "leaves_outline"


@given(
    lon=st.floats(-180, 180),
    lat=st.floats(-89, 89),
    azimuth=st.floats(0, 360),
    metres=st.floats(10_000, 200_000),
)
def test_only_what_is_farther_on_the_spheroid_is_far(
    lon: float, lat: float, azimuth: float, metres: float
) -> None:
    east, north, _ = Geod(ellps="WGS84").fwd(lon, lat, azimuth, metres)
    places = {"anchor": {"lon": lon, "lat": lat}, "towards": {"lon": east, "lat": north}}
    reason = refused_beforehand("gsqa", Intended(PAIR, places))
    assert reason == ("anchors_far_apart" if metres > 51_000 else None) or 50_000 < metres <= 51_000
