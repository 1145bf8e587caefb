"""How much more is right on questions that may have been seen than on fresh ones: a gap of means, its interval. Pure.

Values are in [0, 1], one a question. Questions about one place are drawn together (the cluster bootstrap of
`bootstrap.py`). The same values give the same bits.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.scores.bootstrap import RESAMPLES, SEED, draw_clusters
from app.scores.intervals import wilson_of
from app.scores.pairs import LEAST_PLACES

METHOD = f"cluster bootstrap 95 %, percentiles of {RESAMPLES:,} resamples of places"
"""How these intervals are made; told with them."""


class Valued(NamedTuple):
    """A question's value, and the place that it is about; a question without one stands for itself."""

    value: float
    place: Hashable | None
    template: str


class Gap(NamedTuple):
    """The mean of the known questions less that of the fresh ones; the ends are None with fewer than six places."""

    n: int
    """Pairs, or known questions where there are no pairs."""
    known: float
    fresh: float
    gap: float
    low: float | None
    high: float | None
    places: int


class _Side(NamedTuple):
    """By cluster: the sum of the values and that of the weights."""

    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]

    @property
    def mean(self) -> float:
        return float(self.sums.sum() / self.sizes.sum())

    def means(self, seed: int) -> NDArray[np.float64]:
        """The mean of each resample."""
        drawn = draw_clusters(len(self.sums), seed)
        found: NDArray[np.float64] = (drawn @ self.sums) / (drawn @ self.sizes)
        return found


def paired_gap(pairs: Sequence[tuple[Valued, Valued]]) -> Gap:
    """The gap over pairs of a known question and a fresh one, at least one; clusters are the known one's places."""
    fresh = _side([other._replace(place=_cluster(one, i)) for i, (one, other) in enumerate(pairs)])
    known = _side([one._replace(place=_cluster(one, i)) for i, (one, _) in enumerate(pairs)])
    gaps = known.means(SEED) - fresh.means(SEED)
    return _gap(len(pairs), known, fresh, gaps, len(known.sums))


def separate_gap(known: Sequence[Valued], fresh: Sequence[Valued]) -> Gap | None:
    """The gap where nothing is paired, over the templates of which there are questions on both sides; None without one.

    Fresh questions are weighted so that each template counts as much as it does among the known ones.
    """
    both = {one.template for one in known} & {one.template for one in fresh}
    known, fresh = ([one for one in side if one.template in both] for side in (known, fresh))
    if not both:
        return None
    weights = {name: _count(known, name) / _count(fresh, name) for name in both}
    one, other = _side(known), _side(fresh, [weights[question.template] for question in fresh])
    gaps = one.means(SEED) - other.means(SEED + 1)
    return _gap(len(known), one, other, gaps, min(len(one.sums), len(other.sums)))


def _count(questions: Sequence[Valued], template: str) -> int:
    return sum(one.template == template for one in questions)


def _cluster(one: Valued, number: int) -> Hashable:
    return one.place if one.place is not None else ("alone", number)


def _side(questions: Sequence[Valued], weights: Sequence[float] | None = None) -> _Side:
    weights = weights or [1.0] * len(questions)
    codes: dict[Hashable, int] = {}
    numbers = [codes.setdefault(_cluster(one, i), len(codes)) for i, one in enumerate(questions)]
    values = np.array([one.value for one in questions]) * np.array(weights)
    return _Side(
        np.bincount(numbers, weights=values).astype(np.float64),
        np.bincount(numbers, weights=np.array(weights)).astype(np.float64),
    )


def _gap(n: int, known: _Side, fresh: _Side, gaps: NDArray[np.float64], places: int) -> Gap:
    gap = known.mean - fresh.mean
    if places < LEAST_PLACES:
        return Gap(n, known.mean, fresh.mean, gap, None, None, places)
    low, high = (float(end) for end in np.quantile(gaps, (0.025, 0.975)))
    if np.ptp(gaps) == 0.0:
        low, high = _newcombe(known.mean, fresh.mean, places)
    return Gap(n, known.mean, fresh.mean, gap, min(gap, low), max(gap, high), places)


def _newcombe(known: float, fresh: float, n: int) -> tuple[float, float]:
    """The interval of a difference of two shares where resampling tells nothing, since all clusters are alike.

    The hybrid score interval (Newcombe, Statistics in Medicine 17, 1998, 873-890, method 10).
    """
    one, other = wilson_of(known, n), wilson_of(fresh, n)
    difference = known - fresh
    return (
        difference - math.hypot(known - one.low, other.high - fresh),
        difference + math.hypot(one.high - known, fresh - other.low),
    )
