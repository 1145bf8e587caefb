"""How a benchmark's package says what the tables of its paper count: registered under the paper's name.

The published figures themselves are data: `reference.yaml` of the benchmark's folder, or another file there where the
paper is not the benchmark's own. A definition says, for each part of it, which of our questions a column counts and
what an answer to one of them is worth there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from app.core.errors import NotFound
from app.core.packages import benchmark_packages
from app.core.registers import Register
from app.solvers.run_kinds import ANSWERS, RunKind

Unit = Literal["share", "percent", "points", "rank", "count"]


class TableRun(NamedTuple):
    """A run as tables tell it apart: its solver, and how it presents questions."""

    solver: str
    presentation: Mapping[str, Any]


def any_run(run: TableRun) -> bool:
    """Whether the run belongs in a table that takes all of them: it does."""
    return True


class TableQuestion(NamedTuple):
    """A public question of a data set version; `place` is the first object that its parameters name.

    `register` is None in versions made before there were registers.
    """

    id: str
    template: str
    place: str | None
    register: str | None
    parameters: Mapping[str, Any]
    rubric: str | None = None
    """By which answers to it are judged, if at all."""
    tier: str | None = None
    """How far its best answer lies, where the benchmark parts its questions so."""
    stations: Sequence[str] = ()
    """The ids of the stations of its key, where its key has some."""


class Effort(NamedTuple):
    """What an answer took; None of what is not stored of every call on the way to it.

    An answer that an earlier run had paid for has what it took then.
    """

    seconds: float | None
    """The time of all calls of the model and of tools, one after the other."""
    input_tokens: int | None
    output_tokens: int | None


class TableAnswer(NamedTuple):
    """One prediction: its state, whether it has any text, its stored score, and how its SQL went.

    `value` lies in [0, 1]; `outcome` is None, and `components` are empty, without a score. `components` are
    {name: {value, maximum, attempted}}, `sql` is {state, valid, kind}. `profile` names the rules of the
    score: a verdict of a judge stands here once under each of its profiles.
    """

    state: str
    has_text: bool
    outcome: str | None
    value: float
    components: Mapping[str, Mapping[str, Any]]
    sql: Mapping[str, Any] | None
    profile: str = ""
    moves: int | None = None
    """Calls of the tool that moves the agent; None where the table does not ask for them."""
    effort: Effort | None = None
    """None where the table does not ask for it, or no calls are stored."""


@dataclass(frozen=True)
class TableColumn:
    """The questions that a column counts, and what an answer is worth in it: None where it does not count, else 0 to 1.

    A column without a maximum (`most` is None) takes any numbers; its means have no interval, and no average has it.
    """

    counts: Callable[[TableQuestion], bool]
    value: Callable[[TableAnswer], float | None]
    most: float | None = 1.0
    """What a mean of 1 is in the table's unit: the maximum, where it prints points. Averages need columns of 1."""


@dataclass(frozen=True)
class TableRules:
    """A measure of one of the paper's tables, named as in `reference.yaml`; its columns are that file's rows."""

    table: int
    measure: str
    columns: Mapping[str, TableColumn]
    averages: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By column: the weight of each column that it is the mean of."""
    differences: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By column: the two columns of which it is the first less the second; of published figures, too."""
    derived: Mapping[str, Callable[[Mapping[str, float | None]], float | None]] = field(default_factory=dict)
    """By column: what follows from the printed figures of a published row, where the paper does not print it."""
    shown: Sequence[str] = ()
    """The columns in their order, where not all of them are shown."""
    unit: Unit = "share"
    decimals: int = 2
    notes: Sequence[str] = ()
    takes: Callable[[TableRun], bool] = any_run
    """Whether a run was asked as the table's systems were: others have no row in it."""

    @property
    def names(self) -> list[str]:
        """The columns in their order, averages and differences last, unless `shown` says otherwise."""
        return list(self.shown) or [*self.columns, *self.averages, *self.differences]


@dataclass(frozen=True)
class Counts:
    """A table of numbers that describe the data: a run's row tells of the public questions that it was asked."""

    table: int
    measure: str
    columns: Mapping[str, Callable[[Sequence[TableQuestion]], int]]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Ranking:
    """A table of ranks under two judges, by a column of another table whose rows are the runs of judges."""

    table: int
    measure: str
    by: int
    """The number of that other table."""
    column: str
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class PaperTables:
    """The tables of one paper that are about one benchmark.

    `profile` names the rules whose stored scores they are made of, `further_profiles` others that they need besides;
    `run_kind` is that of the runs that can stand in them.
    """

    benchmark: str
    profile: str
    questions: int
    """How many questions the paper's own data set has."""
    tables: Sequence[TableRules]
    notes: Sequence[str]
    differences: Callable[[Sequence[TableQuestion]], list[str]]
    """What the questions of a run ask otherwise than the paper does, a sentence each."""
    counts_unanswerable: bool = False
    """Whether the paper counts questions that cannot be answered."""
    run_kind: RunKind = ANSWERS
    further_profiles: Sequence[str] = ()
    rankings: Sequence[Ranking] = ()
    counts: Sequence[Counts] = ()
    move_tool: str | None = None
    """The tool whose calls `TableAnswer.moves` counts; None where no table asks for them."""
    reads_effort: bool = False
    """Whether a table asks for what answers took."""
    figures: str = "reference.yaml"
    """The file of the benchmark's folder that has the paper's figures."""


PAPER_TABLES = Register[PaperTables]("paper_tables", "tables of a paper")


def find_paper(name: str) -> list[PaperTables]:
    """The tables of the paper of that name, such as gsqa, by benchmark; raises NotFound that lists the papers."""
    found = [one for benchmark in benchmark_packages() if (one := PAPER_TABLES.find(benchmark, name))]
    if not found:
        raise NotFound(
            f"There are no tables of a paper {name!r}; there are: {', '.join(sorted(list_papers()))}."
        )
    return found


def list_papers() -> dict[str, list[str]]:
    """The benchmarks of each paper that has tables, by the paper's name."""
    found: dict[str, list[str]] = {}
    for benchmark in benchmark_packages():
        for name in PAPER_TABLES.names(benchmark):
            found.setdefault(name, []).append(benchmark)
    return found


def paper_of(benchmark: str, run_kind: RunKind = ANSWERS) -> str | None:
    """The name of the paper in whose tables runs of that kind over the benchmark stand; None where there is none.

    Its own paper where two have tables.
    """
    for name in sorted(PAPER_TABLES.names(benchmark), key=lambda one: one != benchmark):
        tables = PAPER_TABLES.find(benchmark, name)
        if tables is not None and tables.run_kind == run_kind:
            return name
    return None
