"""The two forms of a plan: steps (G'), and the graph of concepts whose edges name the step that they belong to (G).

The paper calls them a bijection. That holds only because each edge keeps the identity of its step: two operators over
the same two concepts would else be one edge.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from app.geoflow.graphs import Concept, Graph, Literals, Step


class Edge(NamedTuple):
    """That a concept goes into a step by a port (at a position, from 0), and which concept comes out of it."""

    source: str
    target: str
    op_id: str
    port: str
    position: int


class Operation(NamedTuple):
    """What a step does, without the concepts that it joins; `ports` keeps those that are bound to nothing."""

    op: str
    outputs: Sequence[str]
    params: Literals
    description: str
    ports: Sequence[str]


class ConceptGraph(NamedTuple):
    """The graph of concepts. Operations are in the order of the plan."""

    concepts: Sequence[Concept]
    edges: Sequence[Edge]
    operations: Mapping[str, Operation]
    measure: str
    mode: str | None
    template_ids: Sequence[str]


def edges_of(graph: Graph) -> Iterator[Edge]:
    """An edge from each input of a step to each of its outputs."""
    for step in graph.steps:
        for port in sorted(step.inputs):
            for position, source in enumerate(step.inputs[port]):
                for target in step.outputs:
                    yield Edge(source, target, step.id, port, position)


def project(graph: Graph) -> ConceptGraph:
    """The graph of concepts of a plan."""
    operations = {
        step.id: Operation(step.op, tuple(step.outputs), step.params, step.description, tuple(step.inputs))
        for step in graph.steps
    }
    return ConceptGraph(
        graph.concepts, list(edges_of(graph)), operations, graph.measure, graph.mode, graph.template_ids
    )


def factorise(projected: ConceptGraph) -> Graph:
    """The plan whose graph of concepts this is: edges of one step become one hyperedge again."""
    inputs: dict[str, dict[str, dict[int, str]]] = {}
    for edge in projected.edges:
        inputs.setdefault(edge.op_id, {}).setdefault(edge.port, {})[edge.position] = edge.source
    steps = []
    for op_id, operation in projected.operations.items():
        found = inputs.get(op_id, {})
        bound = {port: [one for _, one in sorted(found.get(port, {}).items())] for port in operation.ports}
        steps.append(
            Step(op_id, operation.op, bound, list(operation.outputs), operation.params, operation.description)
        )
    return Graph(projected.concepts, steps, projected.measure, projected.mode, projected.template_ids)
