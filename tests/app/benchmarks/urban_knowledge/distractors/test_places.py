"""Wrong places beside a key: apart from each other, of one cell, and each as likely the key as the key itself."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.benchmarks.urban_knowledge.distractors.places import CLOSE, GEOD, AlikePlaces
from app.core import seeds
from app.questions.picking import Pick
from app.questions.strategies import TOO_FEW

MARGINS = {"cell_degrees": 0.04, "blur_degrees": 0.0003, "apart_metres": 150.0}


def place(number: int, lon: float, lat: float) -> Pick:
    return Pick(
        f"n{number}", f"n{number}", f"Place {number}", {"name": f"Place {number}", "lon": lon, "lat": lat}
    )


def town_and_country(places: int) -> list[Pick]:
    """Two thirds stand in a town half a kilometre wide, the others anywhere in a square of 0.1 degrees."""
    made = []
    for number in range(places):
        lon, lat = (seeds.unit(1, "place", number, axis) for axis in ("lon", "lat"))
        width = 0.1 if number % 3 == 0 else 0.007
        made.append(place(number, 9.5 + width * lon, 47.1 + width * lat))
    return made


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 60), st.integers(0, 2**32), st.text(max_size=8), st.integers(1, 4))
def test_options_are_apart_and_of_one_cell(places: int, seed: int, name: str, count: int) -> None:
    picks = town_and_country(places)
    drawn = AlikePlaces(picks, MARGINS, seed).draw(picks[0], count, name)
    if isinstance(drawn, str):
        assert drawn in (TOO_FEW, CLOSE)
        return
    assert len(drawn) == count
    shown = [(picks[0].facts["lon"], picks[0].facts["lat"]), *drawn]
    assert all(GEOD.inv(*one, *other)[2] >= 150 for one, other in combinations(shown, 2))
    for axis in range(2):
        numbers = [one[axis] for one in shown]
        assert max(numbers) - min(numbers) <= 0.04 + 2 * 0.0003
    for lon, lat in drawn:
        assert any(
            abs(lon - pick.facts["lon"]) < 0.000306 and abs(lat - pick.facts["lat"]) < 0.000306
            for pick in picks[1:]
        )


@pytest.mark.parametrize("what", ["neighbours", "centre", "east"])
def test_nothing_about_a_place_tells_that_it_is_the_key(what: str) -> None:
    """Of four options the key is as often the one in the thick of the town, the middle one, or the one farthest east."""
    picks = town_and_country(300)
    places = AlikePlaces(picks, MARGINS, 1)

    def score(one: tuple[float, float], shown: list[tuple[float, float]]) -> float:
        if what == "east":
            return one[0]
        if what == "centre":
            return -sum(GEOD.inv(*one, *other)[2] for other in shown)
        return sum(
            abs(pick.facts["lon"] - one[0]) < 0.002 and abs(pick.facts["lat"] - one[1]) < 0.002
            for pick in picks
        )

    hits, asked = 0.0, 0
    for number in range(4000):
        key = picks[seeds.below(len(picks), 2, "key", number)]
        drawn = places.draw(key, 3, f"question {number}")
        if isinstance(drawn, str):
            continue
        shown = [(key.facts["lon"], key.facts["lat"]), *drawn]
        scores = [score(one, shown) for one in shown]
        asked += 1
        hits += (scores[0] == max(scores)) / scores.count(max(scores))
    assert asked > 1500
    assert 0.215 < hits / asked < 0.285


def test_too_few_in_a_cell() -> None:
    picks = [place(0, 9.5, 47.1), place(1, 9.51, 47.1), place(2, 9.9, 47.1), place(3, 10.3, 47.1)]
    told = Counter(str(AlikePlaces(picks, MARGINS, 1).draw(picks[2], 1, f"q{i}")) for i in range(20))
    assert told == {TOO_FEW: 20}
