"""Whether a difference of two runs would be found with other templates, too: templates are drawn, and not fixed.

Pure; the same values give the same bits.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.scores.strata import Codes, Strata, Values, count_codes, number_codes
from app.scores.student import quantile, two_sided
from app.scores.withholding import Told

TWO_WAY = "paired t, two-way cluster jackknife by template and place"
LEAST_TEMPLATES = 10
"""From so many on, 93 to 97 % of intervals hold the difference over all templates (perf.bench_intervals)."""


class OverNewTemplates(NamedTuple):
    """The 95 % interval of a difference over templates of the kind that there are, and p, two-sided."""

    low: float
    high: float
    p: float


class _Way(NamedTuple):
    """A way to cluster questions and the two that are added to them: the cluster of each, and how many each has."""

    codes: Codes
    sizes: Codes


def over_new_templates(
    differences: Values, strata: Strata, told: Told | None = None, least: int = LEAST_TEMPLATES
) -> OverNewTemplates | None:
    """The interval and p for new templates; None with fewer than `least` templates.

    The standard error is a two-way cluster jackknife (MacKinnon, Nielsen and Webb, "Jackknife inference with two-way
    clustering", 2024): the variance by template, plus that by place, less that by both at once (Cameron, Gelbach and
    Miller, Journal of Business & Economic Statistics 29, 2011, 238-249), each from the means without one cluster. As
    that sum may come out too small, or below 0, the largest of it, of both one-way variances and of the plain one
    counts (their "max-se"). Degrees of freedom: one less than the smaller number of clusters.

    One difference of 1 and one of -1, clusters of their own, are added, as Bonett and Price (Journal of Educational
    and Behavioral Statistics 37, 2012, 479-488) do for paired proportions. `told` is as of `pairs.compare`.
    """
    if strata.template_count < max(2, least) or strata.place_count < 2:
        return None
    padded = np.append(differences, (1.0, -1.0))
    centre = float(np.sum(padded)) / len(padded) if told is None else told.difference
    mean = float(np.sum(differences)) / strata.n if told is None else told.difference
    degrees = min(strata.template_count, strata.place_count) - 1
    width = quantile(0.975, degrees)
    half = width * float(np.sqrt(max(_variances(padded, strata)))) + (0.0 if told is None else told.off)
    return OverNewTemplates(
        min(mean, max(-1.0, centre - half)),
        max(mean, min(1.0, centre + half)),
        two_sided(centre * width / half, degrees),
    )


def _variances(padded: Values, strata: Strata) -> Iterator[float]:
    """Variances of the mean by question, by template, by place, and by both ways together."""
    total = float(np.sum(padded))
    yield _variance(padded, np.ones(len(padded), dtype=np.int64), total, len(padded))
    pairs = number_codes(strata.templates * strata.place_count + strata.places)
    found = []
    for codes in (strata.templates, strata.places, pairs):
        way = _way(codes)
        found.append(_variance(np.bincount(way.codes, weights=padded), way.sizes, total, len(padded)))
    one, other, both = found
    yield from (one, other, one + other - both)


def jackknife(values: Values, codes: Codes) -> float:
    """The variance of the values' mean from the means without each cluster; two clusters at least."""
    sums, sizes = np.bincount(codes, weights=values), np.bincount(codes)
    return _variance(sums, sizes, float(np.sum(values)), len(values))


def _variance(sums: NDArray[Any], sizes: Codes, total: float, n: int) -> float:
    count = len(sums)
    without = (total - sums) / (n - sizes) - total / n
    return float(np.sum(without * without)) * (count - 1) / count


def _way(codes: Codes) -> _Way:
    count = count_codes(codes)
    with_added = np.append(codes, (count, count + 1))
    return _Way(with_added, np.bincount(with_added))
