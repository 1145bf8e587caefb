"""What the checker needs to know of a task: its quantities, values beside them, usual faults, and claims."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number
from app.scores.reasoning import Step


class Known(NamedTuple):
    """A value that a text can state: of a quantity, or of what goes by that name."""

    name: str
    value: float
    unit: str


class Turned(NamedTuple):
    """A number with the other sign than a quantity that has its size, and those that it equals with its sign."""

    number: Number
    known: Known
    names: Sequence[str]


def _allow_all(plain: Plain, number: Number) -> None:
    return None


def _name_none(plain: Plain, number: Number) -> Iterable[str]:
    return ()


def _same_units(numbers: "Sequence[Number]") -> "Sequence[Number]":
    return numbers


def _no_signs(plain: Plain, turned: Sequence["Turned"]) -> Sequence[Step]:
    return ()


def _signed_none(name: str) -> bool:
    return False


class Rules(NamedTuple):
    """One question's quantities and what else is known of it.

    `known` are values beside the quantities' that right texts state, `faults` those of usual mistakes. `conclude`
    judges what is claimed beside numbers, `signs` numbers with another sign than their quantity. `narrow` tells which
    quantities alone a number can be where its label is unmistakable, `named` what a wrong number was meant for.
    """

    graph: Graph
    conclude: Callable[[Plain, str, Sequence[Step]], Sequence[Step]]
    inputs: frozenset[str]
    known: Sequence[Known] = ()
    faults: Sequence[Known] = ()
    signs: Callable[[Plain, Sequence[Turned]], Sequence[Step]] = _no_signs
    is_signed: Callable[[str], bool] = _signed_none
    """Whether the sign of a quantity matters."""
    narrow: Callable[[Plain, Number], Callable[[str], bool] | None] = _allow_all
    named: Callable[[Plain, Number], Iterable[str]] = _name_none
    by_operations: bool = True
    """Whether a number may be what a simple operation on the numbers before it gives."""
    direct: frozenset[str] = frozenset()
    """Quantities that are one conversion of an input away, so that no hidden rounding lies between."""
    units: Callable[[Sequence[Number]], Sequence[Number]] = _same_units
    """Gives numbers without a unit the one that the whole text tells."""
    rounding: float = 0.02
    """Share that the rounding of numbers before it may take a number off."""
    partners: Mapping[str, str] = {}
    """Quantities that are easily taken for each other."""
    labels: Sequence[str] = ()
    """Names of the question's places; numbers in them are no values."""
    read: Callable[[Plain], Sequence[Step]] | None = None
    """Reads the numbers of a response in a way of its own; where there is one, nothing but the claims is added."""
