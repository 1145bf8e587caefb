"""Arithmetic in responses: parsed from tokens, and evaluated with what the rounding of its numbers leaves open.

Angles are in radians; a number with the sign of degrees is one in degrees until a function takes it. Operands that are
whole numbers, or that the context prints, are exact.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.tokens import FUNCTION, NUMBER, SIGN, WORD, Token

DEEPEST = 12
"""Brackets within brackets; deeper ones are not read."""
TWO_ARGUMENTS = ("atan2", "hypot")


class Node(NamedTuple):
    """A number, a symbol, or an operation on others."""

    kind: str
    parts: tuple["Node", ...] = ()
    token: Token | None = None
    inverse: bool = False

    def symbols(self) -> list[str]:
        """The symbols that occur in it."""
        if self.kind == "symbol" and self.token:
            return [self.token.text]
        return [name for part in self.parts for name in part.symbols()]

    def numbers(self) -> list[Token]:
        """The numbers that occur in it."""
        if self.kind == "number" and self.token:
            return [self.token]
        return [one for part in self.parts for one in part.numbers()]

    def is_bare(self) -> bool:
        """Whether it is one number, with a sign at most."""
        return self.kind == "number" or (self.kind in ("minus", "group") and self.parts[0].is_bare())


class Value(NamedTuple):
    """A value, how far off it can be by rounding, and its unit (`deg`, `rad`, `km`, `m` or none)."""

    value: float
    error: float
    unit: str = ""


Symbols = Callable[[str], Value | None]
"""What a symbol stands for in a formula; angles in radians."""


class NoValue(Exception):
    """A symbol that stands for nothing known, or an operation without a result."""


class _Parser:
    def __init__(self, tokens: Sequence[Token], is_symbol: Callable[[str], bool]) -> None:
        self.tokens, self.is_symbol = tokens, is_symbol
        self.at, self.depth = 0, 0

    def sign(self, *texts: str) -> bool:
        """Whether the next token is one of these signs."""
        if self.at >= len(self.tokens):
            return False
        token = self.tokens[self.at]
        return token.kind == SIGN and token.text in texts

    def sum(self) -> Node | None:
        """Terms with plus and minus."""
        if self.depth > DEEPEST:
            return None
        self.depth += 1
        left = self.term()
        while left and self.sign("+", "-"):
            place, negative = self.at, self.tokens[self.at].text == "-"
            self.at += 1
            right = self.term()
            if right is None:
                self.at = place
                break
            left = Node("difference" if negative else "sum", (left, right))
        self.depth -= 1
        return left

    def term(self) -> Node | None:
        """Factors with signs between them, or side by side."""
        left = self.factor()
        while left:
            place = self.at
            if self.sign("*", "/"):
                divided = self.tokens[self.at].text == "/"
                self.at += 1
                right = self.factor()
            elif self._goes_on(left):
                divided = False
                right = self.factor()
            else:
                break
            if right is None:
                self.at = place
                break
            left = Node("quotient" if divided else "product", (left, right))
        return left

    def _goes_on(self, left: Node) -> bool:
        """Whether a factor follows without a sign: a function, a bracket or a symbol right behind."""
        if self.at >= len(self.tokens):
            return False
        token, before = self.tokens[self.at], self.tokens[self.at - 1]
        near = token.start - before.end <= 1
        if token.kind == FUNCTION:
            return near
        if token.kind == WORD:
            follows = self.tokens[self.at + 1].text if self.at + 1 < len(self.tokens) else ""
            if left.is_bare() and follows in ("=", ":"):
                return False
            short = len(token.text) <= 3 and len(before.text) <= 3
            return near and self.is_symbol(token.text) and (left.kind != "symbol" or short)
        if self.sign("(", "[") and near:
            return left.kind in ("group", "call", "power", "product") or token.start == before.end
        return False

    def factor(self) -> Node | None:
        """A sign and a power."""
        if self.sign("-", "+"):
            negative = self.tokens[self.at].text == "-"
            self.at += 1
            inner = self.factor()
            return Node("minus", (inner,)) if inner and negative else inner
        base = self.primary()
        if base and self.sign("^"):
            place = self.at
            self.at += 1
            exponent = self.exponent()
            if exponent is None:
                self.at = place
                return base
            return Node("power", (base, exponent))
        return base

    def exponent(self) -> Node | None:
        """A number with a sign, or a group."""
        if self.sign("-"):
            self.at += 1
            inner = self.exponent()
            return Node("minus", (inner,)) if inner else None
        return self.primary()

    def primary(self) -> Node | None:
        """A number, a symbol, a function with its arguments, or a group."""
        if self.at >= len(self.tokens):
            return None
        token = self.tokens[self.at]
        if token.kind == NUMBER:
            self.at += 1
            return Node("number", (), token)
        if token.kind == WORD:
            self.at += 1
            return Node("symbol", (), token)
        if token.kind == FUNCTION:
            return self.call(token)
        if self.sign("(", "[", "{"):
            return self.group()
        if self.sign("|"):
            return self.bars()
        return None

    def group(self) -> Node | None:
        """What stands in brackets."""
        place = self.at
        self.at += 1
        inner = self.sum()
        if inner is None or not self.sign(")", "]", "}"):
            self.at = place
            return None
        self.at += 1
        if self.sign("°"):
            self.at += 1
            return Node("call", (inner,), Token(FUNCTION, "as degrees", 0, 0))
        return Node("group", (inner,))

    def bars(self) -> Node | None:
        """An absolute value."""
        place = self.at
        self.at += 1
        inner = self.sum()
        if inner is None or not self.sign("|"):
            self.at = place
            return None
        self.at += 1
        return Node("call", (inner,), Token(FUNCTION, "abs", 0, 0))

    def call(self, token: Token) -> Node | None:
        """A function, with a power before its argument or not: sin^2(x), cos^-1(x), sin x."""
        start = self.at
        self.at += 1
        power: Node | None = None
        if self.sign("^"):
            self.at += 1
            power = self.exponent()
            if power is None:
                self.at = start
                return None
        arguments = self._arguments(token.text)
        if arguments is None:
            self.at = start
            return None
        call = Node("call", arguments, token, inverse=bool(power and _whole(power) == -1))
        return call if power is None or call.inverse else Node("power", (call, power))

    def _arguments(self, name: str) -> tuple[Node, ...] | None:
        if name == "frac":
            above = self.group()
            below = self.group() if above else None
            return (above, below) if above and below else None
        if self.sign("(", "[", "{"):
            return self._listed(2 if name in TWO_ARGUMENTS else 1)
        inner = self.factor()
        if inner and inner.kind == "symbol" and self.sign("/") and self._is_two(self.at + 1):
            two = Node("number", (), self.tokens[self.at + 1])
            self.at += 2
            inner = Node("quotient", (inner, two))
        return (inner,) if inner else None

    def _is_two(self, at: int) -> bool:
        return at < len(self.tokens) and self.tokens[at].kind == NUMBER and self.tokens[at].value == 2

    def _listed(self, count: int) -> tuple[Node, ...] | None:
        self.at += 1
        found: list[Node] = []
        while len(found) < count:
            inner = self.sum()
            if inner is None:
                return None
            found.append(inner)
            if self.sign(")", "]", "}"):
                self.at += 1
                return tuple(found) if len(found) == count else None
            if not self.sign(",", ";"):
                return None
            self.at += 1
        return None


def _whole(node: Node) -> int | None:
    if node.kind == "number" and node.token:
        return int(node.token.value)
    inner = _whole(node.parts[0]) if node.kind in ("minus", "group") else None
    return None if inner is None else -inner if node.kind == "minus" else inner


def parse(tokens: Sequence[Token], start: int, is_symbol: Callable[[str], bool]) -> tuple[Node, int] | None:
    """The longest expression that begins at a token, and where it ends; None where none begins."""
    parser = _Parser(tokens, is_symbol)
    parser.at = start
    node = parser.sum()
    return (node, parser.at) if node else None


def evaluate(node: Node, symbols: Symbols, exact: Callable[[float], bool], turned: bool = False) -> Value:
    """The value of an expression. Raises NoValue.

    `exact` tells which operands are not rounded; with `turned`, functions take numbers without a unit for degrees.
    """
    value = _VALUES[node.kind](
        node, lambda part: evaluate(part, symbols, exact, turned), symbols, exact, turned
    )
    if not (math.isfinite(value.value) and math.isfinite(value.error)):
        raise NoValue
    return value


_Inner = Callable[[Node], Value]


def _number(
    node: Node, inner: _Inner, symbols: Symbols, exact: Callable[[float], bool], turned: bool
) -> Value:
    token = node.token
    assert token is not None
    whole = token.value == int(token.value) and token.half >= 0.5
    return Value(token.value, 0.0 if whole or exact(token.value) else token.half, token.unit)


def _symbol(
    node: Node, inner: _Inner, symbols: Symbols, exact: Callable[[float], bool], turned: bool
) -> Value:
    assert node.token is not None
    if node.token.text == "pi":
        return Value(math.pi, 0.0, "pi")
    found = symbols(node.token.text)
    if found is None:
        raise NoValue
    return found


def _operation(
    node: Node, inner: _Inner, symbols: Symbols, exact: Callable[[float], bool], turned: bool
) -> Value:
    one, *rest = (inner(part) for part in node.parts)
    if node.kind == "minus":
        return one._replace(value=-one.value)
    if node.kind == "group":
        return one
    other = rest[0]
    if node.kind in ("sum", "difference"):
        sign = 1 if node.kind == "sum" else -1
        one, other = _alike(one, other)
        return Value(one.value + sign * other.value, one.error + other.error, one.unit or other.unit)
    if node.kind == "product":
        error = abs(one.value) * other.error + abs(other.value) * one.error + one.error * other.error
        return Value(one.value * other.value, error, _unit_of_product(one, other))
    if node.kind == "power":
        if abs(other.value) > 6:
            raise NoValue
        return _spread(lambda x: x**other.value, one, "")
    if other.value == 0 or abs(other.value) <= other.error:
        raise NoValue
    error = (one.error + abs(one.value / other.value) * other.error) / (abs(other.value) - other.error)
    return Value(
        one.value / other.value, error, "deg" if other.unit == "pi" else _without_pi(one.unit, other)
    )


def _alike(one: Value, other: Value) -> tuple[Value, Value]:
    """Both in the same unit, where they are a length in km and one in m."""
    if {one.unit, other.unit} == {"km", "m"}:
        return tuple(
            Value(value.value / 1000, value.error / 1000, "km") if value.unit == "m" else value
            for value in (one, other)
        )  # type: ignore[return-value]
    return one, other


def _unit_of_product(one: Value, other: Value) -> str:
    units = [unit for unit in (one.unit, other.unit) if unit]
    if any(0.01740 <= value.value <= 0.01750 and not value.unit for value in (one, other)):
        return "rad"
    if "pi" in units:
        return "rad" if "deg" in units else ""
    return next((unit for unit in units if unit not in ("rad", "deg")), units[0] if len(units) == 1 else "")


def _without_pi(unit: str, divisor: Value) -> str:
    if unit == "pi":
        return ""
    return "rad" if unit == "deg" and 57.2 < divisor.value < 57.4 else unit


def _spread(function: Callable[[float], float], one: Value, unit: str) -> Value:
    """The value of a function, and how far it is off where its argument is."""
    try:
        middle = function(one.value)
        if isinstance(middle, complex):
            raise NoValue
        ends = [function(one.value + step) for step in (-one.error, one.error)] if one.error else [middle]
        return Value(middle, max(abs(end - middle) for end in ends), unit)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        raise NoValue from None


def _held(function: Callable[[float], float]) -> Callable[[float], float]:
    """An inverse function whose argument rounding may have taken a little out of range."""

    def within(x: float) -> float:
        if abs(x) > 1.001:
            raise ValueError
        return function(max(-1.0, min(1.0, x)))

    return within


_FUNCTIONS: Mapping[str, tuple[Callable[[float], float], str]] = {
    "sin": (math.sin, ""),
    "cos": (math.cos, ""),
    "tan": (math.tan, ""),
    "asin": (_held(math.asin), "rad"),
    "acos": (_held(math.acos), "rad"),
    "atan": (math.atan, "rad"),
    "sqrt": (math.sqrt, ""),
    "radians": (math.radians, "rad"),
    "degrees": (math.degrees, "deg"),
    "abs": (abs, ""),
    "as degrees": (float, "deg"),
}
_INVERSE = {"sin": "asin", "cos": "acos", "tan": "atan"}


def _call(node: Node, inner: _Inner, symbols: Symbols, exact: Callable[[float], bool], turned: bool) -> Value:
    assert node.token is not None
    name = node.token.text
    values = [inner(part) for part in node.parts]
    if name == "frac":
        return _operation(Node("quotient", node.parts), inner, symbols, exact, turned)
    if name in TWO_ARGUMENTS:
        function = math.atan2 if name == "atan2" else math.hypot
        one, other = values
        first = _spread(lambda y: function(y, other.value), one, "rad" if name == "atan2" else "")
        second = _spread(lambda x: function(one.value, x), other, "")
        return first._replace(error=first.error + second.error)
    if node.inverse:
        name = _INVERSE.get(name, name)
    one = values[0]
    if name in ("sin", "cos", "tan") and (one.unit == "deg" or (turned and not one.unit)):
        one = Value(math.radians(one.value), math.radians(one.error), "rad")
    plain, unit = _FUNCTIONS[name]
    return _spread(plain, one, one.unit if name == "abs" else unit)


_VALUES: Mapping[str, Callable[..., Value]] = {
    "number": _number,
    "symbol": _symbol,
    "call": _call,
    **dict.fromkeys(("minus", "group", "sum", "difference", "product", "quotient", "power"), _operation),
}
