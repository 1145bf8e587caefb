"""Readings of queries, typing errors, directions and arithmetic: pure functions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent_tools.bearings import DIRECTIONS, name_direction, read_direction
from app.agent_tools.calculating import calculate
from app.agent_tools.errors import ToolError
from app.agent_tools.likeness import MOST_EDITS, count_edits, like_typed, patterns_of_typing_errors
from app.agent_tools.readings import read_doors, read_names, share_named

WORDS = st.text("abcd", max_size=7)


@given(WORDS, WORDS)
def test_edits_are_symmetric_and_zero_for_equal_texts_alone(one: str, other: str) -> None:
    assert count_edits(one, other) == count_edits(other, one)
    assert (count_edits(one, other) == 0) == (one == other)


@pytest.mark.parametrize(
    ("one", "other", "edits"), [("krone", "krnoe", 1), ("krone", "krne", 1), ("krone", "kroine", 1), ("krone", "krome", 1),
                                ("krone", "kornee", 2), ("krone", "adler", MOST_EDITS + 1), ("", "abc", MOST_EDITS + 1)]
)  # fmt: skip
def test_edits_are_counted(one: str, other: str, edits: int) -> None:
    assert count_edits(one, other) == edits


@given(st.text("abc%_\\", min_size=2, max_size=8), st.data())
def test_a_pattern_meets_every_name_that_is_one_error_away(name: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(name) - 1))
    typed = data.draw(
        st.sampled_from(
            [
                name[:place] + name[place + 1 :],
                name[:place] + "x" + name[place:],
                name[:place] + "x" + name[place + 1 :],
                name[:place] + name[place : place + 2][::-1] + name[place + 2 :],
            ]
        )
    )
    if len(typed) >= 2:
        assert any(is_like(name, pattern) for pattern in patterns_of_typing_errors(typed)) or typed == name


def is_like(text: str, pattern: str) -> bool:
    """LIKE without the percent sign."""
    signs = []
    rest = iter(pattern)
    for sign in rest:
        signs.append((next(rest), False) if sign == "\\" else (sign, sign == "_"))
    return len(signs) == len(text) and all(any_ or sign == there for (sign, any_), there in zip(signs, text))


def test_equal_names_alone_are_wholly_alike() -> None:
    assert like_typed("krone", "krone", 0.1) == 1.0
    assert like_typed("krone", "kronen", 0.99) == 0.95


def test_a_query_is_read_with_and_without_surroundings() -> None:
    assert [(one.form, one.surroundings) for one in read_names("Adler, Ring 5, Vaduz")] == [
        ("adler, ring 5, vaduz", ()),
        ("adler, ring 5", ("vaduz",)),
        ("adler", ("ring 5", "vaduz")),
    ]
    assert len(read_names(",".join("abcdefghijkl"))) == 6


@pytest.mark.parametrize(
    ("query", "street", "number"),
    [("Ring 5", "ring", "5"), ("5 Ring", "ring", "5"), ("Ring 5 A", "ring", "5a"), ("Bowery 178 1/2", "bowery", "1781/2"),
     ("Straße des 17. Juni 135", "strasse des 17. juni", "135"), ("12-14 Main Street", "main street", "12-14")]
)  # fmt: skip
def test_an_address_is_read_with_the_number_before_or_behind(query: str, street: str, number: str) -> None:
    assert (street, number) in [(door.street, door.number) for door in read_doors(query)]


def test_surroundings_count_by_whole_words() -> None:
    assert share_named(("triesen",), "9495 Triesen") == 1.0
    assert 0.5 < share_named(("triesen",), "Triesenberg") < 1.0
    assert share_named(("vaduz", "atlantis"), "Vaduz") == 0.5
    assert share_named((), "") == 1.0


@given(st.floats(0, 360, exclude_max=True))
def test_the_name_of_a_direction_is_at_most_half_a_sector_off(degrees: float) -> None:
    for names in (4, 8, 16):
        middle = DIRECTIONS.index(name_direction(degrees, names)) * 22.5  # type: ignore[arg-type]
        assert abs((degrees - middle + 180) % 360 - 180) <= 180 / names


def test_directions_are_read_by_names_and_letters() -> None:
    for number, name in enumerate(DIRECTIONS):
        assert read_direction(name.upper()) == number * 22.5
    assert (read_direction("ene"), read_direction("SSW"), read_direction("w"), read_direction("up")) == (
        67.5,
        202.5,
        270,
        None,
    )


@pytest.mark.parametrize(
    ("expression", "value"),
    [("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("-2 ** 2", -4), ("7 // 2 + 7 % 2", 4), ("sqrt(16) / 8", 0.5), ("sin(30)", 0.5),
     ("round(pi, 2)", 3.14), ("max(1, 2.5, -3)", 2.5), ("1e3", 1000.0), ("sum(1, 2, 3) / 3", 2)]
)  # fmt: skip
def test_arithmetic(expression: str, value: float) -> None:
    assert math.isclose(calculate(expression), value)


@pytest.mark.parametrize(
    "expression",
    ["", "x", "1 if 2 else 3", "[1]", "'a' * 9", "a.b", "lambda: 1", "1 < 2", "2 ** 65", "1 / 0", "(-8) ** 0.5", "sqrt(-1)",
     "1e400", "10 ** 31", "round(1, 2, 3)", "open('f')", "max()", "True + 1", "1j", "1 << 99", "-" * 290 + "1", "9" * 290]
)  # fmt: skip
def test_what_is_no_short_arithmetic_is_refused_at_once(expression: str) -> None:
    with pytest.raises(ToolError):
        calculate(expression)
