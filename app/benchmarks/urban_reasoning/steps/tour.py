"""Quantities of Visiting_Order (PN): legs, their components, positions on a plane, distances, lengths of orders.

East is x, north is y; kilometres and degrees clockwise from north. Places are numbered from 0, the start; leg n leads
to place n.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from math import cos, hypot, radians, sin, sqrt

from app.benchmarks.urban_reasoning.steps.context_text import Leg
from app.benchmarks.urban_reasoning.steps.graphs import Graph, Quantity
from app.benchmarks.urban_reasoning.steps.two_places import quantity


def tour_graph(legs: Sequence[Leg]) -> Graph:
    """The quantities of a tour of which legs are told."""
    given = {"x0": 0.0, "y0": 0.0}
    for number, leg in enumerate(legs, 1):
        given |= {f"bearing{number}": leg.bearing, f"km{number}": leg.km}
    graph = Graph((quantity("x0", "km"), quantity("y0", "km")), given)
    graph.with_more(_legs(len(legs)))
    graph.with_more(_distances(len(legs) + 1))
    return graph.with_more(_orders(len(legs) + 1))


def _legs(count: int) -> Iterator[Quantity]:
    for leg in range(1, count + 1):
        yield quantity(f"bearing{leg}", "deg")
        yield quantity(f"km{leg}", "km")
        yield quantity(f"bearing{leg}_rad", "rad", (f"bearing{leg}", radians))
        yield quantity(f"sin{leg}", "", (f"bearing{leg}_rad", sin))
        yield quantity(f"cos{leg}", "", (f"bearing{leg}_rad", cos))
        yield quantity(f"dx{leg}", "km", (f"km{leg} sin{leg}", lambda d, s: d * s))
        yield quantity(f"dy{leg}", "km", (f"km{leg} cos{leg}", lambda d, c: d * c))
        for axis in "xy":
            yield quantity(f"{axis}{leg}", "km", (f"{axis}{leg - 1} d{axis}{leg}", lambda a, b: a + b))


def _distances(count: int) -> Iterator[Quantity]:
    for one, other in combinations(range(count), 2):
        for axis in "xy":
            yield quantity(
                f"gap_{axis}{one}{other}",
                "km",
                (f"{axis}{one} {axis}{other}", lambda a, b: b - a),
                signless=True,
            )
            yield quantity(f"gap2_{axis}{one}{other}", "", (f"gap_{axis}{one}{other}", lambda d: d * d))
        yield quantity(
            f"sum2_{one}{other}", "", (f"gap2_x{one}{other} gap2_y{one}{other}", lambda a, b: a + b)
        )
        ways = [
            (f"gap_x{one}{other} gap_y{one}{other}", hypot),
            (f"sum2_{one}{other}", sqrt),
        ]
        if other == one + 1:
            ways.insert(0, (f"km{other}", float))
        yield quantity(distance_name(one, other), "km", *ways)


def _orders(count: int) -> Iterator[Quantity]:
    for rest in permutations(range(1, count)):
        order = (0, *rest)
        inputs = " ".join(distance_name(*pair) for pair in pairwise(order))
        yield quantity(order_name(order), "km", (inputs, lambda *parts: sum(parts)))


def distance_name(one: int, other: int) -> str:
    """The quantity of the distance of two places."""
    return f"distance_{min(one, other)}{max(one, other)}"


def order_name(order: Sequence[int]) -> str:
    """The quantity of the length of an order."""
    return "path_" + "".join(map(str, order))
