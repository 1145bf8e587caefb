"""Correlations by hand, against scipy, and where there is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from app.scores.correlating import Correlation, correlate

VALUES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=3, max_size=20)


def test_a_line_and_a_curve() -> None:
    assert correlate([1, 2, 3, 4], [2, 4, 6, 8]).value == pytest.approx(1.0)
    assert correlate([1, 2, 3, 4], [8, 4, 2, 1], "spearman").value == pytest.approx(-1.0)
    # Deviations (-1, 0, 1) and (-1, 1, 0): 1 / 2.
    assert correlate([0, 1, 2], [0, 2, 1]).value == pytest.approx(0.5)


@given(VALUES)
def test_scipy_says_the_same(pairs: list[tuple[int, int]]) -> None:
    x, y = ([float(one[place]) for one in pairs] for place in (0, 1))
    pearson, spearman = correlate(x, y), correlate(x, y, "spearman")
    if len({*x}) == 1 or len({*y}) == 1:
        assert (pearson.value, spearman.value) == (None, None)
        return
    assert pearson.value == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
    assert spearman.value == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)
    for found in (pearson, spearman):
        assert (found.low is None) == (found.high is None)
        if found.low is not None and found.high is not None:
            assert -1 <= found.low <= found.high <= 1


def test_what_does_not_vary_has_no_correlation() -> None:
    assert correlate([1, 1, 1], [1, 2, 3]) == Correlation(n=3, value=None)
    assert correlate([0.1, 0.1, 0.1], [1, 2, 3], "spearman").value is None
    assert correlate([1, 2], [1, 2]) == Correlation(n=2, value=None)
    assert correlate([], []).n == 0


def test_the_same_seed_gives_the_same_interval_and_strata_narrow_it() -> None:
    x = [*range(10), *range(100, 110)]
    y = [*range(9, -1, -1), *range(109, 99, -1)]
    parts = ["low"] * 10 + ["high"] * 10
    one = correlate(x, y, seed=1)
    assert one == correlate(x, y, seed=1)
    assert one != correlate(x, y, seed=2)
    within = correlate(x, y, seed=1, strata=parts)
    assert within.value == one.value
    assert within.low is not None
    assert one.low is not None
    assert within.low > one.low - 1e-12
