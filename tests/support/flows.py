"""GeoFlow graphs for tests: random well-formed ones, and small ones that are written by hand."""

import random
from collections.abc import Sequence

from app.geoflow.graphs import Concept, Graph, Step
from app.geoflow.ontology import MODES, Operator, Param, ontology

ROLES = ("SUBCOND", "COND", "SUPPORT")


def random_flow(draw: random.Random, most_steps: int = 8) -> Graph:
    """A well-formed graph: operators are applied to concepts that are there, and what leads nowhere is left out."""
    concepts = [
        Concept(
            f"place{number}",
            "LOCATION",
            "EXTENT",
            f"Place {number}",
            {"id": f"n{number}", "lat": 50.0, "lon": 10.0},
        )
        for number in range(draw.randint(1, 3))
    ]
    concepts += [Concept("time", "EVENT", "TEXTENT", "", {"time": "09:10", "day": "Monday"})] * draw.randint(
        0, 1
    )
    steps: list[Step] = []
    operators = [one for one in ontology().operators.values() if one.available]
    wanted = draw.randint(1, most_steps)
    while len(steps) < wanted:
        bound = _bind(draw, draw.choice(operators), concepts)
        if bound is None:
            continue
        operator, inputs = bound
        number = len(steps)
        outputs = operator.gives[:1]
        role = _role_after(draw, inputs)
        if number == wanted - 1:
            role = "MEASURE"
        made = [
            Concept(f"made{number}_{place}", kind, role, implicit=draw.random() < 0.2)
            for place, kind in enumerate(outputs)
        ]
        concepts += made
        params = {
            name: random_literal(draw, param)
            for name, param in operator.params.items()
            if not param.optional or draw.random() < 0.5
        }
        by_port = {port: [one.id for one in ids] for port, ids in inputs.items()}
        steps.append(Step(f"step{number}", operator.name, by_port, [one.id for one in made], params))
    return _without_the_rest(Graph(concepts, steps, concepts[-1].id, draw.choice([None, *MODES]), []))


def _bind(
    draw: random.Random, operator: Operator, concepts: Sequence[Concept]
) -> tuple[Operator, dict[str, list[Concept]]] | None:
    inputs = {}
    for name, port in operator.ports.items():
        fitting = [one for one in concepts if one.type in port.takes]
        if port.optional and (not fitting or draw.random() < 0.5):
            continue
        if not fitting:
            return None
        inputs[name] = [draw.choice(fitting) for _ in range(draw.randint(1, 3) if port.many else 1)]
    return operator, inputs


def _role_after(draw: random.Random, inputs: dict[str, list[Concept]]) -> str:
    latest = max(
        (ROLES.index(one.role) for ids in inputs.values() for one in ids if one.role in ROLES), default=0
    )
    return draw.choice(ROLES[latest:])


def random_literal(draw: random.Random, param: Param) -> object:
    """A literal of the kind of a parameter."""
    match param.kind:
        case "text":
            return draw.choice(["cafe", "north", "Main Street"])
        case "texts":
            return ["cuisine=pizza"]
        case "expression":
            return '{"$count": {"$call": 0, "path": "members"}}'
        case "number":
            return draw.choice([500, 1000.5])
        case "whole":
            return draw.randint(1, 5)
        case "numbers":
            return [10, 20.5]
        case "flag":
            return draw.random() < 0.5
        case "mode":
            return draw.choice(MODES)
        case "choice":
            return draw.choice(param.of)


def _without_the_rest(graph: Graph) -> Graph:
    """The graph without steps and concepts that do not lead to its measure."""
    wanted, makers = {graph.measure}, graph.makers()
    waiting = [graph.measure]
    steps = set()
    while waiting:
        step = makers.get(waiting.pop())
        if step is not None:
            steps.add(step.id)
            fresh = set(step.inputs_in_order()) - wanted
            wanted |= fresh
            waiting += fresh
    kept = [
        one._replace(outputs=[each for each in one.outputs if each in wanted])
        for one in graph.steps
        if one.id in steps
    ]
    used = {each for one in kept for each in one.outputs} | {
        each for one in kept for each in one.inputs_in_order()
    }
    return graph._replace(concepts=[one for one in graph.concepts if one.id in used], steps=kept)
