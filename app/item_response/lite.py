"""Lite sets: some items whose values estimate the score over all of them, and how far such estimates are off. Pure.

Estimate of a run's mean over all items, from its values y on the chosen ones:
    T(t) + g * sum over chosen of w (y - P(t)),
t the ability that the chosen values tell (posterior mean), T the mean of P over all items, w the chosen item's share of
all items that it stands for. With g = 0 it is the model's alone; with g = 1 it is the regression estimator (Särndal,
Swensson and Wretman, Model Assisted Survey Sampling, 1992, chapter 6), which relies less on the model. Maia Polo et al.
(tinyBenchmarks, 2024) mix the two likewise. g is chosen by cross-validation.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.core import seeds
from app.item_response.fitting import NODES, Array, chances, fit_model, moments, weigh_abilities

LEVEL = 0.95
FOLDS = 10
LEAST_RUNS = 20
"""Of fewer than 19 errors none is large enough to hold for 95 of 100 further runs; with 20 there is one to spare."""
LEAST_GROUPS = 5
MIXES = (0.0, 0.25, 0.5, 0.75, 1.0)
_PRIOR: Array = np.exp(-0.5 * NODES**2) / np.sum(np.exp(-0.5 * NODES**2))


class Chosen(NamedTuple):
    """The chosen items by their places, the weight of each (their sum is 1), and what the model says of them.

    `expected` is the mean chance of all items at each of NODES.
    """

    places: NDArray[np.int64]
    weights: Array
    discrimination: Array
    intercept: Array
    expected: Array


class Lite(NamedTuple):
    """A chosen set with its error: 95 % of runs kept aside were within `error` of their true mean.

    `errors` are those of each run, in their order, estimated by a set that was chosen without it; `mean_error` is the
    mean of their sizes. `plain_error` is what the plain mean over the chosen values would have in place of `error`.
    """

    chosen: Chosen
    mix: float
    error: float
    mean_error: float
    plain_error: float
    errors: Array


def choose_items(values: Array, templates: Sequence[str], size: int) -> Chosen:
    """The `size` items that stand for all, fitted over `values` (runs by items).

    Items in the order of their templates, and within one from easy to hard, are cut into `size` blocks of as many items
    each (systematic sampling). From each block comes the item that discriminates most.
    """
    fit = fit_model(values)
    chance = chances(fit.discrimination, fit.intercept)
    ease = chance @ _PRIOR
    order = sorted(range(len(templates)), key=lambda item: (templates[item], -ease[item], item))
    places, weights = [], []
    for number in range(size):
        block = order[number * len(order) // size : (number + 1) * len(order) // size]
        places.append(max(block, key=lambda item: (fit.discrimination[item], -item)))
        weights.append(len(block) / len(order))
    which = np.array(places, dtype=np.int64)
    by_place = np.argsort(which)
    return Chosen(
        which[by_place],
        np.array(weights)[by_place],
        fit.discrimination[which[by_place]],
        fit.intercept[which[by_place]],
        chance.mean(axis=0),
    )


def estimate_score(chosen: Chosen, mix: float, values: Array) -> Array:
    """The estimated mean over all items of each run (rows), from its values on the chosen items; within 0 and 1."""
    expected, residual = _parts(chosen, values)
    found: Array = np.clip(expected + mix * residual, 0.0, 1.0)
    return found


def estimate_ability(chosen: Chosen, values: Array) -> tuple[Array, Array]:
    """The ability that each run's values on the chosen items tell, and its standard error."""
    return moments(weigh_abilities(values, chosen.discrimination, chosen.intercept))


def make_lite(
    values: Array, templates: Sequence[str], groups: Sequence[Hashable], size: int, seed: int = 0
) -> Lite:
    """Choose `size` items over all runs, and find the error by runs kept aside.

    Runs of one group, such as of one model, are kept aside together: a set that has seen a model would estimate it too
    well. A fold's estimates take the mix that is best in the other folds. Raises ValueError for a size that is not
    below the number of items, or for too few runs or groups.
    """
    if not 1 <= size < values.shape[1]:
        raise ValueError("a lite set has fewer items than there are")
    if len(groups) < LEAST_RUNS or len(set(groups)) < LEAST_GROUPS:
        raise ValueError(f"a lite set needs {LEAST_RUNS} runs of {LEAST_GROUPS} groups")
    folds = _folds(groups, seed)
    truth = values.mean(axis=1)
    off, plain = np.empty((len(MIXES), len(values))), np.empty(len(values))
    for fold in range(int(folds.max()) + 1):
        aside = folds == fold
        chosen = choose_items(values[~aside], templates, size)
        answered = values[aside][:, chosen.places]
        off[:, aside] = [estimate_score(chosen, mix, answered) for mix in MIXES] - truth[aside]
        plain[aside] = answered.mean(axis=1) - truth[aside]
    errors = np.empty(len(values))
    for fold in range(int(folds.max()) + 1):
        errors[folds == fold] = off[_best(off[:, folds != fold])][folds == fold]
    return Lite(
        choose_items(values, templates, size),
        MIXES[_best(off)],
        _bound(errors),
        float(np.mean(np.abs(errors))),
        _bound(plain),
        errors,
    )


def _parts(chosen: Chosen, values: Array) -> tuple[Array, Array]:
    """What the model says of all items, and the weighted rest of the chosen ones."""
    posterior = weigh_abilities(values, chosen.discrimination, chosen.intercept)
    chance = posterior @ chances(chosen.discrimination, chosen.intercept).T
    return posterior @ chosen.expected, (values - chance) @ chosen.weights


def _folds(groups: Sequence[Hashable], seed: int) -> NDArray[np.int64]:
    """A fold for each run: groups by chance, each to the fold that has fewest runs so far."""
    names = list(dict.fromkeys(groups))
    count = [0] * min(FOLDS, len(names))
    fold_of: dict[Hashable, int] = {}
    for number in seeds.shuffled(list(range(len(names))), seed, "lite folds"):
        fold = min(range(len(count)), key=lambda one: (count[one], one))
        fold_of[names[number]] = fold
        count[fold] += groups.count(names[number])
    return np.array([fold_of[name] for name in groups], dtype=np.int64)


def _best(off: Array) -> int:
    return int(np.argmin((off**2).sum(axis=1)))


def _bound(errors: Array) -> float:
    """The ceil(0.95 (n + 1))-th smallest size of n errors.

    A further run's error is within it with a probability near 95 %, if it is like these (conformal prediction: Vovk,
    Gammerman and Shafer, Algorithmic Learning in a Random World, 2005; by cross-validation: Barber, Candès, Ramdas and
    Tibshirani, Annals of Statistics 49, 2021).
    """
    sizes = np.sort(np.abs(errors))
    return float(sizes[min(len(sizes), math.ceil(LEVEL * (len(sizes) + 1))) - 1])
