"""Programs: what finds the rows that a derivation reads, where a SELECT alone cannot: routes and times of travel.

A template names its program in the header. The template's SELECT gives what the question asks about, such as places;
the program asks the routers of the map about it. A benchmark's package registers programs in its part `programs`. The
proof of such a question is of the kind `program`: whatever asks its SQL again, runs the program again, too. The second
path does without.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.core.registers import Register
from app.questions.derivations.base import Row
from app.questions.gold import VALUE
from app.questions.records import SnapshotRef
from app.templates.header import Header
from app.templates.templates import Template

NO_ROUTER = "no_router"
"""The reason of refusal of questions that need a router, where there is none."""


class RouterSource(Protocol):
    """Where the routers of maps are held open; a router is what `app.routing.results` describes."""

    def open(self, connection: Connection, snapshot: SnapshotRef, mode: str) -> Any:
        """The router of a map for a mode."""

    def open_second_path(self, connection: Connection, snapshot: SnapshotRef, mode: str) -> Any:
        """The router for a mode that searches in this process."""

    def forget(self, snapshot: SnapshotRef, mode: str) -> None:
        """Open the router anew when it is next asked for."""


class UnopenedRouter(NamedTuple):
    """A router that could not be opened, although the program is installed and the map has roads."""

    map: str
    """NAME@TIMESTAMP."""
    mode: str


class MapRouters(RouterSource, Protocol):
    """Routers that are opened beside the transaction in which questions are made or proved, which goes on."""

    @property
    def engine(self) -> str | None:
        """The program that finds routes, with its version; None where none is installed."""

    def can_route(self, snapshot: SnapshotRef, mode: str) -> bool:
        """Whether the map has a router for the mode; it is built at first use."""

    @property
    def unopened(self) -> Sequence[UnopenedRouter]:
        """The routers that could not be opened so far, in order."""

    def without(self, withheld: Collection[UnopenedRouter]) -> "MapRouters":
        """The routers as they were when these could not be opened."""


class Selected(NamedTuple):
    """A question as its SELECT tells it: the rows, and the binds that it was asked with."""

    rows: Sequence[Row]
    binds: Mapping[str, Any]


@dataclass(frozen=True)
class ProgramRun:
    """The questions that a program answers at once. The connection's search path names their map."""

    connection: Connection
    snapshot: SnapshotRef
    routers: MapRouters
    questions: Sequence[Selected]


Running = Callable[[ProgramRun], Sequence[Sequence[Row]]]
"""Gives for each question, in their order, the rows that its derivation reads; none where there is no answer."""


class Program(NamedTuple):
    """A program, and the modes for which it needs routers."""

    running: Running
    modes: tuple[str, ...]


PROGRAMS = Register[Program]("programs", "program")


def program(benchmark: str, name: str, *modes: str) -> Callable[[Running], Running]:
    """Register a program under the name that headers of the benchmark's templates call it by."""

    def register(function: Running) -> Running:
        PROGRAMS.add(benchmark, name, Program(function, modes))
        return function

    return register


def program_of(header: Header, gold_kind: str = VALUE) -> str | None:
    """The program that proves questions of that kind of gold; None where SQL alone does."""
    return header.program if gold_kind == VALUE else None


def lacks_router(template: Template, snapshot: SnapshotRef, routers: MapRouters | None) -> bool:
    """Whether no question of the template can be made on the map, since that needs a router."""
    return template.header.program is not None and not can_run(
        template.benchmark, template.header.program, snapshot, routers
    )


def can_run(benchmark: str, name: str, snapshot: SnapshotRef, routers: MapRouters | None) -> bool:
    """Whether there are the routers that a program needs. Raises Conflict where there is no such program."""
    return routers is not None and all(
        routers.can_route(snapshot, mode) for mode in _find(benchmark, name).modes
    )


def run_program(benchmark: str, name: str, run: ProgramRun) -> list[Sequence[Row]]:
    """For each question the rows that its derivation reads; none for those whose SELECT gave none.

    Raises Conflict where there is no such program, and what routers raise that do not answer.
    """
    asked = [number for number, one in enumerate(run.questions) if one.rows]
    found: list[Sequence[Row]] = [()] * len(run.questions)
    if asked:
        questions = [run.questions[number] for number in asked]
        answers = _find(benchmark, name).running(
            ProgramRun(run.connection, run.snapshot, run.routers, questions)
        )
        for number, rows in zip(asked, answers, strict=True):
            found[number] = rows
    return found


def _find(benchmark: str, name: str) -> Program:
    found = PROGRAMS.find(benchmark, name)
    if found is None:
        raise Conflict(f"{benchmark} has no program {name!r}: another version of Trigpoint has it.")
    return found
