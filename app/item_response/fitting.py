"""The two-parameter logistic model: difficulty and discrimination of items, ability of runs. Pure.

P(right | ability t) = 1 / (1 + exp(-(a t + d))) (Birnbaum 1968), fitted by marginal likelihood over abilities with EM
(Bock and Aitkin, Psychometrika 46, 1981) and normal priors on a and d (Mislevy, Psychometrika 51, 1986): runs are few,
and without priors an item that splits them perfectly has no estimate. The same values give the same result.

It is written over NumPy and SciPy, which are dependencies already. Of the libraries for item response on PyPI in
November 2026, girth and deepirtools had no release since 2021 and 2022, py-irt refuses Python 3.12 and brings torch,
catsim fits no items, PyMC and NumPyro draw samples, and mirt 1.2.0 holds discrimination above 0, where no item that is
wrongly keyed can be seen.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

Array = NDArray[np.float64]

FARTHEST = 5.0
NODES: Array = np.linspace(-FARTHEST, FARTHEST, 201)
"""Abilities at which likelihoods are taken. 1,000 items tell an ability to about 0.07: nodes are nearer than that."""
_LOG_WEIGHTS: Array = -0.5 * NODES**2 - np.log(np.sum(np.exp(-0.5 * NODES**2)))
PRIOR_MEAN, PRIOR_SD = 1.0, 0.7
"""Of discrimination. Values below 0 are possible: an item on which strong runs fail has to show."""
INTERCEPT_SD = 2.0
MOST_ROUNDS = 500
CLOSE = 1e-4
"""EM ends where no parameter changed by more than this."""
_LONGEST_STEP = 1.0


class Fit(NamedTuple):
    """Parameters an item and a run, each in the order of the values; abilities have mean 0 and variance 1.

    Standard errors of items are given the abilities' posterior, those of abilities given the items.
    """

    discrimination: Array
    intercept: Array
    difficulty: Array
    discrimination_error: Array
    difficulty_error: Array
    ability: Array
    ability_error: Array
    rounds: int
    converged: bool


class _Moments(NamedTuple):
    """Inverse of the information of (a, d), item by item."""

    a: Array
    d: Array
    both: Array


def fit_model(values: Array) -> Fit:
    """Fit values in [0, 1], a row a run and a column an item.

    A value between 0 and 1 counts as this share of a right answer: the likelihood is that of Papke and Wooldridge
    (Journal of Applied Econometrics 11, 1996), which for 0 and 1 is the model's own. Raises ValueError for no run, no
    item, or a value outside.
    """
    if values.ndim != 2 or 0 in values.shape or not bool(np.all((values >= 0) & (values <= 1))):
        raise ValueError("values are a table of runs by items, each from 0 to 1")
    runs, items = values.shape
    right = (values.sum(axis=0) + 0.5) / (runs + 1)
    a, d = np.full(items, PRIOR_MEAN), np.log(right / (1 - right))
    rounds, change = 0, np.inf
    while rounds < MOST_ROUNDS and change > CLOSE:
        posterior = weigh_abilities(values, a, d)
        next_a, next_d = _improve(values, posterior, a, d)
        next_a, next_d = _on_scale(posterior, next_a, next_d)
        change = float(max(np.max(np.abs(next_a - a)), np.max(np.abs(next_d - d))))
        a, d, rounds = next_a, next_d, rounds + 1
    posterior = weigh_abilities(values, a, d)
    spread = _spread(posterior, a, d)
    ability, ability_error = moments(posterior)
    difficulty = _difficulty(a, d, spread)
    return Fit(
        discrimination=a,
        intercept=d,
        difficulty=difficulty,
        discrimination_error=np.sqrt(spread.a),
        difficulty_error=_difficulty_error(a, difficulty, spread),
        ability=ability,
        ability_error=ability_error,
        rounds=rounds,
        converged=change <= CLOSE,
    )


def chances(a: Array, d: Array) -> Array:
    """The probability of a right answer to each item (rows) at each node (columns)."""
    found: Array = expit(np.outer(a, NODES) + d[:, None])
    return found


def weigh_abilities(values: Array, a: Array, d: Array) -> Array:
    """The posterior weight of each node (columns) for each run (rows); the prior is the standard normal.

    log L = sum over items of log P - (1 - value)(a t + d), since log(1 - P) = log P - (a t + d).
    """
    wrong = 1 - values
    all_right = log_expit(np.outer(a, NODES) + d[:, None]).sum(axis=0)
    log_likelihood = all_right - np.outer(wrong @ a, NODES) - (wrong @ d)[:, None] + _LOG_WEIGHTS
    weights: Array = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    found: Array = weights / weights.sum(axis=1, keepdims=True)
    return found


def moments(posterior: Array) -> tuple[Array, Array]:
    """The mean of each run's ability, and its standard deviation."""
    mean = posterior @ NODES
    return mean, np.sqrt(np.maximum(posterior @ NODES**2 - mean**2, 0))


def _improve(values: Array, posterior: Array, a: Array, d: Array) -> tuple[Array, Array]:
    """One Newton step of every item on its part of the expected log posterior, which is concave in (a, d)."""
    count = posterior.sum(axis=0)
    chance = chances(a, d)
    off = values.T @ posterior - count * chance
    spread = _invert(count * chance * (1 - chance))
    for_a = off @ NODES - (a - PRIOR_MEAN) / PRIOR_SD**2
    for_d = off.sum(axis=1) - d / INTERCEPT_SD**2
    step_a, step_d = spread.a * for_a + spread.both * for_d, spread.both * for_a + spread.d * for_d
    return (
        a + np.clip(step_a, -_LONGEST_STEP, _LONGEST_STEP),
        d + np.clip(step_d, -_LONGEST_STEP, _LONGEST_STEP),
    )


def _on_scale(posterior: Array, a: Array, d: Array) -> tuple[Array, Array]:
    """The same curves over abilities whose mean is 0 and whose variance is 1.

    EM alone would come to that scale slowly (Liu, Rubin and Wu, Biometrika 85, 1998: parameter expansion).
    """
    share = posterior.mean(axis=0)
    mean = float(share @ NODES)
    deviation = float(np.sqrt(share @ NODES**2 - mean**2))
    return a * deviation, d + a * mean


def _spread(posterior: Array, a: Array, d: Array) -> _Moments:
    chance = chances(a, d)
    return _invert(posterior.sum(axis=0) * chance * (1 - chance))


def _invert(information: Array) -> _Moments:
    """Two by two matrices of all items at once, with what the priors know."""
    aa = information @ NODES**2 + 1 / PRIOR_SD**2
    ad = information @ NODES
    dd = information.sum(axis=1) + 1 / INTERCEPT_SD**2
    determinant = aa * dd - ad**2
    return _Moments(dd / determinant, aa / determinant, -ad / determinant)


def _difficulty(a: Array, d: Array, spread: _Moments) -> Array:
    """The ability b at which a t + d is 0, by least squares over the posterior of (a, d): -E[a d] / E[a^2].

    It is -d / a where a is well known, and near 0 where it is not known whether a is above 0: there -d / a could be
    any number.
    """
    found: Array = -(a * d + spread.both) / (a**2 + spread.a)
    return found


def _difficulty_error(a: Array, b: Array, spread: _Moments) -> Array:
    """Of a t + d at t = b, over the root of E[a^2] (the delta method, with the same guard against small a)."""
    found: Array = np.sqrt((spread.d + 2 * b * spread.both + b**2 * spread.a) / (a**2 + spread.a))
    return found
