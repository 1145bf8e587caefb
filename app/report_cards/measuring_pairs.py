"""Two models, or two ways of asking, on the same questions: paired differences by skill, with a plain verdict. Pure.

The test is that of boards (`app.scores.pairs`): templates are fixed, questions about one place move together.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from app.leaderboard.comparing import holm
from app.report_cards.measuring_runs import Asked, MeasuredRun
from app.report_cards.models import ComparedSkill, Difference, Verdict
from app.report_cards.skills import read_skills
from app.scores.aggregating import ALL, strata_of_parts
from app.scores.pairs import LEAST_PLACES, LEVEL, Paired, compare

Pairs = Sequence[tuple[MeasuredRun, MeasuredRun]]
"""Two complete runs of one version each, those of the first model or way first."""


class Both(NamedTuple):
    """A question that both answered, and the value of each."""

    asked: Asked
    skill: str | None
    mine: float
    theirs: float


class _Told(NamedTuple):
    mine: float
    theirs: float
    paired: Paired


def pair_up(mine: Sequence[MeasuredRun], theirs: Sequence[MeasuredRun]) -> Pairs:
    """The runs of versions that both have complete, in the order of the first."""
    others = {run.about.version_id: run for run in theirs if run.is_complete}
    return [
        (run, others[run.about.version_id])
        for run in mine
        if run.is_complete and run.about.version_id in others
    ]


def compare_by_skill(pairs: Pairs, me: str, other: str) -> list[ComparedSkill]:
    """A row over all questions, then a row a skill that either has; p is adjusted over these rows."""
    both = _both(pairs)
    titles = {ALL: "All questions"} | {skill.key: skill.title for skill in read_skills().listed}
    groups = {
        key: [one for one in both if key in (ALL, one.skill)]
        for key in titles
        if key == ALL or any(one.skill == key for one in both)
    }
    return [
        ComparedSkill(skill=key, title=titles[key], difference=difference)
        for key, difference in compare_groups(groups, me, other).items()
    ]


def compare_groups(groups: Mapping[str, Sequence[Both]], me: str, other: str) -> dict[str, Difference | None]:
    """A difference for each group, None for one without a question; p is adjusted over the groups."""
    told = {key: _told(of_group) for key, of_group in groups.items()}
    known = {key: one for key, one in told.items() if one is not None}
    adjusted = holm({key: one.paired.p for key, one in known.items()})
    return {
        key: None if one is None else _difference(one, adjusted[key], len(known), me, other)
        for key, one in told.items()
    }


def compare_all(pairs: Pairs, me: str, other: str) -> Difference | None:
    """One difference over all questions; None where there is no question that both were asked."""
    return compare_groups({ALL: _both(pairs)}, me, other)[ALL]


def _both(pairs: Pairs) -> list[Both]:
    found = []
    for mine, theirs in pairs:
        known = {one.key for one in theirs.questions}
        found += [
            Both(one, mine.skill_of(one), mine.mean_of(one.key), theirs.mean_of(one.key))
            for one in mine.questions
            if one.key in known
        ]
    return found


def _told(both: Sequence[Both]) -> _Told | None:
    if not both:
        return None
    differences = np.array([one.mine - one.theirs for one in both])
    paired = compare(differences, strata_of_parts([one.asked.part for one in both]))
    mine, theirs = (
        math.fsum(values) / len(both) for values in ((one.mine for one in both), (one.theirs for one in both))
    )
    return _Told(mine, theirs, paired)


def _difference(told: _Told, adjusted: float, tests: int, me: str, other: str) -> Difference:
    paired = told.paired
    verdict = _verdict(paired, adjusted)
    return Difference(
        n=paired.n,
        mine=told.mine,
        theirs=told.theirs,
        difference=paired.difference + 0.0,
        low=paired.low,
        high=paired.high,
        p=paired.p,
        adjusted_p=None if paired.p is None else adjusted,
        verdict=verdict,
        answer={"better": f"{me} is better", "worse": f"{other} is better"}.get(verdict, "not decided"),
        detail=DETAILS[verdict](paired, tests, me),
    )


def _verdict(paired: Paired, adjusted: float) -> Verdict:
    if paired.p is None:
        return "untested"
    if adjusted > LEVEL:
        return "undecided"
    return "better" if paired.difference > 0 else "worse"


def _better(paired: Paired, tests: int, me: str) -> str:
    return f"{_points(paired.difference)}, {_span(paired.low, paired.high)}"


def _worse(paired: Paired, tests: int, me: str) -> str:
    low, high = paired.low, paired.high
    turned = (None if high is None else -high, None if low is None else -low)
    return f"{_points(-paired.difference)}, {_span(*turned)}"


def _undecided(paired: Paired, tests: int, me: str) -> str:
    """The ends are those of this model's lead; behind it, why an interval that lies beside 0 decides nothing."""
    said, span = f"{me} {_signed(paired.difference)}", _span(paired.low, paired.high, signed=True)
    if paired.p is None or paired.p > LEVEL:
        return f"{said}, {span}"
    return f"{said}; {span} for this row alone, but {tests} rows are compared, and one of them may differ so by chance"


def _untested(paired: Paired, tests: int, me: str) -> str:
    places = "one place" if paired.places == 1 else f"{paired.places} places"
    return (
        f"{me} {_signed(paired.difference)}; the questions are about {places}, and a test takes "
        f"{LEAST_PLACES}"
    )


DETAILS: Mapping[Verdict, Callable[[Paired, int, str], str]] = {
    "better": _better,
    "worse": _worse,
    "undecided": _undecided,
    "untested": _untested,
}


def _number(share: float) -> str:
    """Points, whole where they are ten or more."""
    points = 100 * share
    return f"{points:.0f}" if abs(points) >= 9.95 else f"{points:.1f}"


def _points(share: float) -> str:
    return f"{_number(share)} points"


def _signed(share: float) -> str:
    shown = _number(share + 0.0).replace("-", "−")
    return f"{'+' if share > 0 else ''}{shown} points"


def _span(low: float | None, high: float | None, *, signed: bool = False) -> str:
    assert low is not None, "what was tested has an interval"
    assert high is not None, "and both ends of it"
    shown = [_number(one).replace("-", "−") for one in (low, high)]
    if signed:
        shown = [f"+{one}" if value > 0 else one for one, value in zip(shown, (low, high), strict=True)]
    return f"{shown[0]} to {shown[1]}"
