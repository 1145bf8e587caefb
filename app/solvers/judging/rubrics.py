"""Rubrics: what a judge marks, criterion by criterion, read from `rubrics/TASK.yaml` and checked.

Criteria, maxima and levels are those of UrbanGeoEval's Reasoning Module (its rubrics in Figures 9 to 17, and Table 5's
maxima of 25 and 30).
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self

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


class Level(_Part):
    """The points of a level of a mark, `3` or `1-2`, and when they are given."""

    points: str = Field(pattern=r"^[0-9]{1,3}(-[0-9]{1,3})?$")
    when: Words

    @property
    def ends(self) -> tuple[int, int]:
        """The fewest and the most points of the level."""
        low, _, high = self.points.partition("-")
        return int(low), int(high or low)


class _Marked(_Part):
    maximum: Points
    asks: Words
    levels: list[Level] = []
    """From the highest to the lowest; the paper leaves some numbers between two levels."""

    @model_validator(mode="after")
    def _descends(self) -> Self:
        ends = [level.ends for level in self.levels]
        falling = [point for low, high in ends for point in (high, low)]
        if falling != sorted(falling, reverse=True) or len({*ends}) != len(ends):
            raise ValueError("the levels do not go from high to low")
        if ends and (ends[0][1] != self.maximum or ends[-1][0] != 0):
            raise ValueError(f"the levels do not go from {self.maximum:g} to 0")
        return self

    def is_between_levels(self, mark: float) -> bool:
        """Whether a mark lies outside of every level."""
        return bool(self.levels) and not any(
            low <= mark <= high for low, high in (one.ends for one in self.levels)
        )


class Criterion(_Marked):
    """One thing that the reasoning is marked for."""


class AnswerRule(_Marked):
    """How the answer is marked; `judged` says that the hybrid mode, too, takes the judge's mark."""

    judged: bool


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

    def rule_of(self, part: str) -> Criterion | AnswerRule:
        """How a criterion, or the answer, is marked."""
        return self.answer if part == ANSWER else self.criteria[part]

    def maximum_of(self, part: str) -> float:
        """The points that a criterion, or the answer, can have."""
        return self.rule_of(part).maximum

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


def rubric_of(gold: Mapping[str, Any]) -> Rubric:
    """The rubric that a question's gold names; raises NotFound for one that there is not."""
    return find_rubric(str(gold["judge"]["rubric"]))


@cache
def rubrics_hash() -> str:
    """The identity of all rubrics: verdicts by others are other verdicts."""
    return digest({task: rubric.model_dump() for task, rubric in rubrics().items()})
