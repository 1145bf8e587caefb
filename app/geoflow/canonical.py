"""One form for equal graphs: ids, names and descriptions do not matter, nor does the order of parts."""

from collections.abc import Mapping

from app.core.identity import canonical_json, digest
from app.geoflow.graphs import Concept, Graph, Step, write_graph


def canonical_graph(graph: Graph) -> Graph:
    """The graph with ids c1, c2 … and s1, s2 …, in an order that only what the graph says decides.

    Names of concepts that no step makes stay, since they are literals; other names and descriptions are left out.
    """
    made = graph.makers()
    colours = _colours(graph)
    order = sorted(graph.concepts, key=lambda one: (colours[one.id], one.id))
    names = {one.id: f"c{number}" for number, one in enumerate(order, 1)}
    concepts = [
        one._replace(id=names[one.id], name="" if one.id in made else one.name, attrs=dict(one.attrs))
        for one in order
    ]
    steps = sorted((_renamed(one, names) for one in graph.steps), key=_content)
    return Graph(
        concepts,
        [one._replace(id=f"s{number}") for number, one in enumerate(steps, 1)],
        names.get(graph.measure, graph.measure),
        graph.mode,
        sorted(graph.template_ids),
    )


def graph_hash(graph: Graph) -> str:
    """The identity of what a graph says; templates that it was made from do not count."""
    told = write_graph(canonical_graph(graph))
    return digest("geoflow", {key: value for key, value in told.items() if key != "template_ids"})


def _colours(graph: Graph) -> Mapping[str, str]:
    """What tells each concept from others: itself, what it comes from, and what becomes of it.

    Colours are refined as often as there are concepts, so that parts far away count, too (Weisfeiler and Leman, 1968).
    """
    made = graph.makers()
    colours = {one.id: _own(one, one.id in made, one.id == graph.measure) for one in graph.concepts}
    for _ in graph.concepts:
        around: dict[str, list[str]] = {one: [] for one in colours}
        for step in graph.steps:
            told = _step_told(step, colours)
            for port, ids in step.inputs.items():
                for position, one in enumerate(ids):
                    if one in around:
                        around[one].append(canonical_json(["into", port, position, told]))
            for position, one in enumerate(step.outputs):
                if one in around:
                    around[one].append(canonical_json(["from", position, told]))
        refined = {one: digest(colours[one], sorted(around[one])) for one in colours}
        if len(set(refined.values())) == len(set(colours.values())):
            return refined
        colours = refined
    return colours


def _own(concept: Concept, made: bool, measured: bool) -> str:
    return digest(
        concept.type,
        concept.role,
        None if made else concept.name,
        dict(concept.attrs),
        concept.implicit,
        measured,
    )


def _step_told(step: Step, colours: Mapping[str, str]) -> str:
    return digest(
        step.op,
        dict(step.params),
        {port: [colours.get(one) for one in ids] for port, ids in step.inputs.items() if ids},
        [colours.get(one) for one in step.outputs],
    )


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    return Step(
        "",
        step.op,
        {port: [names.get(one, one) for one in ids] for port, ids in sorted(step.inputs.items()) if ids},
        [names.get(one, one) for one in step.outputs],
        dict(step.params),
    )


def _content(step: Step) -> str:
    return canonical_json([list(step.outputs), step.op, dict(step.inputs), dict(step.params)])
