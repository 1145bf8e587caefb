"""Readings of short answers are kept: what `random` may say is scored against every question that it may answer."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")
SHORT = 200
"""Characters up to which an answer's reading is kept, so that what is kept stays small."""
KEPT = 8192


def remembered(read: Callable[[str], T]) -> Callable[[str], T]:
    """`read`, which must be pure and give what nobody changes; the last KEPT short texts are read once."""
    kept = lru_cache(maxsize=KEPT)(read)

    @wraps(read)
    def reading(text: str) -> T:
        return kept(text) if len(text) <= SHORT else read(text)

    return reading
