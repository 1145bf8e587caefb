"""What a board is made of; the terminal, REST and the page all render these and nothing else.

Scores, expectations and interval ends are shares of 1; null means that there is none.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field

from app.leaderboard.states import States
from app.predictions.submissions.card import ShownCard
from app.reviews.card import Review
from app.scores.new_templates import TWO_WAY
from app.solvers.run_kinds import ANSWERS, RunKind
from app.templates.reference import Reference


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class SqlFaults(_Model):
    """Statements that are not valid, by what is wrong; "not found" unless it says otherwise."""

    column: int = 0
    function: int = 0
    operator: int = 0
    relation: int = 0
    missing_from: int = Field(default=0, description="a table that FROM does not name")
    subquery: int = Field(default=0, description="a sub-query that returns too much")
    syntax: int = Field(default=0, description="no SQL")
    resource: int = Field(default=0, description="needed too much memory, or could not be stopped in time")
    other: int = 0


class Sql(_Model):
    """How the SQL went that a run's model wrote."""

    statements: int
    valid: int = Field(description="that ran, or ran out of time")
    timeouts: int
    refused: int = Field(
        description="statements that the check refused before they ran; not valid, and also counted under kinds"
    )
    kinds: SqlFaults


class Spent(_Model):
    """What a run's calls took, over all questions of the board."""

    calls: int = Field(description="number of calls to models that were answered for this run")
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = Field(description="null if the run was made without prices")
    cost_per_question: float | None
    currency: str | None
    latency_median_ms: float | None = Field(description="median time of a call; null without calls")
    latency_p95_ms: float | None = Field(
        description="95 of 100 calls took at most this long; null without calls"
    )


class Repeats(_Model):
    """How far a run's repeats lie apart: each asks all questions."""

    repeats: int
    lowest: float
    highest: float
    deviation: float = Field(description="sample standard deviation of the repeats' means")


class Measure(_Model):
    """What a paper measures beside right answers."""

    name: str = Field(examples=["text_F1"])
    label: str
    better: Literal["higher", "lower"]
    counts: Literal["all", "attempted"] = Field(
        description="the answers over which the paper takes the mean: all, where an answer without an attempt has the"
        " worst value; or those attempted"
    )
    tables: str = Field(description="where the paper reports it", examples=["Table 8"])


class MeasuredValue(_Model):
    """The mean of a measure over the answers of a row."""

    value: float | None = Field(description="from 0 to 1; null if no answer attempted it")
    attempted: int = Field(description="number of answers that attempted it")
    n: int = Field(description="number of answers that have it")
    over_types: float | None = Field(
        description="the plain mean over answer types, as in the paper's averages; null within a template or group, and"
        " for measures over attempted answers"
    )


STEP = Field(
    default=None,
    description="the score counts hidden questions, rounded to a step: its size, in shares of 1; null where the score"
    " is exact",
)


class Row(_Model):
    """One run over a scope."""

    rank: int | None = Field(
        description="no row that is surely better stands above a row of rank 1; rows that are tied with all above them"
        " share a rank; runs with tools are ranked apart from runs without; null for a run that is not complete, asks a"
        " sample, counts only public questions, or was not compared yet"
    )
    name: str
    kind: RunKind = Field(
        default=ANSWERS, description="answers, or judgement: marks on another run's answers"
    )
    solver: str
    run: int
    status: str
    score: float | None
    step: float | None = STEP
    low: float | None
    high: float | None
    n: int = Field(description="questions")
    tools: str | None = Field(
        default=None,
        description="the set of tools of the run, which is ranked among runs with tools; null for a run without",
    )
    rotated: bool = Field(
        default=False,
        description="whether each question was asked in every rotation of its options; states count all answers",
    )
    sample: int | None = Field(
        default=None,
        description="number of questions, if the run asks only a sample; such a run is not ranked",
    )
    public_only: bool = Field(
        default=False,
        description="whether it counts only public questions; it is not ranked. This is so for answers whose owner has"
        " sent in as many lately as may count hidden ones",
    )
    carried_from: int | None = Field(
        default=None,
        description="the run of an earlier version that gave the answers; no question was asked again",
    )
    states: States
    answers: int = Field(
        default=0,
        description="number of stored answers to all questions, repeats and rotations; 0 within a template or group",
    )
    truncated: int = Field(
        default=0,
        description="of `answers`, those that ended because the limit on tokens was reached; they are scored as they"
        " stand",
    )
    sql: Sql | None = Field(default=None, description="null for a run whose solver runs no SQL")
    measures: dict[str, MeasuredValue] = Field(
        default_factory=dict,
        description="by the name of the measure; empty unless the profile is `published`",
    )
    spent: Spent | None = Field(
        default=None, description="null within a template or group, and for submissions"
    )
    spread: Repeats | None = Field(default=None, description="null for a single repeat")
    card: ShownCard | None = Field(
        default=None,
        description="the card of a submission; null within a template or group, and for runs of this service",
    )

    @computed_field(description="share of the answers that could be read; null if there are no answers")  # type: ignore[prop-decorator]
    @property
    def parse_rate(self) -> float | None:
        """`read_rate` of the states."""
        return self.states.read_rate


class Section(_Model):
    """The board of one template, or of another group of questions."""

    n: int = Field(description="number of questions that count")
    hidden: int = Field(default=0, description="hidden ones of them: none")
    left_out: int = Field(
        default=0, description="number of hidden questions that count only in the overall score"
    )
    detectable: float | None = Field(default=None, description="as of the board")
    chance: float | None
    random_expectation: float | None
    rows: list[Row]


class MapSource(_Model):
    """A snapshot that the questions stand on."""

    name: str
    timestamp: datetime | None = Field(description="the map's date")
    checksum: str = Field(description="SHA-256 of the extract")


class Refusal(_Model):
    """A reason for which questions of a template were refused."""

    reason: str = Field(examples=["no_facts"])
    questions: int = Field(description="number of possible questions that were refused for it")
    meaning: str | None = Field(description="the reason in words; null if it has none")


class EmptyTemplate(_Model):
    """A template of which the version has no question: the maps give none."""

    template: str
    capacity: int = Field(description="number of possible questions on the maps; all of them were refused")
    refused: list[Refusal] = Field(description="the most frequent reason first")


class Board(_Model):
    """The leaderboard of one data set version under one profile."""

    dataset: str
    version: int
    benchmark: str
    published_at: datetime | None
    profile: str
    profile_version: int
    metric: str = Field(description="accuracy; or mean_value, if scorers give values between 0 and 1")
    better: Literal["higher", "lower"] = Field(default="higher", description="which scores are better")
    right: str | None = Field(
        default=None, description="which answers a paper's rules call right; null for other profiles"
    )
    measures: list[Measure] = Field(
        default_factory=list,
        description="what the paper measures beside; empty unless the profile is `published`",
    )
    interval: str = Field(description="the name and the level of the method")
    n: int = Field(description="questions that count: hidden ones too, unless they are fewer than ten")
    hidden: int = Field(description="questions whose gold stays hidden")
    left_out: int = Field(
        default=0,
        description="number of hidden questions that do not count, because there are fewer than ten",
    )
    hidden_step: int | None = Field(
        default=None,
        description="scores, states, intervals, differences and detectable differences tell what hidden questions come"
        " to in steps of so many of them; null where none counts",
    )
    step: float | None = Field(
        default=None, description="the same step as it moves a score, in shares of 1; null where none counts"
    )
    variant: str | None = Field(
        description="how wrong options are made where templates leave a choice, such as hard; null where none does"
    )
    written_by_hand: bool = Field(
        default=False,
        description="whether people wrote the questions: two agree on each answer, and nothing computes it",
    )
    rows: list[Row]
    differ: list[str] = Field(
        default_factory=list,
        description="in what the rows with tools differ: model, tools, sampling, budget; scores of runs that differ in"
        " several tell no one thing",
    )
    chance: float | None = Field(
        description="mean of 1 / number of options; null unless all questions have options"
    )
    random_expectation: float | None = Field(description="expected score of the solver `random`")
    test: str = Field(
        description="the test; two rows are tied if p, adjusted by Holm over all pairs of the board, is above 0.05"
    )
    detectable: float | None = Field(
        description="the smallest true difference of two rows that the test finds four times in five, before Holm's"
        " adjustment: the median over pairs; null without any"
    )
    templates: dict[str, Section]
    empty_templates: list[EmptyTemplate] = Field(
        default_factory=list,
        description="templates of the benchmark that cannot be asked on these maps, with the reasons",
    )
    by: str | None = Field(default=None, description="the kind of groups in `groups`")
    groups: dict[str, Section] = Field(
        default_factory=dict, description="boards of dimensions, strategies, cities or answer types"
    )
    snapshots: list[MapSource]
    review: Review | None = Field(description="the marks of reviewers on a sample of the questions")
    reference: Reference | None = Field(
        description="the figures of the benchmark's paper, with another map and other models; never ranked with runs"
    )
    attribution: str
    licence_url: str


class NewTemplates(_Model):
    """How surely two runs differ on templates of the same kind that the benchmark might have had instead."""

    low: float = Field(description="end of the 95 % interval of the same difference")
    high: float
    p: float = Field(description="two-sided p, before the adjustment")


NEW_TEMPLATES = Field(
    description="the same difference, with templates as clusters: whether it would be found with new templates of the"
    " same kind; null if there are fewer than ten templates, which tell too little of others"
)


class Pair(_Model):
    """Two runs on the same questions: the mean of `run` less that of `other`, in shares of 1.

    Interval, p and the smallest difference are for the templates that the benchmark has.
    """

    run: int
    other: int
    n: int
    difference: float
    step: float | None = STEP
    low: float | None = Field(description="end of the 95 % interval; null if nothing can be tested")
    high: float | None
    p: float | None = Field(description="two-sided p, before the adjustment")
    adjusted_p: float | None = Field(
        description="p adjusted by Holm over all pairs of the response; null if p is null"
    )
    tied: bool = Field(description="whether the adjusted p is above 0.05, or nothing can be tested")
    detectable: float | None = Field(
        description="the smallest true difference that the test finds in four of five cases, before the adjustment"
    )
    templates: int = Field(description="strata, which are fixed")
    places: int = Field(description="clusters: questions about one place are not independent")
    new_templates: NewTemplates | None = NEW_TEMPLATES


class ComparedRun(_Model):
    """A run among those compared."""

    run: int
    name: str
    solver: str
    score: float
    step: float | None = STEP


class Comparisons(_Model):
    """Runs of one data set version compared pair by pair over one scope."""

    dataset: str
    version: int
    profile: str
    profile_version: int
    scope: str = Field(description="all, or KIND:NAME, such as template:T5")
    test: str = Field(description="the test on the templates of the benchmark")
    new_templates_test: str = Field(default=TWO_WAY, description="the test of `new_templates`")
    adjustment: str = "Holm, over all pairs of this answer"
    level: float
    power: float
    common: bool = Field(
        default=False,
        description="whether a run asked only a sample; pairs are then compared on public questions that both answered",
    )
    runs: list[ComparedRun] = Field(description="from the highest score down")
    differ: list[str] = Field(
        default_factory=list,
        description="if one of the runs has tools, in what they differ: model, tools, sampling, budget",
    )
    left_out: int = Field(default=0, description="runs of the board beyond `limit`")
    pairs: list[Pair] = Field(
        description="in each pair, `run` has the higher score or, if the scores are equal, the name that comes first"
    )
    attribution: str
    licence_url: str


class HistoryEntry(_Model):
    """A model's row on the board of one version."""

    dataset: str
    version: int
    run: int
    rank: int | None
    score: float | None
    step: float | None = STEP
    low: float | None
    high: float | None
    n: int
    status: str


class HistoryRow(_Model):
    """A model on all versions that it was run on, the newest first."""

    name: str
    solver: str
    entries: list[HistoryEntry]


class History(_Model):
    """The boards of a data set's versions beside one another; versions differ in their questions."""

    dataset: str
    profile: str
    profile_version: int
    versions: list[int] = Field(description="the newest first")
    rows: list[HistoryRow] = Field(description="by name")
    attribution: str
    licence_url: str


class DatasetVersion(_Model):
    """A published version of a data set."""

    dataset: str
    version: int


class BenchmarkBoard(_Model):
    """The newest boards of a benchmark's data sets beside one another; data sets differ in maps and questions."""

    benchmark: str
    profile: str
    profile_version: int
    datasets: list[DatasetVersion] = Field(description="by name, the newest version of each")
    rows: list[HistoryRow] = Field(description="by name; entries by data set")
    attribution: str
    licence_url: str


class VersionEntry(_Model):
    """A published version of a data set."""

    version: int
    questions: int
    complete_runs: int
    published_at: datetime | None


class DatasetEntry(_Model):
    """A data set and its published versions, the newest first."""

    name: str
    benchmark: str
    versions: list[VersionEntry]


class DatasetList(_Model):
    """Every data set with a published version, by name."""

    datasets: list[DatasetEntry]
    next: str | None = Field(default=None, description="the cursor of the next page; null on the last page")
    attribution: str
    licence_url: str
