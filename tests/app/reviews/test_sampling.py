"""The draw: equal shares, splits and maps in proportion, every question equally likely, the same again."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import UsageError
from app.reviews.sampling import Listed, allocate, draw_sample

SIZES = st.dictionaries(st.sampled_from("ABCDEFG"), st.integers(1, 40), min_size=1)


def listed(template: str, count: int, hidden: int = 0) -> list[Listed]:
    return [
        Listed(f"{template}{i}", template, "hidden" if i < hidden else "public", "ab"[i % 2])
        for i in range(count)
    ]


@given(SIZES, st.integers(0, 9), st.data())
def test_shares_are_as_equal_as_can_be(sizes: dict[str, int], seed: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(len(sizes), sum(sizes.values())))
    shares = allocate(sizes, size, seed)
    assert sum(shares.values()) == size
    assert all(1 <= shares[template] <= sizes[template] for template in sizes)
    unfilled = [shares[template] for template in sizes if shares[template] < sizes[template]]
    assert not unfilled or max(shares.values()) - min(unfilled) <= 1


@pytest.mark.parametrize("size", [1, 8])
def test_sizes_that_cannot_be(size: int) -> None:
    with pytest.raises(UsageError, match=f"--size {size}: choose from 2 .* to 7"):
        allocate({"A": 3, "B": 4}, size, 0)


@given(SIZES, st.integers(0, 9), st.data())
def test_a_sample_is_drawn_whole_and_again(sizes: dict[str, int], seed: int, data: st.DataObject) -> None:
    questions = [one for template, count in sizes.items() for one in listed(template, count, count // 3)]
    size = data.draw(st.integers(len(sizes), len(questions)))
    drawn = draw_sample(questions, size, seed)
    assert len(set(drawn)) == len(drawn) == size
    assert drawn == [one.id for one in questions if one.id in set(drawn)], "in the version's order"
    assert drawn == draw_sample(questions, size, seed)
    found = Counter(one.template for one in questions if one.id in set(drawn))
    assert found == allocate(sizes, size, seed)


@given(st.integers(0, 200))
def test_splits_and_maps_have_their_share(seed: int) -> None:
    """12 hidden of 40, half on either map: of 10 drawn, 3 hidden; each map's share within one."""
    questions = listed("A", 40, 12)
    chosen = set(draw_sample(questions, 10, seed))
    drawn = [one for one in questions if one.id in chosen]
    assert Counter(one.split for one in drawn) == {"hidden": 3, "public": 7}
    assert 4 <= Counter(one.snapshot for one in drawn)["a"] <= 6


def test_every_question_is_as_likely() -> None:
    questions = listed("A", 10, 3)
    times = Counter(id for seed in range(4000) for id in draw_sample(questions, 3, seed))
    assert all(1050 < times[one.id] < 1350 for one in questions), times
