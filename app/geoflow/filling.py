"""Fills templates: what a question names becomes concepts, and steps that find them are put before the skeleton.

What a port takes, by the type of its concept:

    LOCATION  a name, or {"name": …, "lon": …, "lat": …}
    OBJECT    a list of names, or {"near": LOCATION, "type": …, "keyword": …, "radius_m": …, "limit": …}
    EVENT     a time as text, or an object such as {"day": "Monday", "time": "10:00"}
    NETWORK   {"from": LOCATION, "to": LOCATION, "via": [LOCATION, …], "mode": …, "alternatives": true}
    any type  a graph whose measure has this type: so templates are joined

A port that stands for several takes a list. Parts that are equal are there once: a place that is named twice is looked
up once. What is made keeps all constraints, or TemplateFault says what the values lack.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from app.core.identity import canonical_json
from app.geoflow.checking import violations_of
from app.geoflow.graphs import Concept, Graph, GraphFault, Step, read_graph, write_graph
from app.geoflow.notation import STEP, graph_of
from app.geoflow.ontology import ontology
from app.geoflow.templates import (
    OPTIONAL,
    SEVERAL,
    SLOT,
    Template,
    TemplateFault,
    TemplatePort,
    find_template,
)

Values = Mapping[str, Any]


def fill(name: str, values: Values, mode: str | None = None) -> Graph:
    """The graph of a template whose ports and slots have values. Raises TemplateFault where it breaks a constraint."""
    template = find_template(name)
    known = {*template.ports, *template.slots}
    unknown = sorted(values.keys() - known)
    if unknown:
        raise TemplateFault(f"template {name} has no {unknown[0]!r:.60}; it has: {', '.join(sorted(known))}")
    lacking = [one for one in template.needed if _is_empty(values.get(one))]
    if lacking:
        raise TemplateFault(f"template {name} needs {lacking[0]}")
    graph = _skeleton_for(template, values)
    for port in reversed(
        [*template.ports.values()]
    ):  # what is joined comes first: the last port is joined first
        if not _is_empty(values.get(port.name)):
            graph = _joined(graph, port, values[port.name])
    named = sorted({name, *graph.template_ids})
    graph = _with_short_ids(share_equal_parts(graph._replace(mode=mode or graph.mode, template_ids=named)))
    try:
        graph = read_graph(write_graph(graph))
    except GraphFault as fault:
        raise TemplateFault(f"template {name}: {fault}") from None
    broken = violations_of(graph)
    if broken:
        raise TemplateFault(f"template {name}: {broken[0].says}; {broken[0].mend}")
    return graph


def share_equal_parts(graph: Graph) -> Graph:
    """The graph without concepts and steps that an earlier one equals. Steps stand after those that they need.

    What two equal steps make takes the earlier of both roles, which may lead to whatever the later one leads to.
    """
    made, seen = graph.makers(), dict[str, Step | str]()
    same: dict[str, str] = {}
    roles = {one.id: one.role for one in graph.concepts}
    for one in graph.concepts:
        if one.id not in made:
            same[one.id] = str(seen.setdefault(canonical_json(["concept", one._replace(id="")]), one.id))
    steps = []
    for step in graph.steps:
        inputs = {port: [same.get(one, one) for one in ids] for port, ids in step.inputs.items()}
        told = canonical_json(["step", step.op, inputs, dict(step.params), len(step.outputs)])
        twin = seen.get(told)
        if not isinstance(twin, Step):
            seen[told] = step
            steps.append(step._replace(inputs=inputs))
            continue
        for output, other in zip(step.outputs, twin.outputs, strict=True):
            same[output] = other
            roles[other] = min(roles[output], roles[other], key=lambda role: ontology().roles[role].priority)
    concepts = [
        one._replace(role=roles[one.id]) for one in graph.concepts if same.get(one.id, one.id) == one.id
    ]
    numbered = [one._replace(id=f"s{number}") for number, one in enumerate(steps, 1)]
    return graph._replace(concepts=concepts, steps=numbered, measure=same.get(graph.measure, graph.measure))


def _with_short_ids(graph: Graph) -> Graph:
    """The graph with ids that say no more than the last part of what they were, and a number where that is taken."""
    short: dict[str, str] = {}
    taken: set[str] = set()
    for one in graph.concepts:
        last = one.id.rsplit("_", 1)[-1].rstrip("0123456789") or "concept"
        numbered = (f"{last}{number}" for number in count(2))
        short[one.id] = last if last not in taken else next(each for each in numbered if each not in taken)
        taken.add(short[one.id])
    concepts = [one._replace(id=short[one.id]) for one in graph.concepts]
    steps = [
        one._replace(
            inputs={port: [short[each] for each in ids] for port, ids in one.inputs.items()},
            outputs=[short[each] for each in one.outputs],
        )
        for one in graph.steps
    ]
    return graph._replace(concepts=concepts, steps=steps, measure=short[graph.measure])


# --- the skeleton ------------------------------------------------------------------------------------------


def _skeleton_for(template: Template, values: Values) -> Graph:
    """The skeleton with its slots filled in, and without what may be left out and has no value.

    Its ports are concepts that no step makes, and have neither names nor attributes yet.
    """
    several = max((_count(one, values) for one in template.ports.values() if one.many), default=0)
    lines = [expanded for line in template.lines for expanded in _expanded(line, several)]
    graph = graph_of(
        "\n".join([*(line.removeprefix(OPTIONAL) for line in lines), f"measure {template.output}"])
    )
    may_go = [line.startswith(OPTIONAL) for line in lines if STEP.fullmatch(line.removeprefix(OPTIONAL))]
    empty = {one.name for one in template.ports.values() if _is_empty(values.get(one.name))}
    instead: dict[str, Sequence[str]] = {}
    steps = []
    for step, optional in zip(graph.steps, may_go, strict=True):
        step = step._replace(
            inputs={
                port: [each for one in ids for each in instead.get(one, [one])]
                for port, ids in step.inputs.items()
            },
            params=_filled(step.params, values),
        )
        if optional and not _is_bound(step, empty):
            instead[step.outputs[0]] = next(iter(step.inputs.values()))
        else:
            inputs = {port: ids for port, ids in step.inputs.items() if not empty.intersection(ids)}
            steps.append(step._replace(inputs=inputs))
    gone = empty | instead.keys()
    return graph._replace(concepts=[one for one in graph.concepts if one.id not in gone], steps=steps)


def _expanded(line: str, several: int) -> Iterator[str]:
    """A line of the skeleton; where it makes or tells what stands for several, a line for each of them."""
    head = re.split(r"[:=]", line)[0]
    if SEVERAL in head:
        for number in range(1, several + 1):
            yield line.replace(SEVERAL, str(number))
    else:
        yield re.sub(r"(\w+)\*", lambda found: _all_of(found[1], several), line)


def _all_of(name: str, several: int) -> str:
    return ", ".join(f"{name}{number}" for number in range(1, several + 1))


def _count(port: TemplatePort, values: Values) -> int:
    found = values.get(port.name)
    if not isinstance(found, list):
        raise TemplateFault(f"{port.name} is a list of one or more")
    return len(found)


def _filled(params: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """The parameters with the values of their slots; those whose slot is empty are left out."""
    filled = {}
    for name, value in params.items():
        slot = SLOT.fullmatch(value) if isinstance(value, str) else None
        found = values.get(slot[1]) if slot else value
        if not _is_empty(found):
            filled[name] = found
    return filled


def _is_bound(step: Step, empty: set[str]) -> bool:
    """Whether a step has all that its operator needs."""
    operator = ontology().operators[step.op]
    return all(one.optional or name in step.params for name, one in operator.params.items()) and all(
        port.optional or not empty.intersection(step.inputs.get(name, ()))
        for name, port in operator.ports.items()
    )


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


# --- what is joined to a port ------------------------------------------------------------------------------


def _joined(graph: Graph, port: TemplatePort, value: Any) -> Graph:
    """The graph with what a value says before a port, or before each of several."""
    if not port.many:
        return _joined_to(graph, port.name, port, value)
    for number, one in reversed([*enumerate(value, 1)]):
        graph = _joined_to(graph, f"{port.name}{number}", port, one)
    return graph


def _joined_to(graph: Graph, concept: str, port: TemplatePort, value: Any) -> Graph:
    if all(concept not in step.inputs_in_order() for step in graph.steps):
        raise TemplateFault(f"nothing takes {concept} without what else belongs to it")
    before = value if isinstance(value, Graph) else _made_of(port.type, value, port)
    before = _renamed(before, f"{concept}_")
    ends_with = before.by_id()[before.measure]
    if ends_with.type != port.type:
        raise TemplateFault(f"{concept} takes {port.type}, and the graph before it gives {ends_with.type}")
    role = _role_between(before, port, graph, concept)
    concepts = [
        *(
            one._replace(role=role) if one.id == before.measure and before.steps else one
            for one in before.concepts
        ),
        *(one for one in graph.concepts if one.id != concept),
    ]
    steps = [
        one._replace(
            inputs={
                name: [before.measure if each == concept else each for each in ids]
                for name, ids in one.inputs.items()
            }
        )
        for one in graph.steps
    ]
    named = [*graph.template_ids, *before.template_ids]
    return graph._replace(
        concepts=concepts,
        steps=[*before.steps, *steps],
        template_ids=named,
        mode=graph.mode or before.mode,
    )


def _role_between(before: Graph, port: TemplatePort, graph: Graph, concept: str) -> str:
    """The role of the concept at which two graphs are joined: that of the port, or a later one that they allow.

    Roles do not descend (G2). Raises TemplateFault where the first graph ends later than the second one goes on.
    """
    known, roles = ontology(), before.by_id()
    sources = [
        roles[one].role
        for step in before.steps
        if before.measure in step.outputs
        for one in step.inputs_in_order()
    ]
    told = graph.by_id()
    targets = [
        told[one].role for step in graph.steps if concept in step.inputs_in_order() for one in step.outputs
    ]
    for role in [port.role, *known.roles]:
        if all(known.may_lead(one, role) for one in sources) and all(
            known.may_lead(role, one) for one in targets
        ):
            return role
    raise TemplateFault(f"roles would descend at {concept}")


def _made_of(kind: str, value: Any, port: TemplatePort) -> Graph:
    """A small graph whose measure is what a value says."""
    match kind:
        case "LOCATION":
            return _place(value, port.name)
        case "OBJECT":
            return _objects(value, port.name)
        case "EVENT":
            return _time(value, port.name)
        case "NETWORK":
            return _route(value, port.name)
    raise TemplateFault(f"{port.name} takes a graph that gives {kind}")


def _place(value: Any, where: str) -> Graph:
    if isinstance(value, str):
        concepts = [Concept("named", "LOCATION", "EXTENT", value), Concept("place", "LOCATION", "SUBCOND")]
        return Graph(concepts, [Step("s1", "geocode", {"place": ["named"]}, ["place"])], "place")
    fields = _fields(value, where, {"lon", "lat"}, {"name"})
    attrs = {"lon": fields["lon"], "lat": fields["lat"]}
    return Graph([Concept("point", "LOCATION", "EXTENT", fields.get("name", ""), attrs)], [], "point")


def _objects(value: Any, where: str) -> Graph:
    if isinstance(value, list):
        names = [Concept(f"named{number}", "LOCATION", "EXTENT", one) for number, one in enumerate(value, 1)]
        step = Step("s1", "batch_geocode", {"places": [one.id for one in names]}, ["places"])
        return Graph([*names, Concept("places", "OBJECT", "SUBCOND")], [step], "places")
    fields = _fields(value, where, {"near"}, {"type", "keyword", "radius_m", "limit"})
    around = _renamed(_place(fields["near"], where), "near_")
    params = {key: found for key, found in fields.items() if key != "near" and not _is_empty(found)}
    return Graph(
        [*around.concepts, Concept("places", "OBJECT", "SUBCOND")],
        [*around.steps, Step("s2", "place_search", {"center": [around.measure]}, ["places"], params)],
        "places",
    )


def _time(value: Any, where: str) -> Graph:
    attrs = (
        {"time": value} if isinstance(value, str) else _fields(value, where, set(), {"day", "time", "date"})
    )
    return Graph([Concept("time", "EVENT", "TEXTENT", "", attrs)], [], "time")


def _route(value: Any, where: str) -> Graph:
    fields = _fields(value, where, {"from", "to"}, {"via", "mode", "alternatives"})
    ends = [fields["from"], fields["to"], *fields.get("via", [])]
    parts = [_renamed(_place(one, where), f"p{number}_") for number, one in enumerate(ends)]
    origin, destination, *via = [one.measure for one in parts]
    ports = {"origin": [origin], "destination": [destination]} | ({"waypoints": via} if via else {})
    params = {key: fields[key] for key in ("mode", "alternatives") if not _is_empty(fields.get(key))}
    return Graph(
        [
            *(one for part in parts for one in part.concepts),
            Concept("route", "NETWORK", "SUBCOND", implicit=True),
        ],
        [*(one for part in parts for one in part.steps), Step("way", "directions", ports, ["route"], params)],
        "route",
        params.get("mode"),
    )


def _fields(value: Any, where: str, must: set[str], may: set[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not must <= value.keys() <= must | may:
        raise TemplateFault(
            f"{where} is an object with {', '.join(sorted(must)) or 'one or more'} of {sorted(must | may)}"
        )
    return value


def _renamed(graph: Graph, before: str) -> Graph:
    """The graph with a text before all ids."""
    steps = [
        one._replace(
            id=before + one.id,
            inputs={port: [before + each for each in ids] for port, ids in one.inputs.items()},
            outputs=[before + each for each in one.outputs],
        )
        for one in graph.steps
    ]
    concepts = [one._replace(id=before + one.id) for one in graph.concepts]
    return graph._replace(concepts=concepts, steps=steps, measure=before + graph.measure)
