"""Slips in copied numbers: two digits swapped, one digit changed, a sign or a power of ten lost."""

import math
import re

from app.benchmarks.urban_reasoning.steps.graphs import agrees
from app.benchmarks.urban_reasoning.steps.tokens import Token

_CONSTANTS = (math.pi, math.pi / 2, 2 * math.pi, 180 / math.pi, math.pi / 180, 6378.137, 6371.0, 6371.0088)


def is_constant(token: Token) -> bool:
    """Whether a number is one that formulas have, and no quantity of a question."""
    value = token.value
    if token.digits >= 3 and any(agrees(value, token.half, one) for one in _CONSTANTS):
        return True
    if not token.unit and value == int(value) and token.half >= 0.5:
        return True
    return value in (90.0, 180.0, 270.0, 360.0, 45.0, 1000.0) or (value % 11.25 == 0.0 and value <= 360)


def is_slip(stated: float, half: float, value: float) -> bool:
    """Whether a number is a value whose digits were copied with one slip."""
    if not value or not stated or not half:
        return False
    if agrees(-stated, half, value):
        return True
    one, other = (round(abs(number) / (2 * half)) for number in (stated, value))
    width = max(len(str(one)), len(str(other)))
    left, right = str(one).zfill(width), str(other).zfill(width)
    if abs(one - other) <= 2 or width < 4:
        return False
    places = [place for place, (a, b) in enumerate(zip(left, right, strict=True)) if a != b]
    if len(places) == 1:
        return True
    return len(places) == 2 and left[places[0]] == right[places[1]] and left[places[1]] == right[places[0]]


def is_slip_of_angle(text: str, value: float) -> bool:
    """Whether an angle in degrees, minutes and seconds is a value, in degrees, but for one of its three numbers."""
    told = [float(one) for one in re.findall(r"\d+(?:\.\d+)?", text)]
    if len(told) != 3:
        return False
    seconds = round(abs(value) * 3600)
    right = (seconds // 3600, seconds // 60 % 60, seconds % 60)
    return sum(one != other for one, other in zip(told, right, strict=True)) == 1
