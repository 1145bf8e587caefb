"""Quantities of a task and how each follows from others, and what a response has stated of them so far.

A stated value is right if it is the result of its formula, within the rounding of its own digits, for some choice of
the values it was computed from: those that the text states as they are printed, or what they were before rounding.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

MOST_CANDIDATES = 4
"""Values of one quantity that are tried where others are computed from it."""
MOST_COMBINED = 96
LAX = 3.0
"""How many times its own rounding a value may be off where the numbers before it are printed with few digits."""
MANY_DIGITS = 5e-4
"""Share of a number that half a unit of its last digit is from four digits on; there that digit may be one off."""
Formula = Callable[..., float]


class Way(NamedTuple):
    """A formula that gives a quantity, and the quantities it is of."""

    inputs: tuple[str, ...]
    formula: Formula


class Quantity(NamedTuple):
    """A quantity of a task. `unit`: deg, rad, km or none; `period`: values that differ by it are the same."""

    name: str
    unit: str
    ways: tuple[Way, ...]
    period: float = 0.0
    signless: bool = False
    """Whether a text may state the size alone."""
    free_choice: tuple[float, ...] = ()
    """Values that a text may take without being wrong; the first is what the formula gets if it states none."""


class Stated(NamedTuple):
    """A value that a text states of a quantity, in the quantity's unit; where it stands; whether it was found wrong."""

    value: float
    half: float
    position: int
    broken: bool = False


class Graph:
    """The quantities of one question, and what was stated of them."""

    def __init__(self, quantities: Iterable[Quantity], given: Mapping[str, float]) -> None:
        self.quantities = {one.name: one for one in quantities}
        self.given = dict(given)
        self.stated: dict[str, list[Stated]] = {}
        self._exact: dict[str, float | None] = {}
        self._candidates: dict[str, list[float]] = {}
        self._computed: dict[str, list[float]] = {}
        self._errors: dict[str, float] = {}
        self._followers: dict[str, frozenset[str]] = {}
        self._orders: dict[tuple[str, ...], Sequence[str]] = {}

    def with_more(self, quantities: Iterable[Quantity]) -> "Graph":
        """The graph with further quantities."""
        self.quantities.update({one.name: one for one in quantities})
        return self

    def state(self, name: str, stated: Stated) -> None:
        """Keep that a text states a value."""
        self.stated.setdefault(name, []).append(stated)
        for one in self.followers_of(name):
            for kept in (self._candidates, self._computed, self._errors):
                kept.pop(one, None)

    def followers_of(self, name: str) -> frozenset[str]:
        """The quantity, and all that are computed from it."""
        if name not in self._followers:
            direct = [
                one.name for one in self.quantities.values() if any(name in way.inputs for way in one.ways)
            ]
            self._followers[name] = frozenset({name}).union(*(self.followers_of(one) for one in direct))
        return self._followers[name]

    def in_order(self, *names: str) -> Sequence[str]:
        """What is computed from quantities, each after what goes into it; without these themselves."""
        if names not in self._orders:
            followers = frozenset[str]().union(*(self.followers_of(name) for name in names)) - {*names}
            self._orders[names] = [one for one in self.quantities if one in followers]
        return self._orders[names]

    def compute_with(self, name: str, values: Mapping[str, float | None]) -> float | None:
        """The value of a quantity with other values of some; by the formulas that these go into, if there are such."""
        ways = self.quantities[name].ways
        for way in [way for way in ways if any(one in values for one in way.inputs)] or ways:
            inputs = [values[one] if one in values else self.exact(one) for one in way.inputs]
            known = [one for one in inputs if one is not None]
            if len(known) == len(inputs) and (value := _result(way.formula, known)) is not None:
                return value
        return None

    def forget(self) -> None:
        """Keep nothing that was stated."""
        self.stated.clear()
        for kept in (self._candidates, self._computed, self._errors):
            kept.clear()

    def exact(self, name: str) -> float | None:
        """The value by the context alone; None where a formula has no result."""
        if name not in self._exact:
            self._exact[name] = self._compute(name)
        return self._exact[name]

    def _compute(self, name: str) -> float | None:
        if name in self.given:
            return self.given[name]
        quantity = self.quantities[name]
        if quantity.free_choice:
            return quantity.free_choice[0]
        for way in quantity.ways:
            inputs = [self.exact(one) for one in way.inputs]
            known = [one for one in inputs if one is not None]
            if len(known) == len(inputs) and (value := _result(way.formula, known)) is not None:
                return value
        return None

    def candidates(self, name: str) -> list[float]:
        """Values that the text can have had for a quantity: as printed, and before rounding."""
        if name not in self._candidates:
            self._candidates[name] = []
            self._candidates[name] = self._of(name)
        return self._candidates[name]

    def _of(self, name: str) -> list[float]:
        told = self.stated.get(name, [])
        computed = self.computed(name)
        if not told:
            return computed[:MOST_CANDIDATES]
        last = told[-1]
        refined = [one for one in computed if self.agrees(name, last, one)]
        values = [*dict.fromkeys(one.value for one in reversed(told))][:2]
        return [*values, *refined][:MOST_CANDIDATES]

    def computed(self, name: str) -> list[float]:
        """What the formulas of a quantity give, by all choices of values that go in."""
        if name not in self._computed:
            self._computed[name] = self._compute_all(name)
        return self._computed[name]

    def _compute_all(self, name: str) -> list[float]:
        if name in self.given:
            return [self.given[name]]
        quantity = self.quantities[name]
        found = dict.fromkeys(quantity.free_choice)
        for way in quantity.ways:
            choices = [self.candidates(one) for one in way.inputs]
            for inputs in islice(product(*choices), MOST_COMBINED):
                value = _result(way.formula, inputs)
                if value is not None:
                    found[float(f"{value:.12e}")] = None
        return list(found)

    def agrees(self, name: str, stated: Stated, value: float) -> bool:
        """Whether a stated value is a value within the rounding of its digits: rounded, or cut off."""
        quantity = self.quantities[name]
        return agrees(stated.value, stated.half, value, quantity.period, quantity.signless)

    def is_right(self, name: str, stated: Stated) -> bool:
        """Whether a stated value follows from the context or from what the text states."""
        computed = self.computed(name)
        repeated = [one.value for one in self.stated.get(name, [])]
        exact = self.exact(name)
        known = [*computed, *repeated, *([] if exact is None else [exact])]
        if any(self.agrees(name, stated, one) for one in known):
            return True
        slack = min(self.error(name), LAX * stated.half)
        return slack > 0 and any(
            self.agrees(name, stated._replace(half=stated.half + slack), one) for one in computed[:1]
        )

    def expected(self, name: str) -> float | None:
        """What the text should have stated, by its own earlier values."""
        computed = self.computed(name)
        return computed[0] if computed else self.exact(name)

    def error(self, name: str) -> float:
        """How far the printed digits of what a quantity is computed from leave it open; the least by any formula."""
        if name not in self._errors:
            errors = [self._error_by(way) for way in self.quantities[name].ways]
            self._errors[name] = min(errors, default=0.0)
        return self._errors[name]

    def _error_by(self, way: Way) -> float:
        values = [next(iter(self.candidates(one)), None) for one in way.inputs]
        known = [value for value in values if value is not None]
        middle = _result(way.formula, known) if len(known) == len(values) else None
        if middle is None:
            return 0.0
        error = 0.0
        for place, name in enumerate(way.inputs):
            told = self.stated.get(name)
            half = told[-1].half if told else self.error(name) if name not in self.given else 0.0
            if half:
                moved = _result(way.formula, [*known[:place], known[place] + half, *known[place + 1 :]])
                error += abs(moved - middle) if moved is not None else half
        return error


def agrees(stated: float, half: float, value: float, period: float = 0.0, signless: bool = False) -> bool:
    """Whether a number is a value, rounded or cut off at its last digit."""
    if signless:
        stated, value = abs(stated), abs(value)
    apart = stated - value
    if period:
        apart = (apart + period / 2) % period - period / 2
    if abs(apart) <= half * (1.001 if half > MANY_DIGITS * abs(stated) else 2.001) + abs(value) * 1e-9:
        return True
    return stated * value > 0 and abs(stated) < abs(value) and abs(apart) < 2 * half


def _result(formula: Formula, inputs: Sequence[float]) -> float | None:
    try:
        value = formula(*inputs)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if math.isfinite(value) else None
