"""Graphs as lines that people write: templates, examples and hand-made graphs of tests are kept in this form.

    krone: LOCATION EXTENT "Krone"
    from: LOCATION SUBCOND
    ways: NETWORK SUPPORT implicit
    minutes: AMOUNT MEASURE
    from = geocode(place=krone)
    ways = directions(origin=from, destination=to; mode="walking")
    minutes = extract_duration(route=ways)
    measure minutes

A line with a colon is a concept: its type, its role, and perhaps `implicit`, a name as a JSON text, attributes as a
JSON object. A line with `=` is a step: what it makes, its operator, the concepts by port, and after `;` its literals as
JSON. Steps are s1, s2 … in their order. Empty lines and those that begin with # say nothing.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from app.geoflow.graphs import Graph, GraphFault, read_graph

CONCEPT = re.compile(
    r"(?P<id>[\w*+]+): (?P<type>[A-Z]+) (?P<role>[A-Z]+)(?P<implicit> implicit)?(?P<rest>.*)"
)
STEP = re.compile(
    r"(?P<outputs>[\w*+]+(?:, [\w*+]+)*) = (?P<op>\w+)\((?P<ports>[^;]*?)(?:; (?P<params>.*))?\)"
)
PORT = re.compile(r"(?P<port>\w+)=(?P<ids>[\w*+]+|\[[^\]]*\])(?:, |$)")
PARAM = re.compile(r"(?P<name>\w+)=")
_DECODER = json.JSONDecoder()


def graph_of(text: str) -> Graph:
    """The graph that lines describe. Raises GraphFault with the line that cannot be read."""
    return read_graph(plan_of(text))


def plan_of(text: str) -> dict[str, Any]:
    """The graph of lines as JSON, as it is before `read_graph`. Raises GraphFault with the line that cannot be read."""
    plan: dict[str, Any] = {"concepts": [], "steps": []}
    for line in meaningful_lines(text):
        if line.startswith("measure "):
            plan["measure"] = line.removeprefix("measure ")
        elif line.startswith("mode "):
            plan["mode"] = line.removeprefix("mode ")
        elif found := STEP.fullmatch(line):
            plan["steps"].append(_step(found, line, len(plan["steps"]) + 1))
        elif found := CONCEPT.fullmatch(line):
            plan["concepts"].append(_concept(found, line))
        else:
            raise GraphFault(f"{line!r:.120} is neither a concept nor a step, a measure or a mode")
    return plan


def meaningful_lines(text: str) -> list[str]:
    """The lines that say something, without spaces around them."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def lines_of(graph: Graph) -> str:
    """The graph as lines, which `graph_of` reads again where the steps have the ids s1, s2 …"""
    concepts = [
        " ".join(
            [
                f"{one.id}: {one.type} {one.role}",
                *(["implicit"] if one.implicit else []),
                *([json.dumps(one.name, ensure_ascii=False)] if one.name else []),
                *([json.dumps(dict(one.attrs), ensure_ascii=False)] if one.attrs else []),
            ]
        )
        for one in graph.concepts
    ]
    steps = []
    for step in graph.steps:
        ports = ", ".join(
            f"{port}={ids[0] if len(ids) == 1 else '[' + ', '.join(ids) + ']'}"
            for port, ids in step.inputs.items()
        )
        params = ", ".join(
            f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in step.params.items()
        )
        steps.append(f"{', '.join(step.outputs)} = {step.op}({ports}{'; ' + params if params else ''})")
    modes = [f"mode {graph.mode}"] if graph.mode else []
    return "\n".join([*concepts, *steps, f"measure {graph.measure}", *modes])


def _concept(found: re.Match[str], line: str) -> dict[str, Any]:
    concept: dict[str, Any] = {one: found[one] for one in ("id", "type", "role")}
    if found["implicit"]:
        concept["implicit"] = True
    for value in _values(found["rest"].strip(), line):
        if isinstance(value, str):
            concept["name"] = value
        elif isinstance(value, dict):
            concept["attrs"] = value
        else:
            raise GraphFault(f"{line!r:.120}: after the role stand a name in quotes and attributes in braces")
    return concept


def _step(found: re.Match[str], line: str, number: int) -> dict[str, Any]:
    ports: dict[str, Any] = {}
    at, told = 0, found["ports"].strip()
    while at < len(told):
        port = PORT.match(told, at)
        if port is None:
            raise GraphFault(f"{line!r:.120}: cannot read the ports from {told[at:]!r:.60}")
        ids = port["ids"]
        ports[port["port"]] = [one for one in re.split(r",\s*", ids[1:-1]) if one] if ids[0] == "[" else ids
        at = port.end()
    return {
        "id": f"s{number}",
        "op": found["op"],
        "inputs": ports,
        "outputs": re.split(r", ", found["outputs"]),
        "params": _params(found["params"] or "", line),
    }


def _params(text: str, line: str) -> dict[str, Any]:
    params: dict[str, Any] = {}
    at = 0
    while at < len(text):
        name = PARAM.match(text, at)
        if name is None:
            raise GraphFault(f"{line!r:.120}: cannot read the parameters from {text[at:]!r:.60}")
        params[name["name"]], at = _decoded(text, name.end(), line)
        at += len(", ") if text.startswith(", ", at) else 0
    return params


def _values(text: str, line: str) -> Iterator[Any]:
    at = 0
    while at < len(text):
        value, at = _decoded(text, at, line)
        yield value
        at += text.startswith(" ", at)


def _decoded(text: str, at: int, line: str) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except ValueError:
        raise GraphFault(f"{line!r:.120}: {text[at:]!r:.60} is no JSON") from None
