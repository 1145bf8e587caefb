"""Paired comparisons: against statsmodels, against sums over all pairs of questions, by properties and simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.pairs import Clusters, Paired, compare, jackknife
from app.scores.student import quantile, two_sided


def clusters(templates: list[int], places: list[int]) -> Clusters:
    return Clusters.make(np.array(templates), np.array(places))


def run(differences: list[float], templates: list[int], places: list[int]) -> Paired:
    everything = np.arange(len(differences))
    return compare(np.array(differences, dtype=float), clusters(templates, places).of(everything))


def test_clusters_of_one_size_have_the_variance_of_statsmodels() -> None:
    """statsmodels 0.15.0: cov_cluster of OLS on a constant, for 12 questions in 4 clusters of three."""
    values = [1, 1, 0, -1, 0, 0.5, 1, 0.25, 1, 1, -0.5, 1.0]
    found = jackknife(np.array(values, dtype=float), np.repeat(np.arange(4), 3))
    assert found == pytest.approx(0.043258101851851874, rel=1e-12)


def by_hand(differences: list[float], templates: list[int], places: list[int]) -> tuple[float, float] | None:
    """p and the standard error by taking each cluster's questions away in turn."""
    n = len(differences)
    ways = [len(set(codes)) for codes in (templates, places) if len(set(codes)) > 1]
    if not ways:
        return None
    padded = [*differences, 1.0, -1.0]
    centre = math.fsum(padded) / (n + 2)

    def between(keys: list[object]) -> float | None:
        if len(set(keys)) < 2:
            return None
        named = [*keys, "plus", "minus"]
        squares = []
        for key in set(named):
            rest = [value for value, other in zip(padded, named) if other != key]
            squares.append((math.fsum(rest) / len(rest) - centre) ** 2)
        return math.fsum(squares) * (len(squares) - 1) / len(squares)

    one, other = between(list(templates)), between(list(places))
    found = [value for value in (one, other, between(list(range(n)))) if value is not None]
    if one is not None and other is not None:
        found.append(one + other - (between(list(zip(templates, places))) or 0.0))
    error = math.sqrt(max(found))
    return two_sided(centre / error, min(ways) - 1), error


QUESTIONS = st.lists(
    st.tuples(
        st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]) | st.floats(-1, 1), st.integers(0, 4), st.integers(0, 6)
    ),
    min_size=1,
    max_size=30,
)


@given(QUESTIONS)
def test_the_test_equals_one_that_takes_clusters_away(questions: list[tuple[float, int, int]]) -> None:
    differences, templates, places = (list(column) for column in zip(*questions))
    found, expected = run(differences, templates, places), by_hand(differences, templates, places)
    assert found.n == len(questions)
    assert found.difference == pytest.approx(sum(differences) / len(questions), abs=1e-12)
    assert (found.templates, found.places) == (len(set(templates)), len(set(places)))
    if expected is None:
        assert (found.p, found.low, found.high, found.detectable) == (None,) * 4
        return
    p, error = expected
    degrees = min(count for count in (found.templates, found.places) if count > 1) - 1
    assert found.p == pytest.approx(p, abs=1e-9)
    assert found.detectable == pytest.approx(
        min(1.0, (quantile(0.975, degrees) + quantile(0.8, degrees)) * error), abs=1e-9
    )


@given(QUESTIONS, st.randoms(use_true_random=False))
def test_properties(questions: list[tuple[float, int, int]], random: object) -> None:
    differences, templates, places = (list(column) for column in zip(*questions))
    found = run(differences, templates, places)
    turned = run([-value for value in differences], templates, places)
    assert turned.difference == -found.difference
    if found.low is not None and found.high is not None and found.p is not None:
        assert -1 <= found.low <= found.difference <= found.high <= 1
        assert [turned.low, turned.high, turned.p, turned.detectable] == pytest.approx(
            [-found.high, -found.low, found.p, found.detectable], abs=1e-12
        )
        assert 0 <= found.p <= 1
        if found.p < 0.05 and min(abs(found.low), abs(found.high)) > 1e-9:
            assert found.low * found.high > 0, "a sure difference leaves 0 out of its interval"
    random.shuffle(questions)  # type: ignore[attr-defined]
    shuffled = run(*(list(column) for column in zip(*questions)))
    assert shuffled.difference == pytest.approx(found.difference, abs=1e-12)


@given(st.integers(1, 200))
def test_a_run_does_not_differ_from_itself(n: int) -> None:
    found = run([0.0] * n, [i % 5 for i in range(n)], list(range(n)))
    assert found.difference == 0
    assert found.p in (1.0, None)


def test_zeros_and_ones_without_clusters_are_bonett_and_price() -> None:
    """12 of 40 right in the first alone, 3 in the second alone: (12 - 3) / 42, and their variance but for 42 / 41."""
    found = run([1.0] * 12 + [-1.0] * 3 + [0.0] * 25, [0] * 40, list(range(40)))
    centre, plus, minus = 9 / 42, 13 / 42, 4 / 42
    half = quantile(0.975, 39) * math.sqrt((plus + minus - centre**2) / 42 * 42 / 41)
    assert found.low == pytest.approx(centre - half, abs=1e-12)
    assert found.high == pytest.approx(centre + half, abs=1e-12)
    assert found.difference == 9 / 40


def test_few_questions_are_never_sure() -> None:
    for n in range(1, 5):
        found = run([1.0] * n, list(range(n)), list(range(n)))
        assert found.p is None or found.p > 0.05, found
    assert (run([1.0] * 30, [i % 10 for i in range(30)], list(range(30))).p or 1) < 0.001


def test_more_of_the_same_template_proves_little() -> None:
    """One template that went well makes no better model, however many questions it has."""
    few = run([1.0] * 10 + [0.0] * 50, [0] * 10 + [1 + i % 5 for i in range(50)], list(range(60)))
    many = run([1.0] * 200 + [0.0] * 50, [0] * 200 + [1 + i % 5 for i in range(50)], list(range(250)))
    assert few.p is not None
    assert many.p is not None
    assert min(few.p, many.p) > 0.05


def _simulate(effect: float, rounds: int, seed: int) -> float:
    """The share of sure results where templates and places have effects of their own: 12 templates, 40 places."""
    random = np.random.default_rng(seed)
    found = 0
    templates, places = np.repeat(np.arange(12), 20), np.tile(np.arange(40), 6)
    both = Clusters.make(templates, places)
    for _ in range(rounds):
        shared = 0.15 * random.standard_normal(12)[templates] + 0.1 * random.standard_normal(40)[places]
        noise = effect + shared + 0.4 * random.standard_normal(240)
        found += (compare(np.clip(noise, -1, 1), both).p or 1.0) <= 0.05
    return found / rounds


def test_equal_models_seldom_differ() -> None:
    assert _simulate(0.0, 1000, 20261122) <= 0.065


def test_the_detectable_difference_is_found_four_times_in_five() -> None:
    random = np.random.default_rng(7)
    templates, places = np.repeat(np.arange(12), 20), np.tile(np.arange(40), 6)
    told = []
    for _ in range(200):
        shared = 0.15 * random.standard_normal(12)[templates] + 0.1 * random.standard_normal(40)[places]
        told.append(
            compare(shared + 0.4 * random.standard_normal(240), Clusters.make(templates, places)).detectable
            or 1
        )
    assert _simulate(float(np.median(told)), 500, 8) == pytest.approx(0.8, abs=0.08)
