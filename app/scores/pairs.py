"""Two runs compared question by question: a mean difference, its interval, a test, and what could have been found.

Pure. Values are in [0, 1], one a question; the same values give the same bits.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from app.scores.new_templates import TWO_WAY, over_new_templates
from app.scores.strata import Strata, Values
from app.scores.student import quantile, two_sided
from app.scores.withholding import Told

LEVEL = 0.05
POWER = 0.8
LEAST_PLACES = 6
"""Fewer places test nothing: five that all favour one run are as probable, by chance, as 2 / 2^5 = 0.06."""

TEST_NUMBER = 2
TEST = "paired t by place, templates fixed"
TESTS: Mapping[int, str] = {1: TWO_WAY, TEST_NUMBER: TEST}
"""The tests by the number that is stored with a comparison; those of test 1 were made before templates were fixed."""


class Paired(NamedTuple):
    """One run's mean less another's, in shares of 1; what no test can tell is None.

    The interval, `p` and `detectable` are for the templates of the benchmark. `new_low`, `new_high` and `new_p` are for
    templates that it might have had instead, where it has enough.
    """

    n: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    detectable: float | None
    templates: int
    places: int
    new_low: float | None = None
    new_high: float | None = None
    new_p: float | None = None
    test: int = TEST_NUMBER


def compare(differences: Values, strata: Strata, told: Told | None = None) -> Paired:
    """The paired comparison of two runs from each public question's difference of values, at least one without `told`.

    Templates are fixed strata. The standard error is that of `error_of_mean`, with the degrees of freedom of the
    strata. Nothing is tested with fewer than LEAST_PLACES places. No p is below 2^(1 - m), the least that a test that
    flips the signs of whole places can give, where differences of m places do not add up to 0 (of all places with
    `told`); the interval of a p above 5 % holds 0.

    `detectable` is the smallest true difference that the test at 5 % finds with a power of 80 %: the standard error
    times the sum of both quantiles (Bloom, Evaluation Review 19, 1995, 547-556). It is before Holm's adjustment.

    Where hidden questions count, `told` stands for the mean. Single differences of hidden ones enter nothing: the
    standard error is that of the public ones' mean, and half the interval's width has on top of it what steps may hide.
    All else follows from these two.
    """
    n = strata.n if told is None else told.n
    difference = float(np.sum(differences)) / n if told is None else told.difference
    templates, places = strata.template_count, strata.place_count
    if places < LEAST_PLACES:
        return Paired(n, difference, None, None, None, None, templates, places)
    degrees = max(1, strata.degrees)
    width = quantile(1.0 - LEVEL / 2.0, degrees)
    half = width * error_of_mean(differences, strata) + (0.0 if told is None else told.off)
    error = half / width
    differing = places if told is not None else strata.count_differing(differences)
    p = max(two_sided(difference / error, degrees), min(1.0, math.ldexp(1.0, 1 - differing)))
    if p > LEVEL:
        half = max(half, abs(difference))
    new = over_new_templates(differences, strata, told)
    return Paired(
        n,
        difference,
        max(-1.0, difference - half),
        min(1.0, difference + half),
        p,
        min(1.0, (width + quantile(POWER, degrees)) * error),
        templates,
        places,
        *(new or (None, None, None)),
    )


def error_of_mean(differences: Values, strata: Strata) -> float:
    """The standard error of the mean difference on the templates that there are; two places at least.

    Its square is the variance by place within templates (`Strata.spread`), but at least what two questions would add
    that differ by the largest difference seen (1 if none is), each with as many others as places make alike: about as
    much as may have been missed in so many (Hanley and Lippman-Hand, JAMA 249, 1983, 1743-1745). So few or equal
    differences never make a sure result.
    """
    spread = strata.spread(differences)
    largest = float(np.max(np.abs(differences))) or 1.0
    missed = 2.0 * (largest * strata.questions_alike(spread)) ** 2
    return math.sqrt(max(spread.by_place, missed)) / strata.n


def name_tests(numbers: Iterable[int]) -> str:
    """What the tests of comparisons are called, each once; the present one where there are none."""
    return "; ".join(TESTS[number] for number in sorted({*numbers} or {TEST_NUMBER}))
