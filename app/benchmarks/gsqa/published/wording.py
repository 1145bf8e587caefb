"""Gold in words: one gold object of a published case → the text that answers are compared with."""

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

_ADDRESS = ("addr_street", "addr_city", "addr_state", "addr_postcode")
_UNITS = {"distance": "meters", "length": "meters", "area": "meters squared"}
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = (
    (10**12, "trillion"),
    (10**9, "billion"),
    (10**6, "million"),
    (10**3, "thousand"),
    (100, "hundred"),
)
_SECTORS = (
    (22.5, "north"),
    (67.5, "northeast"),
    (112.5, "east"),
    (157.5, "southeast"),
    (202.5, "south"),
    (247.5, "southwest"),
    (292.5, "west"),
    (337.5, "northwest"),
    (math.inf, "north"),
)
_OWN_EDGES = frozenset({"northeast", "southeast", "southwest", "northwest"})


def gold_text(answer_type: str, gold: Mapping[str, Any]) -> str:
    """The text of one gold object: a name, an address, a number in words with its unit, a sector, a fact's sentence.

    Raises KeyError for gold without the field that its answer type needs.
    """
    match answer_type:
        case "name":
            return str(gold[next((key for key in gold if key.endswith("_name")), "name")])
        case "loc":
            return address_text(gold)
        case "angle":
            return sector_of(float(gold["angle"])) or ""
        case "external":
            return str(gold["multihop_long_answer"])
    return f"{in_words(gold[answer_type])} {_UNITS.get(answer_type, '')}".rstrip()


def address_text(gold: Mapping[str, Any]) -> str:
    """Street, city, state and postcode, those there are; the house number is not part of the published text."""
    return " ".join(str(gold[field]) for field in _ADDRESS if gold.get(field))


def in_words(number: float) -> str:
    """A number in English words, decimals digit by digit: 141.5 → "one hundred forty-one point five"."""
    if number < 0:
        return f"minus {in_words(-number)}"
    words = _whole_in_words(int(number))
    if not isinstance(number, float):
        return words
    return " ".join([words, "point", *(_SMALL[int(digit)] for digit in _decimals(number))])


def _whole_in_words(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]
    size, scale = next((size, scale) for size, scale in _SCALES if number >= size)
    many, rest = divmod(number, size)
    return f"{_whole_in_words(many)} {scale}" + (f" {_whole_in_words(rest)}" if rest else "")


def _decimals(number: float) -> str:
    """The decimals as published: as many as the number is written with, but cut off from what arithmetic leaves.

    1029.1671958874113 - 1029 is a little less than it looks, so the last digit is two (case T28/37/GT); only what
    lies within a hundredth of the next digit is rounded to it.
    """
    places = abs(int(Decimal(repr(number)).as_tuple().exponent))
    scaled = abs(number - int(number)) * 10**places
    nearest = round(scaled)
    digits = nearest if abs(nearest - scaled) < 0.01 else math.floor(scaled)
    return str(digits).zfill(places)


def sector_of(degrees: float) -> str | None:
    """The sector of an azimuth by the published edges, None outside 0 to 360.

    The first match counts: the four sectors between the poles own both their edges, where ours are half-open
    (docs/scoring.md). Source: GS-QA, direction answers; the published cases.
    """
    if not 0 <= degrees <= 360:
        return None
    return next(
        name for upper, name in _SECTORS if degrees < upper or (degrees == upper and name in _OWN_EDGES)
    )
