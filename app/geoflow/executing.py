"""Executes GeoFlow graphs: each step in its turn, on the tools of one map.

The order is topological; of steps that could come next, the one whose outputs have the earlier role comes first, then
the one with the smaller id. A step that fails leaves what needs it unresolved; the others go on. The same graph on the
same map gives the same bytes: calls that are equal are made once, and nothing is drawn. What operators raise beside
OperatorFault is a fault of ours, and goes through.

`execute` only yields calls, so that an episode of a model can make them as its own; `execute_on` makes them itself.
"""

from collections.abc import Generator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from time import monotonic
from typing import Any, Final, Literal, NamedTuple

from app.agent_tools.calling import read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.registry import Tool
from app.agent_tools.tool_plans.running import Answering
from app.core.identity import canonical_json
from app.geoflow.graphs import Graph, Step
from app.geoflow.ontology import ontology
from app.geoflow.operators.base import Asked, Bound, OperatorFault, Stage, Value, Work, find_work
from app.geoflow.operators.given import check_given
from app.geoflow.operators.values import value_of_source

State = Literal["done", "failed", "unresolved"]
LAST: Final = 99
"""The priority of a step whose outputs are no concepts."""


class Limits(NamedTuple):
    """How far an execution may go: calls of tools, members of sets in all, and seconds where whoever makes the calls
    counts them."""

    calls: int = 60
    rows: int = 2_000
    seconds: float = 120.0


USUAL: Final = Limits()


class Executed(NamedTuple):
    """What became of a step. `gives`: by concept, the fields of the value, without what tools said beside them."""

    step: str
    op: str
    state: State
    gives: Mapping[str, Any] = {}
    calls: Sequence[Asked] = ()
    stage: Stage | None = None
    says: str = ""

    def as_json(self) -> dict[str, Any]:
        """As a trace is stored; what is empty is left out."""
        told = {
            "step": self.step,
            "op": self.op,
            "state": self.state,
            "gives": dict(self.gives),
            "calls": [{"tool": one.tool, "arguments": dict(one.arguments)} for one in self.calls],
            "stage": self.stage,
            "says": self.says,
        }
        return {key: found for key, found in told.items() if found not in (None, "", [], {})}


class Execution(NamedTuple):
    """The values that concepts came to, and the trace: after each step, the state is what all steps until then gave."""

    values: Mapping[str, Value]
    trace: Sequence[Executed]
    measure: Value | None

    def stage_of_fault(self) -> Stage | None:
        """What is to blame where the measure has no value: the first step that failed; None where it has one."""
        if self.measure is not None:
            return None
        return next((one.stage for one in self.trace if one.stage is not None), "graph")

    def as_json(self) -> dict[str, Any]:
        """The execution as it is shown and stored."""
        return {
            "trace": [one.as_json() for one in self.trace],
            "measure": None if self.measure is None else self.measure.shown(),
        }


Executing = Generator[Asked, ToolOutcome, Execution]


class _Calls:
    """The calls that an execution made; equal ones are made once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: dict[str, ToolOutcome] = {}

    def make(self, asked: Asked) -> Generator[Asked, ToolOutcome, ToolOutcome]:
        """The outcome of a call. Raises OperatorFault where no more calls may be made."""
        key = canonical_json([asked.tool, dict(asked.arguments)])
        if key not in self._known:
            if len(self._known) >= self._limits.calls:
                raise OperatorFault(f"a graph makes at most {self._limits.calls} calls of tools")
            self._known[key] = yield asked
        return self._known[key]


def execute(graph: Graph, limits: Limits = USUAL) -> Executing:
    """Execute a graph: yields the calls of tools that it needs, and is sent their outcomes."""
    made, calls = graph.makers(), _Calls(limits)
    values = {one.id: value_of_source(one) for one in graph.concepts if one.id not in made}
    order, stuck = _in_order(graph)
    trace: list[Executed] = []
    rows = 0
    for step in order:
        missing = [one for one in step.inputs_in_order() if one not in values]
        if missing:
            trace.append(Executed(step.id, step.op, "unresolved", says=f"{missing[0]} has no value"))
            continue
        asked: list[Asked] = []
        try:
            found = yield from _run(step, check_given(step, values, graph.mode), calls, asked)
            rows += sum(len(one.data.get("members", ())) for one in found)
            if rows > limits.rows:
                raise OperatorFault(f"the sets of a graph have at most {limits.rows:,} members in all")
        except OperatorFault as fault:
            trace.append(Executed(step.id, step.op, "failed", {}, asked, fault.stage, str(fault)))
            continue
        given = {key: one for key, one in zip(step.outputs, found, strict=False) if made[key] is step}
        values |= given
        trace.append(
            Executed(step.id, step.op, "done", {key: one.shown() for key, one in given.items()}, asked)
        )
    trace += [Executed(one.id, one.op, "unresolved", says="it needs what comes from it") for one in stuck]
    return Execution(values, trace, values.get(graph.measure))


def _run(
    step: Step, bound: Bound, calls: _Calls, asked: list[Asked]
) -> Generator[Asked, ToolOutcome, Sequence[Value]]:
    """Run an operator. Raises OperatorFault for what graph, tool or data are to blame for.

    Whatever else an operator raises is a fault of ours: it ends the execution, and is no value of the graph.
    """
    try:
        work: Work = find_work(step.op)(bound)
        call = next(work)
        while True:
            outcome = yield from calls.make(call)
            asked.append(call)
            call = work.send(outcome)
    except StopIteration as end:
        found: Sequence[Value] = end.value
        return found


def _in_order(graph: Graph) -> tuple[list[Step], list[Step]]:
    """The steps in the order of their execution, and those that need what comes from themselves."""
    made = graph.makers()
    needs = {step.id: {made[one].id for one in step.inputs_in_order() if one in made} for step in graph.steps}
    steps = {step.id: step for step in graph.steps}
    ready = [(_priority(graph, step), step.id) for step in graph.steps if not needs[step.id]]
    heapify(ready)
    order: list[Step] = []
    while ready:
        _, done = heappop(ready)
        order.append(steps[done])
        for step in graph.steps:
            if done in needs[step.id]:
                needs[step.id].discard(done)
                if not needs[step.id]:
                    heappush(ready, (_priority(graph, step), step.id))
    return order, [step for step in graph.steps if needs[step.id]]


def _priority(graph: Graph, step: Step) -> int:
    """That of the earliest role among its outputs."""
    roles, concepts = ontology().roles, graph.by_id()
    return min((roles[concepts[one].role].priority for one in step.outputs if one in concepts), default=LAST)


def execute_on(
    graph: Graph, answering: Answering, tools: Mapping[str, Tool] | None = None, limits: Limits = USUAL
) -> Execution:
    """Execute a graph with what answers calls on a map; after `limits.seconds`, no call is made any more."""
    ends = monotonic() + limits.seconds
    executing = execute(graph, limits)
    try:
        asked = next(executing)
        while True:
            asked = executing.send(_answer(asked, answering, tools, monotonic() > ends))
    except StopIteration as end:
        found: Execution = end.value
        return found


def _answer(
    asked: Asked, answering: Answering, tools: Mapping[str, Tool] | None, is_over: bool
) -> ToolOutcome:
    if is_over:
        return ToolOutcome("The time of the execution is over.", kind="too_slow")
    try:
        return ToolOutcome.of_answer(answering(read_call(asked.tool, asked.arguments, tools)))
    except ToolError as error:
        return ToolOutcome.of_error(error)
