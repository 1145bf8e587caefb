"""Figures over questions of several runs: mean, interval, states. Pure.

They are those of reports and boards (`app.scores.aggregating`), so that a figure over one run has the same bits there.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from app.leaderboard.states import States
from app.report_cards.measuring_runs import Asked, MeasuredRun
from app.report_cards.models import Figure, SkillFigure, TemplateFigure
from app.report_cards.skills import read_skills
from app.scores.aggregating import ALL, aggregate_scope

K = TypeVar("K", bound=Hashable)

Pool = Sequence[tuple[MeasuredRun, Sequence[Asked]]]
"""Questions of runs of different versions; a run counts if it has a question."""


def pool_of(runs: Sequence[MeasuredRun]) -> Pool:
    """All questions of the runs."""
    return [(run, run.questions) for run in runs]


def split(pool: Pool, group_of: Callable[[MeasuredRun, Asked], K | None]) -> dict[K, Pool]:
    """The pool by group, in the order of the first question of each; questions of no group are left out."""
    found: dict[K, list[tuple[MeasuredRun, list[Asked]]]] = {}
    for run, questions in pool:
        groups: dict[K, list[Asked]] = {}
        for one in questions:
            group = group_of(run, one)
            if group is not None:
                groups.setdefault(group, []).append(one)
        for group, of_group in groups.items():
            found.setdefault(group, []).append((run, of_group))
    return {group: list(one) for group, one in found.items()}


def figure_of(pool: Pool) -> Figure:
    """The mean over the pool's questions, each counted once; without a score where a run is not whole, and why."""
    asked = [one for _, questions in pool for one in questions]
    if not asked:
        return Figure(n=0, score=None, low=None, high=None, states=States(), why="nothing was asked")
    marks = {one.key: run.marks[one.key] for run, questions in pool for one in questions}
    owed = {one.key: run.owed[one.key] for run, questions in pool for one in questions}
    found = aggregate_scope(ALL, [one.part for one in asked], marks, owed)
    states = States(**found.states)
    why = _why_none(pool)
    if why is not None:
        return Figure(n=found.n, score=None, low=None, high=None, states=states, why=why)
    return Figure(n=found.n, score=found.score, low=found.low, high=found.high, states=states)


def skill_figures(pool: Pool) -> list[SkillFigure]:
    """A figure for each skill, those that nothing asks for among them."""
    by_skill = split(pool, MeasuredRun.skill_of)
    found = []
    for skill in read_skills().listed:
        of_skill = by_skill.get(skill.key, [])
        templates = {(one.benchmark, one.template) for _, questions in of_skill for one in questions}
        found.append(
            SkillFigure(
                skill=skill.key,
                title=skill.title,
                about=skill.about,
                templates=len(templates),
                figure=figure_of(of_skill),
            )
        )
    return found


def template_figures(pool: Pool) -> list[TemplateFigure]:
    """A figure for each template, by benchmark and template."""
    found = [
        TemplateFigure(
            benchmark=benchmark,
            template=template,
            title=title,
            skill=skill,
            figure=figure_of(of_template),
        )
        for (benchmark, template, title, skill), of_template in split(
            pool, lambda _, one: (one.benchmark, one.template, one.title, one.skill)
        ).items()
    ]
    return sorted(found, key=lambda one: (one.benchmark, by_number(one.template)))


def by_number(template: str) -> tuple[str, int]:
    """`T2` before `T10`."""
    letters = template.rstrip("0123456789")
    return letters, int(template[len(letters) :] or 0)


def _why_none(pool: Pool) -> str | None:
    """Why the pool has no mean, in words; None where it has one."""
    reasons = []
    for run, questions in pool:
        if not questions:
            continue
        ended = Counter(mark.state for one in questions for mark in run.marks[one.key])
        missing = sum(max(0, run.owed[one.key] - len(run.marks[one.key])) for one in questions)
        gaps = [
            f"{number} {word}"
            for number, word in ((ended["error"], "failed"), (missing, "missing"))
            if number
        ]
        if gaps:
            counted = sum(run.owed[one.key] for one in questions)
            reasons.append(
                f"run {run.about.id} ({run.about.reference}, {run.about.status}): of {counted} answers "
                + " and ".join(gaps)
            )
        elif not run.is_complete:
            reasons.append(f"run {run.about.id} ({run.about.reference}) is {run.about.status}")
    return "; ".join(reasons) or None
