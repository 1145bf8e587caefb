"""Student's t distribution for whole degrees of freedom: finite sums, the same bits everywhere."""

import math
from functools import lru_cache

MOST_DEGREES = 1000
"""More count as so many: the quantile at 97.5 % is then 1.9623, the normal's 1.9600."""


def two_sided(t: float, degrees: int) -> float:
    """P(|T| >= |t|) for `degrees` of freedom, at least 1 (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4)."""
    degrees = min(degrees, MOST_DEGREES)
    theta = math.atan(abs(t) / math.sqrt(degrees))
    if degrees == 1:
        return 1.0 - 2.0 * theta / math.pi
    sine, square = math.sin(theta), math.cos(theta) ** 2
    odd = degrees % 2
    term = math.cos(theta) if odd else 1.0
    terms = [term]
    for number in range(2 + odd, degrees - 1, 2):
        term *= square * (number - 1) / number
        terms.append(term)
    within = sine * math.fsum(terms)
    if odd:
        within = 2.0 / math.pi * (theta + within)
    return min(1.0, max(0.0, 1.0 - within))


@lru_cache(maxsize=4096)
def quantile(share: float, degrees: int) -> float:
    """The t that `share` of the distribution lies below, for a share of at least one half and below 1; by halving."""
    wanted = 2.0 * (1.0 - share)
    low, high = 0.0, 1.0
    while two_sided(high, degrees) > wanted:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if two_sided(middle, degrees) > wanted:
            low = middle
        else:
            high = middle
    return high
