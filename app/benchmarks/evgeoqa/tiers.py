"""Tiers of questions and the moves they need, by how far the first station of the key is. Metres, straight lines."""

import math

TIERS = ((10_000.0, "10"), (20_000.0, "20"))
"""By how far the first station is: the name of the smallest tier that the question belongs to (paper, Table 2)."""
BEYOND = "none"
VIEW_M = 5_000.0
"""How far one sees from a place; farther stations take moves, each of which leads so far at best."""


def tier_of(metres: float) -> str:
    """The smallest tier that holds questions whose first station is so far: `10`, `20` (km), or `none`."""
    return next((name for limit, name in TIERS if metres < limit), BEYOND)


def moves_needed(metres: float) -> int:
    """How many moves of 5 km it takes at least to see a station that is so far."""
    return math.ceil(max(0.0, metres - VIEW_M) / VIEW_M)
