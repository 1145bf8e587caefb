"""Planning (PN): five places of which only the legs from one to the next are told. Metres and degrees.

Bearings and distances are geodesics on WGS84, printed with two decimals; the order follows from what is printed.
"""

from itertools import pairwise

from app.benchmarks.urban_reasoning.judged import facts_of_tour, judged
from app.benchmarks.urban_reasoning.truth.orders import best_order
from app.benchmarks.urban_reasoning.truth.sphere import Leg, Point, leg_on_ground, rounded_bearing, wind_of
from app.questions.derivations.base import Case, Derived, derivation, refused

PLACES = 5
NEAR_HALF = 1e-3
"""Hundredths from the middle between two rounded numbers within which a number may be rounded to either."""


@derivation("urban_reasoning", "printed_legs")
def printed_legs(case: Case) -> Derived:
    """The shortest order by the printed legs."""
    if len(case.rows) < PLACES:
        return refused("no_answer")
    names = [row["name"] for row in case.rows]
    legs = [
        leg_on_ground(Point(one["lat"], one["lon"]), Point(other["lat"], other["lon"]))
        for one, other in pairwise(case.rows)
    ]
    if not all(case.margins["least"] <= leg.metres <= case.margins["most"] for leg in legs):
        return refused("leg_out_of_range")
    if any(_is_near_half(number) for leg in legs for number in (leg.metres / 1000, leg.bearing)):
        return refused("near_rounding")
    rounded = [Leg(1000 * round(leg.metres / 1000, 2), rounded_bearing(leg.bearing)) for leg in legs]
    best = best_order(rounded)
    if best is None:
        return refused("margin")
    printed = [
        [one, other, f"{leg.bearing:.2f}", wind_of(leg.bearing), f"{leg.metres / 1000:.2f}"]
        for (one, other), leg in zip(pairwise(names), rounded, strict=True)
    ]
    order = [names[place] for place in best.places]
    told = judged("PN", "->".join(order), facts_of_tour(names, rounded))
    return Derived({"order": order, "length": best.metres, "printed": printed, **told})


def _is_near_half(number: float) -> bool:
    return abs(number * 100 % 1 - 0.5) < NEAR_HALF
