"""The reasoning of responses recomputed, beside the judges' marks: what broke, and how often both say so.

Reads the figures that are stored of the run's answers; those that are not stored yet are computed, and not written.
"""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import Connection

from app.reviews.broken_steps import (
    BROKEN,
    CLARITY,
    FINE,
    Broken,
    CheckAgreement,
    Counted,
    compare_verdicts,
    count_by_task,
)
from app.reviews.judge_study import queries
from app.reviews.judge_study.marks import Marks
from app.reviews.judge_study.responses import Key, StudiedRun
from app.scores.reasoning import checker_version
from app.scores.reasoning_figures import Figures, check_answer

Checked = Mapping[Key, Figures]


def check_run(connection: Connection, run: StudiedRun) -> Checked:
    """The figures of each response; none of a benchmark whose reasoning cannot be checked."""
    version = checker_version(run.benchmark)
    if version is None:
        return {}
    binds = {"run_id": run.run, "version": version}
    stored = {
        Key(row.question_id, row.rotation, row.repeat): Figures(
            row.checked, row.unchecked, row.broken_step, row.broken_class, row.is_cut
        )
        for row in connection.execute(queries.FIGURES, binds)
    }
    return {
        one.key: stored.get(one.key) or check_answer(run.benchmark, one.template, one.prompt, one.answer)
        for one in run.responses
    }


def count_broken(run: StudiedRun, checked: Checked) -> list[Broken]:
    """How many responses to each task have a broken step, and which broke first."""
    return count_by_task(
        _counted(one.rubric.task, checked[one.key]) for one in run.responses if one.key in checked
    )


def _counted(task: str, found: Figures) -> Counted:
    return Counted(
        task=task,
        broken_step=found.broken_step,
        broken_class=found.broken_class,
        answers=1,
        checked=int(bool(found.checked)),
        failed=int(found.checked is None),
        checked_steps=found.checked or 0,
        unchecked_steps=found.unchecked,
    )


def compare_with_judge(judge: str, marks: Mapping[Key, Marks], checked: Checked) -> CheckAgreement | None:
    """How often a judge and the check say the same; None where they have no response in common."""
    both = [key for key, found in checked.items() if found.checked and key in marks]
    if not both:
        return None
    by_check = [BROKEN if checked[key].broken_step else FINE for key in both]
    by_judge = [BROKEN if loses_marks(marks[key]) else FINE for key in both]
    return compare_verdicts(judge, Counter(zip(by_check, by_judge, strict=True)))


def loses_marks(marks: Marks) -> bool:
    """Whether a criterion of the reasoning other than clarity has less than its maximum."""
    return any(
        marks.parts[name] < criterion.maximum
        for name, criterion in marks.rubric.criteria.items()
        if name != CLARITY
    )
