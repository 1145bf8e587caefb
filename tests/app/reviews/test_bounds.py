"""Clopper and Pearson's bound by its defining sums, and the stratified one by its coverage over small populations."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.reviews.bounds import Stratum, binomial_cdf, clopper_pearson_upper, stratified_upper

trials = st.integers(1, 400)


@given(st.data())
def test_the_sum_is_the_binomial_distribution(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 60))
    faults = data.draw(st.integers(0, n))
    share = Fraction(data.draw(st.integers(1, 99)), 100)
    exact = sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(faults + 1))
    assert binomial_cdf(faults, n, float(share)) == pytest.approx(float(exact), rel=1e-9, abs=1e-15)


@given(st.data())
def test_the_bound_leaves_five_per_cent(data: st.DataObject) -> None:
    """Its definition: under the bound, so few faults have probability 0.05, exactly."""
    n = data.draw(trials)
    faults = data.draw(st.integers(0, n - 1))
    upper = clopper_pearson_upper(faults, n)
    assert faults / n < upper < 1
    assert binomial_cdf(faults, n, upper) == pytest.approx(0.05, rel=1e-6)


@pytest.mark.parametrize(
    ("faults", "n", "upper"),
    [
        (0, 1, 0.95),
        (0, 59, 1 - 0.05 ** (1 / 59)),
        (9, 10, 0.95 ** (1 / 10)),  # at least one sound: 1 - p^n = 0.05
        (10, 10, 1.0),
        (1, 10, 0.3941633),  # tables of the one-sided 95 % limit
        (2, 20, 0.2826185),
    ],
)
def test_known_limits(faults: int, n: int, upper: float) -> None:
    assert clopper_pearson_upper(faults, n) == pytest.approx(upper, abs=1e-7)


@pytest.mark.parametrize(("faults", "n"), [(-1, 5), (6, 5)])
def test_impossible_counts_are_refused(faults: int, n: int) -> None:
    with pytest.raises(ValueError, match="faults of"):
        clopper_pearson_upper(faults, n)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=6), st.integers(1, 5), st.data())
def test_equal_rates_give_the_plain_bound(sampled: list[int], rate: int, data: st.DataObject) -> None:
    faults = [data.draw(st.integers(0, n)) for n in sampled]
    strata = [Stratum(n * rate, n, k) for n, k in zip(sampled, faults, strict=True)]
    bound = stratified_upper(strata)
    assert bound.effective == sum(sampled)
    assert bound.estimate == pytest.approx(sum(faults) / sum(sampled))
    assert bound.upper == clopper_pearson_upper(sum(faults), sum(sampled))


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=6), st.data())
def test_unequal_rates_only_widen(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    strata = []
    for questions, wanted in pairs:
        sampled = min(questions, wanted)
        strata.append(Stratum(questions, sampled, data.draw(st.integers(0, sampled))))
    bound = stratified_upper(strata)
    assert 1 <= bound.effective <= sum(one.sampled for one in strata)
    assert 0 <= bound.estimate <= bound.upper <= 1


@pytest.mark.parametrize("strata", [[], [Stratum(5, 0, 0)]])
def test_a_stratum_without_a_sample_has_no_bound(strata: list[Stratum]) -> None:
    with pytest.raises(ValueError, match="sampled question"):
        stratified_upper(strata)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_fault_found_bounds_every_spread_of_faults(data: st.DataObject) -> None:
    """Whatever the strata's shares: none found has probability 5 % at most where the bound is exceeded."""
    sizes = data.draw(st.lists(st.tuples(st.integers(1, 200), st.integers(1, 200)), min_size=1, max_size=5))
    strata = [Stratum(questions, min(questions, wanted), 0) for questions, wanted in sizes]
    upper = stratified_upper(strata).upper
    shares = [data.draw(st.floats(0, 1)) for _ in strata]
    total = sum(one.questions for one in strata)
    share = sum(one.questions * p for one, p in zip(strata, shares, strict=True)) / total
    if share > upper:
        none_found = 1.0
        for one, p in zip(strata, shares, strict=True):
            none_found *= (1 - p) ** one.sampled
        assert none_found <= 0.05 + 1e-9


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_coverage_over_all_samples(data: st.DataObject) -> None:
    """Every way a sample can fall from a small data set: the bound is below the truth in 5 % of them at most."""
    sizes = data.draw(st.lists(st.tuples(st.integers(2, 12), st.integers(1, 6)), min_size=1, max_size=3))
    strata = [(questions, min(questions, wanted)) for questions, wanted in sizes]
    faulty = [data.draw(st.integers(0, questions)) for questions, _ in strata]
    truth = sum(faulty) / sum(questions for questions, _ in strata)
    missed = 0.0
    for found in product(*(range(sampled + 1) for _, sampled in strata)):
        chance = 1.0
        for (questions, sampled), bad, k in zip(strata, faulty, found, strict=True):
            chance *= comb(bad, k) * comb(questions - bad, sampled - k) / comb(questions, sampled)
        if chance:
            drawn = [Stratum(*one, k) for one, k in zip(strata, found, strict=True)]
            missed += chance * (stratified_upper(drawn).upper < truth)
    assert missed <= 0.05 + 1e-9
