"""Reads quantities that options write: lengths, durations, angles, counts, times of the clock. Pure."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_NUMBER: Final = r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[-+]?[0-9]+(?:\.[0-9]+)?"
_PART: Final = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>[a-zµ°²%]+(?:\s*2)?)?", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    r"[\s,.~≈]*(?:and|about|around|approximately|approx|ca)?[\s,.~≈]*", re.IGNORECASE
)
_CLOCK: Final = re.compile(
    r"(?P<hour>[01]?[0-9]|2[0-4])[:.h](?P<minute>[0-5][0-9])(?::[0-5][0-9])?\s*(?P<half>[ap]\.?m\.?)?",
    re.IGNORECASE,
)
LENGTH, DURATION, ANGLE, AREA, COUNT = "m", "s", "degrees", "m2", ""
"""Dimensions, by their unit; what is counted has none."""
UNITS: Final[Mapping[str, tuple[str, float]]] = {
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), (LENGTH, 1.0)),
    **dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres"), (LENGTH, 1_000.0)),
    **dict.fromkeys(("mi", "mile", "miles"), (LENGTH, 1_609.344)),
    **dict.fromkeys(("ft", "foot", "feet"), (LENGTH, 0.3048)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), (DURATION, 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), (DURATION, 60.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), (DURATION, 3_600.0)),
    **dict.fromkeys(("d", "day", "days"), (DURATION, 86_400.0)),
    **dict.fromkeys(("°", "deg", "degree", "degrees"), (ANGLE, 1.0)),
    **dict.fromkeys(("m2", "m²", "sqm"), (AREA, 1.0)),
    **dict.fromkeys(("km2", "km²", "sqkm"), (AREA, 1_000_000.0)),
}


class Quantity(NamedTuple):
    """A number in the unit of its dimension: metres, seconds, degrees, square metres, or a plain count."""

    value: float
    dimension: str


def read_quantity(text: str) -> Quantity | None:
    """The quantity that a text is, as `1 hour 5 minutes` or `2.4 km`; None where it is none, or more than that.

    A word that is no unit counts as what is counted: `4 cafes`.
    """
    found: list[Quantity] = []
    end = 0
    for part in _PART.finditer(text):
        if not _BETWEEN.fullmatch(text, end, part.start()):
            return None
        number, unit = float(part["number"].replace(",", "")), (part["unit"] or "").lower().replace(" ", "")
        dimension, factor = UNITS.get(unit, (COUNT, 1.0))
        found.append(Quantity(number * factor, dimension))
        end = part.end()
    dimensions = {one.dimension for one in found}
    is_one = len(found) == 1 or dimensions == {DURATION}
    rest = text[end:].strip(" .")
    if not found or not is_one or (rest and not rest.replace(" ", "").isalpha()):
        return None
    return Quantity(sum(one.value for one in found), dimensions.pop())


def in_dimension(value: float, unit: str | None) -> Quantity:
    """A value of a concept as a quantity; a unit that is none of UNITS says what is counted."""
    dimension, factor = UNITS.get((unit or "").lower(), (COUNT, 1.0))
    return Quantity(value * factor, dimension)


def read_clock(text: str) -> int | None:
    """The minutes since midnight of a time of the clock, `09:10` or `9:10 PM`; None for another text."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hour, half = int(found["hour"]), (found["half"] or "")[:1].lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return (60 * hour + int(found["minute"])) % 1440
