"""Executes tool plans: makes their calls one after the other, and says what the results lead to."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.agent_tools.calling import ToolAnswer, ToolCall, answer_in, read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.registry import Tool
from app.agent_tools.scope import Scope
from app.agent_tools.sets import ALL, ToolSet, find_set, set_names
from app.agent_tools.tool_plans.calculating import CALCULATIONS, as_list, is_number
from app.agent_tools.tool_plans.reading import (
    CHOICES,
    PlanFault,
    ToolPlan,
    expression_of,
    read_plan,
    steps_of,
)
from app.questions.programs import RouterSource
from app.questions.records import SnapshotRef

Answering = Callable[[ToolCall], ToolAnswer]
"""Answers a call, as `answer_call` does on a map."""
Results = Sequence[Mapping[str, Any]]


class MadeCall(NamedTuple):
    """A call as it was made: its arguments hold values in place of expressions, and `result` is JSON."""

    tool: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]
    sentence: str


class PlanRun(NamedTuple):
    """The calls of a plan in their order, and the answer that it leads to."""

    calls: Sequence[MadeCall]
    answer: Mapping[str, Any]


def run_plan(plan: ToolPlan, answering: Answering, tools: Mapping[str, Tool] | None = None) -> PlanRun:
    """Execute a plan with the tools of a set; all by default. Raises PlanFault where it does not lead to an answer."""
    made: list[MadeCall] = []
    results: list[Mapping[str, Any]] = []
    for number, call in enumerate(plan.calls):
        try:
            arguments = evaluate(call.arguments, results)
            answer = answering(read_call(call.tool, arguments, tools))
        except ToolError as error:
            raise PlanFault(f"call {number}: {error}") from error
        result = answer.result.model_dump(mode="json", exclude_none=True)
        results.append(result)
        made.append(MadeCall(call.tool, arguments, result, answer.sentence))
    return PlanRun(made, evaluate(plan.answer, results))


def answers_within(
    connection: Connection, snapshot: SnapshotRef, routers: RouterSource | None = None
) -> Answering:
    """Answers calls within the transaction of a connection, which goes on as it was.

    Ways are looked for with `routers`, which must be such that opening one does not end the transaction
    (`app.routing.apart`); without them, none is.
    """
    scope = Scope(connection, snapshot, routers)

    def answer(call: ToolCall) -> ToolAnswer:
        with scope.within_transaction():
            return answer_in(scope, call)

    return answer


def solve_plan(
    connection: Connection, snapshot: SnapshotRef, plan: Any, routers: RouterSource | None = None
) -> Mapping[str, Any]:
    """The answer to which a stored plan leads on a map, with every set of tools that has the plan's tools.

    Runs within the connection's transaction. Raises PlanFault where it leads to none, or to several.
    """
    return solve_with(answers_within(connection, snapshot, routers), plan)


def solve_with(answering: Answering, plan: Any) -> Mapping[str, Any]:
    """As `solve_plan`, of calls that are answered by a given function."""
    read = read_plan(plan)
    answers = [run_plan(read, answering, one.tools).answer for one in sets_for(read)]
    if any(one != answers[0] for one in answers):
        raise PlanFault(f"with different sets of tools it leads to different answers: {answers}")
    return answers[0]


def sets_for(plan: ToolPlan) -> list[ToolSet]:
    """The sets of tools that have all tools of a plan; where none has, that of all tools, which says what it lacks."""
    sets = [find_set(name) for name in set_names()]
    wanted = {call.tool for call in plan.calls}
    return [one for one in sets if one.proves and wanted <= one.tools.keys()] or [find_set(ALL)]


def evaluate(value: Any, results: Results) -> Any:
    """A value with what its expressions stand for. Raises PlanFault."""
    kind = expression_of(value)
    if kind == "$call":
        return _follow_or_else(value, results)
    if kind is not None and kind in CALCULATIONS:
        return CALCULATIONS[kind]({key: evaluate(part, results) for key, part in value.items()})
    if kind in CHOICES:
        members = [(evaluate(one["say"], results), evaluate(one["by"], results)) for one in value[kind]]
        return (
            _only(members, evaluate(value["equals"], results))
            if kind == "$only"
            else _extreme(kind[1:], members)
        )
    if isinstance(value, Mapping):
        return {key: evaluate(part, results) for key, part in value.items()}
    return [evaluate(part, results) for part in value] if isinstance(value, list) else value


def _follow_or_else(value: Mapping[str, Any], results: Results) -> Any:
    try:
        found: Any = results[value["$call"]]
        for step in steps_of(value["path"]):
            found = _follow(found, step)
    except PlanFault as fault:
        if "else" in value:
            return evaluate(value["else"], results)
        raise PlanFault(f"the result of call {value['$call']}: {fault}") from None
    return found


def _follow(found: Any, step: Any) -> Any:
    if isinstance(step, Mapping):
        ((pick, wanted),) = step.items()
        members = [one for one in as_list(found) if isinstance(one, Mapping)]
        if pick != "first":
            return _extreme(pick, [(one, one.get(wanted)) for one in members])
        fitting = [one for one in members if wanted.items() <= one.items()]
        if not fitting:
            raise PlanFault(f"no member has {dict(wanted)}")
        return fitting[0]
    if isinstance(found, Mapping) and step in found:
        return found[step]
    if isinstance(found, list) and isinstance(step, int) and step < len(found):
        return found[step]
    raise PlanFault(f"there is no {step!r}")


def _extreme(which: str, members: Sequence[tuple[Any, Any]]) -> Any:
    """The first of the pair whose number is the least or the greatest."""
    if not members or not all(is_number(number) for _, number in members):
        raise PlanFault(f"the {which} of {[number for _, number in members]} cannot be told")
    ordered = sorted(members, key=lambda one: one[1], reverse=which == "greatest")
    if len(ordered) > 1 and ordered[0][1] == ordered[1][1]:
        raise PlanFault(f"two members are equally the {which}: {ordered[0][1]}")
    return ordered[0][0]


def _only(members: Sequence[tuple[Any, Any]], wanted: Any) -> Any:
    fitting = [said for said, found in members if found == wanted]
    if len(fitting) != 1:
        raise PlanFault(f"{len(fitting)} members equal {wanted!r}, and not one")
    return fitting[0]
