"""Words in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.published.overlap import NOTHING, best_overlap, overlap

words = st.lists(st.sampled_from("abcde"), max_size=8)


def test_repeats_count_below_the_line_only() -> None:
    found = overlap(["zoo", "alpine", "zoo"], ["alpine", "zoo"])
    assert found == (pytest.approx(2 / 3), 1.0, pytest.approx(0.8))


@given(words, words)
def test_shares(predicted: list[str], gold: list[str]) -> None:
    found = overlap(predicted, gold)
    assert all(0 <= share <= 1 for share in found)
    assert (found == NOTHING) == (not set(predicted) & set(gold))


def test_the_best_pair_keeps_its_precision_and_recall() -> None:
    found = best_overlap(
        [["a", "b", "c", "d"], ["a", "x"]], [["a", "b", "c", "d", "e", "f", "g", "h"], ["y"]]
    )
    assert found == (1.0, 0.5, pytest.approx(2 / 3))


@pytest.mark.parametrize(("predictions", "golds"), [([], [["a"]]), ([["a"]], []), ([[]], [[]])])
def test_nothing_earns_nothing(predictions: list[list[str]], golds: list[list[str]]) -> None:
    assert best_overlap(predictions, golds) == NOTHING
