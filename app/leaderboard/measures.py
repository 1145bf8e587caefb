"""What a board by a paper's rules shows beside the share of right answers: the mean of each measure. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.leaderboard.models import Measure, MeasuredValue
from app.leaderboard.numbers import NONE, count, percent
from app.scores.paper_rules import PaperRules

BETTER: Mapping[str, str] = {"higher": "↑", "lower": "↓"}
COUNTED: Mapping[str, str] = {
    "all": "over all answers",
    "attempted": "over attempted answers",
}


def measures_of(rules: PaperRules) -> list[Measure]:
    """The measures that boards by these rules show."""
    return [Measure(**one._asdict()) for one in rules.measures]


def measured(
    rules: PaperRules,
    components: Mapping[str, Any] | None,
    by_type: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, MeasuredValue]:
    """The values of a row by the measure's name; a measure that no question of the scope has is left out.

    `components` are as an aggregate stores them; `by_type` those of each answer type, where the row is of the whole.
    """
    found = {}
    for one in rules.measures:
        stored = (components or {}).get(one.name)
        if stored is not None:
            over_all = one.counts == "all"
            found[one.name] = MeasuredValue(
                value=stored["mean" if over_all else "attempted_mean"],
                attempted=stored["attempted"],
                n=stored["n"],
                over_types=_over_types(rules, by_type, one.name) if over_all and by_type else None,
            )
    return found


def _over_types(rules: PaperRules, by_type: Mapping[str, Mapping[str, Any]], measure: str) -> float | None:
    means = [
        by_type[name][measure]["mean"]
        for name in rules.output_types
        if name in by_type and measure in by_type[name]
    ]
    return math.fsum(means) / len(means) if means else None


def measure_heading(one: Measure) -> str:
    """What a measure is called, with an arrow that points to where it is better."""
    return f"{one.label} {BETTER[one.better]}"


def measure_cell(values: Mapping[str, MeasuredValue], one: Measure) -> str:
    """A run's value in per cent; a dash where it has none."""
    found = values.get(one.name)
    return NONE if found is None else percent(found.value)


def measure_average(values: Mapping[str, MeasuredValue], one: Measure) -> str:
    """The plain mean over answer types in per cent; a dash where the paper has none."""
    found = values.get(one.name)
    return NONE if found is None else percent(found.over_types)


def measure_count(values: Mapping[str, MeasuredValue], one: Measure) -> str:
    """Over how many answers the value is a mean."""
    found = values.get(one.name)
    if found is None:
        return NONE
    return count(found.n if one.counts == "all" else found.attempted)


def has_average(runs: Iterable[Mapping[str, MeasuredValue]], one: Measure) -> bool:
    """Whether any run has a mean over answer types."""
    found = (values.get(one.name) for values in runs)
    return any(value is not None and value.over_types is not None for value in found)


def explain_measures(measures: Sequence[Measure]) -> list[str]:
    """What one must know to read the measures; empty where there are none."""
    if not measures:
        return []
    told = {
        counted: ", ".join(f"{one.label} ({one.tables})" for one in measures if one.counts == counted)
        for counted in COUNTED
    }
    return [
        "Measures: in per cent, by the paper's rules; errors are better when lower. Over all answers: "
        f"{told['all']}; an answer without an attempt counts 0. Over attempted answers: {told['attempted']}.",
        "Mean of types: each answer type counts once, as in the averages of the paper's Tables 7 and 8.",
    ]
