"""How numbers of a response compare with others: near, scaled, repeated, or the result of a simple operation. Pure."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from app.benchmarks.urban_reasoning.steps.graphs import Stated, agrees
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number
from app.benchmarks.urban_reasoning.steps.tokens import LINE, Token

WAYS = 0.004
"""Share that sound ways of computing a quantity differ: sphere or plane, radius, rounding on the way."""
MOST_COARSE = 3.0
"""Halves of the last digit that numbers are off which were computed from numbers as coarse as they are."""
FACTORS = (
    0.001,
    0.01,
    0.1,
    10.0,
    100.0,
    1000.0,
    2.0,
    0.5,
    4.0,
    0.25,
    60.0,
    1 / 60,
    math.radians(1),
    math.degrees(1),
)
"""What a number is off that was not converted, halved or doubled, or whose point is at another place."""


def is_within(stated: Stated, value: float, period: float) -> bool:
    """Whether a value is as near to another one as sound ways of computing and rounding on the way differ."""
    if period:
        return abs((stated.value - value + period / 2) % period - period / 2) <= WAYS * period / 2
    return abs(abs(stated.value) - abs(value)) <= max(WAYS * abs(value), MOST_COARSE * stated.half)


def is_scaled(stated: Stated, value: float, factors: Sequence[float] = FACTORS) -> bool:
    """Whether a value is another one times a factor that is easily forgotten or doubled."""
    ratio, slack = abs(stated.value / value), stated.half / abs(stated.value or 1) + 0.0005
    return any(abs(ratio / factor - 1) <= slack for factor in factors)


def is_same(one: Number, other: Number) -> bool:
    """Whether a number repeats another one, whatever its sign, perhaps with fewer digits."""
    if one.value == other.value or one.value == -other.value:
        return one.unit in ("", other.unit) or not other.unit
    return (
        other.digits >= 3 and agrees(abs(other.value), other.half, abs(one.value)) and one.half <= other.half
    )


def operated(near: Sequence[Number]) -> Iterator[float]:
    """What simple operations on the numbers before a number give."""
    for place, one in enumerate(near):
        a = one.value
        yield from (a * a, 2 * a, a / 2, math.radians(a), math.degrees(a), a * 60, a / 60, a * 1000, a / 1000)
        yield from (math.sqrt(abs(a)), 1 - a, math.sin(a / 2) ** 2)
        yield from (360 - a, 180 - a, 180 + a, 360 + a, 90 - a, math.degrees(math.atan(a)))
        for other in near[place + 1 :]:
            b = other.value
            yield from (a + b, a - b, a * b, (a + b) / 2, math.hypot(a, b))
            if a and b:
                yield from (a / b, b / a)


def numbers_in_names(text: str, labels: Iterable[str]) -> frozenset[int]:
    """The places in a text that lie within names with digits."""
    forms = [re.escape(label) for label in labels if any(sign.isdigit() for sign in label)]
    found = re.finditer("|".join(forms), text) if forms else ()
    return frozenset(place for each in found for place in range(*each.span()))


def joined_lines(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, without ends of lines beside a sign of equality: such an equation goes on in the next line."""
    kept = []
    for place, token in enumerate(tokens):
        if token.kind == LINE:
            beside = [tokens[one].text for one in (place - 1, place + 1) if 0 <= one < len(tokens)]
            if "=" in beside:
                continue
        kept.append(token)
    return kept
