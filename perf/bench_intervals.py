"""Benchmark: how often intervals hold the truth, and how often equal models are told apart.

Simulates models that answer questions of templates about places. A template and a place help or hinder each model in
ways of their own. One setting after the other; the last line is one JSON object. Seeded: the same options give the same
figures. usage: python -m perf.bench_intervals
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.cli.output import line
from app.leaderboard.comparing import holm
from app.scores.intervals import Interval, Shown, interval_of, wilson_of
from app.scores.new_templates import over_new_templates
from app.scores.pairs import LEVEL, Paired, compare
from app.scores.strata import Strata, make_strata
from perf.models import Model, mean_of, new_templates_of, values_of

SEED = 20261125
LAYOUTS = ("shared", "own")
"""Whether all templates ask about the same places, or each about its own."""
EFFECT = 0.3
"""How much better the better model is, in standard deviations of how hard questions are."""
EQUAL = 4
"""Models that are equal on the benchmark, and differ by template and place; one more is better."""
RELAYED = 20
"""Rounds after which questions are laid anew in places."""
FEWEST_PLACES = 20
NEW_TEMPLATES = (3, 5, 8, 10, 15, 20, 28)


class Setting(NamedTuple):
    """What is simulated: `places` in all, `icc` the share of the variance that is of places."""

    templates: int
    questions: int
    places: int
    icc: float
    graded: bool
    layout: str


class Rates(NamedTuple):
    """Shares of rounds: intervals that hold the truth, and equal models that were told apart."""

    score: float
    as_independent: float
    """Of Wilson's interval, as if all questions were independent."""
    difference: float
    true_difference: float
    """Coverage where the models differ."""
    better: float
    """Of two equal models one was called better."""
    ranks: float
    """Of four equal models at least two had different ranks."""
    found: float
    """The better model was called better."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print tables and the JSON line; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m perf.bench_intervals", description=__doc__)
    parser.add_argument("--rounds", type=int, default=400, help="rounds of each setting")
    parser.add_argument("--questions", type=int, nargs="+", default=[10, 50, 200], help="of each template")
    chosen = parser.parse_args(arguments)
    rates = {one: simulate(one, chosen.rounds) for one in settings(chosen.questions)}
    rows = list(summarise(rates))
    for row in rows:
        line("  ".join(f"{name} {value}" for name, value in row.items()))
    new = [
        {"templates": templates, "coverage": simulate_new_templates(templates, chosen.rounds)}
        for templates in NEW_TEMPLATES
    ]
    for one in new:
        line(f"new templates: {one['templates']} templates, coverage {one['coverage']}")
    line(json.dumps({"seed": SEED, "rounds": chosen.rounds, "rates": rows, "new_templates": new}))
    return 0


def settings(questions: Iterable[int]) -> Iterator[Setting]:
    """All that are simulated."""
    grid = product((2, 5, 20), questions, (FEWEST_PLACES, 100), (0.0, 0.1, 0.3), (False, True), LAYOUTS)
    yield from (Setting(*one) for one in grid)


def simulate(setting: Setting, rounds: int) -> Rates:
    """The rates of one setting."""
    random = np.random.default_rng(
        [SEED, *setting[:3], round(100 * setting.icc), setting.graded, len(setting.layout)]
    )
    strata = lay(setting, random)
    told = []
    for number in range(rounds):
        if number and not number % RELAYED:
            strata = lay(setting, random)
        told.append(_round(setting, strata, random))
    return Rates(*(round(float(np.mean(column)), 4) for column in zip(*told)))


def lay(setting: Setting, random: np.random.Generator) -> Strata:
    """Each question's template and place. Some places get more questions than others."""
    templates = np.repeat(np.arange(setting.templates), setting.questions)
    if setting.layout == "own":
        each = max(3, setting.places // setting.templates)
        return make_strata(templates, templates * each + random.integers(0, each, len(templates)))
    return make_strata(templates, random.integers(0, setting.places, len(templates)))


def _round(setting: Setting, strata: Strata, random: np.random.Generator) -> tuple[bool, ...]:
    effects = 0.2 + 0.7 * random.standard_normal(setting.templates)
    models = [Model(random.permutation(effects)) for _ in range(EQUAL)]
    models.append(Model(models[0].effects + EFFECT))
    values = values_of(models, strata, setting.icc, random, graded=setting.graded)
    truth, more = (mean_of(model, strata, graded=setting.graded) for model in (models[0], models[-1]))
    own = values[0].tolist()
    shown = Shown(float(np.mean(values[0])), strata.n)
    pairs = {(a, b): compare(values[a] - values[b], strata) for a, b in combinations(range(EQUAL), 2)}
    adjusted = holm({key: pair.p for key, pair in pairs.items()})
    better = compare(values[-1] - values[0], strata)
    return (
        _holds(interval_of(shown, own, strata), truth),
        _holds(wilson_of(shown.mean, shown.n), truth),
        _holds(_ends(pairs[0, 1]), 0.0),
        _holds(_ends(better), more - truth),
        _is_sure(pairs[0, 1].p),
        _is_sure(min(adjusted.values())),
        _is_sure(better.p) and better.difference > 0,
    )


def simulate_new_templates(templates: int, rounds: int) -> float:
    """How often the interval for new templates holds the difference over all that there might be: none here."""
    random = np.random.default_rng([SEED, templates])
    held = []
    for graded, questions, icc in product((False, True), (10, 25, 100), (0.0, 0.3)):
        setting = Setting(templates, questions, 100, icc, graded, LAYOUTS[0])
        for _ in range(max(1, rounds // 4)):
            strata = lay(setting, random)
            first, second = values_of(new_templates_of(templates, random), strata, icc, random, graded=graded)
            found = over_new_templates(first - second, strata, least=2)
            held.append(found is not None and _holds(Interval(found.low, found.high), 0.0))
    return round(float(np.mean(held)), 4)


def summarise(rates: Mapping[Setting, Rates]) -> Iterator[dict[str, float]]:
    """By templates and share of places, over all other settings: means, and the lowest or highest of a setting."""
    groups: dict[tuple[int, float], list[Rates]] = defaultdict(list)
    for setting, found in rates.items():
        groups[setting.templates, setting.icc].append(found)
    for (templates, icc), of_group in groups.items():
        table: NDArray[np.float64] = np.array(of_group)
        means = dict(zip(Rates._fields, np.mean(table, axis=0).round(4).tolist(), strict=True))
        yield {
            "templates": templates,
            "icc": icc,
            "settings": len(of_group),
            **means,
            "lowest_score": float(np.min(table[:, 0])),
            "lowest_difference": float(np.min(table[:, 2:4])),
            "highest_better": float(np.max(table[:, 4])),
            "highest_ranks": float(np.max(table[:, 5])),
        }


def _ends(pair: Paired) -> Interval:
    assert pair.low is not None
    assert pair.high is not None
    return Interval(pair.low, pair.high)


def _holds(interval: Interval, truth: float) -> bool:
    return interval.low - 1e-12 <= truth <= interval.high + 1e-12


def _is_sure(p: float | None) -> bool:
    return p is not None and p <= LEVEL


if __name__ == "__main__":
    sys.exit(main())
