"""In which direction a label is from another: north, east, south or west, as up, right, down or left in the picture."""

from dataclasses import dataclass
from math import atan2, degrees

from app.drawing.answers.labels import Spot, Unclear, find_spot, pixels_between, spots_of
from app.drawing.record import Record

DIRECTIONS = ("north", "east", "south", "west")
MOST_OFF_AXIS = 35.0
"""Degrees from the axis (specs: sectors of 45 degrees to each side, kept where no more than 35 off)."""
LEAST_PIXELS = 40
"""Nearer labels have no direction that one can see."""


@dataclass(frozen=True)
class DirectionSeen:
    """The direction, and how many degrees it is off its axis at most."""

    direction: str
    off_axis: float


def direction_between(record: Record, start: str, end: str) -> DirectionSeen | Unclear:
    """The direction of `end` seen from `start`, both by osm_key.

    What is named and the letters must both say so. `off_axis`: it is between two directions. `close`: the labels lie
    too near to each other. Further reasons are those of `find_spot`.
    """
    one, other = find_spot(record, start), find_spot(record, end)
    if isinstance(one, Unclear):
        return one
    if isinstance(other, Unclear):
        return other
    seen = []
    for pair in spots_of(one, other):
        if pixels_between(*pair) < LEAST_PIXELS:
            return Unclear("close")
        seen.append(_direction(*pair))
    if len({one.direction for one in seen}) > 1 or max(one.off_axis for one in seen) > MOST_OFF_AXIS:
        return Unclear("off_axis")
    return max(seen, key=lambda one: one.off_axis)


def _direction(start: Spot, end: Spot) -> DirectionSeen:
    """The nearest direction of a line in the picture; its y goes down."""
    bearing = degrees(atan2(end[0] - start[0], start[1] - end[1])) % 360
    place = round(bearing / 90) % 4
    off = abs((bearing - 90 * place + 180) % 360 - 180)
    return DirectionSeen(DIRECTIONS[place], round(off, 1))
