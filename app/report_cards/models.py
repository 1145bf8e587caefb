"""What a report card says. Scores, differences and ends of intervals are shares of 1; null means that there is none.

All figures are of public questions. Nothing of it is read from a clock: the same runs give the same card.
"""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.core.identity import canonical_json
from app.leaderboard.contamination import Contamination, FoundCanary
from app.leaderboard.dials import Dial
from app.leaderboard.robustness_models import FormCompared, OrderOfOptions
from app.leaderboard.states import States
from app.published.inspected import QuestionMap
from app.report_cards.variants import Form, Variant

LAYOUT = 2
"""Of this JSON: raised where a field changes its meaning."""
Verdict = Literal["better", "worse", "undecided", "untested"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Figure(_Model):
    """A mean over public questions, with its 95 % interval and how the answers ended."""

    n: int = Field(description="number of questions")
    score: float | None = Field(
        description="null if an answer is an error or missing, or a run is not complete"
    )
    low: float | None
    high: float | None
    states: States
    why: str | None = Field(default=None, description="why there is no score; null where there is one")


class SkillFigure(_Model):
    """The figure of a skill."""

    skill: str
    title: str
    about: str
    templates: int = Field(description="number of templates that ask for it on this card")
    figure: Figure


class TemplateFigure(_Model):
    """The figure of a template."""

    benchmark: str
    template: str
    title: str
    skill: str | None
    figure: Figure


class Named(_Model):
    """A name and what is said under it."""

    name: str
    value: str


class Example(_Model):
    """A template among the best or the worst, and one of its public questions."""

    kind: Literal["best", "worst"]
    template: TemplateFigure
    dataset: str
    question: str | None = Field(description="its id; null if no answer suits")
    text: str | None
    context: str | None = Field(description="what is told with the question, its beginning if it is long")
    options: list[str] | None
    pictures: int = Field(default=0, description="number of pictures that the question shows")
    gold: list[Named]
    answer: str | None = Field(description="what the model said, its beginning if it is long")
    outcome: str | None
    worth: float | None = Field(default=None, description="the answer's value, from 0 to 1")
    map: QuestionMap | None
    binds: dict[str, Any] = Field(default_factory=dict, description="of the proof, for the map")


class CardSpent(_Model):
    """What the calls of runs took."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = Field(description="null if a run was made without prices, or in another currency")
    currency: str | None
    latency_median_ms: float | None = Field(description="of a single run; null of several")


class RunOfCard(_Model):
    """A run of the card."""

    run: int
    key: str
    dataset: str
    benchmark: str
    solver: str
    tool_set: str | None
    solver_version: int
    seed: int
    repeats: int = Field(description="how often each question was asked")
    temperature: float | None = Field(description="null if the endpoint chose it, or no model was called")
    max_tokens: int | None = Field(
        description="the largest number of tokens of an answer; null: the endpoint's"
    )
    variant: Variant | None = Field(
        description="in which other form, or fresh; null: the questions themselves"
    )
    status: str
    counted: bool = Field(description="whether the overall figure counts it: the first run of its data set")
    figure: Figure
    spent: CardSpent | None = Field(description="null for a run that calls no model")
    started_at: datetime
    finished_at: datetime | None


class MapOfCard(_Model):
    """A map that questions stand on."""

    name: str
    timestamp: datetime | None = Field(description="the map's date")
    checksum: str
    planted: int = Field(description="number of its places that were invented for tests; 0 of a real map")


class ErrorCount(_Model):
    """How many answers went wrong in one way."""

    name: str
    label: str
    count: int
    of: int = Field(description="answers of which it can be said")
    exclusive: bool = Field(description="whether what is counted here is in no other row that is exclusive")


class Difference(_Model):
    """The same questions asked twice: the mean of this model, or way, less that of the other."""

    n: int
    mine: float
    theirs: float
    difference: float
    low: float | None = Field(description="end of the 95 % interval; null if nothing can be tested")
    high: float | None
    p: float | None
    adjusted_p: float | None = Field(description="by Holm's method, over all rows of its table")
    verdict: Verdict
    answer: str = Field(
        description="who is better, or that it is not decided", examples=["model A is better"]
    )
    detail: str = Field(description="by how much, in points", examples=["12 points, 4 to 20"])

    @property
    def words(self) -> str:
        """The verdict as a sentence."""
        return f"{self.answer}: {self.detail}"


class ComparedSkill(_Model):
    """A row of a table that compares two models."""

    skill: str = Field(description="the key of a skill, or all")
    title: str
    difference: Difference | None = Field(description="null where there is no question that both were asked")


class Comparison(_Model):
    """This model beside another, by skill."""

    name: str
    datasets: list[str] = Field(description="versions that both were asked")
    rows: list[ComparedSkill] = Field(description="all questions first")


class OtherWay(_Model):
    """The same questions asked in another way: with tools, or by another solver."""

    name: str = Field(examples=["with tools"])
    solver: str
    tool_set: str | None
    beside: str = Field(description="the solver that asked the same questions and is compared with")
    beside_tool_set: str | None = Field(description="the set of tools of that one; null: it has none")
    datasets: list[str]
    difference: Difference | None
    why: str | None = Field(default=None, description="why there is no difference")


class FormOfDataset(_Model):
    """The questions of one data set in another form, as `trigpoint robustness` compares them."""

    key: str = Field(description="of the entry")
    dataset: str = Field(description="the version in the usual form")
    run: int = Field(description="in the usual form")
    form_run: int = Field(description="in the other form")
    compared: FormCompared | None
    order: OrderOfOptions | None = Field(description="of options in every order")
    why: str | None = Field(default=None, description="why nothing is compared")


class FormOfCard(_Model):
    """The same questions in another form, over all data sets that were asked in it."""

    form: Form
    title: str
    difference: Difference | None = Field(description="this form less the usual one")
    became_wrong: int = Field(description="questions that are right in the usual form only")
    became_right: int = Field(description="questions that are right in this form only")
    datasets: list[FormOfDataset]


class FreshOfCard(_Model):
    """The questions of one data set beside fresh twins, as `trigpoint contamination` compares them."""

    key: str = Field(description="of the entry")
    dataset: str
    gap: Contamination | None
    why: str | None = Field(default=None, description="why nothing is compared")


class DialOfCard(_Model):
    """The scores of one run of the card by what makes questions hard, as `trigpoint plot dial` shows them."""

    dataset: str
    dial: Dial


class JudgedRun(_Model):
    """A run of the card whose answers a judge marked, by the profile `judge_hybrid`."""

    run: int = Field(description="of the judge")
    judged: int = Field(description="the run whose answers it marked")
    name: str = Field(description="of the judge's run")
    dataset: str
    n: int
    score: float
    low: float | None
    high: float | None


class ReferenceRow(_Model):
    """Runs of others over the same questions."""

    name: str
    solver: str
    calls_model: bool
    overall: Figure
    skills: dict[str, Figure]


class PaperFigures(_Model):
    """What the paper of a benchmark reports: another map, other models, other questions."""

    benchmark: str
    paper: str
    url: str
    map: str
    title: str
    measure: str
    columns: list[str]
    rows: dict[str, list[float | None]]


class CardContent(_Model):
    """A report card."""

    layout: int = LAYOUT
    trigpoint: str = Field(description="the version of Trigpoint that computed the card")
    answered_until: datetime | None = Field(description="when the last of its runs ended; null: one has not")
    model: str
    endpoint: str | None = Field(description="the name of its stored record; never an address")
    suite: str | None
    maps: list[MapOfCard]
    attribution: str
    licence_url: str
    interval: str = Field(description="how intervals are made")
    test: str = Field(description="how differences are tested")
    overall: Figure
    skills: list[SkillFigure]
    templates: list[TemplateFigure] = Field(description="by benchmark and template")
    examples: list[Example]
    errors: list[ErrorCount]
    ways: list[OtherWay]
    forms: list[FormOfCard] = Field(description="the same questions in other forms of their texts")
    fresh: list[FreshOfCard] = Field(description="questions that may have been seen beside fresh twins")
    canaries: list[FoundCanary] = Field(
        description="canaries of data sets in completions of this card's runs"
    )
    dials: list[DialOfCard]
    judged: list[JudgedRun] = Field(description="no other figure counts a judge's marks")
    references: list[ReferenceRow]
    papers: list[PaperFigures]
    comparisons: list[Comparison]
    runs: list[RunOfCard]
    spent: CardSpent | None
    left_out: list[str] = Field(description="what the suite asks for and this card lacks, and why")

    def as_json(self) -> str:
        """Canonical JSON: the same card gives the same bytes."""
        return canonical_json(self.model_dump(mode="json", by_alias=True))
