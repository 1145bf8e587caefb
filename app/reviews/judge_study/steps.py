"""The reasoning of responses recomputed, beside the judges' marks: what broke, and how often both say so. Pure."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from app.reviews.agreement import agree
from app.reviews.judge_study.marks import Marks
from app.reviews.judge_study.models import Broken, CheckAgreement
from app.reviews.judge_study.responses import Key, StudiedRun
from app.scores.reasoning import Reasoning, check_reasoning

CLARITY = "clarity"
"""The criterion of every rubric that is about the words: a mark lost there alone breaks no reasoning."""
BROKEN, FINE = "broken", "fine"
Checked = Mapping[Key, Reasoning]


def check_run(run: StudiedRun) -> Checked:
    """The reasoning of each response that states a step which can be checked."""
    found = {
        one.key: check_reasoning(run.benchmark, one.template, one.prompt, one.answer) for one in run.responses
    }
    return {key: checked for key, checked in found.items() if checked is not None and checked.told()}


def count_broken(run: StudiedRun, checked: Checked) -> list[Broken]:
    """How many responses to each task have a broken step, by the class of the first."""
    by_task: dict[str, list[Reasoning]] = defaultdict(list)
    for one in run.responses:
        if one.key in checked:
            by_task[one.rubric.task].append(checked[one.key])
    return [
        Broken(
            task=task,
            checked=len(each),
            broken=dict(
                sorted(
                    Counter(one.first_broken.failure or BROKEN for one in each if one.first_broken).items()
                )
            ),
        )
        for task, each in sorted(by_task.items())
    ]


def compare_with_judge(judge: str, marks: Mapping[Key, Marks], checked: Checked) -> CheckAgreement | None:
    """How often a judge and the check say the same; None where they have no response in common."""
    both = [key for key in checked if key in marks]
    if not both:
        return None
    by_check = [BROKEN if checked[key].first_broken else FINE for key in both]
    by_judge = [BROKEN if loses_marks(marks[key]) else FINE for key in both]
    counts = Counter(zip(by_check, by_judge, strict=True))
    found = agree(counts)
    return CheckAgreement(
        judge=judge,
        responses=len(both),
        both_broken=counts[BROKEN, BROKEN],
        both_fine=counts[FINE, FINE],
        only_check=counts[BROKEN, FINE],
        only_judge=counts[FINE, BROKEN],
        share=found.share,
        kappa=found.kappa,
    )


def loses_marks(marks: Marks) -> bool:
    """Whether a criterion of the reasoning other than clarity has less than its maximum."""
    return any(
        marks.parts[name] < criterion.maximum
        for name, criterion in marks.rubric.criteria.items()
        if name != CLARITY
    )
