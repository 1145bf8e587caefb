"""No number speaks for fewer than ten hidden questions, nor for those of a group; what is told of the whole is in steps."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.withholding import (
    LEAST_HIDDEN,
    STEP,
    in_steps,
    partition,
    shown_values,
    step_width,
    told_sum,
    whole,
)

VALUES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


@given(st.integers(0, 30), st.integers(0, 30))
def test_the_whole_counts_ten_hidden_questions_or_none(hidden: int, public: int) -> None:
    found = whole([True] * hidden + [False] * public, int)
    assert len(found.counted) + len(found.left_out) == hidden + public
    assert sum(found.counted) == (hidden if hidden >= LEAST_HIDDEN else 0)
    assert found.counted.count(False) == public


def test_parts_of_a_partition() -> None:
    items = [("a", True)] * 3 + [("a", False), ("b", False)] + [("c", True)] * 12
    found = partition(items, lambda item: item[0], lambda item: item[1])
    assert {name: (len(group.counted), len(group.left_out)) for name, group in found.items()} == {
        "a": (1, 3),
        "b": (1, 0),
        "c": (0, 12),
    }, "groups count public questions alone"


@given(st.integers(1, 2000), st.data())
def test_steps_are_of_five_questions_or_a_few_more(questions: int, data: st.DataObject) -> None:
    total = data.draw(st.floats(0, questions))
    ends = sorted({in_steps(number, questions) for number in range(questions + 1)})
    assert in_steps(total, questions) in ends
    assert (ends[0], ends[-1]) == (0, questions)
    gaps = [high - low for low, high in itertools.pairwise(ends)]
    assert all(min(STEP, questions) <= gap < 2 * STEP for gap in gaps)
    assert all(abs(gap - step_width(questions)) <= 1 for gap in gaps)
    assert abs(in_steps(total, questions) - total) <= step_width(questions) / 2 + 0.5


@given(VALUES)
def test_shown_values_have_the_public_sum_and_a_step(values: list[tuple[float, bool]]) -> None:
    hidden = [is_hidden for _, is_hidden in values]
    shown = shown_values([value for value, _ in values], hidden)
    assert len(shown) == len(values)
    public = math.fsum(value for value, is_hidden in values if not is_hidden)
    concealed = math.fsum(value for value, is_hidden in values if is_hidden)
    told = math.fsum(shown) - public
    assert told == pytest.approx(round(told), abs=1e-9)
    if any(hidden):
        assert abs(told - concealed) <= step_width(sum(hidden)) / 2 + 0.5 + 1e-9
    else:
        assert told == pytest.approx(0.0, abs=1e-9)


@given(VALUES)
def test_what_is_shown_follows_from_the_stepped_sum(values: list[tuple[float, bool]]) -> None:
    """Hidden values in another order, or others with the same sum in steps, are shown as the same."""
    hidden = [is_hidden for _, is_hidden in values]
    exact = [value for value, _ in values]
    told = told_sum(exact, hidden)
    ones = itertools.chain(itertools.repeat(1.0, told), itertools.repeat(0.0))
    others = [next(ones) if is_hidden else value for value, is_hidden in values]
    if told_sum(others, hidden) == told:
        assert shown_values(others, hidden) == shown_values(exact, hidden)
