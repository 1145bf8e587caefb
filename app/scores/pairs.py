"""Two runs compared question by question: a mean difference, its interval, a test, and what could have been found.

Pure. Values are in [0, 1], one a question; the same values give the same bits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from app.scores.student import quantile, two_sided

TEST = "paired t, two-way cluster jackknife by template and place"
LEVEL = 0.05
POWER = 0.8

Values = NDArray[np.float64]
Codes = NDArray[np.int64]


class Way(NamedTuple):
    """A way to cluster questions and the two that are added to them: the cluster of each, and how many each has."""

    codes: Codes
    sizes: Codes


@dataclass(frozen=True, eq=False)
class Clusters:
    """Each question's template, place, and pair of both, each as whole numbers from 0 on without gaps."""

    templates: Codes
    places: Codes
    both: Codes

    @classmethod
    def make(cls, templates: NDArray[Any], places: NDArray[Any]) -> Self:
        """From names or numbers; a question without a place has one of its own."""
        template, place = _numbered(templates), _numbered(places)
        return cls(template, place, _numbered(template * max(1, _count(place)) + place))

    @cached_property
    def ways(self) -> list[Way]:
        """By template and by place, where there are two clusters, and by both at once where both ways have."""
        ways = [_way(codes) for codes in (self.templates, self.places) if _count(codes) > 1]
        return [*ways, _way(self.both)] if len(ways) == 2 else ways

    def of(self, which: NDArray[Any]) -> "Clusters":
        """Those of some of the questions, numbered anew."""
        return Clusters.make(self.templates[which], self.places[which])


class Paired(NamedTuple):
    """One run's mean less another's, in shares of 1; what no test can tell is None."""

    n: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    detectable: float | None
    templates: int
    places: int


class Told(NamedTuple):
    """What is told of two runs over `n` questions, some hidden: their difference, and how far that may be off."""

    n: int
    difference: float
    off: float


def compare(differences: Values, clusters: Clusters, told: Told | None = None) -> Paired:
    """The paired comparison of two runs from each public question's difference of values, at least one without `told`.

    The standard error is a two-way cluster jackknife (MacKinnon, Nielsen and Webb, "Jackknife inference with two-way
    clustering", 2024): the variance by template, plus that by place, less that by both at once (Cameron, Gelbach and
    Miller, Journal of Business & Economic Statistics 29, 2011, 238-249), each from the means without one cluster. As
    that sum may come out too small, or below 0, the largest of it, of both one-way variances and of the plain one
    counts (their "max-se"). Degrees of freedom: one less than the smaller number of clusters. A way in which all
    questions are one cluster does not count; where neither way has two, nothing is tested.

    One difference of 1 and one of -1, clusters of their own, are added, as Bonett and Price (Journal of Educational
    and Behavioral Statistics 37, 2012, 479-488) do for paired proportions, so that few or equal differences never make
    a sure result: of 0/1 values that all are clusters, centre and (but for (n + 2) / (n + 1)) variance are theirs.
    `difference` is the plain mean.

    `detectable` is the smallest true difference that the test at 5 % finds with a power of 80 %: the standard error
    times the sum of both quantiles (Bloom, Evaluation Review 19, 1995, 547-556). It is before Holm's adjustment.

    Where hidden questions count, `told` stands for the mean and the centre. Single differences of hidden ones enter
    nothing: the standard error is that of the public ones' mean, and half the interval's width has on top of it what
    steps may hide. All else follows from these two. Without two clusters of public questions nothing is tested.
    """
    n = len(differences) if told is None else told.n
    difference = float(np.sum(differences)) / n if told is None else told.difference
    templates, places = _count(clusters.templates), _count(clusters.places)
    ways = [count for count in (templates, places) if count > 1]
    if not ways:
        return Paired(n, difference, None, None, None, None, templates, places)
    padded = np.append(differences, (1.0, -1.0))
    centre = float(np.sum(padded)) / len(padded) if told is None else told.difference
    error = float(np.sqrt(max(_variances(padded, clusters))))
    degrees = min(ways) - 1
    width = quantile(1.0 - LEVEL / 2.0, degrees)
    half = width * error
    if told is not None:
        half += told.off
        error = half / width
    return Paired(
        n,
        difference,
        min(difference, max(-1.0, centre - half)),
        max(difference, min(1.0, centre + half)),
        two_sided(centre / error, degrees),
        min(1.0, half + quantile(POWER, degrees) * error),
        templates,
        places,
    )


def _variances(padded: Values, clusters: Clusters) -> Iterator[float]:
    """Variances of the mean by each way that has two clusters, by both ways together, and by question."""
    total = float(np.sum(padded))
    yield _variance(padded, np.ones(len(padded), dtype=np.int64), total, len(padded))
    found = [
        _variance(np.bincount(way.codes, weights=padded), way.sizes, total, len(padded))
        for way in clusters.ways
    ]
    yield from found[:2]
    if len(found) == 3:
        one, other, both = found
        yield one + other - both


def jackknife(values: Values, codes: Codes) -> float:
    """The variance of the values' mean from the means without each cluster; two clusters at least."""
    sums, sizes = np.bincount(codes, weights=values), np.bincount(codes)
    return _variance(sums, sizes, float(np.sum(values)), len(values))


def _variance(sums: NDArray[Any], sizes: Codes, total: float, n: int) -> float:
    count = len(sums)
    without = (total - sums) / (n - sizes) - total / n
    return float(np.sum(without * without)) * (count - 1) / count


def _way(codes: Codes) -> Way:
    count = _count(codes)
    with_added = np.append(codes, (count, count + 1))
    return Way(with_added, np.bincount(with_added))


def _count(codes: Codes) -> int:
    return int(codes.max()) + 1 if len(codes) else 0


def _numbered(codes: NDArray[Any]) -> Codes:
    return np.asarray(np.unique(codes, return_inverse=True)[1], dtype=np.int64)
