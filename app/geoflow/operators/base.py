"""What operators share: values, the calls that they ask for, faults, and the register."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple

from app.agent_tools.errors import ToolErrorKind
from app.agent_tools.outcomes import ToolOutcome

Stage = Literal["graph", "tool", "data"]
"""What is to blame where a step has no value: the graph (an input of the wrong form), a tool (too slow, out of reach),
or the data (the map does not have it)."""
STAGES: Final[Mapping[ToolErrorKind, Stage]] = {
    "unknown_tool": "graph",
    "bad_argument": "graph",
    "not_found": "data",
    "unknown_type": "data",
    "no_route": "data",
    "unavailable": "data",
    "too_slow": "tool",
    "try_again": "tool",
}
RESULT: Final = "result"
"""The field of a value that holds what a tool said, whole."""
MODES: Final[Mapping[str, str]] = {"driving": "car", "walking": "foot", "bicycling": "bicycle"}
"""By the mode of a graph, the mode of the tools."""
MODULES: Final = (
    "geocoding",
    "searching",
    "routing",
    "route_text",
    "geometry",
    "analysis",
    "areas",
    "in_view",
    "timing",
    "opening",
    "trips",
    "calculating",
    "unavailable",
)
"""Modules of this package that register operators."""


class OperatorFault(ValueError):
    """Why a step has no value: a sentence, and what is to blame."""

    def __init__(self, says: str, stage: Stage = "graph") -> None:
        super().__init__(says)
        self.stage: Stage = stage


class Asked(NamedTuple):
    """A call of a tool that an operator needs."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Value:
    """The value of a concept: its type, and its fields by the signature of that type."""

    type: str
    data: Mapping[str, Any]

    def shown(self) -> dict[str, Any]:
        """The fields without what the tool said beside them."""
        return {key: found for key, found in self.data.items() if key != RESULT}


@dataclass(frozen=True)
class Bound:
    """What a step is given: values by port, literals by parameter, and the mode of the graph."""

    inputs: Mapping[str, Sequence[Value]]
    params: Mapping[str, Any] = field(default_factory=dict)
    mode: str | None = None

    def all(self, port: str) -> Sequence[Value]:
        """The values at a port, in their order."""
        return self.inputs.get(port, ())

    def one(self, port: str) -> Value:
        """The value at a port that takes one. Raises OperatorFault where there is none."""
        found = self.maybe(port)
        if found is None:
            raise OperatorFault(f"port {port} is bound to nothing")
        return found

    def maybe(self, port: str) -> Value | None:
        """The same, None where there is none."""
        return next(iter(self.all(port)), None)

    def travel(self) -> dict[str, str]:
        """The argument `mode` of a tool: that of the step, else that of the graph, else none."""
        mode = self.params.get("mode") or self.mode
        return {} if mode is None else {"mode": MODES[mode]}


Asking = Generator[Asked, ToolOutcome, Mapping[str, Any]]
Work = Generator[Asked, ToolOutcome, Sequence[Value]]
Working = Callable[[Bound], Work]
"""Runs an operator: yields calls of tools, is sent their outcomes, returns a value for each output."""
_WORKING: dict[str, Working] = {}


def ask(tool: str, /, **arguments: Any) -> Asking:
    """Ask for a call; what the tool said. Arguments that are None are left out. Raises OperatorFault."""
    outcome = yield Asked(tool, {key: value for key, value in arguments.items() if value is not None})
    if outcome.kind is not None:
        raise OperatorFault(outcome.sentence, STAGES[outcome.kind])
    if outcome.result is None:
        raise OperatorFault(f"the answer of {tool} is too large to work with", "tool")
    return outcome.result


def operator(name: str) -> Callable[[Working], Working]:
    """Register the decorated generator as what runs the operator of that name."""

    def register(working: Working) -> Working:
        if name in _WORKING:
            raise ValueError(f"two functions run the operator {name}")
        _WORKING[name] = working
        return working

    return register


def computes(name: str, gives: str) -> Callable[[Callable[[Bound], Mapping[str, Any]]], Any]:
    """Register the decorated function as what computes the fields of an operator's only value, without any tool."""

    def register(function: Callable[[Bound], Mapping[str, Any]]) -> Any:
        @operator(name)
        def work(bound: Bound) -> Work:
            return [Value(gives, function(bound))]
            yield  # a generator that asks for nothing

        return function

    return register


@cache
def _load() -> None:
    for module in MODULES:
        import_module(f"{__package__}.{module}")


def working_operators() -> frozenset[str]:
    """The names of all operators that something runs."""
    _load()
    return frozenset(_WORKING)


def find_work(name: str) -> Working:
    """What runs an operator. Raises OperatorFault where nothing does."""
    _load()
    if name not in _WORKING:
        raise OperatorFault(f"there is no operator {name!r:.60}")
    return _WORKING[name]
