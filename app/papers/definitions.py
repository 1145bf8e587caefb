"""How a benchmark's package says what the tables of its paper count: registered under the paper's name.

The published figures themselves are data: `reference.yaml` of the benchmark's folder. A definition says, for each part
of it, which of our questions a column counts and what an answer to one of them is worth there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from app.core.errors import NotFound
from app.core.packages import benchmark_packages
from app.core.registers import Register

Unit = Literal["share", "percent"]


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


class TableAnswer(NamedTuple):
    """One prediction: its state, whether it has any text, its stored score, and how its SQL went.

    `value` lies in [0, 1]; `outcome` is None, and `components` are empty, without a score. `components` are
    {name: {value, maximum, attempted}}, `sql` is {state, valid, kind}.
    """

    state: str
    has_text: bool
    outcome: str | None
    value: float
    components: Mapping[str, Mapping[str, Any]]
    sql: Mapping[str, Any] | None


@dataclass(frozen=True)
class TableColumn:
    """The questions that a column counts, and what an answer is worth in it: 0 to 1, None where it does not count."""

    counts: Callable[[TableQuestion], bool]
    value: Callable[[TableAnswer], float | None]


@dataclass(frozen=True)
class TableRules:
    """A measure of one of the paper's tables, named as in `reference.yaml`; its columns are that file's rows."""

    table: int
    measure: str
    columns: Mapping[str, TableColumn]
    averages: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By column: the weight of each column that it is the mean of."""
    unit: Unit = "share"
    decimals: int = 2
    notes: Sequence[str] = ()
    takes: Callable[[TableRun], bool] = any_run
    """Whether a run was asked as the table's systems were: others have no row in it."""

    @property
    def names(self) -> list[str]:
        """The columns in their order, averages last."""
        return [*self.columns, *self.averages]


@dataclass(frozen=True)
class PaperTables:
    """The tables of one paper. `profile` names the rules whose stored scores they are made of."""

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


PAPER_TABLES = Register[PaperTables]("paper_tables", "tables of a paper")


def find_paper(name: str) -> PaperTables:
    """The tables of the paper of that name, such as gsqa; raises NotFound that lists the papers there are."""
    for benchmark in benchmark_packages():
        found = PAPER_TABLES.find(benchmark, name)
        if found is not None:
            return found
    raise NotFound(f"There are no tables of a paper {name!r}; there are: {', '.join(sorted(list_papers()))}.")


def list_papers() -> dict[str, str]:
    """The benchmark of each paper that has tables, by the paper's name."""
    return {name: benchmark for benchmark in benchmark_packages() for name in PAPER_TABLES.names(benchmark)}


def paper_of(benchmark: str) -> str | None:
    """The name of the benchmark's paper; None where it has no tables."""
    return next(iter(PAPER_TABLES.names(benchmark)), None)
