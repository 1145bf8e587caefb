"""No number, and no difference of a whole and its parts, speaks for fewer than ten hidden questions; steps are even."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.withholding import (
    LEAST_HIDDEN,
    STEP,
    in_steps,
    left_out,
    partition,
    shown_values,
    widened,
)

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


@given(st.integers(STEP, 2000), st.data())
def test_steps_are_of_five_questions_or_a_few_more(questions: int, data: st.DataObject) -> None:
    each = data.draw(st.integers(1, 4))
    most = questions * each
    total = data.draw(st.floats(0, most))
    found = in_steps(total, most, questions)
    ends = sorted({in_steps(number, most, questions) for number in range(most + 1)})
    assert found in ends
    assert (ends[0], ends[-1]) == (0, most)
    assert all(STEP * each <= high - low <= (2 * STEP - 1) * each for low, high in itertools.pairwise(ends))
    assert abs(found - total) <= max(high - low for low, high in itertools.pairwise(ends)) / 2 + 1


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60))
def test_shown_values_have_the_public_sum_and_a_step(values: list[tuple[float, bool]]) -> None:
    hidden = [is_hidden for _, is_hidden in values]
    if 0 < sum(hidden) < LEAST_HIDDEN:
        return
    shown = shown_values([value for value, _ in values], hidden)
    assert len(shown) == len(values)
    public = math.fsum(value for value, is_hidden in values if not is_hidden)
    concealed = math.fsum(value for value, is_hidden in values if is_hidden)
    told = math.fsum(shown) - public
    assert told == pytest.approx(round(told), abs=1e-9)
    assert abs(told - concealed) <= STEP if any(hidden) else told == pytest.approx(0.0, abs=1e-9)


@given(st.floats(0, 1), st.integers(1, 3000))
def test_widths_are_never_too_small(share: float, n: int) -> None:
    assert share <= widened(share, n) + 1e-12
    assert widened(share, n) <= share + (STEP + 1e-9) / n
    assert widened(share, n) * n / STEP == pytest.approx(round(widened(share, n) * n / STEP))


def test_parts_of_a_partition() -> None:
    items = [("a", True)] * 3 + [("a", False), ("b", False)] + [("c", True)] * 12
    found = partition(items, lambda item: item[0], lambda item: item[1])
    assert {name: (len(group.counted), len(group.left_out)) for name, group in found.items()} == {
        "a": (1, 3),
        "b": (1, 0),
        "c": (0, 12),
    }, "three and twelve: twelve are left out, too, for three could be told from the whole"
