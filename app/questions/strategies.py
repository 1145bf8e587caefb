"""The register of strategies that make wrong options, and what a strategy is told.

A strategy is one class; an object of it serves one template on one snapshot. Every draw is seeded by the question's id.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

from sqlalchemy import Connection

from app.core.names import normal_form
from app.core.registers import Register
from app.core.seeds import Seed
from app.questions.picking import Pick, Tuple
from app.questions.records import SnapshotRef
from app.questions.shared_words import telling_words
from app.templates.header import Distractors
from app.templates.templates import Template

Row = Mapping[str, Any]
Distractor = dict[str, Any]
TOO_FEW = "too_few_distractors"
"""The reason of refusal where a map has too few wrong options for a question."""


@dataclass(frozen=True)
class Sources:
    """What a strategy draws from: the template, all values of its parameters, and the map of the search path."""

    connection: Connection
    snapshot: SnapshotRef
    template: Template
    header: Distractors
    """What the template's header says of its wrong options."""
    choices: Mapping[str, Sequence[Pick]]
    seed: Seed
    rows_of: Callable[[Sequence[Tuple]], Sequence[Sequence[Mapping[str, Any]]]] = field(repr=False)
    """The rows that the template's derivation would read for other tuples, by its SELECT and its program."""

    @property
    def margins(self) -> Mapping[str, float]:
        """The numbers of the template's header."""
        return self.template.header.margins

    @property
    def first_picks(self) -> Sequence[Pick]:
        """All values of the template's first parameter, which its questions are about."""
        return next(iter(self.choices.values()))


@dataclass(frozen=True)
class QuestionToFill:
    """A question that has its key and lacks its wrong options."""

    id: str
    picked: Tuple
    rows: Sequence[Row]
    """Those of the template's SELECT."""
    pool: Sequence[Row]
    """Those of the pool's SELECT, where each question has a pool of its own."""
    gold: Mapping[str, Any]

    @property
    def subject(self) -> Pick:
        """The first value of the first parameter."""
        return next(iter(self.picked.picks.values()))[0]

    @property
    def told(self) -> frozenset[str]:
        """The words that its text says of what it asks about: those of the labels, or what picks say is told."""
        picks = (pick for chosen in self.picked.picks.values() for pick in chosen)
        return telling_words(" ".join(str(pick.facts.get("tells") or pick.label) for pick in picks))

    @property
    def own_names(self) -> set[str]:
        """Normal forms of the names of what is asked about."""
        named = [pick.facts.get("name") for picks in self.picked.picks.values() for pick in picks]
        return {normal_form(name) for name in named if name}

    @property
    def excluded(self) -> set[str]:
        """Normal forms of what no wrong option may say: the subject's names, what is right too, or misleads."""
        covering = {normal_form(row["name"]) for row in self.rows if row.get("covers")}
        unfit = {normal_form(text) for row in self.rows for text in row.get("unfit") or ()}
        return self.own_names | covering | unfit


class Strategy:
    """How wrong options are made. Subclasses say what they need and do, and are registered by `strategy`."""

    pool: ClassVar[Literal["none", "own", "optional", "numbers"]] = "none"
    """Whether a template names a file of distractors/: rows for each question, or numbers read once for a map."""
    may_be_five: ClassVar[bool] = True
    """Whether four wrong options can be asked of it; else they are made in threes."""
    says_names: ClassVar[bool] = True
    """Whether a wrong option may say a name that `QuestionToFill.excluded` rules out."""
    is_drawn: ClassVar[bool] = True
    """Whether options are drawn; else they are what the question compares with its key, and are never kept."""
    offers_places: ClassVar[bool] = False
    """Whether each option is a place: its key the one object of gold, a wrong one the object of its osm_key."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """`count` wrong options, or the reason why the question cannot have them."""
        raise NotImplementedError

    def has_enough(self, count: int) -> bool:
        """Whether any question of this map could have so many wrong options, as far as can be told at once."""
        return True


Class = TypeVar("Class", bound=type[Strategy])
_OF_BENCHMARKS = Register[type[Strategy]]("distractors", "strategy")
_GENERIC: dict[str, type[Strategy]] = {}


def strategy(benchmark: str, name: str) -> Callable[[Class], Class]:
    """Register the decorated class under the name that headers of the benchmark's templates call it by."""

    def register(found: Class) -> Class:
        _OF_BENCHMARKS.add(benchmark, name, found)
        return found

    return register


def generic_strategy(name: str) -> Callable[[Class], Class]:
    """Register the decorated class for the templates of every benchmark."""

    def register(found: Class) -> Class:
        _GENERIC[name] = found
        return found

    return register


def find_strategy(benchmark: str, name: str) -> type[Strategy] | None:
    """The strategy of that name: the benchmark's own, else a generic one; None where there is neither."""
    return _OF_BENCHMARKS.find(benchmark, name) or _GENERIC.get(name)


def strategies_of(benchmark: str) -> list[str]:
    """The names of all strategies that the benchmark's templates may name, sorted."""
    return sorted({*_OF_BENCHMARKS.names(benchmark), *_GENERIC})
