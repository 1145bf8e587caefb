"""How fast gold goes out of date: the time after which half of it stands no more, with its interval."""

import math
from collections.abc import Sequence
from typing import NamedTuple

LEAST_CHANGED = 5
"""With fewer changes nothing is said: the interval would span an order of magnitude."""
Z = 1.96
STEPS = 200


class Exposure(NamedTuple):
    """Of `kept` + `changed` gold answers, so many stood after `days` between two maps."""

    days: float
    kept: int
    changed: int


class HalfLife(NamedTuple):
    """In days, with the ends of its 95 % interval."""

    days: float
    low: float
    high: float


def estimate(exposures: Sequence[Exposure]) -> HalfLife | None:
    """The half-life of greatest likelihood, where each answer goes out of date at one constant rate λ a day.

    Of n answers, kept ~ Binomial(n, exp(−λt)) over the time t between two maps. λ is where the derivative of the
    log-likelihood, Σ changed·t / (exp(λt) − 1) − kept·t, is 0: for one pair of maps −ln(kept / n) / t. The half-life is
    ln 2 / λ. Uncertainty: ln λ is taken as normal with standard error 1 / (λ·√I), I = Σ n·t² / (exp(λt) − 1) being the
    Fisher information; the interval is exp(ln λ ± 1.96 standard errors), turned into half-lives.
    None (not known): fewer than LEAST_CHANGED changed, none was kept, or no time passed.
    """
    seen = [one for one in exposures if one.days > 0 and one.kept + one.changed > 0]
    changed, kept = sum(one.changed for one in seen), sum(one.kept for one in seen)
    if changed < LEAST_CHANGED or not kept:
        return None
    rate = _rate(seen)
    information = sum((one.kept + one.changed) * one.days**2 * _odds(rate * one.days) for one in seen)
    factor = math.exp(Z / (rate * math.sqrt(information)))
    half = math.log(2) / rate
    return HalfLife(half, half / factor, half * factor)


def _rate(seen: Sequence[Exposure]) -> float:
    """By bisection: the derivative falls from +∞ to below 0."""

    def slope(rate: float) -> float:
        return sum(one.changed * one.days * _odds(rate * one.days) - one.kept * one.days for one in seen)

    shortest = min(one.days for one in seen)
    low, high = 1e-15 / shortest, 1.0 / shortest
    while slope(high) > 0:
        high *= 2
    for _ in range(STEPS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return math.sqrt(low * high)


def _odds(x: float) -> float:
    """1 / (exp(x) − 1)."""
    return math.exp(-x) / -math.expm1(-x)
