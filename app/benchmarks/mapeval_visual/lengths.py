"""Lengths as options write them: two significant digits, in metres below a kilometre, else in kilometres."""

import math


def length_text(metres: float) -> str:
    """`85 m`, `450 m`, `1.2 km`; of lengths from 10 metres on."""
    step = 10.0 ** (math.floor(math.log10(metres)) - 1)
    rounded = round(metres / step) * step
    return f"{rounded:.0f} m" if rounded < 1000 else f"{rounded / 1000:g} km"


def metres_of(text: str) -> float | None:
    """The metres that such a text says; None for another text."""
    number, _, unit = text.partition(" ")
    try:
        return float(number) * {"m": 1, "km": 1000}[unit]
    except (KeyError, ValueError):
        return None
