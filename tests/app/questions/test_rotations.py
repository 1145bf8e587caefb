"""Turning options: what is shown where, and back."""

from hypothesis import given
from hypothesis import strategies as st

from app.questions.rotations import own_place, place_shown, turned

OPTIONS = ["Adler", "Krone", "Linde", "Bohne"]


def test_the_first_options_go_to_the_end() -> None:
    assert turned(OPTIONS, 0) == OPTIONS
    assert turned(OPTIONS, 1) == ["Krone", "Linde", "Bohne", "Adler"]
    assert turned(OPTIONS, 3) == ["Bohne", "Adler", "Krone", "Linde"]


def test_over_all_rotations_an_option_stands_once_in_each_place() -> None:
    shown = [turned(OPTIONS, rotation) for rotation in range(4)]
    assert [sorted(column) for column in zip(*shown, strict=True)] == [sorted(OPTIONS)] * 4


@given(st.integers(1, 8), st.data())
def test_places_go_there_and_back(count: int, data: st.DataObject) -> None:
    rotation, place = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    options = list(range(count))
    shown = place_shown(place, rotation, count)
    assert turned(options, rotation)[shown] == place
    assert own_place(shown, rotation, count) == place
