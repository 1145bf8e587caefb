"""Goes through a response from its beginning, and checks every equation and every number whose quantity is known.

An equation without a known quantity is checked as arithmetic. A number that no words announce is left alone, unless it
is a known quantity with a slip in its digits.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps import expressions
from app.benchmarks.urban_reasoning.steps.expressions import Node, NoValue, Value
from app.benchmarks.urban_reasoning.steps.graphs import Stated, agrees
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Rules, Window
from app.benchmarks.urban_reasoning.steps.slips import is_constant, is_slip, is_slip_of_angle
from app.benchmarks.urban_reasoning.steps.tokens import FUNCTION, LINE, NUMBER, SIGN, WORD, Token, tokens_of
from app.scores.reasoning import DRIFT, MISREAD, RIGHT, UNCHECKED, WRONG, Step

ARITHMETIC = "arithmetic"
CONNECTING = frozenset(
    "is are gives give giving equals equal becomes become yields yield comes to about approximately roughly works out"
    " at evaluates of value as was be now then approx around therefore so we get nearly".split()
)
MOST_STEPS = 1200
"""Numbers that are looked at in one response."""
MOST_CONNECTING = 5
LEAST_DIGITS = 5
"""Of both numbers of a pair without brackets."""
MOST_SIGNS_SKIPPED = 4
MOST_BEFORE, MOST_ABOVE, MOST_LISTED = 300, 200, 8
"""Signs of a line that are read before a number and of lines above it; symbols or numbers of a list."""
SENTENCE_END = re.compile(r"[.;!?](?=\s|$)|\n")
_TURNED = {"x": "y", "y": "x", "X": "Y", "Y": "X"}
HALF_TURN = 180 / math.pi


class _Segment(NamedTuple):
    node: Node
    start: int
    end: int
    connector: str


class Reader:
    """One response under the rules of its question."""

    def __init__(self, plain: Plain, rules: Rules) -> None:
        self.plain, self.rules = plain, rules
        self.graph = rules.graph
        self.tokens = _joined_lines(tokens_of(plain.text))
        self.steps: list[Step] = []
        self.loose: list[tuple[Token, float]] = []
        """Numbers that were neither assigned nor explained, with their signs."""
        self.bound: dict[str, Value] = {}
        self.turned = False
        """Whether the text calls y what others call x."""
        self.table = _headers(plain.text)

    def read(self) -> list[Step]:
        """Every step that was found, in the order of the text."""
        at = 0
        last_end = 0
        while at < len(self.tokens) and len(self.steps) + len(self.loose) < MOST_STEPS:
            listed = self._listed(at) or self._pair(at)
            if listed:
                at = listed
                last_end = self.tokens[at - 1].end
                continue
            chain = self._chain(at)
            if chain:
                self._check_chain(chain)
                at = chain[-1].end
                last_end = self.tokens[at - 1].end
                continue
            token = self.tokens[at]
            if token.kind == NUMBER:
                self._check_number(at, last_end)
                last_end = token.end
            at += 1
        return self.steps

    # Several symbols with as many values: lat1, lon1 = 47.1, 9.5

    def _listed(self, at: int) -> int:
        """Check a list of symbols and the list of their values; the place behind it, or 0 where none begins."""
        symbols, end = self._items(at, WORD)
        if len(symbols) < 2 or not all(self._names(self.tokens[one].text) for one in symbols):
            return 0
        if end >= len(self.tokens) or self.tokens[end].text not in ("=", "→", ":"):
            return 0
        numbers, after = self._items(self._behind(end, "=", "→", ":"), NUMBER)
        if len(numbers) != len(symbols):
            return 0
        for symbol, number in zip(symbols, numbers, strict=True):
            token = self.tokens[number]
            negative = self.tokens[number - 1].text == "-"
            stated = -token.value if negative else token.value
            names = self._names(self.tokens[symbol].text)
            self._check_named(names, stated, token, self.plain.place(token.start), [])
        return after

    def _items(self, at: int, kind: str) -> tuple[list[int], int]:
        """The tokens of a kind in a list with commas, in brackets or not, and the place behind it."""
        found: list[int] = []
        at = self._behind(at, "(", "[")
        while at < len(self.tokens) and len(found) < MOST_LISTED:
            at = self._behind(at, "-") if kind == NUMBER else at
            if at >= len(self.tokens) or self.tokens[at].kind != kind:
                break
            found.append(at)
            at += 1
            if at < len(self.tokens) and self.tokens[at].text in (",", ";"):
                at += 1
                continue
            break
        return found, self._behind(at, ")", "]")

    # Two numbers side by side: (47.1, 9.5)

    def _pair(self, at: int) -> int:
        """Check two numbers side by side of which one is a known quantity; the place behind, or 0 for other text."""
        bare = self.tokens[at].kind == NUMBER or self.tokens[at].text == "-"
        if not bare and self.tokens[at].text != "(":
            return 0
        numbers, after = self._items(at, NUMBER)
        if len(numbers) != 2 or (not bare and after <= numbers[1] + 1):
            return 0
        tokens = [self.tokens[one] for one in numbers]
        stated = [
            -one.value if self.tokens[n - 1].text == "-" else one.value
            for n, one in zip(numbers, tokens, strict=True)
        ]
        if min(one.digits for one in tokens) < 2:
            return 0
        names = self._names_of_pair(stated, tokens)
        if names is None or (bare and not self._are_surely_a_pair(names, stated, tokens)):
            return 0
        for name, value, token in zip(names, stated, tokens, strict=True):
            self._check_named([name], value, token, self.plain.place(token.start), [])
        return after

    def _are_surely_a_pair(
        self, names: Sequence[str], stated: Sequence[float], tokens: Sequence[Token]
    ) -> bool:
        """Whether two numbers without brackets are a pair: many digits, and none of them another quantity."""
        return all(
            token.digits >= LEAST_DIGITS
            and (
                self.graph.is_right(name, Stated(value, token.half, 0))
                or not self._is_explained(value, token)
            )
            for name, value, token in zip(names, stated, tokens, strict=True)
        )

    def _names_of_pair(self, stated: Sequence[float], tokens: Sequence[Token]) -> tuple[str, str] | None:
        """The two quantities of which at least one is right, if those two alone can be meant."""
        fitting = {}
        for pair in self.rules.pairs:
            right = [
                self._unit_fits(name, token.unit)
                and self.graph.is_right(
                    name, Stated(*_in_unit(value, token, self.graph.quantities[name].unit), 0)
                )
                for name, value, token in zip(pair, stated, tokens, strict=True)
            ]
            if any(right):
                fitting[pair] = sum(right)
        best = [pair for pair, right in fitting.items() if right == max(fitting.values())]
        return best[0] if len(best) == 1 else None

    # Chains of equations

    def _names(self, text: str) -> Sequence[str]:
        """The quantities that a symbol can mean."""
        return self.rules.names(self._as_usual(text))

    def _as_usual(self, text: str) -> str:
        return _TURNED.get(text, text) if self.turned else text

    def _is_symbol(self, text: str) -> bool:
        return text == "pi" or text in self.bound or bool(self._names(text))

    def _chain(self, at: int) -> list[_Segment]:
        token = self.tokens[at]
        if token.kind == SIGN and token.text not in "(-|[{":
            return []
        if token.kind == WORD and not self._may_label(at):
            return []
        parsed = expressions.parse(self.tokens, at, self._is_symbol)
        if not parsed:
            return []
        segments = [_Segment(parsed[0], at, parsed[1], "")]
        while connected := self._connected(segments):
            connector, start = connected
            following = expressions.parse(self.tokens, start, self._is_symbol)
            if not following or self._is_unknown_word(following[0]) or self._begins_anew(following[0]):
                break
            segments.append(_Segment(following[0], start, following[1], connector))
        return segments if len(segments) > 1 else []

    def _may_label(self, at: int) -> bool:
        token = self.tokens[at]
        if self._names(token.text):
            return True
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        return (
            len(token.text) <= 12
            and following is not None
            and following.kind == SIGN
            and following.text in "=_"
        ) or token.text in self.bound

    def _begins_anew(self, node: Node) -> bool:
        """Whether an expression is the symbol of a quantity, which begins an equation of its own."""
        return node.kind == "symbol" and node.token is not None and bool(self._names(node.token.text))

    def _is_unknown_word(self, node: Node) -> bool:
        return node.kind == "symbol" and not self._is_symbol(node.token.text if node.token else "")

    def _connected(self, segments: Sequence[_Segment]) -> tuple[str, int] | None:
        """The sign that leads from an expression to what it equals, and where that begins."""
        node, at = segments[-1].node, segments[-1].end
        labels = not node.is_bare() and (bool(node.symbols()) or node.kind in ("call", "power"))
        labels = labels and all(map(self._is_symbol, node.symbols()))
        if len(segments) == 1 and node.kind == "symbol":
            at = self._behind_remark(at)
        if at >= len(self.tokens):
            return None
        token = self.tokens[at]
        if token.kind == SIGN and token.text in ("=", "→"):
            return token.text, self._behind(at, "=", "→")
        if token.kind == SIGN and token.text in (":", "|") and labels and len(segments) == 1:
            return token.text, self._behind(at, ":", "|", "=")
        if (
            token.kind == SIGN
            and token.text == "|"
            and segments[0].node.kind == "symbol"
            and len(segments) < 5
        ):
            return token.text, self._behind(at, "|", "=")
        if token.kind == WORD and (labels or not node.is_bare()):
            return self._behind_words(at)
        return None

    def _behind(self, at: int, *signs: str) -> int:
        end = min(at + MOST_SIGNS_SKIPPED, len(self.tokens))
        while at < end and self.tokens[at].kind == SIGN and self.tokens[at].text in signs:
            at += 1
        return at

    def _behind_remark(self, at: int) -> int:
        """Behind words in brackets that follow a symbol, as in "Δφ (in radians) = "."""
        if at < len(self.tokens) and self.tokens[at].text == "(" and self.tokens[at].kind == SIGN:
            for end in range(at + 1, min(at + 9, len(self.tokens))):
                if self.tokens[end].text == ")":
                    follows = self.tokens[end + 1].text if end + 1 < len(self.tokens) else ""
                    return end + 1 if follows in ("=", "→", ":", "|", "is") else at
                if self.tokens[end].kind not in (WORD, SIGN, FUNCTION):
                    return at
        return at

    def _behind_words(self, at: int) -> tuple[str, int] | None:
        for end in range(at, min(at + MOST_CONNECTING, len(self.tokens))):
            token = self.tokens[end]
            if token.kind != WORD:
                begins = token.kind == NUMBER or (token.kind == SIGN and token.text in "-(=")
                return ("words", self._behind(end, "=")) if begins and end > at else None
            if token.text.lower() not in CONNECTING:
                return None
        return None

    def _evaluate(self, node: Node, exact: bool = False) -> list[Value]:
        """The values that an expression can have: trigonometric functions of plain numbers take radians or degrees."""
        symbols = self._exactly if exact else self._symbol
        found: list[Value] = []
        for turned in (False, True):
            try:
                value = expressions.evaluate(node, symbols, self._is_given, turned)
            except (NoValue, RecursionError, OverflowError, ValueError, ZeroDivisionError):
                continue
            if all(value.value != one.value for one in found):
                found.append(value)
        return found

    def _symbol(self, text: str) -> Value | None:
        return self.rules.value_of(self._as_usual(text)) or self.bound.get(text)

    def _exactly(self, text: str) -> Value | None:
        return self.rules.exact_value_of(self._as_usual(text))

    def _is_given(self, value: float) -> bool:
        return any(math.isclose(abs(value), abs(one), rel_tol=1e-9) for one in self.graph.given.values())

    def _check_chain(self, segments: Sequence[_Segment]) -> None:
        names = self._turned_names(segments) or self._names_of(segments)
        if not names and segments[0].node.numbers():
            names = self._announced_before(segments[0], segments[0].node.numbers()[0]._replace(unit=""))
            names = names if len(names) == 1 else ()
        formulas: list[Value] = []
        before: Token | None = None
        symbolic: Node | None = None
        for place, segment in enumerate(segments):
            node = segment.node
            if not node.is_bare():
                if node.symbols():
                    symbolic = node if node.kind != "symbol" else symbolic
                elif symbolic is not None:
                    self._check_parts(symbolic, node)
                elif place and not segments[place - 1].node.is_bare():
                    self._check_worked_parts(segments[place - 1].node, node)
                if place and node.symbols() and not names:
                    names = self._named_by_value(self._evaluate(node, exact=True))
                for name, operand in self.rules.operands(names[0], node) if names else ():
                    token = operand.numbers()[0]
                    self._check_named([name], self._signed(operand), token, self.plain.place(token.start), [])
                values = self._evaluate(node)
                if place or not node.symbols():
                    formulas = values if values and node.kind != "symbol" else formulas
                before = None
                if place == len(segments) - 1 and values and names and place and not node.symbols():
                    self._check_formula(names, values[0], segment)
                continue
            token = node.numbers()[0]
            stated = self._signed(node)
            self._check_stated(token, stated, names, formulas, before, segment, segments[0])
            formulas, before = [], token
            if segments[0].node.kind == "symbol":
                self._bind(segments[0].node, stated, token)

    def _turned_names(self, segments: Sequence[_Segment]) -> Sequence[str]:
        """The quantity of x or y, where its formula shows that the text has them the other way round."""
        first, second = segments[0].node, segments[1].node
        if first.kind != "symbol" or first.token is None or first.token.text not in _TURNED:
            return ()
        names = self._names(first.token.text)
        meant = self._named_by_value(self._evaluate(second, exact=True)[:1]) if second.symbols() else ()
        if names and meant and {*names, *meant} == {"x", "y"}:
            self.turned = not self.turned
            return meant
        return ()

    def _bind(self, node: Node, value: float, token: Token) -> None:
        if node.token and not self._names(node.token.text):
            self.bound[node.token.text] = Value(value, token.half, token.unit)

    def _signed(self, node: Node) -> float:
        values = self._evaluate(node)
        return values[0].value

    def _names_of(self, segments: Sequence[_Segment]) -> Sequence[str]:
        """The quantities that the left side of a chain can mean."""
        node = segments[0].node
        if node.kind == "symbol" and node.token:
            return self._names(node.token.text)
        return self._named_by_value(self._evaluate(node, exact=True)[:1]) if node.symbols() else ()

    def _named_by_value(self, values: Sequence[Value]) -> Sequence[str]:
        """The quantity whose exact value an expression of symbols has."""
        for value in values:
            apart = {
                name: abs(value.value / exact - 1)
                for name in self.graph.quantities
                if (exact := self.graph.exact(name)) is not None and exact
            }
            nearest = min(apart, key=lambda name: apart[name], default="")
            if nearest and apart[nearest] < 1e-10:
                return self.rules.families.get(nearest, (nearest,))
        return ()

    def _named_near(self, value: Value) -> str:
        """The quantity that the result of arithmetic is meant to be; a general name for none."""
        best, apart = ARITHMETIC, 0.02
        for name in self.graph.quantities:
            for known in self.graph.computed(name)[:1]:
                if known and abs(value.value / known - 1) < apart:
                    best, apart = name, abs(value.value / known - 1)
        return best

    def _check_stated(
        self, token: Token, stated: float, names: Sequence[str], formulas: Sequence[Value],
        before: Token | None, segment: _Segment, first: _Segment,
    ) -> None:  # fmt: skip
        """A number at the right of a formula, of a quantity, or of the same number in another unit."""
        position = self._position(segment)
        fits = [value for value in formulas if _equal(value, stated, token)]
        if formulas and not fits:
            names = names or self._announced_before(first, token)
            name = self._choose(names, stated, token)[0] if names else self._named_near(formulas[0])
            expected = self.graph.expected(name) if name in self.graph.quantities else formulas[0].value
            self._add(name, stated, expected, position, WRONG, token)
            return
        announced = [] if names else self._announced_before(first, token)
        if names or announced:
            self._check_named(names or announced, stated, token, position, fits)
        elif before is not None and {before.unit, token.unit} == {"deg", "rad"}:
            self._check_conversion(token, stated, before, position)
        elif formulas:
            name = self._named_near(formulas[0])
            self._add(name, stated, formulas[0].value, position, RIGHT, token)
        elif first.node.is_bare() or first.node.kind == "symbol":
            self._check_number(segment.end - 1, self.tokens[segment.start - 1].end if segment.start else 0)

    def _check_named(
        self, names: Sequence[str], stated: float, token: Token, position: int, formulas: Sequence[Value]
    ) -> None:
        name, value, half = self._choose(names, stated, token)
        right = self._is_right(name, Stated(value, half, position), formulas)
        self._judge(name, value, half, position, right, token)

    def _check_parts(self, symbolic: Node, numeric: Node) -> None:
        """The numbers that stand for parts of a formula of symbols."""
        if numeric.is_bare():
            names = self._named_by_value(self._evaluate(symbolic, exact=True)[:1])
            token = numeric.numbers()[0]
            if names and token.digits >= 2 and not symbolic.is_bare():
                self._check_named(names, self._signed(numeric), token, self.plain.place(token.start), [])
            return
        one, other = _parts_of(symbolic), _parts_of(numeric)
        if one[0] == other[0] and len(one[1]) == len(other[1]):
            for left, right in zip(one[1], other[1], strict=True):
                self._check_parts(left, right)

    def _check_worked_parts(self, formula: Node, worked: Node) -> None:
        """The numbers that stand for parts of a formula of numbers: 2 × sin(30°) = 2 × 0.5."""
        if formula.is_bare():
            return
        if worked.is_bare():
            values, token = self._evaluate(formula), worked.numbers()[0]
            stated = self._signed(worked)
            if values and token.digits >= 2 and not any(_equal(value, stated, token) for value in values):
                name = self._named_near(values[0])
                position = self.plain.place(token.start)
                self._add(name, stated, values[0].value, position, WRONG, token)
            return
        one, other = _parts_of(formula), _parts_of(worked)
        if one[0] == other[0] and len(one[1]) == len(other[1]):
            for left, right in zip(one[1], other[1], strict=True):
                self._check_worked_parts(left, right)

    def _check_conversion(self, token: Token, stated: float, before: Token, position: int) -> None:
        factor = HALF_TURN if token.unit == "deg" else 1 / HALF_TURN
        expected = before.value * factor
        error = 0.0 if self._is_given(before.value) else before.half * factor
        name = self._named_near(Value(expected, 0.0))
        right = agrees(abs(stated), token.half + error, abs(expected))
        self._add(name, stated, expected, position, RIGHT if right else WRONG, token)

    def _check_formula(self, names: Sequence[str], value: Value, segment: _Segment) -> None:
        """A formula of numbers that ends a chain: its result counts as stated, to four digits."""
        token = segment.node.numbers()[0] if segment.node.numbers() else None
        if token is None or not value.value:
            return
        half = max(value.error, abs(value.value) * 1e-4)
        name, stated, half = self._choose(names, value.value, token._replace(half=half, unit=value.unit))
        position = self._position(segment)
        if not self._is_right(name, Stated(stated, half, position), [value]):
            self._add(name, stated, self.graph.expected(name), position, WRONG, token)

    def _announced_before(self, first: _Segment, token: Token) -> Sequence[str]:
        """The one quantity that the words before an equation announce, where the task's words can be taken for it."""
        if not self.rules.by_words:
            return []
        begin = self.tokens[first.start]
        end = begin.end if first.node.kind == "symbol" else begin.start
        last = next((one.end for one in reversed(self.tokens[: first.start]) if one.kind == NUMBER), 0)
        window = self._window(token._replace(start=end), last, first.start)
        for reading in self.rules.announced(token, window):
            names = [name for name in reading if self._unit_fits(name, token.unit)]
            if names:
                return names
        return []

    def _is_right(self, name: str, stated: Stated, formulas: Sequence[Value]) -> bool:
        if self.graph.is_right(name, stated):
            return True
        for value in formulas:
            near = [
                one for one in [*self.graph.computed(name)[:1], self.graph.exact(name)] if one is not None
            ]
            slack = value.error + abs(value.value) * 1e-9
            quantity = self.graph.quantities[name]
            factor = stated.value / value.value if value.value else 1.0
            if any(
                agrees(
                    stated.value, stated.half + slack * abs(factor), one, quantity.period, quantity.signless
                )
                for one in near
            ):
                return True
        return False

    def _judge(self, name: str, value: float, half: float, position: int, right: bool, token: Token) -> None:
        expected = self.graph.expected(name)
        self._add(name, value, expected, position, RIGHT if right else WRONG, token)
        self.graph.state(name, Stated(value, half, position, not right))

    def _choose(self, names: Sequence[str], stated: float, token: Token) -> tuple[str, float, float]:
        """Which of some quantities a number is, by its unit, else by its size; the value in that unit."""
        fitting = [name for name in names if self._unit_fits(name, token.unit)] or list(names)
        scaled = {name: _in_unit(stated, token, self.graph.quantities[name].unit) for name in fitting}
        for name in fitting:
            if self.graph.is_right(name, Stated(*scaled[name], 0)):
                return (name, *scaled[name])

        def apart(name: str) -> float:
            expected, (value, half) = self.graph.expected(name), scaled[name]
            if expected is not None and is_slip(value, half, expected):
                return 0.0
            return abs(math.log(abs(value / expected))) if expected and value else math.inf

        best = min(fitting, key=apart)
        return (best, *scaled[best])

    def _unit_fits(self, name: str, unit: str) -> bool:
        own = self.graph.quantities[name].unit
        return not unit or own == unit or (own == "km" and unit == "m")

    # Numbers that words announce

    def _check_number(self, at: int, last_end: int) -> None:
        token = self.tokens[at]
        negative = at > 0 and self.tokens[at - 1].text == "-" and self.tokens[at - 1].end == token.start
        if negative and at > 1:
            before = self.tokens[at - 2]
            negative = before.kind not in (NUMBER, WORD) or before.end < token.start - 1
        stated = -token.value if negative else token.value
        if is_constant(token):
            return
        window = self._window(token, last_end, at)
        readings = [
            [name for name in reading if self._unit_fits(name, token.unit)]
            for reading in self.rules.announced(token, window)
        ]
        names = list(dict.fromkeys(name for reading in readings for name in reading))
        position = self.plain.place(token.start)
        if names:
            name, value, half = self._choose(names, stated, token)
            right = self.graph.is_right(name, Stated(value, half, position))
            likeliest = next(filter(None, readings))
            if not right:
                name, value, half = self._choose(likeliest, stated, token)
            if right or self._is_surely(likeliest, token, stated):
                self._judge(name, value, half, position, right, token)
                return
        if self._is_explained(stated, token):
            return
        self.loose.append((token, stated))
        slip = self._slip(stated, token, names)
        if slip:
            self._judge(
                slip, *_in_unit(stated, token, self.graph.quantities[slip].unit), position, False, token
            )
        elif token.digits >= 3:
            self._add("number", stated, None, position, UNCHECKED, token)

    def _is_surely(self, names: Sequence[str], token: Token, stated: float) -> bool:
        """Whether a number that is not what it should be is meant for these quantities, and no other one."""
        if token.digits < 2:
            return False
        families = {tuple(self.rules.families.get(one, (one,))) for one in names}
        return len(families) == 1 or not self._is_explained(stated, token)

    def _is_explained(self, stated: float, token: Token) -> bool:
        """Whether some quantity has the value."""
        if token.digits < 2:
            return True
        for name, quantity in self.graph.quantities.items():
            if not self._unit_fits(name, token.unit):
                continue
            value, half = _in_unit(stated, token, quantity.unit)
            known = [
                *self.graph.candidates(name),
                *([] if self.graph.exact(name) is None else [self.graph.exact(name)]),
            ]
            if any(
                one is not None and agrees(value, half, one, quantity.period, quantity.signless)
                for one in known
            ):
                return True
        return False

    def _slip(self, stated: float, token: Token, names: Sequence[str]) -> str | None:
        """The quantity whose value a number is but for one slip of the pen; None where there is none, or several."""
        if token.digits < 4:
            return None
        found = []
        for name in names or self.graph.quantities:
            exact = self.graph.exact(name)
            value, half = _in_unit(stated, token, self.graph.quantities[name].unit)
            if exact is None or not self._unit_fits(name, token.unit):
                continue
            if is_slip(value, half, exact) or (
                name in self.rules.inputs and is_slip_of_angle(token.text, exact)
            ):
                found.append(name)
        found = [name for name in found if name in self.rules.inputs] or found
        families = {tuple(self.rules.families.get(one, (one,))) for one in found}
        return found[0] if len(families) == 1 else None

    def _window(self, token: Token, last_end: int, at: int) -> Window:
        text = self.plain.text
        line_start = text.rfind("\n", 0, token.start) + 1
        line_end = text.find("\n", token.end, token.end + 2000)
        line_end = min(len(text), token.end + 2000) if line_end < 0 else line_end
        ends = [
            found.end()
            for found in SENTENCE_END.finditer(text, max(line_start, token.start - MOST_BEFORE), token.start)
        ]
        sentence_start = max([line_start, token.start - MOST_BEFORE, *ends])
        before = text[max(sentence_start, last_end) : token.start]
        behind = re.split(r"[\d\n.;]", text[token.end : min(line_end, token.end + 60)])[0]
        title = _title(text, line_start)
        cell = self.table.get(line_start)
        if cell is not None:
            row = text[line_start : token.start][:2000]
            column = row.count("|")
            header = cell[column] if column < len(cell) else ""
            label = text[line_start:line_end].strip().strip("|").split("|")[0]
            before = f"{header} {label} {row.rpartition('|')[2]}"
            behind = text[token.end : line_end].partition("|")[0]
        last = self.steps[-1].quantity if self.steps else ""
        lines = text[max(0, line_start - 1500) : max(0, line_start - 1)].split("\n")[-8:]
        above = tuple(line[:MOST_ABOVE] for line in reversed(lines))
        return Window(before, behind, title, text[sentence_start : token.start], last, above, self._slot(at))

    def _slot(self, at: int) -> int | None:
        """The place of a number in two that stand in brackets."""
        left = at - 1 if at and self.tokens[at - 1].text in "-+" else at
        if left and self.tokens[left - 1].text in ("(", "["):
            return 0 if at + 1 < len(self.tokens) and self.tokens[at + 1].text in (",", ";") else None
        if left > 1 and self.tokens[left - 1].text in (",", ";") and self.tokens[left - 2].kind == NUMBER:
            return 1 if at + 1 < len(self.tokens) and self.tokens[at + 1].text in (")", "]") else None
        return None

    def _position(self, segment: _Segment) -> int:
        return self.plain.place(self.tokens[segment.start].start)

    def _add(
        self, name: str, stated: float, expected: float | None, position: int, verdict: str, token: Token
    ) -> None:
        failure = None
        if verdict == WRONG:
            failure = MISREAD if name in self.rules.inputs else DRIFT
        self.steps.append(Step(name, stated, expected, position, verdict, failure))


def _parts_of(node: Node) -> tuple[str, list[Node]]:
    """The kind of an operation and its parts; sums of sums and products of products are one."""
    while node.kind == "group":
        node = node.parts[0]
    if node.kind == "product":
        return "product", [part for one in node.parts for part in _factors_of(one)]
    if node.kind == "call" and node.token:
        return node.token.text, list(node.parts)
    return node.kind, list(node.parts)


def _factors_of(node: Node) -> list[Node]:
    kind, parts = _parts_of(node)
    return parts if kind == "product" else [node]


def _equal(value: Value, stated: float, token: Token) -> bool:
    """Whether a stated number is the result of a formula, perhaps in another unit, or a full turn on."""
    half, error = token.half, value.error
    for factor in _factors(value.unit, token.unit):
        result = value.value * factor
        slack = half + error * abs(factor)
        period = 360.0 if token.unit == "deg" or abs(stated) > 7 else 2 * math.pi
        if agrees(stated, slack, result) or (
            token.is_southern_or_western() and agrees(-stated, slack, result)
        ):
            return True
        if value.unit in ("deg", "rad") and agrees(stated, slack, result, period):
            return True
    return False


def _factors(one: str, other: str) -> Iterator[float]:
    if one == other and one:
        yield 1.0
        return
    if {one, other} == {"km", "m"}:
        yield 1000.0 if other == "m" else 0.001
        return
    yield 1.0
    if other in ("", "deg") and one in ("", "rad"):
        yield HALF_TURN
    if other in ("", "rad") and one in ("", "deg"):
        yield 1 / HALF_TURN
    if other == "m" or one == "km":
        yield 1000.0


def _in_unit(stated: float, token: Token, unit: str) -> tuple[float, float]:
    if unit == "km" and token.unit == "m":
        return stated / 1000, token.half / 1000
    return stated, token.half


def _joined_lines(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, without ends of lines beside a sign of equality: such an equation goes on in the next line."""
    kept = []
    for place, token in enumerate(tokens):
        if token.kind == LINE:
            beside = [tokens[one].text for one in (place - 1, place + 1) if 0 <= one < len(tokens)]
            if "=" in beside:
                continue
        kept.append(token)
    return kept


def _headers(text: str) -> dict[int, list[str]]:
    """By the start of each line of a table: the titles of its columns, where the first is of what precedes any bar."""
    found: dict[int, list[str]] = {}
    header: list[str] | None = None
    start = 0
    for line in text.split("\n"):
        if line.count("|") >= 2:
            if header is None:
                header = line.split("|")
            else:
                found[start] = header
        else:
            header = None
        start += len(line) + 1
    return found


def _title(text: str, line_start: int) -> str:
    """The nearest line above that announces what follows it: one that ends with a colon, or a heading."""
    end = line_start - 1
    for _ in range(6):
        if end <= 0:
            return ""
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].strip()
        if line.endswith(":") or line.startswith("#"):
            return line[:200]
        end = start - 1
    return ""
