"""Readings: when the answer about places around an anchor stays the same. Metres and degrees.

Columns are places; rows are points that one may stand on. Every rule leaves room for what `sights` may be off.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from app.questions.readings import SAME_SHARE
from app.questions.readings.sights import SLACK, Flags, Sight, Spans, turn
from app.questions.second_path.geodesy import Floats, Positions

SAME_DEGREES = 1.8
"""Degrees by which a direction may differ: it costs as much of the score as SAME_SHARE of a number does."""


class Rule(Protocol):
    """What keeps an answer the same, wherever one stands."""

    @property
    def first(self) -> Flags:
        """By column: the places whose being left out changes the answer."""

    def holds(self, spans: Spans, sight: Sight, starts: Positions) -> bool:
        """Whether the answer is the same from every row."""


@dataclass(frozen=True)
class AsFar:
    """Numbers of the places that are asked about stay the same: distances or azimuths, by column; NaN elsewhere."""

    distance: Floats | None = None
    azimuth: Floats | None = None

    def holds(self, spans: Spans, sight: Sight, starts: Positions) -> bool:
        """Whether each is within SAME_SHARE, or SAME_DEGREES, of what it is from the point that is meant."""
        if self.distance is not None:
            room = SAME_SHARE * self.distance
            with np.errstate(invalid="ignore"):
                if np.any(spans.most - self.distance > room) or np.any(self.distance - spans.least > room):
                    return False
        if self.azimuth is not None:
            sizes = np.diff(np.append(starts, sight.azimuth.shape[1]))
            turned = np.abs(turn(sight.azimuth, np.repeat(self.azimuth, sizes)[None, :]))
            with np.errstate(invalid="ignore"):
                return not bool(np.any(turned > SAME_DEGREES))
        return True


@dataclass(frozen=True)
class SameWithin:
    """The same places lie within a distance and the sector; those that are tolerated may or may not."""

    reach: float
    first: Flags
    tolerated: Flags
    numbers: AsFar

    def holds(self, spans: Spans, sight: Sight, starts: Positions) -> bool:
        """Whether every accepted place surely lies there, and no other."""
        kept = (spans.most <= self.reach - SLACK) & spans.surely
        others = ~(self.first | self.tolerated)
        came = (spans.least <= self.reach + SLACK) & spans.maybe
        if not bool(kept[:, self.first].all()) or bool(came[:, others].any()):
            return False
        return self.numbers.holds(spans, sight, starts)


@dataclass(frozen=True)
class SameCount:
    """As many places lie within a distance."""

    reach: float
    first: Flags

    def holds(self, spans: Spans, sight: Sight, starts: Positions) -> bool:
        """Whether surely so many do, and surely no more."""
        count = int(self.first.sum())
        surely = (spans.most <= self.reach - SLACK).sum(axis=1)
        maybe = (spans.least <= self.reach + SLACK).sum(axis=1)
        return bool(np.all(surely == count) and np.all(maybe == count))


@dataclass(frozen=True)
class SameNearest:
    """The same place is the nearest in the sector."""

    first: Flags
    numbers: AsFar

    def holds(self, spans: Spans, sight: Sight, starts: Positions) -> bool:
        """Whether it is in the sector, and surely nearer than any other that may be."""
        if not bool(spans.surely[:, self.first].all()):
            return False
        farthest = spans.most[:, self.first].max(axis=1)
        others = np.where(spans.maybe, spans.least, np.inf)[:, ~self.first]
        if others.size and bool(np.any(others.min(axis=1) <= farthest + SLACK)):
            return False
        return self.numbers.holds(spans, sight, starts)


def keys_of(value: Mapping[str, Any], part: str) -> set[str]:
    """The osm_keys of the objects in a part of gold."""
    return {one["osm_key"] for one in value.get(part, ())}
