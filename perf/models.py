"""Made-up models for simulations: how well they answer depends on the question, its template and its place.

A question's value is that of a normal number whose variance is 1 and whose mean is the template's effect: 1 where it is
above 0, else 0; or, graded, the normal distribution's share below twice the number.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.scores.strata import Strata, Values

STEEPNESS = 2.0
SHARED = 0.4
"""The share of what questions and not places decide that all models have in common: how hard a question is."""
_erf = np.vectorize(math.erf, otypes=[np.float64])


class Model(NamedTuple):
    """How far each template lies within its reach, in standard deviations of questions."""

    effects: NDArray[np.float64]


def values_of(
    models: Sequence[Model], strata: Strata, icc: float, random: np.random.Generator, *, graded: bool
) -> list[Values]:
    """Each model's value of each question; of `icc`, the places' share of the variance, half is each model's own."""
    places, n = strata.place_count, strata.n
    common = math.sqrt(icc / 2) * random.standard_normal(places)[strata.places]
    common += math.sqrt((1 - icc) * SHARED) * random.standard_normal(n)
    found = []
    for model in models:
        own = math.sqrt(icc / 2) * random.standard_normal(places)[strata.places]
        own += math.sqrt((1 - icc) * (1 - SHARED)) * random.standard_normal(n)
        found.append(_value(model.effects[strata.templates] + common + own, graded=graded))
    return found


def mean_of(model: Model, strata: Strata, *, graded: bool) -> float:
    """The mean over all questions about all places that there might be, on these templates."""
    scale = STEEPNESS / math.sqrt(1 + STEEPNESS**2) if graded else 1.0
    shares = np.bincount(strata.templates) / strata.n
    return float(np.sum(shares * _below(scale * model.effects)))


def new_templates_of(templates: int, random: np.random.Generator) -> tuple[Model, Model]:
    """Two models that are equal over all templates that there might be, on some of them."""
    hardness = 0.2 + 0.5 * random.standard_normal(templates)
    first, second = (Model(hardness + 0.4 * random.standard_normal(templates)) for _ in range(2))
    return first, second


def _value(number: Values, *, graded: bool) -> Values:
    return _below(STEEPNESS * number) if graded else (number > 0).astype(np.float64)


def _below(number: Values) -> Values:
    """The standard normal distribution's share below each number."""
    found: Values = 0.5 * (1.0 + _erf(number / math.sqrt(2.0)))
    return found
