"""Draws by hashing: stable over machines and releases, and even enough."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from app.core import seeds


def test_draws_never_change() -> None:
    """Stored data sets stand on these numbers."""
    assert seeds.draw(0, "split", "abc") == 16887973468001510933
    assert list(seeds.permutation(10, 0, "x")) == [5, 9, 4, 8, 0, 3, 2, 7, 1, 6]


@given(st.integers(0, 2**63 - 1), st.text(max_size=8))
def test_units_are_below_one(seed: int, name: str) -> None:
    assert 0 <= seeds.unit(seed, name) < 1


def test_names_of_several_parts_are_not_run_together() -> None:
    assert seeds.draw(1, "a", "b") != seeds.draw(1, "ab")
    assert seeds.draw(1, "a", 1) != seeds.draw(1, "a", "1")


def test_shuffles_are_even() -> None:
    firsts = Counter(seeds.shuffled("abcd", seed, "options")[0] for seed in range(4000))
    assert set(firsts) == set("abcd")
    # 1,000 each, standard deviation 27: six of them
    assert all(abs(count - 1000) < 165 for count in firsts.values())


@given(st.lists(st.integers(), max_size=20), st.integers(0, 99))
def test_a_shuffle_keeps_everything(items: list[int], seed: int) -> None:
    assert sorted(seeds.shuffled(items, seed)) == sorted(items)
