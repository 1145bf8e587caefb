"""From a bank to a selection: as many as wanted, in bank order, values as varied as they can be."""

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.questions.selecting import select_varied

ITEMS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda ab: {"a": ab[0], "b": ab[1]}), max_size=40
)


def pick(bank: list[dict[str, Any]], wanted: int, seed: int = 0) -> list[int]:
    chosen = select_varied(list(enumerate(bank)), wanted, lambda one: one[1], seed)
    return [position for position, _ in chosen]


@given(bank=ITEMS, wanted=st.integers(1, 50), seed=st.integers(0, 9))
def test_as_many_as_wanted_in_bank_order(bank: list[dict[str, Any]], wanted: int, seed: int) -> None:
    chosen = pick(bank, wanted, seed)
    assert len(chosen) == min(wanted, len(bank))
    assert chosen == sorted(set(chosen))
    assert chosen == pick(bank, wanted, seed)


@given(bank=ITEMS, seed=st.integers(0, 9))
def test_one_of_each_value_before_a_second(bank: list[dict[str, Any]], seed: int) -> None:
    values = {item["a"] for item in bank}
    if values:
        chosen = pick(bank, len(values), seed)
        assert {bank[position]["a"] for position in chosen} == values


def test_seeds_choose_differently() -> None:
    bank = [{"a": number} for number in range(30)]
    assert len({tuple(pick(bank, 5, seed)) for seed in range(10)}) == 10


@given(bank=ITEMS, wanted=st.integers(1, 50), seed=st.integers(0, 9))
def test_no_value_has_more_than_its_share(bank: list[dict[str, Any]], wanted: int, seed: int) -> None:
    """A value is taken twice more than another only where that other has no more."""
    there = Counter(item["a"] for item in bank)
    taken = Counter(bank[position]["a"] for position in pick(bank, wanted, seed))
    for value, count in taken.items():
        for other, all_of_it in there.items():
            assert count <= taken[other] + 1 or taken[other] == all_of_it, (value, other)


def test_one_filter_does_not_fill_a_selection() -> None:
    """As in a map where one filter has nine of ten questions: 148 of 400 were about emergency hospitals."""
    bank = [{"a": "emergency", "b": number} for number in range(900)]
    bank += [{"a": f"cuisine {number % 9}", "b": number} for number in range(100)]
    chosen = Counter(bank[position]["a"] for position in pick(bank, 100))
    assert set(chosen.values()) == {10}
