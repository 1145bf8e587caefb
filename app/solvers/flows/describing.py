"""What a model is told of GeoFlow graphs: the ontology, templates, examples, violations, and what steps gave."""

from collections.abc import Sequence
from functools import cache

from app.core.identity import canonical_json
from app.geoflow.checking import Violation
from app.geoflow.executing import Execution
from app.geoflow.graphs import write_graph
from app.geoflow.ontology import CALCULATION, Operator, ontology
from app.geoflow.retrieving import Likeness
from app.geoflow.templates import templates
from app.solvers.agents.manners import marked_result

LONGEST_STEP = 2_000
"""Characters of what one step gave that the model is shown."""


@cache
def concepts_in_lines() -> str:
    """The types of concepts, and how a question tells of them."""
    return "\n".join(
        f"- {one.name}: {one.says} ({', '.join(one.cues)})" for one in ontology().concepts.values()
    )


@cache
def roles_in_lines() -> str:
    """The roles, in their order."""
    return "\n".join(f"- {one.name} ({one.kind}): {one.says}" for one in ontology().roles.values())


@cache
def operators_in_lines() -> str:
    """The operators that the map has data for, without those that only stored tool plans need: their expressions are a
    language of their own.
    """
    shown = [one for one in ontology().operators.values() if one.available and one.group != CALCULATION]
    return "\n".join(map(_operator_line, shown))


def _operator_line(one: Operator) -> str:
    ports = [
        _maybe(f"{name}{'…' if port.many else ''}: {' or '.join(port.takes)}", port.optional)
        for name, port in one.ports.items()
    ]
    params = [
        _maybe(f"{name}: {' | '.join(map(str, param.of)) or param.kind}", param.optional)
        for name, param in one.params.items()
    ]
    told = "; ".join(filter(None, (", ".join(ports), ", ".join(params))))
    return f"- {one.name}({told}) -> {', '.join(one.gives)}: {one.says}"


def _maybe(told: str, optional: bool) -> str:
    return f"[{told}]" if optional else told


@cache
def templates_in_lines() -> str:
    """The ten templates, each with its lines."""
    return "\n\n".join(
        "\n".join([f"{one.name}: {one.says}", *one.lines, f"measure {one.output}"])
        for one in templates().values()
    )


def examples_in_lines(alike: Sequence[Likeness]) -> str:
    """Questions with their plans."""
    told = (
        f"For the question: {one.example.question}\nthe plan is: {canonical_json(write_graph(one.example.graph))}"
        for one in alike
    )
    return "\n\n".join(told)


def violations_in_lines(violations: Sequence[Violation]) -> str:
    """Each violation with where it is, and how to mend it."""
    return "\n".join(
        f"- {one.constraint}, {one.edge or one.node or 'the graph'}: {one.says}. To mend it: {one.mend}."
        for one in violations
    )


def trace_in_lines(done: Execution) -> str:
    """What each step gave, or why it gave nothing; between marks that nothing in it can write."""
    lines = []
    for one in done.trace:
        told = one.says if one.state != "done" else canonical_json(one.gives)
        cut = told if len(told) <= LONGEST_STEP else f"{told[:LONGEST_STEP]}… (cut)"
        lines.append(f"{one.step} {one.op} ({one.state}): {cut}")
    return marked_result("\n".join(lines) or "The plan has no steps.")
