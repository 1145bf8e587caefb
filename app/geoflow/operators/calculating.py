"""Operators that compute an expression of tool plans over the values of concepts; they differ in what they give."""

from collections.abc import Mapping
from typing import Any, Final

from app.agent_tools.tool_plans.reading import PlanFault, check_value
from app.agent_tools.tool_plans.running import evaluate
from app.core.strict_json import read_json
from app.geoflow.operators.base import Bound, OperatorFault, computes

GIVES: Final[Mapping[str, str]] = {
    "calculate": "AMOUNT",
    "calculate_place": "LOCATION",
    "calculate_set": "OBJECT",
    "calculate_field": "FIELD",
    "calculate_time": "EVENT",
}
"""By operator: the type of its value."""


def compute(bound: Bound) -> Any:
    """What the expression comes to, JSON."""
    values = [one.data for one in bound.all("values")]
    try:
        expression = read_json(bound.params["expression"])
        check_value(expression, len(values), "the expression")
    except ValueError as error:
        raise OperatorFault(f"the expression cannot be read: {error}") from None
    try:
        return evaluate(expression, values)
    except PlanFault as fault:
        raise OperatorFault(str(fault), "data") from None


def fields_of(kind: str, found: Any) -> Mapping[str, Any]:
    """The fields of a value of that type; `value` is what the expression came to."""
    match kind, found:
        case "LOCATION", Mapping():
            return {**found, "value": found}
        case "LOCATION", _:
            return {"name": found, "value": found}
        case "OBJECT", list():
            members = [one if isinstance(one, Mapping) else {"name": one} for one in found]
            return {"members": members, "value": found}
        case "EVENT", _:
            return {"time": found, "value": found}
        case _:
            return {"value": found}


def _register(name: str, kind: str) -> None:
    computes(name, kind)(lambda bound: fields_of(kind, compute(bound)))


for _name, _kind in GIVES.items():
    _register(_name, _kind)
