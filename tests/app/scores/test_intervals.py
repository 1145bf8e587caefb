"""Intervals: known values, bounds, and coverage by simulation with a fixed seed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.intervals import WILSON, WILSON_VARIANCE, choose_method, wilson, wilson_variance

ROUNDS = 1500


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17, 857-872, Table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_equals_published_values(right: int, n: int, low: float, high: float) -> None:
    interval = wilson([1.0] * right + [0.0] * (n - right))
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=200))
def test_both_methods_agree_on_zeros_and_ones(values: list[float]) -> None:
    assert wilson_variance(values) == wilson(values)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=100))
def test_ends_hold_the_mean_and_stay_in_bounds(values: list[float]) -> None:
    low, high = wilson_variance(values)
    mean = math.fsum(values) / len(values)
    assert 0.0 <= low <= mean <= high <= 1.0
    assert low < high
    conservative = wilson(values)
    assert high - low <= conservative.high - conservative.low + 1e-9


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.randoms(use_true_random=False))
def test_the_order_of_values_changes_no_bit(values: list[float], random: object) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert wilson_variance(values) == wilson_variance(shuffled)


def _coverage(sample: np.ndarray, truth: float) -> float:
    intervals = [wilson_variance(list(map(float, values))) for values in sample]
    return sum(low <= truth <= high for low, high in intervals) / len(intervals)


@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("name", ["bernoulli", "skewed beta", "mostly zero", "circular error", "mixed"])
def test_coverage_is_at_least_93_percent(name: str, n: int) -> None:
    rng = np.random.default_rng(20261121)
    shape = (ROUNDS, n)
    angles = np.maximum(0, 1 - rng.uniform(0, 180, shape) / 45)
    sample, truth = {
        "bernoulli": ((rng.random(shape) < 0.3).astype(float), 0.3),
        "skewed beta": (rng.beta(0.3, 3.0, shape), 0.3 / 3.3),
        "mostly zero": ((rng.random(shape) < 0.05) * rng.random(shape), 0.025),
        "circular error": (angles, 0.125),
        "mixed": (
            np.where(rng.random(shape) < 0.6, rng.random(shape) < 0.3, angles),
            0.6 * 0.3 + 0.4 * 0.125,
        ),
    }[name]
    assert _coverage(sample, truth) >= 0.93


def test_graded_values_give_narrower_intervals_than_the_worst_case() -> None:
    values = [0.5 + 0.1 * math.sin(i) for i in range(100)]
    narrow, wide = wilson_variance(values), wilson(values)
    assert narrow.high - narrow.low < 0.5 * (wide.high - wide.low)


def test_the_chooser_goes_by_the_scorers() -> None:
    assert choose_method(graded=False) is WILSON
    assert choose_method(graded=True) is WILSON_VARIANCE
    assert WILSON.name != WILSON_VARIANCE.name


def test_no_values_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        wilson([])
