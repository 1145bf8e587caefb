"""Paired comparisons: worked by hand, by properties, on the shape of the demo's data, and by a short simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.pairs import LEAST_PLACES, Paired, compare, error_of_mean, name_tests
from app.scores.strata import make_strata
from app.scores.student import quantile, two_sided
from app.scores.withholding import Told


def run(
    differences: list[float], templates: list[int], places: list[int], told: Told | None = None
) -> Paired:
    return compare(
        np.array(differences, dtype=float), make_strata(np.array(templates), np.array(places)), told
    )


QUESTIONS = st.lists(
    st.tuples(
        st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]) | st.floats(-1, 1), st.integers(0, 4), st.integers(0, 9)
    ),
    min_size=1,
    max_size=40,
)


@given(QUESTIONS, st.randoms(use_true_random=False))
def test_properties(questions: list[tuple[float, int, int]], random: object) -> None:
    differences, templates, places = (list(column) for column in zip(*questions))
    found = run(differences, templates, places)
    turned = run([-value for value in differences], templates, places)
    assert found.difference == pytest.approx(sum(differences) / len(differences), abs=1e-12)
    assert (found.n, found.templates, found.places) == (
        len(questions),
        len(set(templates)),
        len(set(places)),
    )
    assert turned.difference == -found.difference
    if len(set(places)) < LEAST_PLACES:
        assert (found.p, found.low, found.high, found.detectable) == (None,) * 4
        return
    assert found.low is not None
    assert found.high is not None
    assert found.p is not None
    assert -1 <= found.low <= found.difference <= found.high <= 1
    assert [turned.low, turned.high, turned.p, turned.detectable] == pytest.approx(
        [-found.high, -found.low, found.p, found.detectable], abs=1e-12
    )
    assert 2.0 ** (1 - found.places) <= found.p <= 1
    assert found.detectable is not None
    if min(abs(found.low), abs(found.high)) > 1e-9:
        assert (found.p <= 0.05) == (found.low * found.high > 0), "a sure difference leaves 0 out"
    random.shuffle(questions)  # type: ignore[attr-defined]
    shuffled = run(*(list(column) for column in zip(*questions)))
    assert shuffled.p == pytest.approx(found.p, abs=1e-9)


@given(st.integers(1, 200))
def test_a_run_does_not_differ_from_itself(n: int) -> None:
    found = run([0.0] * n, [i % 5 for i in range(n)], list(range(n)))
    assert found.difference == 0
    assert found.p in (1.0, None)
    assert found.low is None or found.low < 0, "as much may have been missed"


def test_one_template_of_places_of_their_own_is_the_paired_t_test() -> None:
    """12 of 40 right in the first alone, 3 in the second alone: mean 9/40, variance (15 - 81/40) / 39."""
    found = run([1.0] * 12 + [-1.0] * 3 + [0.0] * 25, [0] * 40, list(range(40)))
    error = math.sqrt((15 - 81 / 40) / 39 / 40)
    assert found.difference == 9 / 40
    assert found.low == pytest.approx(9 / 40 - quantile(0.975, 39) * error, abs=1e-12)
    assert found.high == pytest.approx(9 / 40 + quantile(0.975, 39) * error, abs=1e-12)
    assert found.p == pytest.approx(two_sided(9 / 40 / error, 39), abs=1e-12)
    assert found.detectable == pytest.approx((quantile(0.975, 39) + quantile(0.8, 39)) * error, abs=1e-12)


def test_templates_are_fixed() -> None:
    """All of one template to the first, none of the other: sure on these templates, and no variance between them."""
    found = run([1.0] * 20 + [0.0] * 20, [0] * 20 + [1] * 20, list(range(40)))
    half = quantile(0.975, 38) * math.sqrt(2) / 40
    assert (found.low, found.high) == (pytest.approx(0.5 - half), pytest.approx(0.5 + half))


def test_questions_about_one_place_count_as_one() -> None:
    """Eight places of ten questions each, six for the first run and two for the second throughout."""
    many = [1.0 if i // 10 < 6 else -1.0 for i in range(80)]
    found = run(many, [0] * 80, [i // 10 for i in range(80)])
    single = run(many[::10], [0] * 8, list(range(8)))
    assert (found.low, found.high, found.p) == pytest.approx((single.low, single.high, single.p), abs=1e-9)
    apart = run(many, [0] * 80, list(range(80)))
    assert apart.p is not None
    assert apart.p < 0.001 < 0.05 < (found.p or 0)


def test_few_or_equal_differences_are_never_sure() -> None:
    for n in range(1, LEAST_PLACES):
        assert run([1.0] * n, [0] * n, list(range(n))).p is None
        assert run([1.0] * 10 * n, [0] * 10 * n, [i % n for i in range(10 * n)]).p is None
    six = run([1.0] * 6, [0] * 6, list(range(6)))
    assert six.p == 2.0**-5, "as a test that flips signs gives it"
    assert six.low == pytest.approx(1 - quantile(0.975, 5) * math.sqrt(2) / 6)
    equal = run([1.0] * 20, [0] * 20, list(range(20)))
    assert equal.low == pytest.approx(0.852, abs=0.001), "Wilson's interval of 20 of 20 begins at 0.839"
    assert equal.p == 2.0**-19


def test_a_few_differences_among_many_questions_prove_little() -> None:
    """Of 44 questions, 4 or 5 right in the first run alone: signs alone give 2 / 2^4 and 2 / 2^5."""
    for right in (4, 5):
        found = run([1.0] * right + [0.0] * (44 - right), [i % 4 for i in range(44)], list(range(44)))
        assert found.p == 2.0 ** (1 - right)
        assert found.low is not None
        assert found.low <= 0
    assert (run([1.0] * 8 + [0.0] * 36, [i % 4 for i in range(44)], list(range(44))).p or 1) < 0.01


def test_the_demo_says_that_the_oracle_is_better() -> None:
    """Dimension *type* of the demo: two templates, 50 questions; the first is all right, the second 11 times."""
    right = {1, 4, 9, 13, 18, 22, 27, 33, 38, 42, 47}
    differences = [0.0 if i in right else 1.0 for i in range(50)]
    templates = [0] * 27 + [1] * 23
    for places in (list(range(50)), [i % 40 for i in range(50)]):
        found = run(differences, templates, places)
        assert found.difference == 0.78
        assert found.p is not None
        assert found.p < 0.001
        assert 0.6 < (found.low or 0) < 0.7
        assert 0.86 < (found.high or 0) < 0.95
        assert found.new_p is None, "two templates tell nothing of others"


def test_hidden_questions_enter_by_what_is_told_alone() -> None:
    """The standard error is of the public ones; half the width has what steps may hide on top."""
    public, templates = [1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 0.0, 1.0], [0, 0, 0, 0, 1, 1, 1, 1]
    strata = make_strata(np.array(templates), np.arange(8))
    error = error_of_mean(np.array(public), strata)
    found = run(public, templates, list(range(8)), Told(28, 0.1, 5 / 28))
    half = quantile(0.975, 6) * error + 5 / 28
    assert (found.n, found.difference) == (28, 0.1)
    assert (found.low, found.high) == (pytest.approx(0.1 - half), pytest.approx(0.1 + half))
    assert found.p == pytest.approx(two_sided(0.1 / half * quantile(0.975, 6), 6))


def test_figures_for_new_templates_stand_beside_from_ten_templates_on() -> None:
    templates = [i % 10 for i in range(200)]
    differences = [float(i % 3 > 0) for i in range(200)]
    found = run(differences, templates, list(range(200)))
    assert found.new_low is not None
    assert found.low is not None
    assert found.new_low < found.low, "other templates may come out otherwise"
    assert run(differences, [i % 9 for i in range(200)], list(range(200))).new_p is None


def test_tests_are_named() -> None:
    assert name_tests([]) == name_tests([2, 2]) == "paired t by place, templates fixed"
    assert name_tests([2, 1]) == (
        "paired t, two-way cluster jackknife by template and place; paired t by place, templates fixed"
    )
