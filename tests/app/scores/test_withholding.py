"""No number, and no difference of a whole and its parts, speaks for fewer than ten hidden questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.withholding import LEAST_HIDDEN, left_out

HIDDEN = st.dictionaries(st.text(min_size=1, max_size=3), st.integers(0, 40), max_size=8)


@pytest.mark.parametrize(
    ("hidden", "expected"),
    [
        ({}, set()),
        ({"a": 0, "b": 10}, set()),
        ({"a": 9}, {"a"}),
        ({"a": 3, "b": 50, "c": 20, "d": 0}, {"a", "c"}),
        ({"a": 5, "b": 5, "c": 20}, {"a", "b"}),
        ({"a": 4, "b": 5, "c": 0}, {"a", "b"}),
    ],
)
def test_groups(hidden: dict[str, int], expected: set[str]) -> None:
    assert left_out(hidden) == expected


@given(HIDDEN)
def test_what_is_shown_tells_of_ten_or_none(hidden: dict[str, int]) -> None:
    out = left_out(hidden)
    for name, count in hidden.items():
        assert name in out or count == 0 or count >= LEAST_HIDDEN
    whole = sum(hidden.values())
    if not left_out({"all": whole}):  # the whole is shown, so its parts can be taken from it
        rest = sum(hidden[name] for name in out)
        assert rest == 0 or rest >= LEAST_HIDDEN


@given(HIDDEN)
def test_groups_without_hidden_questions_are_whole(hidden: dict[str, int]) -> None:
    assert all(hidden[name] for name in left_out(hidden))
