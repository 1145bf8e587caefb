"""Which of several labels is nearest to a label."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.drawing.answers.counting import count_symbols
from app.drawing.answers.labels import Spot, Unclear, find_spot, middle_of, pixels_between
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
    return _nearest(record, (start.at, middle_of(start)), options)


def nearest_to_symbol(record: Record, symbol: str, options: Sequence[str]) -> NearestLabel | Unclear:
    """The same from the middle of the only symbol of a name (symbols.toml).

    `not_one_right`: there is another number of them. Further reasons are those of `count_symbols`.
    """
    counted = count_symbols(record, symbol)
    if isinstance(counted, Unclear):
        return counted
    if counted.count != 1:
        return Unclear("not_one_right")
    ((left, top, right, bottom),) = (one.box for one in record.symbols if one.symbol == symbol)
    middle = ((left + right) / 2, (top + bottom) / 2)
    return _nearest(record, (middle, middle), options)


def _nearest(record: Record, starts: tuple[Spot, Spot], options: Sequence[str]) -> NearestLabel | Unclear:
    """The option nearest to the first start by what is named, and nearest to the second one by the letters."""
    found: list[DrawnLabel] = []
    for key in options:
        label = find_spot(record, key)
        if isinstance(label, Unclear):
            return label
        found.append(label)
    ends = [(one.at, middle_of(one)) for one in found]
    distances = [[pixels_between(*pair) for pair in zip(starts, both, strict=True)] for both in ends]
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
