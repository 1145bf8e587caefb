"""Intervals at 95 % for the mean of values in [0, 1]: closed forms; the same values give the same bits.

Templates are fixed: an interval says how far the mean might be off if the same templates had been asked about other
places of the same kind.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.scores.strata import Strata
from app.scores.student import quantile

Z_95 = 1.959963984540054
"""The standard normal's 97.5 % quantile."""
METHOD = "Wilson 95 %, by place, templates fixed"
"""How intervals of boards are made; stored with each."""


class Interval(NamedTuple):
    """Both ends lie in [0, 1] and the mean between them."""

    low: float
    high: float


class Shown(NamedTuple):
    """A mean over `n` questions that is told in steps where it counts hidden ones; 0 for a `step` that is none."""

    mean: float
    n: int
    step: float = 0.0


def interval_of(shown: Shown, values: Sequence[float], strata: Strata) -> Interval:
    """Wilson's interval for a mean, for as many independent questions as its questions are worth.

    `values` and `strata` are of the public questions, of which every question is taken to be worth as much. That a step
    may hide up to half of itself adds the variance of an even spread over it, step^2 / 12.
    """
    worth = shown.n / effect_of_design(values, strata)
    if shown.step:
        centre = (shown.mean * worth + 1.0) / (worth + 2.0)
        evenness = centre * (1.0 - centre)
        worth = evenness / (evenness / worth + shown.step**2 / 12.0)
    return wilson_of(shown.mean, worth)


def effect_of_design(values: Sequence[float], strata: Strata) -> float:
    """How many questions are worth one independent question that is right or wrong: the design effect of their mean.

    It is the variance by place within templates (`Strata.spread`) over that of Wilson's interval, times the square of
    Student's t over the normal's quantile, for its degrees of freedom (Korn and Graubard, Survey Methodology 24, 1998,
    193-201). The mean in Wilson's variance counts one right and one wrong question more, each with as many others as
    places make alike. The variance is at least what two such questions would add: as much may have been missed.

    Questions about different places are independent: then it is at most 1, or `share_of_variance` where values lie
    between 0 and 1, and just that for a single template. Where all questions are about one place, nothing tells what
    they share, and they are taken as independent.
    """
    if not values:
        return 1.0
    if strata.place_count < 2 or strata.is_simple:
        return share_of_variance(values)
    effect = _effect_of_strata(values, strata)
    return min(effect, share_of_variance(values)) if strata.place_count == strata.n else effect


def _effect_of_strata(values: Sequence[float], strata: Strata) -> float:
    spread = strata.spread(np.array(values))
    alike = strata.questions_alike(spread)
    centre = (math.fsum(values) + alike) / (strata.n + 2.0 * alike)
    independent = strata.n * centre * (1.0 - centre)
    missed = min(alike, 2.0 * alike * alike / independent)
    widening = quantile(0.975, max(1, strata.degrees)) / Z_95
    return max(spread.by_place / independent, missed) * widening * widening


def share_of_variance(values: Sequence[float]) -> float:
    """Which share values show of the largest variance that their mean allows, mean (1 - mean); 1 if all are 0 or 1.

    It is estimated with one 0 and one 1 added (as Agresti and Coull's interval adds successes and failures), so that
    equal values never give an interval of no width.
    """
    if all(value in (0.0, 1.0) for value in values):
        return 1.0
    padded = [0.0, 1.0, *values]
    centre = math.fsum(padded) / len(padded)
    variance = math.fsum((value - centre) ** 2 for value in padded) / len(padded)
    return min(1.0, variance / (centre * (1.0 - centre)))


def wilson_of(mean: float, n: float) -> Interval:
    """Wilson's score interval, two-sided, for a mean of `n` values, or of as many as `n` are worth.

    Wilson 1927; Brown, Cai and DasGupta 2001.
    """
    z2 = Z_95 * Z_95
    scale = 1.0 + z2 / n
    centre = (mean + z2 / (2.0 * n)) / scale
    half = Z_95 / scale * math.sqrt(mean * (1.0 - mean) / n + z2 / (4.0 * n * n))
    return Interval(min(mean, max(0.0, centre - half)), max(mean, min(1.0, centre + half)))
