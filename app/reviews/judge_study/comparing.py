"""How far people and judges agree: every pair of raters over the responses that both marked. Pure."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from app.core import seeds
from app.reviews.judge_study.marks import Marks
from app.reviews.judge_study.models import Among, Kind, MeanOfPairs, Measure, Methods, Pair, Rater
from app.reviews.judge_study.responses import Key
from app.scores.correlating import correlate

MEASURES: tuple[Measure, ...] = ("total", "reason")
PEOPLE = "people"


class Rated(NamedTuple):
    """A rater with the marks that they gave."""

    name: str
    kind: Kind
    marks: Mapping[Key, Marks]


def with_mean_of_people(raters: Sequence[Rated]) -> list[Rated]:
    """The raters, and where there are several people their mean as one more."""
    people = [one for one in raters if one.kind == "person"]
    if len(people) < 2:
        return [*raters]
    given: dict[Key, list[Marks]] = defaultdict(list)
    for one in people:
        for key, marks in one.marks.items():
            given[key].append(marks)
    return [*raters, Rated(PEOPLE, "people", {key: _mean_marks(marks) for key, marks in given.items()})]


def _mean_marks(marks: Sequence[Marks]) -> Marks:
    n = len(marks)
    reason, answer = (math.fsum(getattr(one, part) for one in marks) / n for part in ("reason", "answer"))
    return Marks(marks[0].rubric, reason, answer, {})


def describe(rater: Rated) -> Rater:
    """How many responses a rater marked, and how high."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for marks in rater.marks.values():
        by_task[marks.rubric.task].append(marks.total)
    between = sum(
        marks.rubric.rule_of(part).is_between_levels(points)
        for marks in rater.marks.values()
        for part, points in marks.parts.items()
    )
    return Rater(
        name=rater.name,
        kind=rater.kind,
        responses=len(rater.marks),
        mean=_mean([marks.total for marks in rater.marks.values()]),
        between_levels=between,
        tasks={task: _mean(values) for task, values in sorted(by_task.items())},
    )


def compare(raters: Sequence[Rated], seed: int = 0) -> list[Pair]:
    """Every pair of people, of judges, and of each person (and their mean) with each judge, by both measures."""
    return [
        _pair(first, second, among, measure, seed)
        for first, second in combinations(raters, 2)
        if (among := _among(first.kind, second.kind)) is not None
        for measure in MEASURES
    ]


def _among(first: Kind, second: Kind) -> Among | None:
    kinds = {first, second}
    if kinds == {"person"}:
        return "people"
    if kinds == {"judge"}:
        return "judges"
    return "people and judges" if "judge" in kinds else None


def _pair(first: Rated, second: Rated, among: Among, measure: Measure, seed: int) -> Pair:
    both = [key for key in first.marks if key in second.marks]
    x, y = ([_value(one.marks[key], measure) for key in both] for one in (first, second))
    tasks = [first.marks[key].rubric.task for key in both]
    drawn = seeds.draw(seed, "judge study", first.name, second.name, measure)
    return Pair(
        first=first.name,
        second=second.name,
        among=among,
        measure=measure,
        pearson=correlate(x, y, "pearson", drawn, tasks),
        spearman=correlate(x, y, "spearman", drawn, tasks),
        mean_difference=_mean([one - other for one, other in zip(x, y, strict=True)]) if both else None,
    )


def _value(marks: Marks, measure: Measure) -> float:
    return marks.total if measure == "total" else marks.reason / marks.rubric.reason


def means_of(pairs: Sequence[Pair]) -> list[MeanOfPairs]:
    """The means over pairs of one kind; of pairs with the people's mean none, which is told for itself."""
    found = []
    for among in ("people", "judges", "people and judges"):
        for measure in MEASURES:
            alike = [
                one
                for one in pairs
                if (one.among, one.measure) == (among, measure) and PEOPLE not in (one.first, one.second)
            ]
            if alike:
                found.append(
                    MeanOfPairs(
                        among=among,
                        measure=measure,
                        pairs=len(alike),
                        pearson=_mean_if_any(one.pearson.value for one in alike),
                        spearman=_mean_if_any(one.spearman.value for one in alike),
                    )
                )
    return found


def compare_methods(
    judge: str, pure: Mapping[Key, Marks], hybrid: Mapping[Key, float], seed: int = 0
) -> Methods:
    """Pure totals of a judge against hybrid ones."""
    both = [key for key in pure if key in hybrid]
    x, y = [pure[key].total for key in both], [hybrid[key] for key in both]
    tasks = [pure[key].rubric.task for key in both]
    return Methods(
        judge=judge,
        pearson=correlate(x, y, "pearson", seeds.draw(seed, "methods", judge), tasks),
        mean_difference=_mean([one - other for one, other in zip(x, y, strict=True)]),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _mean_if_any(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return _mean(known) if known else None
