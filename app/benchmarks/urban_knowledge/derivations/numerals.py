"""Numbers as options write them, and whether a measure is sure to be written so. Metres."""

ROUNDING_METRES = 0.01
ROUNDING_SHARE = 1e-6
"""How near to the middle between two written numbers a measure may not lie: two ways of measuring differ by less."""


def metres_text(metres: float) -> str:
    """`1234 m`."""
    return f"{round(metres)} m"


def kilometres_text(metres: float) -> str:
    """`1.23 km`."""
    return f"{round(metres / 10) / 100:.2f} km"


def near_rounding(metres: float, step: float) -> bool:
    """Whether a measure, written in steps of `step` metres, might be written as either neighbour."""
    from_middle = abs(metres / step % 1 - 0.5) * step
    return from_middle < max(ROUNDING_METRES, ROUNDING_SHARE * metres)
