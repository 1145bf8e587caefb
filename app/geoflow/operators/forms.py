"""Operators that are one call of a tool: a table from ports and parameters to arguments, and from results to values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from app.geoflow.ontology import ontology
from app.geoflow.operators.base import RESULT, Bound, Value, Work, ask, operator

Reading = Callable[[Any], Any]
Telling = Callable[[Mapping[str, Any], Bound], Mapping[str, Any] | Sequence[Mapping[str, Any]]]
"""From a tool's result: the fields of the value; a list of them where the operator gives several."""


class PortForm(NamedTuple):
    """That the value at a port becomes an argument: `read` makes the argument of it. `many`: of all values there."""

    argument: str
    read: Reading
    many: bool = False


class ParamForm(NamedTuple):
    """That a literal becomes an argument."""

    argument: str
    read: Reading = lambda literal: literal


class CallForm(NamedTuple):
    """An operator that is one call of a tool. `travels`: the mode of the step or of the graph is the argument `mode`.

    `fixed` are arguments that are always the same.
    """

    operator: str
    tool: str
    ports: Mapping[str, PortForm]
    params: Mapping[str, ParamForm]
    tell: Telling
    travels: bool = False
    fixed: Mapping[str, Any] = {}

    def arguments(self, bound: Bound) -> dict[str, Any]:
        """The arguments of the call. Raises OperatorFault where a value has a wrong form."""
        made = dict(self.fixed)
        for name, port in self.ports.items():
            values = bound.all(name)
            if values:
                made[port.argument] = port.read(values if port.many else values[0])
        for name, param in self.params.items():
            if name in bound.params:
                made[param.argument] = param.read(bound.params[name])
        return made | (bound.travel() if self.travels else {})


FORMS: Final[dict[str, CallForm]] = {}
"""By operator."""


def one_call(form: CallForm) -> None:
    """Register an operator that is one call of a tool."""
    FORMS[form.operator] = form
    operator(form.operator)(lambda bound: call_as(form, bound))


def call_as(form: CallForm, bound: Bound) -> Work:
    """Make the call of a form; the values that it gives."""
    result = yield from ask(form.tool, **form.arguments(bound))
    told = form.tell(result, bound)
    gives = ontology().operators[form.operator].gives
    fields = [told] if isinstance(told, Mapping) else told
    return [Value(kind, {**one, RESULT: result}) for kind, one in zip(gives, fields, strict=True)]


def operators_calling(tool: str) -> list[CallForm]:
    """The forms of the operators that are one call of a tool."""
    return [form for form in FORMS.values() if form.tool == tool]


def read_attributes(texts: Sequence[str]) -> dict[str, str]:
    """`["cuisine=pizza", …]` as the argument `attributes` of tools."""
    parts = (one.partition("=") for one in texts)
    return {key.strip(): value.strip() for key, _, value in parts}


def write_attributes(attributes: Mapping[str, str]) -> list[str]:
    """The inverse of `read_attributes`."""
    return [f"{key}={value}" for key, value in attributes.items()]
