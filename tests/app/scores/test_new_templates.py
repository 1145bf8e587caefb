"""The figure for new templates: against statsmodels, and by taking each cluster's questions away in turn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.new_templates import LEAST_TEMPLATES, OverNewTemplates, jackknife, over_new_templates
from app.scores.strata import make_strata
from app.scores.student import quantile, two_sided


def run(
    differences: list[float], templates: list[int], places: list[int], least: int = 2
) -> OverNewTemplates | None:
    strata = make_strata(np.array(templates), np.array(places))
    return over_new_templates(np.array(differences, dtype=float), strata, least=least)


def test_clusters_of_one_size_have_the_variance_of_statsmodels() -> None:
    """statsmodels 0.15.0: cov_cluster of OLS on a constant, for 12 questions in 4 clusters of three."""
    values = [1, 1, 0, -1, 0, 0.5, 1, 0.25, 1, 1, -0.5, 1.0]
    found = jackknife(np.array(values, dtype=float), np.repeat(np.arange(4), 3))
    assert found == pytest.approx(0.043258101851851874, rel=1e-12)


def by_hand(differences: list[float], templates: list[int], places: list[int]) -> tuple[float, float, float]:
    """Centre, standard error and p by taking each cluster's questions away in turn."""
    padded = [*differences, 1.0, -1.0]
    centre = math.fsum(padded) / len(padded)

    def between(keys: list[object]) -> float:
        named = [*keys, "plus", "minus"]
        squares = []
        for key in set(named):
            rest = [value for value, other in zip(padded, named) if other != key]
            squares.append((math.fsum(rest) / len(rest) - centre) ** 2)
        return math.fsum(squares) * (len(squares) - 1) / len(squares)

    one, other = between(list(templates)), between(list(places))
    both = between(list(zip(templates, places)))
    error = math.sqrt(max(one, other, one + other - both, between(list(range(len(differences))))))
    degrees = min(len(set(templates)), len(set(places))) - 1
    return centre, error, two_sided(centre / error, degrees)


QUESTIONS = st.lists(
    st.tuples(
        st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]) | st.floats(-1, 1), st.integers(0, 4), st.integers(0, 6)
    ),
    min_size=2,
    max_size=30,
)


@given(QUESTIONS)
def test_it_equals_one_that_takes_clusters_away(questions: list[tuple[float, int, int]]) -> None:
    differences, templates, places = (list(column) for column in zip(*questions))
    found = run(differences, templates, places)
    if min(len(set(templates)), len(set(places))) < 2:
        assert found is None
        return
    assert found is not None
    centre, error, p = by_hand(differences, templates, places)
    half = quantile(0.975, min(len(set(templates)), len(set(places))) - 1) * error
    mean = math.fsum(differences) / len(differences)
    assert found.p == pytest.approx(p, abs=1e-9)
    assert found.low == pytest.approx(min(mean, max(-1.0, centre - half)), abs=1e-9)
    assert found.high == pytest.approx(max(mean, min(1.0, centre + half)), abs=1e-9)


def test_few_templates_tell_nothing_of_new_ones() -> None:
    for templates, is_told in ((LEAST_TEMPLATES - 1, False), (LEAST_TEMPLATES, True)):
        numbers = [i % templates for i in range(200)]
        found = run([float(i % 3 > 0) for i in range(200)], numbers, list(range(200)), least=LEAST_TEMPLATES)
        assert (found is not None) == is_told


def test_more_of_the_same_template_proves_little() -> None:
    """One template that went well makes no better model on others, however many questions it has."""
    for many in (10, 200):
        templates = [0] * many + [1 + i % 11 for i in range(55)]
        found = run([1.0] * many + [0.0] * 55, templates, list(range(many + 55)), least=LEAST_TEMPLATES)
        assert found is not None
        assert found.p > 0.05
