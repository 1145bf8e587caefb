"""Whether the tool plan of a question leads to its gold: a proof by a way of its own, beside SQL and second path.

A benchmark's package says in its part `solutions` how its plans are carried out, since the engine knows no tools. Plans
of a benchmark that does not say so are stored and told as they are.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from app.core.names import normal_form
from app.core.registers import Register
from app.questions.gold import VALUE
from app.questions.programs import RouterSource
from app.questions.records import SnapshotRef
from app.questions.stored import StoredQuestion

TOOL_PLAN = "tool_plan"
"""The kind of the solutions that are calls of tools."""
NO_PLAN = "no_plan"
"""In place of a plan: {"reason": why tools do not lead to the answer}. `verify` counts these by their reasons."""
OLDEST_LAYER_SCHEMA = 7
"""The layer schema from which on maps have the tables that tools read."""
SLACK: Mapping[str, float] = {"distance": 0.05, "geodesic_m": 0.05, "azimuth": 0.05, "lon": 1e-6, "lat": 1e-6}
"""Metres and degrees by which an answer may differ from gold: tools round what they say."""
SHARE: Mapping[str, float] = {"area": 1e-5, "length": 1e-5}
"""The like, as a part of gold's number."""

OF_OBJECTS = ("osm_key", "azimuth", "distance")
"""What an answer may tell of any of gold's objects, where several places are right."""

Solving = Callable[[Connection, SnapshotRef, Any, RouterSource | None], Mapping[str, Any]]
"""Carries out a plan on a map within the connection's transaction, which goes on as it was before. Without routers, no
tool that looks for ways can be called.

Gives the answer: {"text": of the right option}, {"name": …}, or the number that gold has, by its name. Raises
ValueError with a sentence where the plan leads to no answer.
"""
_SOLVING = Register[Solving]("solutions", "way to carry out solutions")


@dataclass(frozen=True)
class Solved:
    """A question as far as it must be known to tell its plan."""

    benchmark: str
    template: str
    gold: Mapping[str, Any]
    gold_kind: str
    binds: Mapping[str, Any]
    solutions: Mapping[str, Any] = field(default_factory=dict)


Deducing = Callable[[StoredQuestion | Solved], Mapping[str, Any]]
"""What leads to the answer, by template and parameters: a plan (TOOL_PLAN), or why there is none (NO_PLAN)."""
_DEDUCING = Register[Deducing]("plans", "way to deduce plans")


_LACKING: dict[str, frozenset[str]] = {}
"""By benchmark: the templates whose questions have no plan, whatever they ask."""


def deduces_plans(benchmark: str, lacking: Iterable[str] = ()) -> Callable[[Deducing], Deducing]:
    """Register the decorated function as what tells the plans of a benchmark that stores none.

    `lacking` are the templates whose questions have no plan, whatever they ask.
    """

    def register(function: Deducing) -> Deducing:
        _LACKING[benchmark] = frozenset(lacking)
        _DEDUCING.add(benchmark, TOOL_PLAN, function)
        return function

    return register


def deduces(benchmark: str) -> bool:
    """Whether plans of the benchmark's questions follow from template and parameters, and are not stored."""
    return _DEDUCING.find(benchmark, TOOL_PLAN) is not None


def solutions_of(question: StoredQuestion | Solved) -> Mapping[str, Any]:
    """What leads to the answer of a question: as it is stored, else as its benchmark deduces it."""
    deduce = None if TOOL_PLAN in question.solutions else _DEDUCING.find(question.benchmark, TOOL_PLAN)
    return question.solutions if deduce is None or question.gold_kind != VALUE else deduce(question)


def may_have_plan(benchmark: str, template: str) -> bool:
    """Whether calls of tools can lead to the answer of any question of a template."""
    return (deduces(benchmark) or has_plans(benchmark, VALUE)) and template not in _LACKING.get(benchmark, ())


def carries_out_plans(benchmark: str, lacking: Iterable[str] = ()) -> Callable[[Solving], Solving]:
    """Register the decorated function as what carries out the tool plans of a benchmark's questions.

    `lacking` are the templates whose questions have no plan, whatever they ask.
    """

    def register(function: Solving) -> Solving:
        if lacking:
            _LACKING[benchmark] = frozenset(lacking)
        _SOLVING.add(benchmark, TOOL_PLAN, function)
        return function

    return register


def has_plans(benchmark: str, gold_kind: str) -> bool:
    """Whether questions of that benchmark and kind of gold are proved by a plan, too."""
    return gold_kind == VALUE and _SOLVING.find(benchmark, TOOL_PLAN) is not None


def reason_without_plan(solutions: Mapping[str, Any]) -> str | None:
    """Why a question has no plan, as its derivation says; None where it has one, or says nothing."""
    told = solutions.get(NO_PLAN)
    return str(told["reason"]) if told and TOOL_PLAN not in solutions else None


def plan_fault(
    connection: Connection,
    snapshot: SnapshotRef,
    benchmark: str,
    solutions: Mapping[str, Any],
    gold: Mapping[str, Any],
    routers: RouterSource | None = None,
) -> str | None:
    """Why a question's plan does not lead to its gold, a sentence.

    None where it does, where nobody carries it out, and where the question says why it has none.
    """
    solve = _SOLVING.find(benchmark, TOOL_PLAN)
    if solve is None or reason_without_plan(solutions):
        return None
    if TOOL_PLAN not in solutions:
        return "there is no plan"
    try:
        answer = solve(connection, snapshot, solutions[TOOL_PLAN], routers)
    except ValueError as error:
        return str(error)
    return None if is_answer(answer, gold) else f"the plan leads to {dict(answer)}"


def is_answer(answer: Mapping[str, Any], gold: Mapping[str, Any]) -> bool:
    """Whether the answer to which a plan leads is the gold."""
    return bool(answer) and all(_is_part(name, found, gold) for name, found in answer.items())


def _is_part(name: str, found: Any, gold: Mapping[str, Any]) -> bool:
    if name == "name":
        names = [normal_form(str(one)) for one in gold.get("names", ())]
        return isinstance(found, str) and normal_form(found) in names
    if name in OF_OBJECTS and name not in gold:
        return any(name in one and _is_part(name, found, one) for one in gold.get("objects", ()))
    wanted = gold.get(name)
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        slack = SLACK.get(name, 0.0) + SHARE.get(name, 0.0) * abs(wanted)
        apart = abs(found - wanted)
        return bool((min(apart, 360 - apart) if name == "azimuth" else apart) <= slack)
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return all(map(_is_member, found, wanted))
    return wanted is not None and wanted == found


def _is_member(found: Any, wanted: Any) -> bool:
    """Whether a member of a list is gold's; an object may tell less than gold's."""
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        return is_answer(found, wanted)
    return bool(found == wanted)
