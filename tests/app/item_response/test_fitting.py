"""The two-parameter model: simulated parameters come back, and values that say little break nothing."""

import numpy as np
import pytest
from scipy.special import expit

from app.item_response.fitting import Array, fit_model


def simulate(seed: int, runs: int, items: int, reversed_items: int = 0) -> tuple[Array, Array, Array, Array]:
    """Values, and the true discrimination, difficulty and ability."""
    chance = np.random.default_rng(seed)
    discrimination = np.exp(chance.normal(0, 0.4, items))
    discrimination[:reversed_items] *= -1
    difficulty, ability = chance.normal(0, 1, items), chance.normal(0, 1, runs)
    right = expit(discrimination * (ability[:, None] - difficulty))
    values = (chance.random((runs, items)) < right).astype(float)
    return values, discrimination, difficulty, ability


def correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one, other)[0, 1])


@pytest.mark.parametrize("seed", [1, 2])
def test_simulated_parameters_come_back(seed: int) -> None:
    """50 runs x 1,000 items: difficulty correlates to 0.9 with the truth, ability to 0.95, and errors are honest."""
    values, discrimination, difficulty, ability = simulate(seed, 50, 1000)
    found = fit_model(values)
    assert found.converged
    assert correlation(found.difficulty, difficulty) >= 0.9
    assert correlation(found.ability, ability) >= 0.95
    assert correlation(found.discrimination, discrimination) >= 0.5
    # The scale is that of these runs, whose abilities are not exactly of mean 0 and variance 1.
    mean, deviation = ability.mean(), ability.std()
    discrimination, difficulty = discrimination * deviation, (difficulty - mean) / deviation
    within = np.abs(found.discrimination - discrimination) <= 1.96 * found.discrimination_error
    assert 0.9 <= within.mean() <= 1
    within = np.abs(found.difficulty - difficulty) <= 1.96 * found.difficulty_error
    assert 0.9 <= within.mean() <= 1


def test_the_same_values_give_the_same_bits() -> None:
    values, *_ = simulate(3, 20, 60)
    one, other = fit_model(values), fit_model(values.copy())
    for name in ("discrimination", "difficulty", "ability", "ability_error"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_a_reversed_item_is_seen() -> None:
    values, *_ = simulate(4, 50, 300, reversed_items=5)
    found = fit_model(values)
    reversed_ = found.discrimination + 1.645 * found.discrimination_error < 0
    assert reversed_[:5].sum() >= 3
    assert not reversed_[5:].any()


def test_runs_and_items_that_never_vary_break_nothing() -> None:
    """A perfect and an empty run, two equal ones, an item that all solve and one that nobody does."""
    values, *_ = simulate(5, 12, 40)
    values[0], values[1], values[3] = 1, 0, values[2]
    values[:, 0], values[:, 1] = 1, 0
    found = fit_model(values)
    assert found.converged
    assert all(np.isfinite(part).all() for part in found[:7])
    assert found.ability.argmax() == 0
    assert found.ability.argmin() == 1
    assert found.ability[2] == pytest.approx(found.ability[3], abs=1e-9)
    assert found.difficulty[0] < np.median(found.difficulty) < found.difficulty[1]


@pytest.mark.parametrize("value", [0.0, 1.0, 0.5])
def test_a_table_of_one_value_has_a_fit(value: float) -> None:
    found = fit_model(np.full((3, 4), value))
    assert all(np.isfinite(part).all() for part in found[:7])


def test_part_values_count_in_part() -> None:
    """An item that everyone solves by half is as hard as one that half of the equally able solve."""
    values = np.tile([1.0, 1.0, 0.0, 0.0], (8, 1))
    values = np.column_stack([values, np.full(8, 0.5), np.tile([0.0, 1.0], 4)])
    found = fit_model(values)
    assert found.difficulty[4] == pytest.approx(0, abs=0.05)
    assert found.difficulty[5] == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("values", [np.empty((0, 3)), np.empty((3, 0)), np.full((2, 2), 1.5), np.ones(3)])
def test_what_is_no_table_of_values_is_refused(values: Array) -> None:
    with pytest.raises(ValueError, match="runs by items"):
        fit_model(values)
