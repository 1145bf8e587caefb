"""Traces wrong numbers back to the first: which one number, taken for which quantity, gives the ones behind it.

A fault that a text goes on from leaves a trail: what is computed from it has, number by number, the value that follows
from the wrong one and not the right one. A number is the origin if it makes more of the numbers behind it explicable
than any other, whatever the words around it are.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.graphs import Stated
from app.benchmarks.urban_reasoning.steps.rules import Rules
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number

LEAST_FOLLOWERS, MANY_FOLLOWERS = 2, 4
"""Numbers behind a wrong one that follow from it at least; behind one that is right as something else."""
LARGE, MANY_DIGITS = 120, 3
"""Quantities of a question beyond which a number easily follows by chance, and digits that it needs then."""
MOST_ODD = 120
"""Numbers that the context does not explain of which followers are looked for."""
MOST_TRIALS = 32
"""Suspicions that are followed number by number; the best ones of a first, coarse look."""
FINE = ((4, 0.0012), (5, 0.0003), (6, 0.00005))
"""By how many digits a number has at most: the share by which it may be off what follows from a suspected one."""
ALIKE = 0.0004
"""Share by which a wrong number differs from the right one at least."""
NEAR_INPUT, FARTHEST = 0.25, 9.0
"""Logarithm of the share that a wrong value is off the right one: of a coordinate, of anything else."""
DIFFERENT = 0.0003
"""Share by which what follows from a wrong number differs at least from what it should be."""


Naming = Callable[[int, str], bool | None]
"""Whether the words before a number name a quantity; None where they do not tell."""


RESULTS = ("distance_km", "bearing", "theta_deg")
"""Quantities that questions ask for."""


class Seen(NamedTuple):
    """A number that was read, the quantities whose values it has by the context, and what it was kept as."""

    number: Number
    by_context: Sequence[str]
    kept: Sequence[tuple[str, Stated]]
    is_explained: bool
    """Whether it is what a quantity should be, by the context or by what the text stated before."""
    is_confirmed: bool = False
    """Whether it is the result of the formula that the text shows for it."""


class Trail(NamedTuple):
    """A suspected origin: the place of its number among those read, its quantity, and numbers that follow from it."""

    at: int
    quantity: str
    followers: int
    to_result: bool
    """Whether a number that follows is the result that the question asks for."""


class Tracer:
    """The numbers of one response, under the graph of its question. The graph is left as it was."""

    def __init__(self, rules: Rules, seen: Sequence[Seen], naming: Naming) -> None:
        self.graph, self.rounding, self.is_signed = rules.graph, rules.rounding, rules.is_signed
        self.seen, self.naming, partners, graph = seen, naming, rules.partners, rules.graph
        both = {**partners, **{other: one for one, other in partners.items()}}
        self.partners = {one: other for one, other in both.items() if {one, other} <= graph.quantities.keys()}
        self.both = {name for name in self.partners if name.startswith("d")}
        first: dict[float, int] = {}
        for at, one in enumerate(seen):
            first.setdefault(abs(one.number.value), at)
        odd = [at for at in first.values() if not seen[at].by_context]
        self.odd = odd[:MOST_ODD]
        self.first = first

    def origin(self) -> Trail | None:
        """The number that most numbers behind it follow from and that the context does not give."""
        trails = [trail for at, name in self._suspects()[:MOST_TRIALS] if (trail := self.follow(at, name))]
        found = [trail for trail in trails if trail.followers >= self._needed(trail)]
        return max(found, key=lambda one: (one.followers, not self._is_doubtful(one), -one.at), default=None)

    def _needed(self, trail: Trail) -> int:
        """How many numbers have to follow from an origin: one is enough for a named one, where it is the result."""
        if self._is_doubtful(trail):
            return MANY_FOLLOWERS
        least = LEAST_FOLLOWERS + (len(self.graph.quantities) > LARGE)
        one = self.seen[trail.at]
        if one.is_explained:
            told = {*one.by_context, *(name for name, _ in one.kept)}
            is_other = trail.quantity not in told and self.partners.get(trail.quantity) not in told
            return least + (is_other and not trail.to_result)
        return least - (trail.to_result and bool(self.naming(trail.at, trail.quantity)))

    def _is_doubtful(self, trail: Trail) -> bool:
        """Whether a number is explained already, and no words name the quantity that it is suspected to be."""
        return self.seen[trail.at].is_explained and not self.naming(trail.at, trail.quantity)

    def _suspects(self) -> list[tuple[int, str]]:
        """Numbers and quantities, those first from which most unexplained numbers follow by a coarse look."""
        rated = []
        is_large = len(self.graph.quantities) > LARGE
        for at, one in enumerate(self.seen):
            if one.is_confirmed:
                continue
            first = self.first[abs(one.number.value)]
            if first != at and not one.is_explained and not self.seen[first].is_explained:
                continue
            behind = (self.seen[place].number for place in self.odd if place > at)
            later = sorted((abs(each.value), each.half) for each in behind)
            names = (
                () if is_large and one.is_explained and one.number.digits < MANY_DIGITS else self._names(at)
            )
            for name in names if later else ():
                if self._may_be(one.number, name) and self.naming(at, name) is not False:
                    value = self._value(at, name)
                    others = {None, self._exchanged(name, value)}
                    changed = {other: self._changed(name, value, other) for other in others}
                    count, few = max((len(self._matched(one, later)), -len(one)) for one in changed.values())
                    if count:
                        rated.append((-count / (8 - few) ** 0.5, at, name))
        return [(at, name) for _, at, name in sorted(rated)]

    def _names(self, at: int) -> Iterable[str]:
        """The quantities that a number may have been meant for: any, unless it has the value of one already."""
        one = self.seen[at]
        if not one.is_explained:
            return self.graph.quantities
        if any(abs(one.number.value) == abs(value) for value in self.graph.given.values()):
            return ()
        told = dict.fromkeys([*one.by_context, *(name for name, _ in one.kept)])
        same = [name for name in told if name in self.graph.quantities]
        is_first = self.first[abs(one.number.value)] == at
        others = [other for name in same if (other := self.partners.get(name))]
        named = [
            name for name in self.graph.quantities if name not in self.graph.given and self.naming(at, name)
        ]
        if not told or any(name in told for name in named):
            named = []
        return dict.fromkeys([*same, *others, *named] if is_first else named)

    def _may_be(self, number: Number, name: str) -> bool:
        quantity, exact = self.graph.quantities[name], self.graph.exact(name)
        if exact is None or not _fits(quantity.unit, number.unit):
            return False
        scale = _scale(number, quantity.unit)
        value = number.value * scale
        if not self.is_signed(name):
            value = math.copysign(value, exact)
        if abs(value - exact) <= max(2 * number.half * scale, ALIKE * abs(exact)):
            return False
        return _is_plausible(value, exact, quantity.unit, name in self.graph.given)

    def _value(self, at: int, name: str) -> float:
        number = self.seen[at].number
        return number.value * _scale(number, self.graph.quantities[name].unit)

    def _changed(self, name: str, value: float, other: str | None = None) -> dict[str, float]:
        """What other quantities would be with another value of one, exchanged or not; those that differ clearly."""
        values: dict[str, float | None] = {name: value}
        if other:
            values[other] = self.graph.exact(name)
        found = {}
        for one in self.graph.in_order(*values):
            new, exact = self.graph.compute_with(one, values), self.graph.exact(one)
            values[one] = new
            if new is None or exact is None:
                continue
            if abs(new - exact) > DIFFERENT * max(abs(exact), abs(new)):
                found[one] = new
        return found

    def _exchanged(self, name: str, value: float) -> str | None:
        """The quantity that a wrong one was exchanged with: its partner, if it has the partner's value."""
        other = self.partners.get(name)
        exact = self.graph.exact(other) if other and name in self.both else None
        return (
            other
            if exact is not None and abs(abs(value) - abs(exact)) <= self.rounding * abs(exact)
            else None
        )

    def _matched(self, changed: Mapping[str, float], later: Sequence[tuple[float, float]]) -> set[float]:
        """Those of the sizes, sorted with their roundings, that changed quantities have, in their unit or metres."""
        found: set[float] = set()
        for value in changed.values():
            for size in (abs(value), abs(value) * 1000):
                at = bisect_left(later, (size * 0.97,))
                while at < len(later) and later[at][0] < size * 1.03:
                    if abs(later[at][0] - size) <= max(self.rounding * size, 2.1 * later[at][1]):
                        found.add(later[at][0])
                    at += 1
        return found

    def follow(self, at: int, name: str) -> Trail | None:
        """Read again with a number taken for a quantity; None where it is right as that quantity.

        A quantity that has the value of its partner may have been exchanged with it, or copied from it.
        """
        kept = {one: list(told) for one, told in self.graph.stated.items()}
        other = self._exchanged(name, self._value(at, name))
        try:
            trails = [self._follow(at, name, None)]
            trails += [self._follow(at, name, other)] if other else []
            return max((one for one in trails if one), key=lambda one: one.followers, default=None)
        finally:
            self.graph.forget()
            for one, each in kept.items():
                for stated in each:
                    self.graph.state(one, stated)

    def _follow(self, at: int, name: str, other: str | None) -> Trail | None:
        graph, number = self.graph, self.seen[at].number
        graph.forget()
        for one in self.seen[:at]:
            for kept, told in one.kept:
                graph.state(kept, told)
        stated = _stated(number, graph.quantities[name].unit, number.value)
        if name not in graph.given and graph.is_right(name, stated):
            return None
        graph.stated.pop(name, None)
        graph.state(name, stated)
        exact = graph.exact(name) if other else None
        if other and exact is not None:
            graph.state(other, stated._replace(value=exact))
        changed = self._changed(name, stated.value, other)
        matched: set[float] = set()
        to_result, is_large = False, len(graph.quantities) > LARGE
        for one in self.seen[at + 1 :]:
            if abs(one.number.value) == abs(number.value):
                continue
            follows = [] if one.by_context else self._followed(changed, one.number)
            for each, value in follows:
                size = math.copysign(one.number.value, value)
                graph.state(each, _stated(one.number, graph.quantities[each].unit, size))
            if follows:
                if not is_large or one.number.digits >= MANY_DIGITS:
                    matched.add(abs(one.number.value))
                to_result = to_result or any(each in RESULTS for each, _ in follows)
            else:
                for each, told in one.kept:
                    if each not in changed and each not in (name, other):
                        graph.state(each, told)
        return Trail(at, name, len(matched), to_result)

    def _followed(self, changed: Mapping[str, float], number: Number) -> list[tuple[str, float]]:
        """The quantities that a number is by what follows from the suspected one, and their values."""
        found = []
        for name, about in changed.items():
            unit = self.graph.quantities[name].unit
            if not _fits(unit, number.unit):
                continue
            scale, exact = _scale(number, unit), self.graph.exact(name) or 0.0
            size, reach = abs(number.value) * scale, _reach(number) * scale
            if (
                abs(size - abs(about)) > 2 * (reach + self.rounding * size)
                or abs(abs(exact) - size) <= 2 * reach
            ):
                continue
            values = [one for one in self.graph.computed(name) if abs(abs(one) - size) <= reach]
            if values:
                found.append((name, values[0]))
        return found


def _fits(own: str, said: str) -> bool:
    return not said or own == ("km" if said == "m" else said)


def _scale(number: Number, unit: str) -> float:
    return 0.001 if unit == "km" and number.unit == "m" else 1.0


def _stated(number: Number, unit: str, value: float) -> Stated:
    scale = _scale(number, unit)
    return Stated(value * scale, number.half * scale, number.start)


def _reach(number: Number) -> float:
    share = next((share for digits, share in FINE if number.digits <= digits), 0.0)
    return max(2.1 * number.half, share * abs(number.value))


def _is_plausible(value: float, exact: float, unit: str, is_given: bool) -> bool:
    """Whether a wrong value has a size that a slip or a wrong formula gives."""
    if not exact or not value:
        return abs(value) < 1000 and unit != ""
    apart = abs(math.log(abs(value / exact)))
    return apart < (NEAR_INPUT if is_given and unit == "deg" and not 0 <= exact < 360 else FARTHEST)
