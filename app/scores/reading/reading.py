"""What every reader gives back: a value, or the reason why there is none."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Reading(Generic[T]):
    """Either `value`, or `reason` in words for the person who wonders why an answer did not count."""

    value: T | None = None
    reason: str | None = None
