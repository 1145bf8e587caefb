"""The same questions in other forms of their texts: phrasings, units, coordinates; on the toy town."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from app.core.errors import UsageError
from app.questions.generating import Recipe, generate
from app.questions.records import QuestionRecord
from app.questions.snapshots import find_snapshots
from app.questions.text_forms import (
    FOOT_M,
    TextForm,
    length_in_words,
    lon_lat_in_words,
    point_in_words,
    read_text_form,
)
from app.scores.reading.locations import read_location
from app.templates.catalogue import find_benchmark
from tests.support.town import Imported

WITHIN = ("T1", "T3", "T17", "T20")


def records(town: Imported, form: TextForm) -> dict[str, QuestionRecord]:
    whole = find_benchmark("gsqa")
    few = replace(whole, templates={name: whole.templates[name] for name in WITHIN})
    with town.connect() as connection:
        maps = find_snapshots(connection, [town.name])
        recipe = Recipe(few, maps, 0, 20, 10, 0.0, register="mixed", text_form=form)
        return {one.id: one for one in generate(connection, recipe, lambda *told: None).records}


def test_another_form_asks_the_same_with_the_same_gold(town: Imported) -> None:
    usual = records(town, TextForm())
    for form in (TextForm(phrasing=1), TextForm(lengths="feet"), TextForm(lengths="metres")):
        other = records(town, form)
        assert other.keys() == usual.keys()
        assert all(other[key].gold == one.gold for key, one in usual.items())
        assert all(other[key].options == one.options for key, one in usual.items())
        differ = [key for key, one in usual.items() if other[key].text != one.text]
        assert differ
        if form.phrasing:
            assert len(differ) == len(usual)
        else:
            assert {key for key, one in usual.items() if re.search(r"\d m\b|\d km\b", one.text)} >= {*differ}


def point_of(text: str) -> tuple[float, float]:
    read = read_location(text).value
    assert read is not None
    assert read.point is not None
    return read.point


@given(st.floats(10, 100_000))
def test_a_length_in_feet_is_right_to_two_millimetres(metres: float) -> None:
    said = float(length_in_words(metres, "feet").removesuffix(" feet").replace(",", ""))
    assert abs(said * FOOT_M - metres) <= 0.002


def test_lengths_as_they_are_said() -> None:
    said = [length_in_words(1200.0, form) for form in ("usual", "metres", "feet")]
    assert said == ["1.2 km", "1,200 metres", "3,937.01 feet"]


@given(st.floats(-179, 179), st.floats(-89, 89))
def test_both_forms_of_a_point_are_read_as_the_same_place(lon: float, lat: float) -> None:
    decimal, minutes = (point_of(point_in_words(lon, lat, form)) for form in ("decimal", "minutes"))
    assert Geod(ellps="WGS84").inv(*decimal, *minutes)[2] < 0.2


def test_a_point_in_minutes_carries_over() -> None:
    assert point_in_words(9.9999999, -47.5, "minutes") == "47°30'00.000\"S, 10°00'00.000\"E"
    assert lon_lat_in_words("9.5", "47.25", "minutes") == "9°30'00.000\"E, 47°15'00.000\"N"
    assert lon_lat_in_words("9.520000", "47.25", "decimal") == "9.520000, 47.25"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((-1, "usual", "decimal"), "--phrasing"),
        ((0, "yards", "decimal"), "--lengths"),
        ((0, "usual", "x"), "--points"),
    ],
)
def test_a_form_that_there_is_not_is_refused(asked: tuple[int, str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_text_form(*asked)
