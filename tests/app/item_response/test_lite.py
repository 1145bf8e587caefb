"""Lite sets: the stated error holds for runs that were kept aside, and is smaller than that of a plain mean."""

import numpy as np
import pytest

from app.item_response.fitting import Array
from app.item_response.lite import LEAST_RUNS, choose_items, estimate_score, make_lite
from tests.app.item_response.test_fitting import simulate

TEMPLATES = [f"T{place % 8}" for place in range(1000)]


def held(values: Array, made_of: int, size: int) -> tuple[int, float, float]:
    """How many of the runs kept aside lie within the stated error; this error, and that of the plain mean."""
    items = values.shape[1]
    found = make_lite(values[:made_of], TEMPLATES[:items], range(made_of), size)
    aside = values[made_of:]
    estimates = estimate_score(found.chosen, found.mix, aside[:, found.chosen.places])
    off = np.abs(estimates - aside.mean(axis=1))
    return int((off <= found.error).sum()), found.error, found.plain_error


def test_the_stated_error_holds_for_runs_kept_aside() -> None:
    """95 % of 20 are 19; by chance one more may be off (two or more of 20 are with 26 %, three with 8 %)."""
    values, *_ = simulate(0, 60, 300)
    within, error, plain = held(values, 40, 60)
    assert within >= 18
    assert error < plain
    assert error < 0.12


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_the_stated_error_holds_for_a_whole_data_set(seed: int) -> None:
    values, *_ = simulate(seed, 70, 1000)
    within, error, plain = held(values, 50, 100)
    assert within >= 18
    assert error < plain


def test_a_set_stands_for_all_items() -> None:
    values, *_ = simulate(6, 20, 100)
    chosen = choose_items(values, TEMPLATES[:100], 16)
    assert len(set(chosen.places.tolist())) == 16
    assert chosen.weights.sum() == pytest.approx(1)
    assert {TEMPLATES[place] for place in chosen.places} == set(TEMPLATES)
    again = choose_items(values, TEMPLATES[:100], 16)
    assert again.places.tolist() == chosen.places.tolist()


def test_estimates_stay_within_0_and_1() -> None:
    values, *_ = simulate(7, 20, 60)
    chosen = choose_items(values, TEMPLATES[:60], 5)
    estimates = estimate_score(chosen, 1.0, np.array([[0.0] * 5, [1.0] * 5]))
    assert 0 <= estimates[0] < estimates[1] <= 1


def test_constant_runs_and_items_break_nothing() -> None:
    values, *_ = simulate(8, 20, 60)
    values[0], values[1], values[:, 0], values[:, 1] = 1, 0, 1, 0
    found = make_lite(values, TEMPLATES[:60], [f"model {place // 2}" for place in range(20)], 10)
    assert np.isfinite(found.errors).all()
    assert 0 < found.error < 0.5


def test_runs_of_one_model_are_kept_aside_together() -> None:
    """Each model's runs are nearly equal: kept aside one by one they would be estimated too well."""
    base, *_ = simulate(9, 8, 80)
    values = np.repeat(base, 5, axis=0)
    flips = np.random.default_rng(9).random(values.shape) < 0.02
    values = np.where(flips, 1 - values, values)
    together = make_lite(values, TEMPLATES[:80], [place // 5 for place in range(40)], 8)
    alone = make_lite(values, TEMPLATES[:80], list(range(40)), 8)
    assert together.mean_error > alone.mean_error


def test_too_little_is_refused() -> None:
    values, *_ = simulate(10, LEAST_RUNS, 30)
    groups = list(range(LEAST_RUNS))
    with pytest.raises(ValueError, match="fewer items"):
        make_lite(values, TEMPLATES[:30], groups, 30)
    with pytest.raises(ValueError, match="20 runs of 5 groups"):
        make_lite(values[1:], TEMPLATES[:30], groups[1:], 5)
    with pytest.raises(ValueError, match="20 runs of 5 groups"):
        make_lite(values, TEMPLATES[:30], [place % 4 for place in groups], 5)
