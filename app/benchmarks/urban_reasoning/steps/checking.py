"""Checks a response: reads it under the rules of its task, and tells which step broke first."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.benchmarks.urban_reasoning.steps.explaining import Explainer
from app.benchmarks.urban_reasoning.steps.plain_text import MOST_SIGNS, Plain, plain_text
from app.benchmarks.urban_reasoning.steps.rules import Rules
from app.benchmarks.urban_reasoning.steps.slips import is_known_constant
from app.benchmarks.urban_reasoning.steps.tracing import Tracer
from app.core.packages import load_part
from app.scores.reasoning import DRIFT, NOT_STATED, UNCHECKED, WRONG, Reasoning, Step

MOST_LATER = 4
"""Wrong steps that are looked at for what came first."""
RESULTS = ("distance_km", "bearing", "theta_", "path_")
"""What a text may tell before the steps that it follows from: quantities whose names begin like this."""
_DIGITS = re.compile(r" ?-? ?(\d[\d.]*\d|\d)")
LEAST_DIGITS = 2
Building = Callable[[str, str, str], Sequence[Rules]]
"""From context, question and response the rules of a task; several where a text may name places either way round."""
_BUILDING: dict[str, Building] = {}
Check = Callable[[str, str, str], Reasoning]
_CHECKS: dict[str, Check] = {}
"""By task what reads a response whose claims are words more than numbers."""


def as_document(checked: Reasoning) -> Mapping[str, Any]:
    """The finding as JSON."""
    broken = checked.first_broken
    told = broken and {
        "quantity": broken.quantity,
        "stated": broken.stated,
        "expected": broken.expected,
        "position": broken.position,
    }
    return {"first_broken": told, "class": broken.failure if broken else None}


def builds(*tasks: str) -> Callable[[Building], Building]:
    """Register the decorated function as what makes the rules of tasks."""

    def register(function: Building) -> Building:
        _BUILDING.update(dict.fromkeys(tasks, function))
        return function

    return register


def checks(task: str) -> Callable[[Check], Check]:
    """Register the decorated function as what reads the responses to a task, without rules of numbers."""

    def register(function: Check) -> Check:
        _CHECKS[task] = function
        return function

    return register


def can_check(task: str) -> bool:
    """Whether responses to a task can be checked."""
    load_part("urban_reasoning", "steps")
    return task in _BUILDING or task in _CHECKS


def check_response(task: str, context: str, question: str, response: str) -> Reasoning:
    """The steps of a response. Raises ValueError for an unknown task or a context without its data."""
    if not can_check(task):
        raise ValueError(
            f"there are no rules for task {task!r}: the tasks are {', '.join(sorted([*_BUILDING, *_CHECKS]))}"
        )
    if task in _CHECKS:
        return _CHECKS[task](context, question, response)
    readings = [_read(rules, response) for rules in _BUILDING[task](context, question, response)]
    return min(readings, key=_wrongness)


def _wrongness(checked: Reasoning) -> tuple[int, int]:
    wrong = sum(step.verdict == WRONG for step in checked.steps)
    return wrong > 0, wrong


def _read(rules: Rules, response: str) -> Reasoning:
    plain = plain_text(response)
    explainer = None if rules.read else Explainer(plain, rules)
    steps = explainer.read() if explainer else list(rules.read(plain) if rules.read else ())
    steps = sorted(
        [*steps, *rules.conclude(plain, response[:MOST_SIGNS], steps)], key=lambda step: step.position or 0
    )
    told = {step.quantity for step in steps}
    missing = [
        Step(name, None, rules.graph.exact(name), None, NOT_STATED)
        for name in rules.graph.quantities
        if name not in told
    ]
    first = _first_of_all(rules, explainer, steps) if explainer else _first_wrong(steps)
    if explainer and first and not explainer.is_contradicted_at(first.position):
        first = _unexplained_before(plain, steps, first)
    return Reasoning((*steps, *missing), first, len(response) > MOST_SIGNS)


def _unexplained_before(plain: Plain, steps: Sequence[Step], first: Step) -> Step:
    """The first number that nothing explains and that the text uses in a formula before a wrong step; else that step.

    Where something is wrong, such a number is what it most likely comes from.
    """
    if not isinstance(first.stated, float):
        return first
    for step in steps:
        if (step.position or 0) >= (first.position or 0):
            break
        if (
            step.verdict == UNCHECKED
            and isinstance(step.stated, float)
            and step.position is not None
            and not is_known_constant(step.stated)
            and _is_used(plain, step.position, first.position or 0)
        ):
            return step._replace(verdict=WRONG, failure=DRIFT)
    return first


def _is_used(plain: Plain, position: int, end: int) -> bool:
    """Whether a number that stands at a place of the response is an operand behind it, up to another place."""
    start, stop = bisect_left(plain.places, position), bisect_right(plain.places, end)
    told = _DIGITS.match(plain.text, start)
    if told is None or len(told[1].replace(".", "").lstrip("0")) < LEAST_DIGITS:
        return False
    digits = re.escape(told[1])
    operand = rf"(?<![\d.]){digits}(?![\d.]\d)"
    used = rf"(?:[*/+^(|]|\d ?-) ?-? ?\(?-?{operand}|{operand}[^\S\n]?(?:°|k?m|rad)?\)? ?(?:[*/+^]|- ?\d)"
    return re.search(used, plain.text[told.end() : stop + len(told[1])]) is not None


def _first_wrong(steps: Sequence[Step]) -> Step | None:
    return next((step for step in steps if step.verdict == WRONG), None)


def _first_of_all(rules: Rules, explainer: Explainer, steps: Sequence[Step]) -> Step | None:
    """The wrong step from which others follow, or else the first."""
    broken = _first_broken(rules, steps)
    tracer = Tracer(rules, explainer.seen, explainer.is_named)
    trail = tracer.origin()
    if trail is None or (broken and explainer.is_contradicted_at(broken.position)):
        return broken
    origin = explainer.step_of(trail)
    if broken is None or (broken.position or 0) >= (origin.position or 0):
        return origin
    return broken


def _first_broken(rules: Rules, steps: Sequence[Step]) -> Step | None:
    """The first wrong step that does not follow from another wrong one, which may stand behind it."""
    wrong = [step for step in steps if step.verdict == WRONG]
    for step in wrong[:MOST_LATER]:
        if not _follows_from_later(rules, step, wrong):
            return step
    return wrong[0] if wrong else None


def _follows_from_later(rules: Rules, step: Step, wrong: Sequence[Step]) -> bool:
    """Whether a wrong value is the result of wrong values that the text states behind it."""
    graph = rules.graph
    if step.quantity not in graph.quantities or not isinstance(step.stated, float):
        return False
    if not step.quantity.startswith(RESULTS):
        return False
    later = [
        one
        for one in wrong
        if one is not step
        and isinstance(one.stated, float)
        and one.quantity in graph.quantities
        and one.quantity != step.quantity
        and (one.position or 0) > (step.position or 0)
        and step.quantity in graph.followers_of(one.quantity)
    ][:MOST_LATER]
    kept = {name: list(told) for name, told in graph.stated.items()}
    own = next((one for one in kept.get(step.quantity, []) if one.value == step.stated), None)
    if not later or own is None:
        return False
    try:
        for one in later:
            graph.forget()
            told = next((each for each in kept.get(one.quantity, []) if each.value == one.stated), None)
            if told is None:
                continue
            graph.state(one.quantity, told)
            if any(graph.agrees(step.quantity, own, value) for value in graph.computed(step.quantity)):
                return True
        return False
    finally:
        graph.forget()
        for name, each in kept.items():
            for stated in each:
                graph.state(name, stated)
