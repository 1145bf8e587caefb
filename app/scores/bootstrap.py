"""Intervals at 95 % by resampling whole clusters: user places, whose questions are alike. The same values, same bits.

The cluster bootstrap with percentiles (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8, 13).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scores.intervals import Interval, wilson_of

RESAMPLES = 2_000
SEED = 20_260_101
METHOD = "cluster bootstrap 95 %, percentiles of 2,000 resamples of user places"
"""How these intervals are made; told with them."""


def bootstrap_intervals(sums: NDArray[np.float64], sizes: Sequence[int]) -> list[Interval]:
    """Of the mean of each column: `sums` has a row a cluster and a column a measure, `sizes` the questions of each.

    One draw of clusters serves every column, so that columns of one order keep it. If all clusters have the same mean,
    resampling tells nothing, and Wilson's interval for as many questions as there are clusters stands instead.
    Numbers are drawn by NumPy's RandomState, whose stream is the same in every version (NEP 19).
    """
    counts = np.asarray(sizes, dtype=np.float64)
    clusters = len(counts)
    weights = draw_clusters(clusters)
    totals = weights @ counts
    found = []
    for column in np.asarray(sums, dtype=np.float64).T:
        mean = float(column.sum() / counts.sum())
        if np.ptp(column / counts) == 0.0:
            found.append(wilson_of(mean, clusters))
            continue
        low, high = np.quantile((weights @ column) / totals, (0.025, 0.975))
        found.append(Interval(min(mean, float(low)), max(mean, float(high))))
    return found


def draw_clusters(clusters: int, seed: int = SEED) -> NDArray[np.float64]:
    """How often each of so many clusters is drawn: a row a resample, a column a cluster."""
    drawn = np.random.RandomState(seed).randint(clusters, size=(RESAMPLES, clusters))
    return np.stack([np.bincount(row, minlength=clusters) for row in drawn]).astype(np.float64)
