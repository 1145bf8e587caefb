"""Rubrics: what a judge marks, criterion by criterion, read from `rubrics/TASK.yaml` and checked.

Criteria and maxima are those of UrbanGeoEval's Reasoning Module (its rubrics, and Table 5's maxima of 25 and 30).
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.core.errors import NotFound, TemplateError
from app.core.identity import digest
from app.templates.templates import read_yaml, validated

FOLDER = Path(__file__).parent / "rubrics"
ANSWER = "answer"
"""What faults name that concern the answer itself, not a criterion of the reasoning."""
Points = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Words = Annotated[str, Field(min_length=1, max_length=400)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Criterion(_Part):
    """One thing that the reasoning is marked for."""

    maximum: Points
    asks: Words


class AnswerRule(_Part):
    """How the answer is marked; `judged` says that the hybrid mode, too, takes the judge's mark."""

    maximum: Points
    judged: bool
    asks: Words


class Rubric(_Part):
    """The rubric of one kind of task. Points; `reason` is the sum of the criteria, `total` that and the answer's."""

    task: str = Field(pattern=r"^[A-Z][A-Z0-9_]{0,15}$")
    version: int = Field(ge=1)
    title: Words
    criteria: dict[Annotated[str, Field(pattern=r"^[A-Za-z_]{1,30}$")], Criterion] = Field(min_length=1)
    answer: AnswerRule
    reason: Points
    total: Points

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if ANSWER in self.criteria:
            raise ValueError(f"no criterion may be called {ANSWER!r}")
        reason = sum(one.maximum for one in self.criteria.values())
        if reason != self.reason:
            raise ValueError(f"the criteria add up to {reason:g}, but `reason` says {self.reason:g}")
        if reason + self.answer.maximum != self.total:
            raise ValueError(
                f"reason and answer add up to {reason + self.answer.maximum:g}, but `total` says {self.total:g}"
            )
        return self

    def maximum_of(self, part: str) -> float:
        """The points that a criterion, or the answer, can have."""
        return self.answer.maximum if part == ANSWER else self.criteria[part].maximum

    def parts(self) -> list[str]:
        """The criteria in the rubric's order, then the answer."""
        return [*self.criteria, ANSWER]


def read_rubrics(folder: Path) -> dict[str, Rubric]:
    """The rubrics of a folder by task. Raises TemplateError naming file, line and field of the first fault."""
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        values, lines = read_yaml(path)
        rubric = validated(Rubric, values, path, lines)
        if rubric.task != path.stem:
            raise TemplateError(f"{path}:{lines.get(('task',), 1)}: task: the file is called {path.name}.")
        found[rubric.task] = rubric
    return found


@cache
def rubrics() -> Mapping[str, Rubric]:
    """The rubrics that Trigpoint has."""
    return read_rubrics(FOLDER)


def find_rubric(task: str) -> Rubric:
    """The rubric of that task; raises NotFound naming those there are."""
    if task not in rubrics():
        raise NotFound(f"There is no rubric {task!r}; there are: {', '.join(rubrics())}.")
    return rubrics()[task]


@cache
def rubrics_hash() -> str:
    """The identity of all rubrics: verdicts by others are other verdicts."""
    return digest({task: rubric.model_dump() for task, rubric in rubrics().items()})
