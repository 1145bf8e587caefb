"""GeoFlow graphs: concepts, and steps that make concepts of others. Reads and writes them as JSON.

    {"concepts": [{"id": "c1", "name": "Krone", "type": "LOCATION", "role": "EXTENT"},
                  {"id": "c2", "name": "place found", "type": "LOCATION", "role": "SUPPORT"}, …],
     "steps": [{"id": "s1", "op": "geocode", "inputs": {"place": "c1"}, "outputs": ["c2"], "params": {}}, …],
     "measure": "c9", "mode": "driving", "template_ids": []}

Steps refer to concepts by id alone. Literals stand in `params`, and in the `attrs` of concepts that no step makes.
A concept is `implicit` where the question does not say it, such as a road network or a route.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.core.identity import canonical_json
from app.geoflow.ontology import MODES, ontology

MOST_CONCEPTS = 60
MOST_STEPS = 40
LONGEST = 40_000
"""Characters of a graph as canonical JSON."""
LONGEST_ID = 40

Literals = Mapping[str, Any]


class GraphFault(ValueError):
    """What is no graph at all: a part that is missing or of the wrong form; one sentence."""


class Concept(NamedTuple):
    """A node: what it is and which role it plays."""

    id: str
    type: str
    role: str
    name: str = ""
    attrs: Literals = {}
    implicit: bool = False


class Step(NamedTuple):
    """A hyperedge: an operator that takes concepts by port, and makes others; `outputs` in the operator's order."""

    id: str
    op: str
    inputs: Mapping[str, Sequence[str]]
    outputs: Sequence[str]
    params: Literals = {}
    description: str = ""

    def inputs_in_order(self) -> list[str]:
        """The ids of all concepts that it takes, by the names of its ports."""
        return [one for port in sorted(self.inputs) for one in self.inputs[port]]


class Graph(NamedTuple):
    """A plan; `measure` is the id of the concept that the question asks for."""

    concepts: Sequence[Concept]
    steps: Sequence[Step]
    measure: str
    mode: str | None = None
    template_ids: Sequence[str] = ()

    def by_id(self) -> dict[str, Concept]:
        """The concepts by id."""
        return {one.id: one for one in self.concepts}

    def makers(self) -> dict[str, Step]:
        """The step that makes a concept, by the concept's id; the first one where there are several."""
        made: dict[str, Step] = {}
        for step in self.steps:
            for output in step.outputs:
                made.setdefault(output, step)
        return made


def read_graph(plan: Any) -> Graph:
    """The graph that JSON describes. Raises GraphFault, which names the part that has a wrong form.

    What has the right form and breaks a constraint is read: `checking` names it.
    """
    fields = _object(plan, "a graph", {"concepts", "steps", "measure"}, {"mode", "template_ids"})
    concepts = _list(fields["concepts"], "concepts", 1, MOST_CONCEPTS)
    steps = _list(fields["steps"], "steps", 0, MOST_STEPS)
    graph = Graph(
        [_read_concept(one, f"concept {number}") for number, one in enumerate(concepts)],
        [_read_step(one, f"step {number}") for number, one in enumerate(steps)],
        _id(fields["measure"], "measure"),
        _mode(fields.get("mode")),
        [
            _text(one, "template_ids")
            for one in _list(fields.get("template_ids", []), "template_ids", 0, MOST_STEPS)
        ],
    )
    for what, ids in (
        ("concepts", [one.id for one in graph.concepts]),
        ("steps", [one.id for one in graph.steps]),
    ):
        twice = sorted({one for one in ids if ids.count(one) > 1})
        if twice:
            raise GraphFault(f"two {what} have the id {twice[0]}")
    try:
        text = canonical_json(plan)
    except ValueError:
        raise GraphFault("a number of the graph is not finite") from None
    if len(text) > LONGEST:
        raise GraphFault(f"a graph has at most {LONGEST} characters")
    return graph


def write_graph(graph: Graph) -> dict[str, Any]:
    """The graph as JSON, which `read_graph` reads again; a port with one concept is written as its id."""
    ports = ontology().operators
    return {
        "concepts": [_write_concept(one) for one in graph.concepts],
        "steps": [_write_step(one, ports) for one in graph.steps],
        "measure": graph.measure,
        "mode": graph.mode,
        "template_ids": list(graph.template_ids),
    }


def _write_concept(one: Concept) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "type": one.type,
        "role": one.role,
        "attrs": dict(one.attrs),
        "implicit": one.implicit,
    }


def _write_step(one: Step, operators: Mapping[str, Any]) -> dict[str, Any]:
    operator = operators.get(one.op)
    single = {name for name, port in operator.ports.items() if not port.many} if operator else set()
    return {
        "id": one.id,
        "op": one.op,
        "inputs": {
            port: ids[0] if port in single and len(ids) == 1 else list(ids)
            for port, ids in sorted(one.inputs.items())
        },
        "outputs": list(one.outputs),
        "params": dict(one.params),
        "description": one.description,
    }


def _read_concept(value: Any, where: str) -> Concept:
    fields = _object(value, where, {"id", "type", "role"}, {"name", "attrs", "implicit"})
    known = ontology()
    kind, role = fields["type"], fields["role"]
    if not isinstance(kind, str) or kind not in known.concepts:
        raise GraphFault(f"{where}: type is one of {', '.join(known.concepts)}")
    if not isinstance(role, str) or role not in known.roles:
        raise GraphFault(f"{where}: role is one of {', '.join(known.roles)}")
    implicit = fields.get("implicit", False)
    if not isinstance(implicit, bool):
        raise GraphFault(f"{where}: implicit is true or false")
    return Concept(
        _id(fields["id"], where),
        kind,
        role,
        _text(fields.get("name", ""), f"{where}: name"),
        _literals(fields.get("attrs", {}), f"{where}: attrs"),
        implicit,
    )


def _read_step(value: Any, where: str) -> Step:
    fields = _object(value, where, {"id", "op", "inputs", "outputs"}, {"params", "description"})
    inputs = fields["inputs"]
    if not isinstance(inputs, Mapping):
        raise GraphFault(f"{where}: inputs is an object with the names of ports")
    return Step(
        _id(fields["id"], where),
        _text(fields["op"], f"{where}: op"),
        {
            _text(port, f"{where}: a port"): [
                _id(one, f"{where}: port {port}") for one in (ids if isinstance(ids, list) else [ids])
            ]
            for port, ids in inputs.items()
        },
        [_id(one, f"{where}: outputs") for one in _list(fields["outputs"], f"{where}: outputs", 1, 8)],
        _literals(fields.get("params", {}), f"{where}: params"),
        _text(fields.get("description", ""), f"{where}: description"),
    )


def _object(value: Any, where: str, must: set[str], may: set[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise GraphFault(f"{where} is an object with {', '.join(sorted(must))}")
    missing, unknown = must - value.keys(), value.keys() - must - may
    if missing:
        raise GraphFault(f"{where} has no {sorted(missing)[0]}")
    if unknown:
        raise GraphFault(f"{where} has {sorted(map(str, unknown))[0]!r:.60}, which nothing reads")
    return value


def _list(value: Any, where: str, least: int, most: int) -> list[Any]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise GraphFault(f"{where} is a list of {least} to {most}")
    return value


def _id(value: Any, where: str) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_ID:
        raise GraphFault(f"{where}: an id is a text of 1 to {LONGEST_ID} characters")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) > 500:
        raise GraphFault(f"{where} is a text of at most 500 characters")
    return value


def _literals(value: Any, where: str) -> Literals:
    if not isinstance(value, Mapping) or not all(map(_is_literal, value.values())):
        raise GraphFault(f"{where} is an object of texts, numbers, true, false, and lists of them")
    return value


def _is_literal(value: Any, within: bool = False) -> bool:
    if isinstance(value, list) and not within:
        return all(_is_literal(one, within=True) for one in value)
    return value is None or isinstance(value, str | int | float)


def _mode(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in MODES:
        raise GraphFault(f"mode is one of {', '.join(MODES)}")
    return value
