"""What a step is given, checked before its operator sees it: a model wrote the graph, so anything may stand in it.

Literals must be of the kind that the ontology names. Fields of values that operators read must have the form that they
read them in. What is not is the graph's fault, and is told with its parameter or port. So whatever else an operator
raises is a fault of ours, and never counts as the model's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from app.agent_tools.tool_plans.calculating import LARGEST, is_number
from app.geoflow.graphs import Step
from app.geoflow.ontology import CALCULATION, MOST_VALUES, Operator, ontology
from app.geoflow.operators.base import Bound, OperatorFault, Value

MOST_DAYS: Final = 7


class _Form(NamedTuple):
    """What a field must be: in words, and as a test."""

    says: str
    fits: Callable[[Any], bool]


def check_given(step: Step, values: Mapping[str, Value], mode: str | None) -> Bound:
    """What the step's operator is given. Raises OperatorFault where that has a wrong form.

    A literal that is null and may be left out counts as left out.
    """
    operator = ontology().operators.get(step.op)
    if operator is None:
        raise OperatorFault(f"there is no operator {step.op!r:.60}: use one of the ontology")
    inputs = {port: [values[one] for one in ids] for port, ids in step.inputs.items()}
    for port, found in inputs.items():
        if len(found) > MOST_VALUES:
            raise OperatorFault(f"port {port} of {step.op} takes at most {MOST_VALUES} concepts")
        if operator.group != CALCULATION:  # those tell by the expression what does not fit it
            for key, value in zip(step.inputs[port], found, strict=True):
                _check_value(value, f"{key} at port {port} of {step.op}")
    return Bound(inputs, _literals_of(step, operator), mode)


def has_readable_form(value: Value) -> bool:
    """Whether all fields of a value have the form in which they are read."""
    return _first_misfit(value.data) is None


def _literals_of(step: Step, operator: Operator) -> dict[str, Any]:
    """The literals that the operator knows, each of its kind."""
    literals = {}
    for name, param in operator.params.items():
        literal = step.params.get(name)
        if literal is None:
            if not param.optional:
                raise OperatorFault(f"{step.op} has no {name}: write {name} into its params")
        elif not param.takes(literal):
            raise OperatorFault(f"{name} of {step.op} is {literal!r:.60}: write {param.in_words}")
        else:
            literals[name] = literal
    return literals


def _check_value(value: Value, where: str) -> None:
    misfit = _first_misfit(value.data)
    if misfit is not None:
        name, form = misfit
        raise OperatorFault(f"{name} of {where} is {value.data[name]!r:.60}: it must be {form.says}")


def _first_misfit(data: Mapping[str, Any]) -> tuple[str, _Form] | None:
    """The first field that has a wrong form; one that is null counts as not there."""
    for name, form in _FIELDS.items():
        found = data.get(name)
        if found is not None and not form.fits(found):
            return name, form
    return None


# --- forms --------------------------------------------------------------------------------------------------


def _is_text(found: Any) -> bool:
    return isinstance(found, str)


def _within(most: float) -> Callable[[Any], bool]:
    return lambda found: is_number(found) and -most <= found <= most


def _is_count_of_days(found: Any) -> bool:
    return isinstance(found, int) and _within(MOST_DAYS)(found)


def _is_amount(found: Any) -> bool:
    """A number within LARGEST, or no number at all: then `number_of` tells that it is none."""
    return not is_number(found) or _within(LARGEST)(found)


def _object_of(
    must: Mapping[str, Callable[[Any], bool]], may: Mapping[str, Callable[[Any], bool]]
) -> Callable[[Any], bool]:
    """Whether a value is an object whose fields fit; those of `may` can be left out or be null."""
    return lambda found: (
        isinstance(found, Mapping)
        and all(fits(found.get(name)) for name, fits in must.items())
        and all(found.get(name) is None or fits(found[name]) for name, fits in may.items())
    )


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda found: isinstance(found, Sequence) and not isinstance(found, str) and all(map(fits, found))


_PLACE: Final[Mapping[str, Callable[[Any], bool]]] = {
    "id": _is_text,
    "name": _is_text,
    "lat": _within(90),
    "lon": _within(180),
    "distance_m": _within(LARGEST),
    "attributes": lambda found: isinstance(found, Mapping),
}
_LANDMARK: Final = _object_of({}, {"id": _is_text, "name": _is_text})
_STEP: Final = _object_of(
    {"kind": _is_text, "said": _is_text},
    {"road": _is_text, "exit": is_number, "landmarks": _list_of(_LANDMARK)},
)
_ROUTE: Final = _object_of(
    {"seconds": _within(LARGEST)},
    {
        "distance_m": _within(LARGEST),
        "steps": _list_of(_STEP),
        "via": _list_of(_is_text),
        "destination": _object_of({}, _PLACE),
    },
)
_FIELDS: Final[Mapping[str, _Form]] = {
    "id": _Form("the id of a place, such as n123", _is_text),
    "name": _Form("a text", _is_text),
    "lat": _Form("a latitude from -90 to 90", _within(90)),
    "lon": _Form("a longitude from -180 to 180", _within(180)),
    "value": _Form(f"a number of at most {LARGEST:g}, or a text", _is_amount),
    "unit": _Form("a text", _is_text),
    "time": _Form("a text such as 09:10", _is_text),
    "day": _Form("the name of a day", _is_text),
    "days_later": _Form(f"a whole number from -{MOST_DAYS} to {MOST_DAYS}", _is_count_of_days),
    "hours": _Form("opening hours as the map writes them", _is_text),
    "place": _Form("a place of the map", lambda found: isinstance(found, Mapping)),
    "members": _Form("a list of places", _list_of(_object_of({}, _PLACE))),
    "routes": _Form("a list of routes", _list_of(_ROUTE)),
    "from": _Form("a text", _is_text),
    "total": _Form(f"a number of at most {LARGEST:g}", _within(LARGEST)),
    "instruction": _Form("a text", _is_text),
}
"""By field of a value: the form in which operators and the rules of matching read it."""
