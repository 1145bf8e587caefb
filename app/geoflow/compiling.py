"""Compiles stored tool plans to GeoFlow graphs: the graph of a question whose run gives its gold.

A call becomes a step of the operator that makes this call (`operators.forms`), a calculation becomes a step of its own,
and a literal that a port takes becomes a concept of the question: a place EXTENT, a time TEXTENT. The plan itself
decides everything; nothing is guessed. What a plan looks up by its name and then takes by its id is the concept that
`geocode` gives, where that takes the same place; else a calculation says which place it is.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from app.agent_tools.tool_plans.reading import (
    CHOICES,
    PlanFault,
    PlannedCall,
    ToolPlan,
    expression_of,
    read_plan,
    steps_of,
)
from app.core.identity import canonical_json
from app.geoflow.binding import LITERAL, Binding, bindings_of
from app.geoflow.checking import violations_of
from app.geoflow.filling import share_equal_parts
from app.geoflow.graphs import Concept, Graph, GraphFault, Step, read_graph, write_graph
from app.geoflow.ontology import CALCULATION, ontology
from app.geoflow.operators.base import RESULT, Value

KEPT: Final = ("haversine", "bearing", "area_of")
"""Operators whose value is the number that a plan takes from the call's result."""
NUMBERS: Final = ("distance_m", "degrees", "area_m2")
"""The fields of results that they give."""
AMOUNTS: Final = (*NUMBERS, "seconds", "travel_s", "direct_s", "total")
"""The fields of results that are numbers."""
OF_A_WAY: Final[Mapping[str, str]] = {"seconds": "extract_duration", "distance_m": "extract_distance"}
"""By the field of a way or of the first route: the operator that gives it."""
GIVEN_BY: Final[Mapping[str, str]] = {
    "$count": "calculate",
    "$sum": "calculate",
    "$among": "calculate",
    "$at_most": "calculate",
    "$minutes": "calculate",
    "$clock": "calculate_time",
    "$each": "calculate_set",
    "$where": "calculate_set",
    "$present": "calculate_set",
    "$typed": "calculate_set",
}
"""By the kind of an expression, the operator that computes it; `calculate_field` computes all others."""
MEMBERS: Final = ("places", "stations", "pois")
"""The fields of results that become the members of a set."""


class CannotCompile(ValueError):
    """Why a plan has no graph; one sentence, which is the same for all plans that lack the same."""


class Compiled(NamedTuple):
    """A graph, and the field of the answer that its measure is; None where the measure is the whole answer."""

    graph: Graph
    field: str | None

    def answer(self, measure: Value) -> Mapping[str, Any]:
        """The answer in the form of gold."""
        value = measure.data.get("value")
        if self.field is not None:
            return {self.field: value}
        return value if isinstance(value, Mapping) else {}


def compile_plan(plan: Any) -> Compiled:
    """The graph of a stored plan. Raises CannotCompile where operators cannot do what its calls do.

    Calculations within others are steps of their own, unless the graph would be too large: then they stay within.
    """
    try:
        read = read_plan(plan)
    except PlanFault as fault:
        raise CannotCompile(f"the plan cannot be read: {fault}") from None
    try:
        return _compiled(read, nested=True)
    except GraphFault:
        try:
            return _compiled(read, nested=False)
        except GraphFault as fault:
            raise CannotCompile(f"the graph is too large: {fault}") from None


def _compiled(plan: ToolPlan, nested: bool) -> Compiled:
    building = _Building(nested)
    for number in _needed(plan):
        building.call(number, plan.calls[number])
    ((name, value), *more) = plan.answer.items()
    measure = building.measure(dict(plan.answer) if more else value)
    graph = share_equal_parts(building.graph(measure))
    graph = read_graph(json.loads(json.dumps(write_graph(_with_roles(graph)))))
    broken = violations_of(graph)
    if broken:
        raise CannotCompile(f"its graph breaks {broken[0].constraint}: {broken[0].says}")
    return Compiled(graph, None if more else name)


def _needed(plan: ToolPlan) -> list[int]:
    """The numbers of the calls to which the answer goes back."""
    needed: set[int] = set()
    waiting = [*_calls_in(plan.answer)]
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting += plan.calls[number].needs
    return sorted(needed)


def _calls_in(value: Any) -> Iterator[int]:
    if isinstance(value, Mapping):
        if expression_of(value) == "$call":
            yield value["$call"]
        for key, part in value.items():
            if not (key == "path" and "$call" in value):
                yield from _calls_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from _calls_in(part)


class _Building:
    """The parts of a graph that is made of a plan, call by call."""

    def __init__(self, nested: bool) -> None:
        self._nested = nested
        self._concepts: list[Concept] = []
        self._steps: list[Step] = []
        self._of_call: dict[int, str] = {}
        self._searched: dict[int, str] = {}
        self._directions: dict[int, int] = {}

    def graph(self, measure: str) -> Graph:
        """The graph so far; every concept that a step makes has the role SUPPORT."""
        return Graph(self._concepts, self._steps, measure)

    def call(self, number: int, call: PlannedCall) -> None:
        """Add the step that makes a call."""
        binding = next(bindings_of(call), None)
        if binding is None:
            raise CannotCompile(
                f"no operator calls {call.tool} with {', '.join(sorted(call.arguments)) or 'nothing'}"
            )
        inputs = {
            port: [self._bound(binding, port, one) for one in values]
            for port, values in binding.ports.items()
        }
        self._of_call[number] = self._step(binding.operator, inputs, binding.params)
        if binding.operator == "geocode":
            self._searched[number] = str(call.arguments["query"])
        if binding.directions is not None:
            self._directions[number] = binding.directions

    def measure(self, value: Any) -> str:
        """Add what leads to the answer; the concept that it is."""
        return self._kept(value) or self._calculated(value, _operator_for(value))

    # --- what ports take

    def _bound(self, binding: Binding, port: str, value: Any) -> str:
        takes = ontology().operators[binding.operator].ports[port].takes
        if isinstance(value, list) and not [*_calls_in(value)]:
            lon, lat = value
            return self._concept("LOCATION", "EXTENT", attrs={"lon": lon, "lat": lat})
        if not isinstance(value, Mapping | list):
            attrs = {"time": value} if "EVENT" in takes else {}
            name = "" if attrs else str(value)
            kind, role = ("EVENT", "TEXTENT") if attrs else ("LOCATION", "EXTENT")
            return self._concept(kind, role, name, attrs)
        if "EVENT" in takes:
            return self._calculated(value, "calculate_time")
        direct = self._place_of_search(value)
        if direct is not None:
            return direct
        return self._calculated(_as_place(value, binding.reads_name(port)), "calculate_place")

    def _place_of_search(self, value: Any) -> str | None:
        """The concept of the search whose hit a value takes the id of; None where geocode may take another one."""
        if expression_of(value) != "$call" or value["$call"] not in self._searched or "else" in value:
            return None
        match steps_of(value["path"]):
            case ["hits", {"first": {"name": name, **more}}, "id"] if name == self._searched[value["$call"]]:
                return self._with_type(value["$call"], more)
        return None

    def _with_type(self, number: int, more: Mapping[Any, Any]) -> str | None:
        """Make a search take a hit of a type, where nothing else is wanted of it and it takes no other type already."""
        if more.keys() - {"type"}:
            return None
        concept = self._of_call[number]
        at = next(place for place, step in enumerate(self._steps) if concept in step.outputs)
        step = self._steps[at]
        if more and step.params.get("type", more["type"]) != more["type"]:
            return None
        self._steps[at] = step._replace(params={**step.params, **more})
        return concept

    # --- calculations

    def _kept(self, value: Any) -> str | None:
        """The concept whose value a path leads to, where that is the value of an operator; None where it is none."""
        if expression_of(value) == "$count":
            return self._counted(value["$count"])
        if expression_of(value) != "$call" or "else" in value:
            return None
        concept = self._of_call[value["$call"]]
        step = next(one for one in self._steps if concept in one.outputs)
        match step.op, steps_of(value["path"]):
            case op, [field] if op in KEPT and field in NUMBERS:
                return concept
            case ("directions", ["routes", 0, field]) | ("travel_time", [field]) if field in OF_A_WAY:
                return self._step(OF_A_WAY[field], {"route": [concept]})
            case "bearing", ["direction"]:
                names = self._directions[value["$call"]]
                return self._step("bearing_to_direction", {"bearing": [concept]}, {"names": names})
        return None

    def _counted(self, value: Any) -> str | None:
        if expression_of(value) != "$call" or "else" in value:
            return None
        concept = self._of_call[value["$call"]]
        step = next(one for one in self._steps if concept in one.outputs)
        of_a_set = ontology().operators[step.op].gives[0] == "OBJECT" and step.op != "place_details"
        match steps_of(value["path"]):
            case [field] if of_a_set and field in MEMBERS:
                return self._step("count", {"members": [concept]})
        return None

    def _calculated(self, value: Any, operator: str) -> str:
        values: list[str] = []
        expression = self._told(value, values, outermost=True)
        if not values:
            raise CannotCompile("a value comes from no call")
        return self._step(operator, {"values": values}, {"expression": canonical_json(expression)})

    def _told(self, value: Any, values: list[str], outermost: bool = False) -> Any:
        """A value whose calls are numbers of concepts in `values`; calculations within it become concepts."""
        kind = expression_of(value)
        if kind == "$call":
            kept = self._kept(value)
            path = ["value"] if kept else [RESULT, *steps_of(value["path"])]
            told = {"$call": _number(kept or self._of_call[value["$call"]], values), "path": path}
            return told | ({"else": self._told(value["else"], values)} if "else" in value else {})
        if kind is not None and not outermost and self._nested and [*_calls_in(value)]:
            concept = self._kept(value) or self._calculated(value, _operator_for(value))
            return {"$call": _number(concept, values), "path": ["value"]}
        if isinstance(value, Mapping):
            return {key: self._told(part, values) for key, part in value.items()}
        return [self._told(part, values) for part in value] if isinstance(value, list) else value

    # --- parts

    def _step(
        self, operator: str, inputs: Mapping[str, list[str]], params: Mapping[str, Any] = LITERAL
    ) -> str:
        """The concept that a step makes, which is added."""
        gives = ontology().operators[operator].gives[0]
        made = self._concept(gives, "SUPPORT", implicit=gives == "NETWORK")
        self._steps.append(Step(f"s{len(self._steps) + 1}", operator, inputs, [made], dict(params)))
        return made

    def _concept(
        self, kind: str, role: str, name: str = "", attrs: Mapping[str, Any] = LITERAL, implicit: bool = False
    ) -> str:
        made = f"c{len(self._concepts) + 1}"
        self._concepts.append(Concept(made, kind, role, name, dict(attrs), implicit))
        return made


def _number(concept: str, values: list[str]) -> int:
    if concept not in values:
        values.append(concept)
    return values.index(concept)


def _operator_for(value: Any) -> str:
    kind = expression_of(value)
    if kind is None and isinstance(value, list):
        return "calculate_set"
    if kind == "$call" and steps_of(value["path"])[-1] in AMOUNTS:
        return "calculate"
    return GIVEN_BY.get(kind or "", "calculate_field")


def _as_place(value: Any, by_name: bool) -> Any:
    """A value that tools take as a place, as an object of which operators make the same again."""
    if by_name:
        return {"name": value}
    if isinstance(value, list):
        lon, lat = value
        return {"lon": lon, "lat": lat}
    if expression_of(value) == "$point" and expression_of(value["$point"]) == "$call":
        place = value["$point"]
        return {
            key: {"$call": place["$call"], "path": [*steps_of(place["path"]), key]} for key in ("lat", "lon")
        }
    if expression_of(value) in ("$call", *CHOICES, "$first"):
        return {"id": value}
    raise CannotCompile(f"a place is computed by {expression_of(value) or 'no expression'}")


def _with_roles(graph: Graph) -> Graph:
    """The graph with the roles of what its steps make; they do not descend (G2).

    What leads to a further call is a condition of it, and a search by name a part of one; what only calculations take
    supports the measure.
    """
    order = [one.name for one in ontology().roles.values()]
    used = {one for step in graph.steps if not _calculates(step) for one in step.inputs_in_order()}
    for step in reversed(graph.steps):
        if used.intersection(step.outputs):
            used.update(step.inputs_in_order())
    roles = {one.id: one.role for one in graph.concepts}
    for step in graph.steps:
        for one in step.outputs:
            own = "SUBCOND" if step.op == "geocode" else "COND" if one in used else "SUPPORT"
            own = "MEASURE" if one == graph.measure else own
            before = [roles[each] for each in step.inputs_in_order()]
            roles[one] = max([own, *before], key=order.index)
    return graph._replace(concepts=[one._replace(role=roles[one.id]) for one in graph.concepts])


def _calculates(step: Step) -> bool:
    """Whether a step of a compiled plan makes no call."""
    return (
        step.op in ("count", "bearing_to_direction", *OF_A_WAY.values())
        or ontology().operators[step.op].group == CALCULATION
    )
