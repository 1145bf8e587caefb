"""Which operator makes a call of a tool: its arguments become ports and parameters of the operator.

An operator fits where it would make exactly this call: all arguments have a port or a parameter, all that the operator
needs is there, and it adds no argument of its own. Parameters are literals, so arguments that are computed need a port.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from app.agent_tools.measuring import BearingArguments
from app.agent_tools.tool_plans.reading import PlannedCall, expression_of
from app.geoflow.ontology import Operator, Param, ontology
from app.geoflow.operators.base import MODES, OperatorFault, working_operators
from app.geoflow.operators.forms import CallForm, operators_calling, write_attributes
from app.geoflow.operators.values import name_of

LITERAL: Final[Mapping[str, Any]] = MappingProxyType({})
GRAPH_MODES: Final[Mapping[str, str]] = {tool: mode for mode, tool in MODES.items()}
"""By the mode of the tools, the mode of a graph."""

USUAL_NAMES: Final = BearingArguments.model_fields["names"].default


class Binding(NamedTuple):
    """An operator, what its ports take (literals and expressions of the plan), and its parameters."""

    operator: str
    ports: Mapping[str, Sequence[Any]]
    params: Mapping[str, Any]
    names: frozenset[str] = frozenset()
    """The ports of which the operator reads the name of a place, and not where it is."""
    directions: int | None = None
    """Of how many names of directions the call says one: an operator of its own names the direction."""

    def reads_name(self, port: str) -> bool:
        """Whether a port takes the name of a place."""
        return port in self.names


def bindings_of(call: PlannedCall) -> Iterator[Binding]:
    """The operators that make a call, those with the fewest parameters first."""
    working_operators()  # fills the table of forms
    if call.tool == "place_search":
        yield from _geocoding(call.arguments)
    if call.tool == "plan_trip":
        yield from _trip(call.arguments)
    if call.tool == "bearing":
        yield from _direction(call.arguments)
    for form in sorted(operators_calling(call.tool), key=lambda one: len(one.params)):
        binding = _bind(form, call.arguments)
        if binding is not None:
            yield binding


def _geocoding(arguments: Mapping[str, Any]) -> Iterator[Binding]:
    if arguments.keys() <= {"query", "near", "region"} and isinstance(arguments.get("query"), str):
        ports = {"place": [arguments["query"]]} | (
            {"anchor": [arguments["near"]]} if "near" in arguments else {}
        )
        params = {"region": arguments["region"]} if "region" in arguments else {}
        if _take(ontology().operators["geocode"], params):
            yield Binding("geocode", ports, params)


def _direction(arguments: Mapping[str, Any]) -> Iterator[Binding]:
    """The bearing, without the number of names; what takes the name of its direction is the next operator."""
    names = arguments.get("names", USUAL_NAMES)
    ends = {key: value for key, value in arguments.items() if key != "names"}
    if ontology().operators["bearing_to_direction"].params["names"].takes(names):
        for form in operators_calling("bearing"):
            binding = _bind(form, ends)
            if binding is not None:
                yield binding._replace(directions=names)


def _trip(arguments: Mapping[str, Any]) -> Iterator[Binding]:
    """A trip whose stops have literal stays; all stops are visited by their opening hours, or none."""
    stops = arguments.get("stops")
    if not arguments.keys() <= {"start", "stops", "start_time", "mode"} or not isinstance(stops, list):
        return
    if any(
        not isinstance(one, Mapping) or one.keys() - {"place", "stay_minutes", "when_open"} for one in stops
    ):
        return
    by_hours = {one.get("when_open", False) for one in stops}
    params: dict[str, Any] = {"stays_min": [one.get("stay_minutes", 0) for one in stops], **_mode(arguments)}
    if by_hours == {True}:
        params["when_open"] = True
    if len(by_hours) == 1 and "start_time" in arguments and _take(ontology().operators["tsp_tw"], params):
        ports = {
            "start": [arguments.get("start")],
            "stops": [one.get("place") for one in stops],
            "time": [arguments["start_time"]],
        }
        yield Binding("tsp_tw", ports, params)


def _bind(form: CallForm, arguments: Mapping[str, Any]) -> Binding | None:
    """The binding by which an operator makes a call with these arguments; None where there is none."""
    operator = ontology().operators[form.operator]
    ports: dict[str, Sequence[Any]] = {}
    params: dict[str, Any] = {}
    for argument, value in arguments.items():
        port = next((name for name, one in form.ports.items() if one.argument == argument), None)
        param = next((name for name, one in form.params.items() if one.argument == argument), None)
        if port is not None:
            if isinstance(value, list) and form.ports[port].many:
                ports[port] = value
            elif form.ports[port].many or (isinstance(value, list) and len(value) != len(("lon", "lat"))):
                return None
            else:
                ports[port] = [value]
        elif param is not None:
            literal = _literal(form, param, value, operator.params[param])
            if literal is None:
                return None
            params[param] = literal
        elif argument != "mode" or not form.travels:
            return None
    if form.fixed.keys() - arguments.keys() or not _take(operator, params):
        return None
    if any(not port.optional and not ports.get(name) for name, port in operator.ports.items()):
        return None
    names = frozenset(name for name, one in form.ports.items() if one.read is name_of)
    return Binding(form.operator, ports, params | (_mode(arguments) if form.travels else {}), names)


def _literal(form: CallForm, param: str, value: Any, kind: Param) -> Any:
    """The literal of which the operator makes the argument's value again; None where there is none."""
    if expression_of(value) is not None:
        return None
    tried = [value, bool(value)] if not isinstance(value, Mapping) else [write_attributes(value)]
    for literal in tried:
        try:
            if kind.takes(literal) and form.params[param].read(literal) == value:
                return literal
        except (OperatorFault, TypeError, ValueError, AttributeError):
            continue
    return None


def _mode(arguments: Mapping[str, Any]) -> dict[str, str]:
    mode = arguments.get("mode")
    return {"mode": GRAPH_MODES[mode]} if isinstance(mode, str) and mode in GRAPH_MODES else {}


def _take(operator: Operator, params: Mapping[str, Any]) -> bool:
    return all(operator.params[name].takes(value) for name, value in params.items()) and all(
        one.optional or name in params for name, one in operator.params.items()
    )
