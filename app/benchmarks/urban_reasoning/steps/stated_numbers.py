"""The numbers that a plain text states, with their signs, and the results of the equations that it shows."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps import expressions
from app.benchmarks.urban_reasoning.steps.expressions import Node, NoValue, Value
from app.benchmarks.urban_reasoning.steps.graphs import agrees
from app.benchmarks.urban_reasoning.steps.tokens import FUNCTION, LINE, NUMBER, SIGN, WORD, Token

HALF_TURN = 180 / math.pi
LONGEST_FORMULA = 70
"""Tokens that are read before a sign of equality."""
MOST_STARTS = 12
"""Places where the formula before a sign of equality may begin."""


class Number(NamedTuple):
    """A number of a text. `half` is half a unit of its last digit; `at` its token; `signed` tells of a minus."""

    value: float
    half: float
    unit: str
    digits: int
    start: int
    end: int
    at: int
    signed: bool = False


class Equation(NamedTuple):
    """What a formula of numbers gives that stands before a number; several where it can be read in several ways."""

    results: Sequence[Value]
    node: Node


def numbers_in(tokens: Sequence[Token]) -> Iterator[Number]:
    """All numbers, in the order of the text."""
    for at, token in enumerate(tokens):
        if token.kind == NUMBER:
            negative = _has_sign(tokens, at)
            value = -token.value if negative else token.value
            start = tokens[at - 1].start if negative else token.start
            yield Number(
                value,
                token.half or _half_of(token.text),
                token.unit,
                token.digits,
                start,
                token.end,
                at,
                negative,
            )


def _half_of(text: str) -> float:
    """Half a unit of the last digit of a number that formulas have, too."""
    decimals = "".join(one for one in text.partition(".")[2] if one.isdigit())
    return 0.5 * 10.0 ** -len(decimals)


def _has_sign(tokens: Sequence[Token], at: int) -> bool:
    if at == 0 or tokens[at - 1].text != "-":
        return False
    sign = tokens[at - 1]
    if at == 1:
        return True
    before = tokens[at - 2]
    if before.kind == SIGN and before.text in ")]}°'\"":
        return False
    if before.kind in (NUMBER, WORD):
        return sign.end == tokens[at].start and before.end < sign.start
    return sign.end >= tokens[at].start - 1


def equations_in(tokens: Sequence[Token], is_exact: Callable[[float], bool]) -> dict[int, Equation]:
    """By the token of a number: the formula of numbers that it is said to be equal to."""
    found: dict[int, Equation] = {}
    boundary = 0
    for at, token in enumerate(tokens):
        if token.kind == SIGN and token.text == "=":
            result = _number_behind(tokens, at)
            if result is not None and at - boundary <= LONGEST_FORMULA:
                equation = _formula_before(tokens, boundary, at, is_exact)
                if equation:
                    found[result] = equation
            boundary = at + 1
        elif token.kind == LINE or (token.kind == SIGN and token.text in "→;?!"):
            boundary = at + 1
    return found


def _number_behind(tokens: Sequence[Token], at: int) -> int | None:
    """The number right behind a sign of equality that is no part of a longer formula."""
    at += 1
    while at < len(tokens) and tokens[at].kind == SIGN and tokens[at].text in "-=+":
        at += 1
    if at >= len(tokens) or tokens[at].kind != NUMBER:
        return None
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None:
        return at
    if following.kind == FUNCTION and following.start - tokens[at].end <= 1:
        return None
    if following.kind == SIGN and following.text in "*/^(":
        return None
    if following.kind == SIGN and following.text in "+-" and at + 2 < len(tokens):
        behind = tokens[at + 2]
        if behind.kind in (NUMBER, FUNCTION) or behind.text == "(":
            return None
    if following.kind == WORD and following.text == "pi":
        return None
    return at


def _formula_before(
    tokens: Sequence[Token], boundary: int, end: int, is_exact: Callable[[float], bool]
) -> Equation | None:
    results: list[Value] = []
    first: Node | None = None
    tried = 0
    for start in range(boundary, end):
        token = tokens[start]
        if token.kind == WORD or (token.kind == SIGN and token.text not in "(-[{|"):
            continue
        if start > boundary and not _may_begin(tokens, start):
            continue
        tried += 1
        if tried > MOST_STARTS:
            break
        parsed = expressions.parse(tokens, start, lambda text: text == "pi")
        if not parsed or parsed[1] != end or parsed[0].is_bare():
            continue
        node = parsed[0]
        if any(symbol != "pi" for symbol in node.symbols()) or not node.numbers():
            continue
        values = _evaluate(node, is_exact)
        first = first or (node if values else None)
        results += values
    return Equation(results, first) if first else None


def _may_begin(tokens: Sequence[Token], at: int) -> bool:
    """Whether a formula may begin at a token: what stands before it does not belong to the same formula."""
    before = tokens[at - 1]
    if before.kind == FUNCTION:
        return False
    if before.kind == SIGN and before.text in "+-*/^({[|":
        return False
    near = before.end == tokens[at].start
    return not (near and before.kind in (WORD, NUMBER)) and not (near and before.text in ")]}")


def _evaluate(node: Node, is_exact: Callable[[float], bool]) -> list[Value]:
    """What a formula gives: functions of numbers without a unit take radians or degrees."""
    found: list[Value] = []
    for turned in (False, True):
        try:
            found.append(expressions.evaluate(node, lambda _: None, is_exact, turned))
        except (NoValue, RecursionError, OverflowError, ValueError, ZeroDivisionError):
            continue
    return found


def is_result(number: Number, value: Value, strict: bool = False) -> bool:
    """Whether a number is the result of a formula, perhaps in another unit, or a full turn on.

    With `strict`, the slack that the digits of the formula's numbers leave is not doubled.
    """
    is_angle = bool({value.unit, number.unit} & {"deg", "rad"})
    for factor in factors_between(value.unit, number.unit):
        result = value.value * factor
        slack = number.half + (1 if strict else 2) * value.error * abs(factor)
        if agrees(number.value, slack, result) or (is_angle and agrees(number.value, slack, result, 360.0)):
            return True
        if is_angle and abs(number.value) < 7 and agrees(number.value, slack, result, 2 * math.pi):
            return True
    return False


def factors_between(one: str, other: str) -> Iterator[float]:
    """What a value in one unit may be multiplied by to be in another; 1 always, since units may be left out."""
    yield 1.0
    if one == other and one:
        return
    if {one, other} & {"deg", "rad"}:
        yield from (HALF_TURN, 1 / HALF_TURN)
    if {one, other} & {"km", "m"}:
        yield from (1000.0, 0.001)
