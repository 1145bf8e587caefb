"""Slips in copied numbers: two digits swapped, one digit changed, a sign or a power of ten lost."""

import math

from app.benchmarks.urban_reasoning.steps.graphs import agrees
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number

_RADII_KM = (6371.0, 6371.0088, 6371.009, 6371.01, 6367.0, 6372.8, 6378.0, 6378.137, 6356.752)
_CONSTANTS = (
    *_RADII_KM, *(1000 * one for one in _RADII_KM),
    # The length of a degree of a great circle, in km and in metres.
    *(math.radians(one) for one in _RADII_KM), *(1000 * math.radians(one) for one in _RADII_KM),
    math.pi, math.pi / 2, 2 * math.pi, 180 / math.pi, math.pi / 180, 1 / 360, 1 / 3600, 1 / 60,
    3958.8, 3959.0, 1.609344, 298.257,
    111.0, 111.1, 111.12, 111.195, 111.2, 111.3, 111.32, 111.319, 110.574, 110.57, 110.54,
    111_320.0, 111_000.0, 111_195.0, 111_200.0, 110_574.0,
)  # fmt: skip


def is_constant(number: Number) -> bool:
    """Whether a number is one that formulas have, and no quantity of a question."""
    value = abs(number.value)
    if number.digits >= 3 and any(agrees(value, number.half, one) for one in _CONSTANTS):
        return True
    return value in (90.0, 180.0, 270.0, 360.0, 45.0, 1000.0) or (value % 11.25 == 0.0 and value <= 360)


def is_known_constant(value: float) -> bool:
    """Whether a value is near to a constant of formulas: a radius of the earth, the length of a degree."""
    return any(abs(value / one - 1) < 0.001 for one in _CONSTANTS if one > 100)


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
