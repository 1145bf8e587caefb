"""Which of several labels is nearest to a label."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.drawing.answers.labels import Unclear, find_spot, pixels_between, spots_of
from app.drawing.record import DrawnLabel, Record

LEAST_MARGIN = 0.25
"""How much farther than the nearest the second must be, as a share: less can hardly be seen."""


@dataclass(frozen=True)
class NearestLabel:
    """The nearest, its distance, and how much farther the second is (0.5: half as far again)."""

    osm_key: str
    pixels: float
    metres: float
    margin: float


def nearest_label(record: Record, anchor: str, options: Sequence[str]) -> NearestLabel | Unclear:
    """The option whose label is nearest to the anchor's; all by osm_key, at least two options.

    What is named and the letters must both say so. `close`: they do not, or the second is hardly farther. Further
    reasons are those of `find_spot`.
    """
    start = find_spot(record, anchor)
    if isinstance(start, Unclear):
        return start
    found: list[DrawnLabel] = []
    for key in options:
        label = find_spot(record, key)
        if isinstance(label, Unclear):
            return label
        found.append(label)
    distances = [[pixels_between(*pair) for pair in spots_of(start, one)] for one in found]
    winners = {min(range(len(found)), key=lambda place: distances[place][way]) for way in (0, 1)}
    margins = []
    for way in (0, 1):
        first, second = sorted(one[way] for one in distances)[:2]
        margins.append(second / first - 1 if first else 0.0)
    if len(winners) > 1 or min(margins) < LEAST_MARGIN:
        return Unclear("close")
    (winner,) = winners
    pixels = distances[winner][0]
    metres = pixels * record.frame["metres_per_pixel"]
    return NearestLabel(found[winner].osm_key, round(pixels, 1), round(metres, 1), round(min(margins), 3))
