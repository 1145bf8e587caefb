"""Upper bounds on a share of faults: Clopper and Pearson's, and the same for strata sampled at unequal rates. Pure."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

LEVEL = 0.95
METHOD = "Clopper-Pearson, one-sided 95 %"
SOURCE = (
    "Clopper and Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial, "
    "Biometrika 26 (1934)"
)
_HALVINGS = 60


class Stratum(NamedTuple):
    """Questions of a part of the data set, how many of them were drawn, and how many of those are faulty."""

    questions: int
    sampled: int
    faults: int


class Bound(NamedTuple):
    """Shares of 1: the weighted estimate, and what the true share exceeds with 5 % probability at most."""

    estimate: float
    upper: float
    effective: int


def binomial_cdf(faults: int, trials: int, share: float) -> float:
    """The probability of at most `faults` in `trials` independent trials that each fail with probability `share`."""
    if faults >= trials or share <= 0:
        return 1.0
    if share >= 1:
        return 0.0
    each, other = math.log(share), math.log1p(-share)
    return math.fsum(
        math.exp(_log_choices(trials, found) + found * each + (trials - found) * other)
        for found in range(faults + 1)
    )


def clopper_pearson_upper(faults: int, trials: int, level: float = LEVEL) -> float:
    """The largest share under which `faults` or fewer of `trials` still have probability 1 - level.

    Clopper and Pearson (1934), the upper limit alone. Raises ValueError where 0 <= faults <= trials does not hold.
    """
    if not 0 <= faults <= trials:
        raise ValueError(f"{faults} faults of {trials}")
    if faults == trials:
        return 1.0
    low, high = faults / trials, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if binomial_cdf(faults, trials, middle) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def stratified_upper(strata: Sequence[Stratum]) -> Bound:
    """The bound for a data set whose parts were sampled each at its own rate.

    The share of faults is the mean of the strata's shares, each weighing as much as it has questions. The sample
    counts as one drawn evenly over the whole data set at the rate of the stratum that was sampled least:
    m = min over strata of sampled x all questions / the stratum's questions, rounded down, of which the estimate's
    share, rounded up, is faulty. Where all were sampled at one rate, that is Clopper and Pearson's bound itself.
    With no fault found it holds for every spread of faults over strata: prod (1 - p_h)^sampled_h <=
    prod (1 - p_h)^(m w_h) <= (1 - sum w_h p_h)^m by the inequality of arithmetic and geometric means.
    Raises ValueError for no stratum, or one without a sample.
    """
    if not strata or any(one.sampled < 1 for one in strata):
        raise ValueError("every stratum needs a sampled question")
    total = sum(one.questions for one in strata)
    estimate = sum(Fraction(one.questions * one.faults, total * one.sampled) for one in strata)
    least = min(Fraction(one.sampled * total, one.questions) for one in strata)
    trials = math.floor(least)
    faults = math.ceil(estimate * trials)
    return Bound(float(estimate), clopper_pearson_upper(faults, trials), trials)


def _log_choices(trials: int, found: int) -> float:
    return math.lgamma(trials + 1) - math.lgamma(found + 1) - math.lgamma(trials - found + 1)
