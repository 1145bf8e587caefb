"""Contexts: what a question's prompt tells beside its text, and whether the answer follows from it alone.

A benchmark's package says in its part `contexts` how contexts are written, from the answers of tools, and how the
answer is read from what was printed. The reader sees the printed text, what the question asks, and the options: no map,
no gold. So it proves that somebody who is shown the context can answer, rounded numbers included. Benchmarks without
this part have no contexts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from app.core.log import get_logger
from app.core.registers import Register
from app.questions.gold import VALUE
from app.questions.programs import RouterSource
from app.questions.records import SnapshotRef
from app.questions.tool_plans import is_answer

log = get_logger(__name__)
CONTEXT = "context"
"""The kind of the solutions that say what a context tells."""


@dataclass(frozen=True)
class AskedFor:
    """A proved question for which a context is wanted. The connection's search path names its map."""

    connection: Connection
    snapshot: SnapshotRef
    template: str
    id: str
    seed: int
    parameters: Mapping[str, Any]
    binds: Mapping[str, Any]
    gold: Mapping[str, Any]
    options: Sequence[str] | None
    option_keys: Sequence[str]
    """The osm_keys of the options that are places, of the right one, too; in no order that tells anything."""
    routers: RouterSource | None = None
    """For tools that look for ways; None where none may be looked for."""
    noise: int | None = None
    """How many lines of blocks that do not matter are told; None: as many as the id draws."""


@dataclass(frozen=True)
class Context:
    """A context: its title, its lines, which of them the answer needs (from 0), and what is asked in its words."""

    title: str
    lines: Sequence[str]
    needed: Sequence[int] = ()
    asks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The context as it is printed."""
        return "\n".join(self.lines)

    def as_solution(self) -> dict[str, Any]:
        """What is kept with gold."""
        return {"lines": list(self.needed), "asks": dict(self.asks)}


class NoContext(Exception):
    """A question that cannot have a context; `reason` is a reason of refusal, and no fault of ours."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


Writing = Callable[[AskedFor], Context]
"""Writes the context of a question. Raises NoContext where it cannot have one."""
Reading = Callable[[str, str, Mapping[str, Any], Sequence[str] | None], Mapping[str, Any]]
"""From a template's id, the printed context, what is asked and the options: the answer, as `Solving` gives it.

Raises ValueError with a sentence where the context leads to none.
"""
_WRITING = Register[Writing]("contexts", "way to write contexts")
_READING = Register[Reading]("contexts", "way to read contexts")


_NOISY: set[str] = set()
"""The benchmarks whose contexts tell what does not matter, as many lines of it as is wanted."""


def writes_contexts(benchmark: str, noisy: bool = False) -> Callable[[Writing], Writing]:
    """Register the decorated function as what writes the contexts of a benchmark's questions.

    `noisy` says that it tells more than is needed, as `AskedFor.noise` wants it.
    """

    def register(function: Writing) -> Writing:
        if noisy:
            _NOISY.add(benchmark)
        _WRITING.add(benchmark, CONTEXT, function)
        return function

    return register


def reads_contexts(benchmark: str) -> Callable[[Reading], Reading]:
    """Register the decorated function as what finds answers in the contexts of a benchmark's questions."""

    def register(function: Reading) -> Reading:
        _READING.add(benchmark, CONTEXT, function)
        return function

    return register


def has_contexts(benchmark: str) -> bool:
    """Whether the questions of a benchmark have contexts."""
    return _WRITING.find(benchmark, CONTEXT) is not None


def has_noise(benchmark: str) -> bool:
    """Whether contexts of a benchmark can tell more, or less, of what does not matter."""
    return has_contexts(benchmark) and benchmark in _NOISY


def write_context(benchmark: str, asked: AskedFor, gold_kind: str) -> Context | str | None:
    """The context of a question, from which its gold follows; None where the benchmark has none.

    Gives the reason of refusal where there is none for this question, or the gold does not follow from it.
    """
    write = _WRITING.find(benchmark, CONTEXT)
    if write is None:
        return None
    try:
        context = write(asked)
    except NoContext as refusal:
        return refusal.reason
    if gold_kind != VALUE:
        return context
    shown = Shown(asked.template, context.text, asked.options)
    fault = context_fault(benchmark, shown, {CONTEXT: context.as_solution()}, asked.gold)
    if fault is not None:
        log.info("context fails", question=asked.id, template=asked.template, fault=fault)
    return context if fault is None else "context_fails"


@dataclass(frozen=True)
class Shown:
    """What somebody is shown who answers from a context."""

    template: str
    text: str | None
    options: Sequence[str] | None


def context_fault(
    benchmark: str, shown: Shown, solutions: Mapping[str, Any], gold: Mapping[str, Any]
) -> str | None:
    """Why the answer does not follow from the printed context, a sentence; None where it does."""
    read = _READING.find(benchmark, CONTEXT)
    if read is None:
        return f"{benchmark} has no way to read contexts"
    if shown.text is None or CONTEXT not in solutions:
        return "there is no context"
    try:
        answer = read(shown.template, shown.text, solutions[CONTEXT]["asks"], shown.options)
    except ValueError as error:
        return str(error)
    return None if is_answer(answer, gold) else f"the context leads to {dict(answer)}"
