"""Values that responses about tours (PN) state beside the quantities, and what usual mistakes give."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from math import atan2, cos, degrees, hypot, pi, radians, sin

from app.benchmarks.urban_reasoning.steps.context_text import Leg
from app.benchmarks.urban_reasoning.steps.rules import Known
from app.benchmarks.urban_reasoning.steps.tour import distance_name, order_name

Spot = tuple[float, float]


def spots_of(legs: Sequence[Leg]) -> list[Spot]:
    """The places on a plane, the start at (0, 0); x east, y north, in km."""
    spots = [(0.0, 0.0)]
    for leg in legs:
        x, y = spots[-1]
        angle = radians(leg.bearing)
        spots.append((x + leg.km * sin(angle), y + leg.km * cos(angle)))
    return spots


def beside_tour(legs: Sequence[Leg]) -> Iterator[Known]:
    """Angles taken within their quadrant, sums of parts of orders, squares, differences of lengths."""
    for number, leg in enumerate(legs, 1):
        name, angle = f"bearing{number}", leg.bearing
        for turned in (
            angle % 90,
            90 - angle % 90,
            180 - angle,
            angle - 180,
            360 - angle,
            90 - angle,
            450 - angle,
        ):
            yield Known(name, turned, "deg")
            yield Known(f"{name}_rad", radians(turned), "rad")
            yield Known(f"{name}_rad", radians(turned) % (2 * pi), "rad")
        yield Known(f"{name}_rad", radians(angle) / pi, "")
        yield Known(f"km{number}", leg.km**2, "")
        yield Known(f"km{number}", sum(one.km for one in legs[:number]), "km")
        yield Known(f"bearing{number}", legs[number - 2].bearing - angle if number > 1 else angle, "deg")
    spots = spots_of(legs)
    for number, (x, y) in enumerate(spots):
        yield Known(f"x{number}", x * x, "")
        yield Known(f"y{number}", y * y, "")
        yield Known(f"squares{number}", x * x + y * y, "")
    lengths = {pair: _apart(spots, *pair) for pair in combinations(range(len(spots)), 2)}
    for one, other in combinations(range(len(spots)), 2):
        x, y = spots[other][0] - spots[one][0], spots[other][1] - spots[one][1]
        angle = degrees(atan2(x, y))
        yield Known(distance_name(one, other), angle % 360, "deg")
    totals = []
    for rest in permutations(range(1, len(spots))):
        order = (0, *rest)
        parts = [lengths[min(pair), max(pair)] for pair in pairwise(order)]
        totals.append((order, sum(parts)))
        for count in range(2, len(parts)):
            yield Known(order_name(order[: count + 1]), sum(parts[:count]), "km")
        yield Known("back_" + order_name(order), sum(parts) + lengths[0, order[-1]], "km")
    totals.sort(key=lambda pair: pair[1])
    for order, total in totals[1:4]:
        yield Known("more_" + order_name(order), total - totals[0][1], "km")


def faults_of_tour(legs: Sequence[Leg]) -> Iterator[Known]:
    """Sine and cosine exchanged, and bearings taken for radians."""
    for number, leg in enumerate(legs, 1):
        angle = radians(leg.bearing)
        yield Known(f"dx{number}", leg.km * sin(leg.bearing), "km")
        yield Known(f"dy{number}", leg.km * cos(leg.bearing), "km")
        yield Known(f"bearing{number}_rad", angle / 2, "rad")


def _apart(spots: Sequence[Spot], one: int, other: int) -> float:
    return hypot(spots[one][0] - spots[other][0], spots[one][1] - spots[other][1])
