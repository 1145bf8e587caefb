"""What is told of runs on the same questions in several forms of their texts."""

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class FormCompared(_Model):
    """A run on another form of the texts, against the first run. Scores are from 0 to 1, over `n` public questions."""

    run: int
    name: str
    dataset: str
    differs: list[str] = Field(
        description="in what the texts differ: phrasing, lengths, points, register, names, locale; empty if the same "
        "texts were asked again"
    )
    n: int = Field(description="public questions that both answered and whose prompts differ")
    base_score: float | None = Field(default=None, description="the first run's, over these questions")
    score: float | None = None
    difference: float | None = Field(default=None, description="`score` less `base_score`")
    low: float | None = Field(default=None, description="of the interval at 95 %")
    high: float | None = None
    p: float | None = None
    became_wrong: int = Field(default=0, description="questions that only the first run has right")
    became_right: int = Field(default=0, description="questions that only this run has right")


class OrderOfOptions(_Model):
    """A rotated run: public questions with options that were asked in several orders."""

    run: int
    n: int
    right_in_all: int
    right_in_any: int


class Robustness(_Model):
    """Runs of one setup on the same questions in several forms of their texts."""

    benchmark: str
    profile: str
    profile_version: int
    test: str
    run: int = Field(description="the run with which the others are compared")
    name: str
    dataset: str
    forms: list[FormCompared]
    orders: list[OrderOfOptions]
    attribution: str
    licence_url: str
