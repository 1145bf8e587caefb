"""Reads tool plans: which calls they make, on which earlier calls each stands, and that they keep the limits."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.core.identity import canonical_json

MOST_CALLS = 20
DEEPEST = 12
LONGEST = 20_000
"""Characters of a plan as canonical JSON."""
EXPRESSIONS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "$call": (frozenset({"$call", "path"}), frozenset({"else"})),
    "$count": (frozenset({"$count"}), frozenset()),
    "$sum": (frozenset({"$sum"}), frozenset()),
    "$least": (frozenset({"$least"}), frozenset()),
    "$greatest": (frozenset({"$greatest"}), frozenset()),
    "$only": (frozenset({"$only", "equals"}), frozenset()),
    "$among": (frozenset({"$among", "of"}), frozenset()),
    "$at_most": (frozenset({"$at_most", "limit"}), frozenset()),
    "$minutes": (frozenset({"$minutes"}), frozenset()),
    "$clock": (frozenset({"$clock"}), frozenset({"add", "take"})),
    "$each": (frozenset({"$each", "of"}), frozenset()),
    "$first": (frozenset({"$first", "of"}), frozenset()),
    "$where": (frozenset({"$where", "field"}), frozenset({"above", "below"})),
    "$present": (frozenset({"$present"}), frozenset()),
    "$point": (frozenset({"$point"}), frozenset()),
    "$typed": (frozenset({"$typed", "as"}), frozenset({"but"})),
}
"""By the key that tells an expression: the keys that it must have, and those that it may have besides."""
CHOICES = ("$least", "$greatest", "$only")
PICKS = ("first", "least", "greatest")


class PlanFault(ValueError):
    """A plan that cannot be read, or that does not lead to an answer; one sentence."""


class PlannedCall(NamedTuple):
    """A call of a plan; `needs` are the numbers of the earlier calls whose results stand in its arguments."""

    tool: str
    arguments: Mapping[str, Any]
    needs: frozenset[int]


class ToolPlan(NamedTuple):
    """A plan that keeps the rules; the answer has the form of the question's gold."""

    calls: Sequence[PlannedCall]
    answer: Mapping[str, Any]


def read_plan(plan: Any) -> ToolPlan:
    """The plan that JSON describes. Raises PlanFault, which names the part that is wrong."""
    if not isinstance(plan, Mapping) or plan.keys() != {"calls", "answer"}:
        raise PlanFault("a plan has calls and an answer")
    calls, answer = plan["calls"], plan["answer"]
    if not isinstance(calls, list) or not 1 <= len(calls) <= MOST_CALLS:
        raise PlanFault(f"a plan has a list of 1 to {MOST_CALLS} calls")
    if not isinstance(answer, Mapping) or not answer:
        raise PlanFault("the answer of a plan is an object with a field or more")
    read = [_read_call(number, call) for number, call in enumerate(calls)]
    check_value(answer, len(calls), "the answer")
    if len(canonical_json(plan)) > LONGEST:
        raise PlanFault(f"a plan has at most {LONGEST} characters")
    return ToolPlan(read, answer)


def batches_of(plan: ToolPlan) -> list[list[int]]:
    """The numbers of the calls in as few rounds as possible: no call of a round needs another call of it."""
    rounds: list[int] = []
    for call in plan.calls:
        rounds.append(max((rounds[one] + 1 for one in call.needs), default=0))
    return [[number for number, found in enumerate(rounds) if found == one] for one in range(max(rounds) + 1)]


def expression_of(value: Any) -> str | None:
    """The key that tells an expression; None where the value is none."""
    if not isinstance(value, Mapping):
        return None
    return next((key for key in value if isinstance(key, str) and key.startswith("$")), None)


def check_value(value: Any, before: int, where: str, depth: int = 0) -> None:
    """Raise PlanFault where a value holds an expression that there is not, or a call that is not among `before`."""
    if depth > DEEPEST:
        raise PlanFault(f"{where} is nested more than {DEEPEST} deep")
    kind = expression_of(value)
    if kind is not None:
        _check_expression(kind, value, before, where)
    for part in _parts_of(value):
        check_value(part, before, where, depth + 1)


def steps_of(path: Any) -> list[Any]:
    """The steps of a path. Raises PlanFault for what is no path."""
    steps = (
        [int(step) if step.isdecimal() else step for step in path.split(".")]
        if isinstance(path, str)
        else path
    )
    if not isinstance(steps, list) or not steps or not all(map(_is_step, steps)):
        raise PlanFault(f"{path!r} is no path: write a text such as hits.0.id, or a list of steps")
    return steps


def _read_call(number: int, call: Any) -> PlannedCall:
    where = f"call {number}"
    if not isinstance(call, Mapping) or call.keys() != {"tool", "arguments"}:
        raise PlanFault(f"{where} has a tool and arguments")
    tool, arguments = call["tool"], call["arguments"]
    if not isinstance(tool, str) or not isinstance(arguments, Mapping):
        raise PlanFault(f"{where} has the name of a tool, and arguments by name")
    check_value(arguments, number, where)
    return PlannedCall(tool, arguments, frozenset(_calls_in(arguments)))


def _check_expression(kind: str, value: Mapping[str, Any], before: int, where: str) -> None:
    if kind not in EXPRESSIONS:
        raise PlanFault(f"{where} holds {kind}; there are: {', '.join(EXPRESSIONS)}")
    must, may = EXPRESSIONS[kind]
    if not must <= value.keys() <= must | may:
        raise PlanFault(f"{where}: {kind} goes with {', '.join(sorted(must | may))}")
    if kind == "$call":
        called = value["$call"]
        if not isinstance(called, int) or isinstance(called, bool) or not 0 <= called < before:
            raise PlanFault(f"{where} needs the result of call {called!r}, which is no earlier one")
        steps_of(value["path"])
    if kind in CHOICES:
        members = value[kind]
        if not isinstance(members, list) or not members:
            raise PlanFault(f"{where}: {kind} has a list of {{say, by}}")
        if not all(isinstance(one, Mapping) and one.keys() == {"say", "by"} for one in members):
            raise PlanFault(f"{where}: each member of {kind} has say and by, and nothing else")


def _is_step(step: Any) -> bool:
    if isinstance(step, Mapping):
        (key, wanted), *more = [*step.items()] or [("", None)]
        of_fields = key == "first" and isinstance(wanted, Mapping) and bool(wanted)
        return not more and (of_fields or (key in PICKS[1:] and isinstance(wanted, str)))
    if isinstance(step, bool):
        return False
    return step != "" if isinstance(step, str) else isinstance(step, int) and step >= 0


def _parts_of(value: Any) -> Iterator[Any]:
    """The values in a value, but for paths."""
    if isinstance(value, Mapping):
        yield from (part for key, part in value.items() if not (key == "path" and "$call" in value))
    elif isinstance(value, list):
        yield from value


def _calls_in(value: Any) -> Iterator[int]:
    if expression_of(value) == "$call":
        yield value["$call"]
    for part in _parts_of(value):
        yield from _calls_in(part)
