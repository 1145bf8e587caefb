"""Averages of a report: the paper's two overall ones, popularity strata, and groups at matched popularity. Pure."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.questions.popularity import quarter_bounds, quarter_of
from app.scores.intervals import wilson_of


class Averages(NamedTuple):
    """Both overall figures of UrbanGeoEval; None where a dimension has no mean."""

    dimension_mean: float | None
    template_weighted: float | None


class Standardised(NamedTuple):
    """A group's mean at the common composition; `n` of its questions count, `crude` is their plain mean."""

    score: float
    low: float
    high: float
    n: int
    crude: float


class Matched(NamedTuple):
    """Groups over the strata that all of them have; `weights` of the strata add up to 1."""

    weights: Mapping[str, float]
    groups: Mapping[str, Standardised]


def overall_averages(dimensions: Mapping[str, float | None], templates: Mapping[str, int]) -> Averages:
    """The mean of the dimensions' means, plain and weighted by how many templates each dimension has.

    UrbanGeoEval, Table 4: "Overall" is the plain mean for four of its models, and for GPT-4o (54.49) the weighted one
    (its plain mean is 53.49). Means are shares of 1, each over a dimension's questions.
    """
    known = [(mean, templates[name]) for name, mean in dimensions.items() if mean is not None]
    if not dimensions or len(known) < len(dimensions):
        return Averages(None, None)
    plain = math.fsum(mean for mean, _ in known) / len(known)
    weighted = math.fsum(mean * count for mean, count in known) / sum(count for _, count in known)
    return Averages(plain, weighted)


def mean_of_all(groups: Mapping[str, Sequence[float]]) -> float | None:
    """The mean over all values, each counting once (the micro average); None without any."""
    values = [value for group in groups.values() for value in group]
    return _mean(values) if values else None


def mean_of_groups(groups: Mapping[str, Sequence[float]]) -> float | None:
    """The mean of the means of groups, each group counting once (the macro average); None without any."""
    means = [_mean(group) for group in groups.values() if group]
    return _mean(means) if means else None


def standardise(values: Mapping[str, Mapping[str, Sequence[float]]]) -> Matched | None:
    """Each group's mean as if its questions lay in the strata as those of all groups together do.

    `values` are by group and stratum, in [0, 1]. Direct standardisation (Fleiss, Levin and Paik, Statistical Methods
    for Rates and Proportions, 2003, chapter 19): over the strata in which every group has a question, the groups' means
    are weighted by the share of all groups' questions. The interval is Wilson's at 95 % for as many questions as the
    weighted ones are worth, 1 / sum(weight² / n) (Kish, Survey Sampling, 1965). None where fewer than two groups or
    no common stratum are there.
    """
    strata = [{name for name, found in of.items() if found} for of in values.values()]
    common = sorted(set.intersection(*strata)) if strata else []
    if len(values) < 2 or not common:
        return None
    sizes = {name: sum(len(of[name]) for of in values.values()) for name in common}
    total = sum(sizes.values())
    weights = {name: size / total for name, size in sizes.items()}
    return Matched(weights, {group: _standardise(of, weights) for group, of in values.items()})


def _standardise(of: Mapping[str, Sequence[float]], weights: Mapping[str, float]) -> Standardised:
    score = math.fsum(weight * _mean(of[name]) for name, weight in weights.items())
    worth = 1.0 / math.fsum(weight**2 / len(of[name]) for name, weight in weights.items())
    score = min(1.0, max(0.0, score))
    counted = [value for name in weights for value in of[name]]
    return Standardised(score, *wilson_of(score, worth), len(counted), _mean(counted))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def quartile_labels(counts: Sequence[int]) -> dict[int, str]:
    """For every count the name of its quarter, such as `1 of 4: 3 to 7`; equal counts are in one.

    Quartiles are those of the counts themselves (the inclusive method). Where many counts are equal, quarters are
    uneven and some are empty.
    """
    if not counts:
        return {}
    bounds = quarter_bounds(counts)
    quarters: dict[int, list[int]] = {}
    for count in sorted(set(counts)):
        quarters.setdefault(quarter_of(bounds, count), []).append(count)
    return {
        count: f"{number + 1} of 4: {of[0]}" + (f" to {of[-1]}" if of[-1] > of[0] else "")
        for number, of in quarters.items()
        for count in of
    }
