"""Intervals: known values, bounds, and coverage by simulation with a fixed seed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.intervals import Interval, Shown, effect_of_design, interval_of, wilson_of
from app.scores.strata import Strata, make_strata

ROUNDS = 1500


def of_their_own(n: int) -> Strata:
    """Questions of one template about as many places."""
    return make_strata(np.zeros(n, dtype=np.int64), np.arange(n))


def interval(values: list[float], strata: Strata | None = None, step: float = 0.0) -> Interval:
    mean = math.fsum(values) / len(values)
    return interval_of(Shown(mean, len(values), step), values, strata or of_their_own(len(values)))


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17, 857-872, Table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_equals_published_values(right: int, n: int, low: float, high: float) -> None:
    found = interval([1.0] * right + [0.0] * (n - right))
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=100))
def test_ends_hold_the_mean_and_stay_in_bounds(values: list[float]) -> None:
    low, high = interval(values)
    mean = math.fsum(values) / len(values)
    assert 0.0 <= low <= mean <= high <= 1.0
    assert low < high
    conservative = wilson_of(mean, len(values))
    assert high - low <= conservative.high - conservative.low + 1e-9


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=60))
def test_so_they_do_in_any_strata(questions: list[tuple[float, int, int]]) -> None:
    values, templates, places = (list(column) for column in zip(*questions))
    low, high = interval(values, make_strata(np.array(templates), np.array(places)))
    assert 0.0 <= low <= math.fsum(values) / len(values) <= high <= 1.0
    assert low < high


def _coverage(sample: np.ndarray, truth: float) -> float:
    intervals = [interval(list(map(float, values))) for values in sample]
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
    narrow, wide = interval(values), wilson_of(math.fsum(values) / 100, 100)
    assert narrow.high - narrow.low < 0.5 * (wide.high - wide.low)


def test_templates_that_differ_do_not_widen_it() -> None:
    """Two templates with 18 and 2 of 20 right: the variance is that within them, 2 (20 / 19) 1.8 of 10."""
    values = [1.0] * 18 + [0.0] * 2 + [1.0] * 2 + [0.0] * 18
    strata = make_strata(np.array([0] * 20 + [1] * 20), np.arange(40))
    effect = effect_of_design(values, strata)
    widening = (2.0243941639 / 1.9599639845) ** 2  # t of 38 degrees of freedom over the normal's quantile
    assert effect == pytest.approx(2 * 20 / 19 * 1.8 / 10 * widening, rel=1e-9)
    assert interval(values, strata) == wilson_of(0.5, 40 / effect)


def test_places_with_many_questions_are_worth_few() -> None:
    """Twenty places of ten questions, all right or all wrong: worth a little less than twenty."""
    values = [float(i // 10 % 2) for i in range(200)]
    strata = make_strata(np.zeros(200, dtype=np.int64), np.arange(200) // 10)
    assert 200 / effect_of_design(values, strata) == pytest.approx(16.5, abs=1)


def test_all_right_says_no_more_than_the_places_do() -> None:
    strata = make_strata(np.zeros(60, dtype=np.int64), np.arange(60) % 12)
    low, high = interval([1.0] * 60, strata)
    assert high == 1.0
    assert wilson_of(1.0, 12).low < low < wilson_of(1.0, 60 / 2.2).low < interval([1.0] * 60).low


def test_one_place_alone_is_taken_as_none() -> None:
    values = [1.0, 0.0, 1.0, 1.0]
    assert interval(values, make_strata(np.zeros(4, dtype=np.int64), np.zeros(4))) == interval(values)


def test_what_steps_hide_widens_it() -> None:
    values = [1.0, 0.0] * 20
    found, exact = interval(values, step=5 / 40), interval(values)
    # Wilson's variance 1 / 4 over 40, and that of an even spread over the step.
    worth = 0.25 / (0.25 / 40 + (5 / 40) ** 2 / 12)
    assert found == pytest.approx(wilson_of(0.5, worth))
    assert found.low < exact.low


def test_hidden_questions_alone_are_taken_as_independent() -> None:
    assert interval_of(Shown(0.5, 20), [], of_their_own(0)) == wilson_of(0.5, 20)
