"""All derivations; importing this package registers them."""

from app.questions.derivations import (
    addresses,
    comparing,
    distances,
    facts,
    kinds,
    nearest,
    numbers,
    options,
    ranges,
    regions,
    roads,
    scenes,
)
from app.questions.derivations.base import DERIVATIONS, Case, Derived

__all__ = [
    "DERIVATIONS",
    "Case",
    "Derived",
    "addresses",
    "comparing",
    "distances",
    "facts",
    "kinds",
    "nearest",
    "numbers",
    "options",
    "ranges",
    "regions",
    "roads",
    "scenes",
]
