"""Intervals by resampling user places, beside what is known of the mean of clusters."""

import numpy as np
import pytest

from app.scores.bootstrap import bootstrap_intervals
from app.scores.intervals import wilson_of


def test_an_interval_is_as_wide_as_clusters_vary() -> None:
    """Of 400 places with ten questions each, half all right and half all wrong: a standard error of 0.5 / 20."""
    sums = np.array([[10.0 * (place % 2)] for place in range(400)])
    (found,) = bootstrap_intervals(sums, [10] * 400)
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.004)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.004)


def test_places_with_more_questions_weigh_more() -> None:
    (found,) = bootstrap_intervals(np.array([[90.0], [0.0], [0.0]] * 50), [90, 5, 5] * 50)
    assert found.low < 0.9 < found.high
    assert found.high - found.low < 0.1


def test_measures_that_are_ordered_have_ordered_ends() -> None:
    places = np.arange(60)
    sums = (
        np.stack([places % 2, places % 2 + (places % 3 == 0), np.full(60, 2)], axis=1)
        .clip(0, 2)
        .astype(float)
    )
    first, second, third = bootstrap_intervals(sums, [2] * 60)
    assert first.low <= second.low <= third.low
    assert first.high <= second.high <= third.high


def test_places_that_are_all_alike_get_wilsons_interval() -> None:
    (found,) = bootstrap_intervals(np.array([[3.0]] * 8), [3] * 8)
    assert found == wilson_of(1.0, 8)
    assert bootstrap_intervals(np.array([[1.0]]), [4]) == [wilson_of(0.25, 1)]


def test_the_same_values_give_the_same_bits() -> None:
    sums = np.array([[float(place % 3 == 0), float(place % 5 == 0)] for place in range(31)])
    assert bootstrap_intervals(sums, [2] * 31) == bootstrap_intervals(sums.copy(), [2] * 31)
