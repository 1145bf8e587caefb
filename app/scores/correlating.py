"""Pearson's and Spearman's correlations with bootstrap intervals. Pure; the same values and seed give the same bits.

A correlation of values that do not vary is not defined: it is None here, never NaN.
"""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

DRAWS = 2000
"""Samples that an interval is made of."""
METHOD = "percentile bootstrap, 95 %, 2,000 samples"
SOURCE = "Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13"
FEWEST = 3
"""Pairs below which there is no correlation to speak of: two points always lie on a line."""
Kind = Literal["pearson", "spearman"]
Numbers = NDArray[np.float64]


class Correlation(BaseModel):
    """A correlation over `n` pairs; `value` is null if it is not defined, the ends if too few samples have one."""

    model_config = ConfigDict(frozen=True)

    n: int
    value: float | None
    low: float | None = Field(default=None, description="end of the 95 % interval")
    high: float | None = None


def correlate(
    first: Sequence[float],
    second: Sequence[float],
    kind: Kind = "pearson",
    seed: int = 0,
    strata: Sequence[Hashable] | None = None,
) -> Correlation:
    """The correlation of paired values; with `strata` each sample has as many pairs of each stratum as there are.

    Samples without a correlation are left out; where they are the half or more, there is no interval.
    """
    x, y = np.array(first, dtype=float), np.array(second, dtype=float)
    if len(x) != len(y):
        raise ValueError(f"{len(x)} values are paired with {len(y)}")
    if len(x) < FEWEST:
        return Correlation(n=len(x), value=None)
    (value,) = _rows(x[None, :], y[None, :], kind)
    if np.isnan(value):
        return Correlation(n=len(x), value=None)
    drawn = _samples(len(x), strata, seed)
    found = _rows(x[drawn], y[drawn], kind)
    defined = found[~np.isnan(found)]
    if 2 * len(defined) <= len(found):
        return Correlation(n=len(x), value=float(value))
    low, high = np.quantile(defined, [0.025, 0.975])
    return Correlation(n=len(x), value=float(value), low=float(low), high=float(high))


def _samples(n: int, strata: Sequence[Hashable] | None, seed: int) -> NDArray[np.intp]:
    """A row a sample: the places of its pairs."""
    chance = np.random.Generator(np.random.PCG64(seed))
    parts: dict[Hashable, list[int]] = {}
    for place in range(n):
        parts.setdefault(None if strata is None else strata[place], []).append(place)
    drawn = [np.array(part)[chance.integers(0, len(part), (DRAWS, len(part)))] for part in parts.values()]
    return np.concatenate(drawn, axis=1)


def _rows(x: Numbers, y: Numbers, kind: Kind) -> Numbers:
    """The correlation of each row with its partner; NaN where one of both does not vary."""
    varies = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)
    if kind == "spearman":
        from scipy.stats import rankdata  # here, since every command would wait for it

        x, y = rankdata(x, axis=1), rankdata(y, axis=1)
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return np.where(varies, np.clip(found, -1.0, 1.0), np.nan)
