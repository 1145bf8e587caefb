"""Known values found by their size, and numbers of a text as values of quantities. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from app.benchmarks.urban_reasoning.steps.graphs import Stated, agrees
from app.benchmarks.urban_reasoning.steps.rules import Known
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number


class Values:
    """Known values, found by their size."""

    def __init__(self, known: Iterable[Known]) -> None:
        told = []
        for one in known:
            told.append((abs(one.value), one))
            if one.unit == "km":
                told.append((abs(one.value) * 1000, one._replace(value=one.value * 1000, unit="m")))
        self._told = sorted(told, key=lambda pair: pair[0])
        self._sizes = [size for size, _ in self._told]

    def find(self, number: Number) -> Iterator[Known]:
        """The known values that a number is, whatever its sign."""
        size = abs(number.value)
        reach = 2.1 * number.half + size * 1e-8
        start, end = bisect_left(self._sizes, size - reach), bisect_right(self._sizes, size + reach)
        for at in range(start, end):
            one = self._told[at][1]
            if unit_fits(one.unit, number.unit) and agrees(size, number.half, self._sizes[at]):
                yield one


def unit_fits(own: str, said: str) -> bool:
    """Whether a quantity's value may be written with a unit; a number without one may be in any."""
    return not said or own == said


def is_near(one: float, other: float) -> bool:
    """Whether two values are too near to each other to tell a fault from a right value that was rounded."""
    return abs(abs(one) - abs(other)) <= 0.002 * abs(other)


def of_length(unit: str) -> str:
    """The unit that lengths are compared in."""
    return "km" if unit == "m" else unit


def as_stated(number: Number, unit: str) -> Stated:
    """What a number states of a quantity in a unit."""
    scale = 0.001 if unit == "km" and number.unit == "m" else 1.0
    return Stated(number.value * scale, number.half * scale, number.start)
