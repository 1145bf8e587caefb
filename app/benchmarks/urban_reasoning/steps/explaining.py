"""Explains the numbers of a response by their values: which quantities of the question have them.

Words mislead, values do not: a number is explained if it equals, within the rounding of its own digits, the value of
any quantity under any convention, or what follows from values that the text stated before, or from the formula that it
stands behind. Only a number that nothing explains can be wrong. Then words and slips tell which quantity it was to be,
and it counts as stated from there on, so that what follows from it is no second fault.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence

from app.benchmarks.urban_reasoning.steps.comparing import (
    is_same,
    is_scaled,
    is_within,
    joined_lines,
    numbers_in_names,
    operated,
)
from app.benchmarks.urban_reasoning.steps.graphs import Stated, agrees
from app.benchmarks.urban_reasoning.steps.known_values import Values, as_stated, is_near, of_length, unit_fits
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Known, Rules, Turned
from app.benchmarks.urban_reasoning.steps.shown_formulas import Finding, findings_in
from app.benchmarks.urban_reasoning.steps.slips import is_constant, is_slip
from app.benchmarks.urban_reasoning.steps.stated_numbers import (
    Equation,
    Number,
    equations_in,
    is_result,
    numbers_in,
)
from app.benchmarks.urban_reasoning.steps.tokens import WORD, tokens_of
from app.benchmarks.urban_reasoning.steps.tracing import Seen, Trail
from app.scores.reasoning import DRIFT, MISREAD, RIGHT, UNCHECKED, WRONG, Step

ARITHMETIC = "arithmetic"
_TOLD = re.compile(r"(?:[=:|]|\b(?:is|of|latitude|cosine|gives|therefore))$")
OPERATORS = ("(", "[", "{", "*", "/", "+", "^")
MOST_NUMBERS = 1200
"""Numbers that are looked at in one response."""
MOST_NAMES = 4
"""Quantities that one number may be; a number that more of them have states none of them."""
NEAR, FAR = 4, 10
"""Numbers before a number that it can be computed from, by how many digits it has."""
MOST_APART = 0.7
"""Logarithm of the share that a number without a label is off the nearest quantity at most."""
MOST_ROUNDED = 9.0
"""Halves of the last digit that a number is off what it follows from at most."""
COARSE = 0.35
"""Logarithm of the share that a number of one digit may be off its quantity."""
ALIKE = 0.015
"""Share by which a number without a label is off the input that it was copied from at most."""
NEARLY = 0.003
"""Share that rounding of hidden intermediate numbers may take a number of up to four digits off."""
ALTERED = 0.25
"""Share by which a wrong coordinate, or its radians, is off the right one at most."""


class Explainer:
    """One response under the rules of its question."""

    def __init__(self, plain: Plain, rules: Rules) -> None:
        self.plain, self.rules, self.graph = plain, rules, rules.graph
        self.tokens = joined_lines(tokens_of(plain.text))
        inside = numbers_in_names(plain.text, rules.labels)
        numbers = [number for number in numbers_in(self.tokens) if number.start not in inside]
        self.numbers = rules.units(numbers[:MOST_NUMBERS])
        self.equations = equations_in(self.tokens, self._is_given)
        tokens = [one._replace(kind=WORD) if one.start in inside else one for one in self.tokens]
        found = findings_in(plain.text, tokens, self.numbers, self._is_exact)
        self.shown = {one.at: one for one in found}
        exact = [
            Known(name, value, quantity.unit)
            for name, quantity in self.graph.quantities.items()
            if (value := self.graph.exact(name)) is not None
        ]
        self.exact = Values(exact)
        self.values = Values([*exact, *rules.known])
        self.faults = Values(
            one for one in rules.faults if not any(is_near(one.value, each.value) for each in exact)
        )
        self.before: list[Number] = []
        self.steps: list[Step] = []
        self.unnamed: dict[int, tuple[Number, int]] = {}
        """By where they stand: numbers that nothing explains or names, and the places of their steps."""
        self.seen: list[Seen] = []
        self.allowed: list[Callable[[str], bool] | None] = []
        """By the numbers seen: which quantities alone they can be by an unmistakable label."""
        self._kept: list[tuple[str, Stated]] = []
        self._by_context: Sequence[str] = []
        self.turned: list[Turned] = []
        """Numbers whose sign is the other one than their quantity's."""

    def read(self) -> list[Step]:
        """Every step that was found, in the order of the text."""
        for number in self.numbers:
            if self._is_of_interest(number):
                self._kept, self._by_context = [], []
                self._explain(number)
                self.before.append(number)
                explained = self._is_explained(number)
                self.allowed.append(self.rules.narrow(self.plain, number))
                confirmed = self.is_confirmed(number)
                self.seen.append(Seen(number, self._by_context, self._kept, explained, confirmed))
        turned = [one for one in self.turned if not self._is_shown(one.number)]
        return sorted(
            [*self.steps, *self.rules.signs(self.plain, turned)], key=lambda step: step.position or 0
        )

    def _is_explained(self, number: Number) -> bool:
        """Whether the number that was read last has the value of a quantity, or is such a value in degrees."""
        if number.unit == "deg" and self._is_converted(number):
            return True
        last = self.steps[-1] if self.steps else None
        return last is not None and last.verdict == RIGHT and last.quantity != ARITHMETIC

    def _is_shown(self, number: Number) -> bool:
        """Whether a number, or one before that it repeats, is the result of a formula that the text shows."""
        results = (one for one in self.numbers if one.at in self.shown and self.shown[one.at].holds)
        return any(one.start <= number.start and is_same(one, number) for one in results)

    def is_confirmed(self, number: Number) -> bool:
        """Whether a number is the result of the formula that the text shows for it, or repeats one."""
        shown = self.shown.get(number.at)
        if shown:
            return shown.holds
        return any(one.start < number.start and is_same(one, number) for one in self.numbers)

    def is_contradicted_at(self, position: int | None) -> bool:
        """Whether the formula that the text shows for the number at a place gives something else."""
        return any(
            not self.shown[one.at].holds and self.plain.place(one.start) == position
            for one in self.numbers
            if one.at in self.shown
        )

    def is_named(self, at: int, name: str) -> bool | None:
        """Whether the words before one of the numbers seen name a quantity; None where they do not tell."""
        number = self.seen[at].number
        allowed = self.allowed[at]
        if allowed is not None:
            return allowed(name)
        if self._is_operand(number):
            return None
        return name in self.rules.named(self.plain, number) or None

    def _is_operand(self, number: Number) -> bool:
        """Whether a number stands within a formula."""
        text = self.plain.text
        before = text[max(0, number.start - 5) : number.start].rstrip(" -")
        behind = text[number.end : number.end + 4].lstrip()
        return before.endswith((*OPERATORS, "sin", "cos")) or behind.startswith((*OPERATORS, ")"))

    def step_of(self, trail: Trail) -> Step:
        """The wrong step that a trail begins with."""
        number = self.seen[trail.at].number
        stated = as_stated(number, self.graph.quantities[trail.quantity].unit).value
        failure = MISREAD if trail.quantity in self.rules.inputs else DRIFT
        exact = self.graph.exact(trail.quantity)
        return Step(trail.quantity, stated, exact, self.plain.place(number.start), WRONG, failure)

    def _is_given(self, value: float) -> bool:
        return any(math.isclose(abs(value), abs(one), rel_tol=1e-9) for one in self.graph.given.values())

    def _is_exact(self, value: float) -> bool:
        """Whether a number is a printed coordinate, which nothing was rounded off."""
        return round(value, 3) != value and self._is_given(value)

    def _is_of_interest(self, number: Number) -> bool:
        if number.unit == "%" or number.digits < 1 or is_constant(number):
            return False
        return not (number.half >= 0.5 and not number.unit)

    def _explain(self, number: Number) -> None:
        equation = self.equations.get(number.at)
        allowed = self.rules.narrow(self.plain, number)
        found = [one for one in self.values.find(number) if allowed is None or allowed(one.name)]
        names = list(dict.fromkeys(one.name for one in found))
        self._by_context = names
        shown = self.shown.get(number.at)
        if shown and not shown.holds:
            self._contradict(number, shown, names)
            return
        if not names and not self._is_surely_faulty(number):
            names = self._followed(number, allowed)
        if names:
            self._keep(number, names, found, equation)
            return
        if number.digits < 2:
            self._join_coarse(number)
            return
        if self._is_derived(number, equation, allowed is not None):
            self._add(ARITHMETIC, number, None, RIGHT)
            if equation:
                self._blame_operand(equation)
            return
        nearly = self._nearly(number, allowed)
        if nearly:
            self._keep(number, nearly, [], equation)
            return
        if shown or ((allowed is None or self._is_operand(number)) and self.is_confirmed(number)):
            self._add(ARITHMETIC, number, None, RIGHT)
            return
        name = self._exchanged(number, allowed) or self._meant(number, equation)
        if name is None or (name.startswith("sqrt_") and abs(number.value) > 1.5):
            self.unnamed[self.tokens[number.at].start] = (number, len(self.steps))
            self._add("number", number, None, UNCHECKED)
            return
        origin = self._unsquared(name, equation)
        if origin is None and not self._is_evident(name, number, allowed is not None):
            self._add("number", number, None, UNCHECKED)
            return
        self._break(name, origin or number, self._expected(name, equation))

    def _contradict(self, number: Number, shown: Finding, names: Sequence[str]) -> None:
        """State a number that the formula before it does not give."""
        known = [name for name in names if name in self.graph.quantities]
        name = (
            self._nearest_value(shown.expected) or (known[0] if known else None) or self._meant(number, None)
        )
        self._break(name or ARITHMETIC, number, shown.expected)

    def _is_evident(self, name: str, number: Number, is_labelled: bool) -> bool:
        """Whether a number that nothing explains is a wrong value of a quantity: by its label, or as a usual slip."""
        if name not in self.graph.quantities:
            return any(one.name == name for one in self.faults.find(number))
        stated = as_stated(number, self.graph.quantities[name].unit)
        sound = [one for one in self._values_of(name) if one]
        is_copied = name in self.rules.inputs or name in self.rules.direct
        if not is_copied and any(is_within(stated, one, self.graph.quantities[name].period) for one in sound):
            return False
        if is_copied and number.digits >= 4 and any(abs(stated.value / one - 1) < ALTERED for one in sound):
            return True
        if (
            self._is_assigned(name, number)
            or is_labelled
            or any(one.name == name for one in self.faults.find(number))
        ):
            return True
        return any(is_slip(stated.value, stated.half, one) or is_scaled(stated, one) for one in sound)

    def _is_assigned(self, name: str, number: Number) -> bool:
        """Whether a label right before a number tells that it is a quantity: a symbol, the head of a row, words."""
        if number.digits < 3 or name not in self.rules.named(self.plain, number):
            return False
        before = self.plain.text[max(0, number.start - 12) : number.start].rstrip(" -")
        return not self._is_operand(number) and _TOLD.search(before) is not None

    def _exchanged(self, number: Number, allowed: Callable[[str], bool] | None) -> str | None:
        """The quantity that a label excludes and whose value a number has all the same."""
        if allowed is None or not self.rules.by_operations or number.digits < 3:
            return None
        others = [one.name for one in self.exact.find(number) if not allowed(one.name)]
        if not others:
            return None
        named = [name for name in self.rules.named(self.plain, number) if allowed(name)]
        return named[0] if named else others[0].replace("sin_half", "sin2_half").replace("half_c", "c")

    def _join_coarse(self, number: Number) -> None:
        """State a number of one digit, which rounding before it may have taken far off."""
        computed = [name for name in self.graph.quantities if name not in self.rules.inputs]
        named = [name for name in self.rules.named(self.plain, number) if name in computed]
        name = self._nearest(number, named or computed)
        exact = self.graph.exact(name) if name else None
        if name and exact and number.value and abs(math.log(abs(number.value / exact))) < COARSE:
            self._state(name, as_stated(number, self.graph.quantities[name].unit))

    def _state(self, name: str, stated: Stated) -> None:
        self.graph.state(name, stated)
        self._kept.append((name, stated))

    def _values_of(self, name: str) -> list[float]:
        exact = self.graph.exact(name)
        told = [one.value for one in self.graph.stated.get(name, [])]
        return [*self.graph.computed(name), *told, *([] if exact is None else [exact])]

    def _known(self, names: Sequence[str]) -> list[Known]:
        """The exact values of quantities that a number follows from stated values."""
        return [
            Known(name, exact, self.graph.quantities[name].unit)
            for name in names
            if name in self.graph.quantities and (exact := self.graph.exact(name)) is not None
        ]

    def _blame_operand(self, equation: Equation) -> None:
        """A number that nothing explains is wrong if what was computed from it is explained by nothing else."""
        for token in equation.node.numbers():
            number, place = self.unnamed.get(token.start, (None, 0))
            if number is not None:
                name = self._nearest(number, list(self.graph.quantities)) or ARITHMETIC
                exact = self.graph.exact(name) if name in self.graph.quantities else None
                self.steps[place] = self.steps[place]._replace(
                    quantity=name, expected=exact, verdict=WRONG, failure=DRIFT
                )
                return

    def _unsquared(self, name: str, equation: Equation | None) -> Number | None:
        """The number in a formula of the haversine term that stands there without being squared."""
        if name != "a" or equation is None:
            return None
        at = {token.start for token in equation.node.numbers()}
        for number in self.before[::-1]:
            if self.tokens[number.at].start in at and any(
                one.name.startswith("sin_half") for one in self.exact.find(number)
            ):
                return number
        return None

    def _is_surely_faulty(self, number: Number) -> bool:
        return number.digits >= 5 and any(True for _ in self.faults.find(number))

    def _followed(self, number: Number, allowed: Callable[[str], bool] | None) -> list[str]:
        """The quantities whose value a number is by what the text stated before."""
        found = []
        for name, quantity in self.graph.quantities.items():
            if name in self.graph.given or not unit_fits(quantity.unit, of_length(number.unit)):
                continue
            if allowed is not None and not allowed(name):
                continue
            stated = as_stated(number, quantity.unit)
            exact = self.graph.exact(name)
            size, reach = abs(stated.value), MOST_ROUNDED * stated.half
            if not quantity.period and not any(
                abs(size - abs(one)) <= reach for one in self._values_of(name)
            ):
                continue
            for signed in (stated, stated._replace(value=-stated.value)):
                if exact is not None and signed.value * exact < 0 and not quantity.signless:
                    continue
                if self.graph.is_right(name, signed):
                    found.append(name)
                    break
        return found

    def _is_derived(self, number: Number, equation: Equation | None, narrowed: bool) -> bool:
        """Whether a number is the result of the formula before it, or of an operation on numbers before it."""
        wide = number._replace(half=max(number.half, abs(number.value) * NEARLY)) if equation else number
        if number.digits >= 3 and any(True for _ in self.faults.find(wide)):
            return False
        if equation:
            return any(is_result(number, value) for value in equation.results)
        if number.unit == "deg" and number.digits >= 3 and self._is_converted(number):
            return True
        if narrowed or number.digits < 3 or not self.rules.by_operations:
            return False
        near = self.before[-(FAR if number.digits >= 4 else NEAR) :]
        return any(agrees(abs(number.value), number.half * 1.2, abs(one)) for one in operated(near))

    def _is_converted(self, number: Number) -> bool:
        """Whether a number of degrees is one of the numbers before it, converted from radians as it is printed."""
        size, reach = abs(number.value), number.half * 1.2
        return any(
            abs(abs(math.degrees(one.value)) - size) <= reach
            for one in self.before[-NEAR * FAR :]
            if one.unit != "deg"
        )

    def _nearly(self, number: Number, allowed: Callable[[str], bool] | None) -> list[str]:
        """The computed quantities that a number is but for the rounding of numbers that the text does not show."""
        zeros = len(told := self.tokens[number.at].text) - len(told.rstrip("0")) if number.half < 0.01 else 0
        few = number.digits - zeros <= 4
        share = NEARLY if few else NEARLY / 10
        unit = of_length(number.unit)
        found = []
        for name, quantity in self.graph.quantities.items():
            if name in self.rules.inputs or name in self.rules.direct or not unit_fits(quantity.unit, unit):
                continue
            if allowed is not None and not allowed(name):
                continue
            size = abs(as_stated(number, quantity.unit).value)
            values = [self.graph.exact(name), *self.graph.computed(name)[:MOST_NAMES]]
            near = [one for one in values if one is not None and abs(size - abs(one)) <= share * size]
            if near and (few or not is_slip(number.value, number.half, near[0])):
                found.append(name)
        return found

    def _keep(
        self, number: Number, names: Sequence[str], found: Sequence[Known], equation: Equation | None
    ) -> None:
        signed = [one for one in found or self._known(names) if self.rules.is_signed(one.name)]
        if signed and all(one.value * number.value < 0 for one in signed):
            same = [one.name for one in found if one.value * number.value > 0]
            self.turned += [Turned(number, one, same) for one in signed]
        known = [name for name in names if name in self.graph.quantities]
        if found:
            known = list(dict.fromkeys(one.name for one in self.exact.find(number) if one.name in names))
        self._add(known[0] if known else names[0], number, None, RIGHT)
        if len(known) > MOST_NAMES:
            named = set(self.rules.named(self.plain, number))
            known = [name for name in known if name in named]
        if len(known) <= MOST_NAMES:
            for name in known:
                exact = self.graph.exact(name)
                stated = as_stated(number, self.graph.quantities[name].unit)
                if exact is not None and exact * stated.value < 0:
                    stated = stated._replace(value=-stated.value)
                self._state(name, stated)

    def _meant(self, number: Number, equation: Equation | None) -> str | None:
        """The quantity that a wrong number was meant to be; None where nothing tells."""
        names = list(self.rules.named(self.plain, number))
        faulty = [one.name for one in self.faults.find(number)]
        for name in faulty:
            if name in names or not names:
                return name
        slips = [
            name
            for name, quantity in self.graph.quantities.items()
            if (exact := self.graph.exact(name)) is not None
            and unit_fits(quantity.unit, of_length(number.unit))
            and number.digits >= 4
            and (
                is_slip(*as_stated(number, quantity.unit)[:2], exact)
                or (exact and is_scaled(as_stated(number, quantity.unit), exact, (10.0, 0.1)))
            )
        ]
        copied = [name for name in slips if name in self.rules.inputs]
        if copied and number.digits >= 5:
            return copied[0]
        for name in (*slips, *faulty):
            if name in names or not names:
                return name
        if names:
            return self._nearest(number, names)
        if equation and equation.results:
            return self._nearest_value(equation.results[0].value) or ARITHMETIC
        return self._meant_without_words(number)

    def _meant_without_words(self, number: Number) -> str | None:
        if number.digits < 3:
            return None
        if number.digits >= 5 and number.unit in ("", "deg"):
            off = {
                name: abs(abs(number.value / (self.graph.exact(name) or math.inf)) - 1)
                for name in self.graph.quantities
                if name in self.rules.inputs
            }
            best = min(off, key=lambda name: off[name])
            if off[best] < ALIKE:
                return best
        computed = [name for name in self.graph.quantities if name not in self.rules.inputs]
        nearest = self._nearest(number, computed)
        exact = self.graph.exact(nearest) if nearest else None
        if not exact or not number.value:
            return None
        return nearest if abs(math.log(abs(number.value / exact))) < MOST_APART else None

    def _nearest(self, number: Number, names: Iterable[str]) -> str | None:
        best, least = None, math.inf
        for name in names:
            quantity, exact = self.graph.quantities[name], self.graph.exact(name)
            if not exact or not unit_fits(quantity.unit, of_length(number.unit)):
                continue
            value = as_stated(number, quantity.unit).value
            apart = abs(math.log(abs(value / exact))) if value else math.inf
            if apart < least:
                best, least = name, apart
        return best

    def _nearest_value(self, value: float) -> str | None:
        """The quantity that has a value, or is the nearest to it."""
        off = {
            name: abs(value / exact - 1)
            for name in self.graph.quantities
            if (exact := self.graph.exact(name))
        }
        best = min(off, key=lambda name: off[name], default=None)
        return best if best and off[best] < 0.02 else None

    def _expected(self, name: str, equation: Equation | None) -> float | None:
        if name in self.graph.quantities:
            return self.graph.expected(name)
        return equation.results[0].value if equation and equation.results else None

    def _break(self, name: str, number: Number, expected: float | None) -> None:
        for same, place in self.unnamed.values():
            if same.digits >= 3 and agrees(abs(same.value), same.half + number.half, abs(number.value)):
                self.steps[place] = self.steps[place]._replace(
                    quantity=name, expected=expected, verdict=WRONG, failure=DRIFT
                )
                break
        self._add(name, number, expected, WRONG)
        if name in self.graph.quantities:
            stated = as_stated(number, self.graph.quantities[name].unit)
            self.graph.state(name, stated._replace(broken=True))

    def _add(self, name: str, number: Number, expected: float | None, verdict: str) -> None:
        failure = None
        value = number.value
        if name in self.graph.quantities:
            value = as_stated(number, self.graph.quantities[name].unit).value
            expected = self.graph.expected(name) if expected is None else expected
        if verdict == WRONG:
            failure = MISREAD if name in self.rules.inputs else DRIFT
        self.steps.append(Step(name, value, expected, self.plain.place(number.start), verdict, failure))
