"""What a judge study found. Totals are shares of 1; a correlation that is not defined is null."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.reviews.broken_steps import Broken, CheckAgreement
from app.scores.correlating import METHOD, SOURCE, Correlation

Kind = Literal["person", "judge", "people"]
Among = Literal["people", "judges", "people and judges"]
Measure = Literal["total", "reason"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Rater(_Model):
    """Somebody who marks: a person, a judge's run, or `people`: the mean of all people who marked a response."""

    name: str
    kind: Kind
    responses: int
    mean: float = Field(description="mean share of all points")
    between_levels: int = Field(
        description="marks that lie between two levels of the rubric; of people's mean 0"
    )
    tasks: dict[str, float] = Field(description="mean share of all points by task")


class Pair(_Model):
    """How far two raters agree on the responses that both marked."""

    first: str
    second: str
    among: Among
    measure: Measure = Field(
        description="total: shares of all points; reason: shares of the points of the reasoning"
    )
    pearson: Correlation
    spearman: Correlation
    mean_difference: float | None = Field(
        description="first less second, as a share; null without a response"
    )


class Methods(_Model):
    """One judge: all marks by the judge against hybrid marks, over all answers that it judged."""

    judge: str
    pearson: Correlation
    mean_difference: float = Field(description="pure less hybrid, as a share of all points")


class MeanOfPairs(_Model):
    """The means over the pairs of one kind whose correlation is defined; null without one."""

    among: Among
    measure: Measure
    pairs: int
    pearson: float | None
    spearman: float | None


class JudgeStudy(_Model):
    """The study of a run; of public questions alone."""

    run: int
    label: str
    dataset: str
    seed: int | None = Field(description="of the sample that people marked; null without people")
    per_task: int | None
    sampled: dict[str, int] = Field(description="responses of the sample by task")
    judged: int = Field(description="responses of the run to public questions with a rubric")
    raters: list[Rater]
    means: list[MeanOfPairs]
    pairs: list[Pair]
    methods: list[Methods]
    steps: list[Broken] = Field(description="the reasoning recomputed, by task")
    checks: list[CheckAgreement] = Field(description="by judge; empty where nothing can be checked")
    interval: str = METHOD
    interval_source: str = SOURCE
