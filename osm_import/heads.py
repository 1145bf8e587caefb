"""Import stage: what the head of a map file says that the map reader does not pass on as it stands. Pure."""

from datetime import datetime
from typing import NamedTuple

HALF, WHOLE = 180.0, 360.0
"""Degrees of longitude."""


class Box(NamedTuple):
    """A box in degrees; one whose west is greater than its east crosses the antimeridian."""

    west: float
    south: float
    east: float
    north: float

    @property
    def crosses(self) -> bool:
        """Whether it goes over the antimeridian, and is not merely given with its sides swapped."""
        on_earth = max(abs(self.west), abs(self.east)) <= HALF and -90 <= self.south < self.north <= 90
        return on_earth and self.west > self.east and self.east + WHOLE - self.west < HALF


class Head(NamedTuple):
    """What stands before the first object; the date may be any."""

    timestamp: datetime | None = None
    boxes: tuple[Box, ...] = ()
