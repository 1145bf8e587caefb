"""Checks GeoFlow graphs: every violation of the constraints G1 to G5, with where it is and how to mend it.

G1 no cycle; G2 roles do not descend; G3 types fit ports; G4 every step can be executed; G5 a step computes the
measure, and every concept lies on a path from a contextual concept to it (Spatial-Agent, section 3.2). Where a graph
has no contextual concept, the map itself is the extent and leads to every concept that no step makes: "Is the museum
open on Monday?" names no area.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.geoflow.graphs import Concept, Graph, Step
from app.geoflow.ontology import Operator, Port, ontology
from app.geoflow.projecting import Edge, edges_of

CONSTRAINTS = {
    "G1": "no concept is computed from itself",
    "G2": "roles do not descend along an edge",
    "G3": "the types of concepts fit the ports of the operators",
    "G4": "every step can be executed",
    "G5": "a step computes the measure, and every concept lies on a path from a place or time to it",
}


class Violation(NamedTuple):
    """A broken constraint. `node` is a concept's id; `edge` names step and port, or the step alone."""

    constraint: str
    node: str | None
    edge: str | None
    says: str
    mend: str


def violations_of(graph: Graph) -> list[Violation]:
    """Every violation, in the order of the constraints; none where the graph is well-formed."""
    return [
        *_cycles(graph),
        *_descents(graph),
        *_misfits(graph),
        *_not_executable(graph),
        *_off_the_path(graph),
    ]


def is_well_formed(graph: Graph) -> bool:
    """Whether the graph keeps all five constraints."""
    return not violations_of(graph)


# --- G1 ------------------------------------------------------------------------------------------------------


def _cycles(graph: Graph) -> Iterator[Violation]:
    """One violation for each set of concepts that are computed from each other."""
    following: dict[str, list[Edge]] = {}
    for edge in edges_of(graph):
        following.setdefault(edge.source, []).append(edge)
    told: set[str] = set()
    for start in sorted(following):
        if start in told:
            continue
        round_trip = _way(following, start, start)
        if round_trip:
            told.update(edge.source for edge in round_trip)
            names = " → ".join([*(edge.source for edge in round_trip), start])
            last = round_trip[-1]
            yield Violation(
                "G1",
                start,
                f"{last.op_id}.{last.port}",
                f"{names} is a cycle",
                f"bind port {last.port} of step {last.op_id} to a concept that does not come from {start}",
            )


def _way(following: dict[str, list[Edge]], start: str, goal: str) -> list[Edge]:
    """The edges of a shortest way of one edge or more; none where there is no way."""
    ways: list[list[Edge]] = [[edge] for edge in following.get(start, [])]
    seen: set[str] = set()
    for way in ways:
        here = way[-1].target
        if here == goal:
            return way
        if here not in seen:
            seen.add(here)
            ways.extend([*way, edge] for edge in following.get(here, []))
    return []


# --- G2 ------------------------------------------------------------------------------------------------------


def _descents(graph: Graph) -> Iterator[Violation]:
    concepts, known = graph.by_id(), ontology()
    for edge in edges_of(graph):
        source, target = concepts.get(edge.source), concepts.get(edge.target)
        if source is None or target is None or known.may_lead(source.role, target.role):
            continue
        yield Violation(
            "G2",
            target.id,
            f"{edge.op_id}.{edge.port}",
            f"{source.id} ({source.role}) leads to {target.id} ({target.role})",
            f"give {target.id} the role {source.role} or a later one, or {source.id} an earlier one",
        )


# --- G3 ------------------------------------------------------------------------------------------------------


def _misfits(graph: Graph) -> Iterator[Violation]:
    concepts = graph.by_id()
    for step, operator in _known_steps(graph):
        for name, port in operator.ports.items():
            for one in step.inputs.get(name, ()):
                concept = concepts.get(one)
                if concept is not None and concept.type not in port.takes:
                    yield _misfit(concept, f"{step.id}.{name}", f"{step.op} takes", port.takes)
        for one, given in zip(step.outputs, operator.gives, strict=False):
            concept = concepts.get(one)
            if concept is not None and concept.type != given:
                yield _misfit(concept, step.id, f"{step.op} gives", [given])


def _known_steps(graph: Graph) -> Iterator[tuple[Step, Operator]]:
    operators = ontology().operators
    return ((step, operators[step.op]) for step in graph.steps if step.op in operators)


def _misfit(concept: Concept, edge: str, does: str, types: Sequence[str]) -> Violation:
    fitting = " or ".join(types)
    return Violation(
        "G3",
        concept.id,
        edge,
        f"{concept.id} is {concept.type}, and {does} {fitting}",
        f"make {concept.id} {fitting}, or use another operator",
    )


# --- G4 ------------------------------------------------------------------------------------------------------


def _not_executable(graph: Graph) -> Iterator[Violation]:
    operators = ontology().operators
    concepts = graph.by_id()
    makers: dict[str, list[str]] = {}
    for step in graph.steps:
        for output in step.outputs:
            makers.setdefault(output, []).append(step.id)
    for step in graph.steps:
        operator = operators.get(step.op)
        if operator is None:
            yield _fault(step.id, f"there is no operator {step.op!r:.60}", "use one of the ontology")
            continue
        if not operator.available:
            yield _fault(
                step.id,
                f"{step.op} needs {operator.needs}, which the map has not",
                "answer without it, or say that the map does not tell",
            )
        yield from _faults_of_ports(step, operator)
        yield from _faults_of_params(step, operator)
        if len(step.outputs) > len(operator.gives) or len(set(step.outputs)) < len(step.outputs):
            yield _fault(
                step.id,
                f"{step.op} gives {len(operator.gives)}, and {len(step.outputs)} are named",
                "name as many outputs as it gives, each once",
            )
        for one in dict.fromkeys([*step.inputs_in_order(), *step.outputs]):
            if one not in concepts:
                yield _fault(step.id, f"there is no concept {one}", f"add {one} to the concepts", one)
    for one, steps in makers.items():
        if len(steps) > 1:
            yield _fault(steps[1], f"{one} is made by {' and by '.join(steps)}", "let one step make it", one)
    if graph.measure not in concepts:
        yield Violation(
            "G4",
            graph.measure,
            None,
            f"the measure {graph.measure} is no concept",
            "name the concept that the question asks for",
        )
    yield from _unbound_sources(graph, makers)


def _unbound_sources(graph: Graph, makers: dict[str, list[str]]) -> Iterator[Violation]:
    used = {one for step in graph.steps for one in step.inputs_in_order()}
    for concept in graph.concepts:
        if concept.id in used and concept.id not in makers and not (concept.name.strip() or concept.attrs):
            yield Violation(
                "G4",
                concept.id,
                None,
                f"no step makes {concept.id}, and it has neither a name nor attributes",
                f"write what {concept.id} is into its name, or let a step make it",
            )


def _faults_of_ports(step: Step, operator: Operator) -> Iterator[Violation]:
    for name in step.inputs:
        if name not in operator.ports:
            yield _fault(
                f"{step.id}.{name}",
                f"{step.op} has no port {name}",
                f"its ports are {', '.join(operator.ports)}",
            )
    for name, port in operator.ports.items():
        found = len(step.inputs.get(name, ()))
        if not found and not port.optional:
            yield _fault(
                f"{step.id}.{name}",
                f"port {name} of {step.op} is bound to nothing",
                f"bind it to a concept of type {_types(port)}",
            )
        if found > 1 and not port.many:
            yield _fault(
                f"{step.id}.{name}", f"port {name} of {step.op} takes one concept", "bind it to one alone"
            )


def _faults_of_params(step: Step, operator: Operator) -> Iterator[Violation]:
    for name, value in step.params.items():
        param = operator.params.get(name)
        if param is None:
            yield _fault(
                f"{step.id}.{name}",
                f"{step.op} has no parameter {name}",
                f"its parameters are {', '.join(operator.params) or 'none'}",
            )
        elif not param.takes(value):
            yield _fault(
                f"{step.id}.{name}", f"{name} of {step.op} is {value!r:.60}", f"write {param.in_words}"
            )
    for name, param in operator.params.items():
        if name not in step.params and not param.optional:
            yield _fault(f"{step.id}.{name}", f"{step.op} has no {name}", f"write {name} into its params")


def _fault(edge: str, says: str, mend: str, node: str | None = None) -> Violation:
    return Violation("G4", node, edge, says, mend)


def _types(port: Port) -> str:
    return " or ".join(port.takes)


# --- G5 ------------------------------------------------------------------------------------------------------


def _off_the_path(graph: Graph) -> Iterator[Violation]:
    roles, concepts = ontology().roles, graph.by_id()
    measure = concepts.get(graph.measure)
    if measure is not None and measure.role != "MEASURE":
        yield Violation(
            "G5",
            measure.id,
            None,
            f"{measure.id} is what the question asks for, and has the role {measure.role}",
            "give it the role MEASURE",
        )
    edges = [one for one in edges_of(graph) if one.source in concepts and one.target in concepts]
    made = graph.makers()
    if measure is not None and measure.id not in made:
        yield Violation(
            "G5",
            measure.id,
            None,
            f"no step computes {measure.id}, which the question asks for",
            f"add a step that has {measure.id} among its outputs",
        )
    starts = {one.id for one in graph.concepts if roles[one.role].contextual}
    if not starts:
        starts = {one.id for one in graph.concepts if one.id not in made}
    ends = {one.id for one in graph.concepts if one.role == "MEASURE"}
    forward = _reached(starts, [(edge.source, edge.target) for edge in edges])
    backward = _reached(ends, [(edge.target, edge.source) for edge in edges])
    for concept in graph.concepts:
        if concept.id not in forward:
            yield Violation(
                "G5",
                concept.id,
                None,
                f"no place or time of the question leads to {concept.id}",
                f"give {concept.id} the role EXTENT or TEXTENT, or compute it from one that has it",
            )
        if concept.id not in backward:
            yield Violation(
                "G5",
                concept.id,
                None,
                f"{concept.id} does not lead to the measure",
                f"use {concept.id} in a step that leads to the measure, or leave it out",
            )


def _reached(starts: set[str], pairs: list[tuple[str, str]]) -> set[str]:
    following: dict[str, list[str]] = {}
    for one, other in pairs:
        following.setdefault(one, []).append(other)
    found, waiting = set(starts), list(starts)
    while waiting:
        for other in following.get(waiting.pop(), []):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
