"""What a report is made of. Scores and interval ends are shares of 1; null means that there is none."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.leaderboard.models import STEP, MapSource, Measure, MeasuredValue
from app.leaderboard.states import States
from app.templates.reference import Reference


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Cell(_Model):
    """A run over some of the questions."""

    n: int = Field(description="number of questions that count")
    left_out: int = Field(
        description="number of hidden questions that do not count, because there are too few of them"
    )
    score: float | None
    step: float | None = STEP
    low: float | None
    high: float | None


class Means(_Model):
    """A run's means over public questions: each question counts once, or each dimension; null without dimensions."""

    questions: float | None = Field(description="the micro average, which boards have, but hidden questions")
    dimensions: float | None = Field(description="the macro average")
    answerable_questions: float | None = Field(description="as `questions`, without those without an answer")
    answerable_dimensions: float | None = Field(
        description="as `dimensions`, without questions without an answer"
    )


class OverallAverages(_Model):
    """The two overall figures of UrbanGeoEval's Table 4."""

    dimension_mean: float | None
    template_weighted: float | None = Field(
        description="the mean of the dimensions, weighted by their numbers of templates"
    )


class MatchedCity(_Model):
    """A city's score at the composition of popularity that all cities together have."""

    n: int = Field(description="number of its questions in the common strata")
    score: float
    low: float
    high: float
    crude: float = Field(description="the plain mean over the same questions")


class MatchedCities(_Model):
    """Cities compared at matched popularity."""

    weights: dict[str, float] = Field(description="by stratum of popularity; they add up to 1")
    cities: dict[str, MatchedCity]


class DiagnosisOfRun(_Model):
    """What a run's answers to public questions show beside their scores; no score counts it."""

    places: int = Field(description="answers to questions about one place: its name, distance or direction")
    named: int = Field(
        description="of `places`, those that name a place of the map beside those in the question"
    )
    right: int = Field(description="of `named`, those that name a right place")
    nearness: float | None = Field(
        description="mean over `named` of 1 / (1 + d / 1 km), d from the named to the nearest right place"
    )
    numbers: int = Field(description="numbers that were read, of counts, areas and lengths")
    over: int = Field(description="of `numbers`, those that are too large")
    under: int = Field(description="of `numbers`, those that are too small")
    median_ratio: float | None = Field(description="of the number that was read to the right one")


class RunReport(_Model):
    """A run, by everything that questions are told apart by; cells by the group's name."""

    run: int
    name: str
    solver: str
    status: str
    rotated: bool
    overall: Cell
    states: States
    parse_rate: float | None = Field(description="share of the answers that could be read")
    badly_read: bool = Field(description="whether the parse rate is below 98 %")
    answers: int = Field(
        default=0, description="number of stored answers to all questions, repeats and rotations"
    )
    truncated: int = Field(
        default=0,
        description="of `answers`, those that ended because the limit on tokens was reached; they are scored as they"
        " stand",
    )
    measures: dict[str, MeasuredValue] = Field(description="by the measure's name; empty for other profiles")
    averages: OverallAverages | None = Field(description="null unless the benchmark averages over dimensions")
    means: Means | None = Field(default=None, description="null for a run that is not complete")
    dimensions: dict[str, Cell]
    strategies: dict[str, Cell] = Field(description="by the paper's strategy of wrong options, if it has any")
    templates: dict[str, Cell]
    answer_types: dict[str, Cell]
    registers: dict[str, Cell] = Field(description="precise or everyday; empty in versions without registers")
    contexts: dict[str, Cell] = Field(
        description="by the length of the question's context in words, if questions have contexts of several lengths"
    )
    option_counts: dict[str, Cell] = Field(
        description="by the number of options, if it is not the same everywhere"
    )
    sub_kinds: dict[str, Cell] = Field(
        description="by what is worked out, where the benchmark's paper tells it apart"
    )
    zooms: dict[str, Cell] = Field(
        description="by the zoom of the map that was drawn for the question, if it is not the same everywhere"
    )
    tiers: dict[str, Cell] = Field(
        description="of questions about stations, by how far the first station of the key is"
    )
    densities: dict[str, Cell] = Field(
        description="of questions about stations, by how dense the surroundings of the user are"
    )
    cities: dict[str, Cell]
    scripts: dict[str, Cell]
    wikidata: dict[str, Cell]
    tags: dict[str, Cell]
    positions: dict[str, Cell] | None = Field(
        description="by the letter of the right option; null if questions are hidden"
    )
    matched: MatchedCities | None
    diagnosis: DiagnosisOfRun | None = Field(
        default=None, description="null if the run was scored before there were diagnoses: score it again"
    )


class Report(_Model):
    """Runs of one data set version under one profile."""

    dataset: str
    version: int
    benchmark: str
    profile: str
    profile_version: int
    metric: str
    better: Literal["higher", "lower"]
    right: str | None = Field(description="which answers a paper's rules call right; null for other profiles")
    measures: list[Measure] = Field(description="what the paper measures beside; empty for other profiles")
    interval: str
    n: int
    hidden: int
    left_out: int = Field(description="number of hidden questions that do not count in any figure")
    step: float | None = Field(
        default=None,
        description="the step of scores that count hidden questions, from 0 to 1; null if no score counts them",
    )
    least_hidden: int = Field(description="the smallest number of hidden questions that a figure may count")
    names_stored: bool = Field(
        description="whether the version stores scripts and popularity; older versions do not"
    )
    chance: float | None = Field(
        description="mean of 1 / number of options; null unless all questions have options"
    )
    runs: list[RunReport]
    reference: Reference | None
    snapshots: list[MapSource]
    attribution: str
    licence_url: str
