"""Breaks well-formed graphs on purpose, one way for each constraint: what a model is taught to avoid.

Each way draws from seeded numbers alone, and gives None where the graph has no place for it.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.geoflow.graphs import Concept, Graph, Step
from app.geoflow.ontology import ontology
from app.geoflow.projecting import edges_of

Corruption = Callable[[Graph, random.Random], Graph | None]


def close_a_cycle(graph: Graph, draw: random.Random) -> Graph | None:
    """G1: an input of a step becomes a concept that is computed from the step's output."""
    following: dict[str, set[str]] = {one.id: {one.id} for one in graph.concepts}
    for _ in graph.steps:
        for edge in edges_of(graph):
            for reached in following.values():
                if edge.source in reached:
                    reached.add(edge.target)
    choices = [
        (step, port, position, late)
        for step in graph.steps
        for port, ids in sorted(step.inputs.items())
        for position in range(len(ids))
        for late in sorted({late for one in step.outputs for late in following.get(one, ())})
    ]
    if not choices:
        return None
    step, port, position, late = draw.choice(choices)
    ids = list(step.inputs[port])
    ids[position] = late
    return _with_step(graph, step, step._replace(inputs={**step.inputs, port: ids}))


def swap_roles(graph: Graph, draw: random.Random) -> Graph | None:
    """G2: the two concepts of an edge whose roles differ exchange them."""
    roles, concepts = ontology().roles, graph.by_id()
    choices = sorted(
        {
            (edge.source, edge.target)
            for edge in edges_of(graph)
            if roles[concepts[edge.source].role].contextual != roles[concepts[edge.target].role].contextual
            or (
                not roles[concepts[edge.source].role].contextual
                and concepts[edge.source].role != concepts[edge.target].role
            )
        }
    )
    if not choices:
        return None
    one, other = (concepts[name] for name in draw.choice(choices))
    changed = {one.id: one._replace(role=other.role), other.id: other._replace(role=one.role)}
    return graph._replace(concepts=[changed.get(each.id, each) for each in graph.concepts])


def mistype(graph: Graph, draw: random.Random) -> Graph | None:
    """G3: a concept gets a type that a step which it belongs to neither takes nor gives."""
    operators, concepts = ontology().operators, graph.by_id()
    choices: list[tuple[Concept, str]] = []
    for step in graph.steps:
        operator = operators[step.op]
        allowed = [(one, operator.ports[port].takes) for port, ids in step.inputs.items() for one in ids]
        allowed += [(one, [given]) for one, given in zip(step.outputs, operator.gives, strict=False)]
        choices += [
            (concepts[one], kind)
            for one, types in allowed
            for kind in ontology().concepts
            if kind not in types
        ]
    if not choices:
        return None
    concept, kind = draw.choice(choices)
    return _with_concept(graph, concept._replace(type=kind))


def unbind(graph: Graph, draw: random.Random) -> Graph | None:
    """G4: a port that must be bound is bound to nothing, or a parameter that must be there is left out."""
    operators = ontology().operators
    choices: list[tuple[Step, Step]] = []
    for step in graph.steps:
        operator = operators[step.op]
        for port in step.inputs:
            if not operator.ports[port].optional:
                choices.append((step, step._replace(inputs=_without(step.inputs, port))))
        for param in step.params:
            if not operator.params[param].optional:
                choices.append((step, step._replace(params=_without(step.params, param))))
    return _with_step(graph, *draw.choice(choices)) if choices else None


def orphan(graph: Graph, draw: random.Random) -> Graph | None:
    """G5: a concept of the question leads nowhere any more."""
    number = next(one for one in range(1, len(graph.concepts) + 2) if f"o{one}" not in graph.by_id())
    kind = draw.choice(sorted(ontology().concepts))
    role = draw.choice(["SUBCOND", "COND", "SUPPORT", "EXTENT"])
    added = Concept(f"o{number}", kind, role, "left over")
    concepts = list(graph.concepts)
    concepts.insert(draw.randrange(len(concepts) + 1), added)
    return graph._replace(concepts=concepts)


CORRUPTIONS: Mapping[str, Corruption] = {
    "G1": close_a_cycle,
    "G2": swap_roles,
    "G3": mistype,
    "G4": unbind,
    "G5": orphan,
}
"""By the constraint that each one breaks; others may break along with it."""


def corrupt(graph: Graph, draw: random.Random) -> Iterator[tuple[str, Graph]]:
    """Each constraint that can be broken in the graph, with the graph that breaks it."""
    for constraint, corruption in CORRUPTIONS.items():
        broken = corruption(graph, draw)
        if broken is not None:
            yield constraint, broken


def _with_step(graph: Graph, step: Step, changed: Step) -> Graph:
    return graph._replace(steps=[changed if one is step else one for one in graph.steps])


def _with_concept(graph: Graph, changed: Concept) -> Graph:
    return graph._replace(concepts=[changed if one.id == changed.id else one for one in graph.concepts])


def _without(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != name}
