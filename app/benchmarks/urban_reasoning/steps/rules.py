"""What the checker needs to know of a task: its quantities, its symbols, and the words that announce a quantity."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.expressions import Node, Value
from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.tokens import Token
from app.scores.reasoning import Step


class Window(NamedTuple):
    """The words around a number: those before it in its clause or its cell of a table, those behind, the line's title.

    `last` is the quantity that was read before it, `above` are the lines before its line, the nearest first, `slot` is
    its place in a pair in brackets, 0 or 1.
    """

    before: str
    behind: str
    title: str
    sentence: str
    last: str
    above: tuple[str, ...] = ()
    slot: int | None = None


Announced = Callable[[Token, Window], Sequence[Sequence[str]]]
"""The quantities that the words around a number can announce, by each way to read the words; the likeliest first."""


class Rules(NamedTuple):
    """One question's quantities and words.

    `names` tells which quantities a symbol can mean, `conclude` what is claimed beside numbers, `pairs` which two
    quantities are written side by side.
    """

    graph: Graph
    names: Callable[[str], Sequence[str]]
    announced: Announced
    conclude: Callable[[Plain, str, Sequence[Step]], Sequence[Step]]
    inputs: frozenset[str]
    families: Mapping[str, Sequence[str]]
    pairs: Sequence[tuple[str, str]]
    operands: Callable[[str, Node], Sequence[tuple[str, Node]]] = lambda name, node: ()
    """The quantities that stand as numbers in a formula of a quantity."""
    by_words: bool = False
    """Whether the words before a formula without a symbol tell what it gives."""

    def value_of(self, symbol: str) -> Value | None:
        """What a symbol stands for, as last stated, else computed; angles in radians."""
        return self._value(symbol, stated=True)

    def exact_value_of(self, symbol: str) -> Value | None:
        """What a symbol stands for by the context alone."""
        return self._value(symbol, stated=False)

    def _value(self, symbol: str, stated: bool) -> Value | None:
        names = self.names(symbol)
        if not names:
            return None
        name = next((one for one in names if self.graph.quantities[one].unit != "deg"), names[0])
        if not stated:
            exact = self.graph.exact(name)
            return None if exact is None else Value(exact, 0.0, self.graph.quantities[name].unit)
        candidates = self.graph.candidates(name)
        told = self.graph.stated.get(name)
        half = told[-1].half if told else self.graph.error(name)
        return Value(candidates[0], half, self.graph.quantities[name].unit) if candidates else None
