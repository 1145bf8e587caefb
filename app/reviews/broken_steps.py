"""What is counted of checked reasoning: broken steps by task, and how often a judge's marks say the same. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from app.reviews.agreement import agree

BROKEN, FINE = "broken", "fine"
CLARITY = "clarity"
"""The criterion of every rubric that is about the words: a mark lost there alone breaks no reasoning."""
ALL = "all"
_WHICH = re.compile(r"(?<=[a-z_])\d+$")
"""At the end of a quantity's name: which leg, place or candidate it is of."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class BrokenStep(_Model):
    """Answers in which the same kind of step broke first."""

    step: str = Field(description="the quantity or claim, without the number of its leg or candidate")
    failure: str = Field(description="how it fails", examples=["arithmetic drift"])
    answers: int


class Broken(_Model):
    """The answers to one task whose reasoning was checked, and how many of them have a broken step."""

    task: str
    answers: int = Field(description="all answers to public questions of the task")
    checked: int = Field(description="answers that state a step which can be checked")
    failed: int = Field(description="answers that the check could not cope with; they are not in `checked`")
    broken: dict[str, int] = Field(description="answers by the class of the step that broke first")
    first: list[BrokenStep] = Field(description="the steps that broke first, the most frequent one first")
    checked_steps: int = Field(description="stated steps that could be checked")
    unchecked_steps: int = Field(description="stated numbers and claims that could not be checked")

    @property
    def broken_answers(self) -> int:
        """Answers with a broken step."""
        return sum(self.broken.values())

    @property
    def share(self) -> float | None:
        """The share of checked answers with a broken step; None without any."""
        return self.broken_answers / self.checked if self.checked else None


class CheckAgreement(_Model):
    """How often a judge's marks and the check of steps say the same of the reasoning: broken, or fine."""

    judge: str
    responses: int = Field(description="those that the judge marked and the check can tell something of")
    both_broken: int
    both_fine: int
    only_check: int = Field(description="responses with a broken step that cost no mark but one for clarity")
    only_judge: int = Field(
        description="responses that lost such a mark, without a step that was found broken"
    )
    share: float = Field(description="share of responses of which both say the same")
    kappa: float | None = Field(description="Cohen's kappa; null if it is undefined")


class Counted(NamedTuple):
    """Answers to one task with the same first broken step, or without one, added up."""

    task: str
    broken_step: str | None
    broken_class: str | None
    answers: int
    checked: int
    failed: int
    checked_steps: int
    unchecked_steps: int


def count_by_task(counted: Iterable[Counted]) -> list[Broken]:
    """What was found in the answers to each task, by its name."""
    by_task: dict[str, list[Counted]] = defaultdict(list)
    for one in counted:
        by_task[one.task].append(one)
    return [count_all(each, task) for task, each in sorted(by_task.items())]


def count_all(counted: Sequence[Counted], task: str = ALL) -> Broken:
    """What was found in all of the answers together."""
    classes, steps = Counter[str](), Counter[tuple[str, str]]()
    for one in counted:
        if one.broken_step is not None:
            failure = one.broken_class or BROKEN
            classes[failure] += one.answers
            steps[kind_of(one.broken_step), failure] += one.answers
    return Broken(
        task=task,
        answers=sum(one.answers for one in counted),
        checked=sum(one.checked for one in counted),
        failed=sum(one.failed for one in counted),
        broken=dict(sorted(classes.items())),
        first=[
            BrokenStep(step=step, failure=failure, answers=answers)
            for (step, failure), answers in sorted(steps.items(), key=lambda item: (-item[1], item[0]))
        ],
        checked_steps=sum(one.checked_steps for one in counted),
        unchecked_steps=sum(one.unchecked_steps for one in counted),
    )


def kind_of(step: str) -> str:
    """A quantity without the number of its leg, place or candidate: `bearing_leg3` is `bearing_leg`."""
    return _WHICH.sub("", step).rstrip("_")


def compare_verdicts(judge: str, counts: Mapping[tuple[str, str], int]) -> CheckAgreement:
    """From answers by (the check's verdict, the judge's), each BROKEN or FINE. Raises ValueError without any."""
    found = agree(counts)
    both = Counter(counts)
    return CheckAgreement(
        judge=judge,
        responses=found.questions,
        both_broken=both[BROKEN, BROKEN],
        both_fine=both[FINE, FINE],
        only_check=both[BROKEN, FINE],
        only_judge=both[FINE, BROKEN],
        share=found.share,
        kappa=found.kappa,
    )
