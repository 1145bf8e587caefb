"""Second path of Visiting_Order: legs as complex numbers, and a search that tries every order. Metres and degrees."""

from cmath import rect
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import pi, radians

from app.benchmarks.urban_reasoning.second_path.two_places import DIRECTIONS, judged
from app.questions.second_path.answering import Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.geodesy import measure
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import compared_places

PLACES = 5
SHORTEST, LONGEST = 150.0, 20_000.0
CLEARLY_LONGER = 1.01


@second_path("urban_reasoning", "Visiting_Order")
def visiting_order(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The order of the shortest tour, from the legs as they are printed."""
    poi, places = layers["poi"], compared_places(layers, parameters, PLACES)
    names = [poi.rows[one].name or "" for one in places]
    printed, spots, in_range = [], [0j], True
    for (one, other), (name, then) in zip(pairwise(places), pairwise(names), strict=True):
        metres, azimuth = measure(
            *poi.coordinates[one].tolist(), *(poi.coordinates[[other], axis] for axis in (0, 1))
        )
        in_range &= SHORTEST <= float(metres[0]) <= LONGEST
        kilometres, bearing = f"{float(metres[0]) / 1000:.2f}", f"{float(azimuth[0]) % 360:.2f}"
        bearing = "0.00" if bearing == "360.00" else bearing
        direction = DIRECTIONS[int(float(bearing) / 22.5 + 0.5) % 16]
        printed.append([name, then, bearing, direction, kilometres])
        spots.append(spots[-1] + rect(1000 * float(kilometres), pi / 2 - radians(float(bearing))))
    tours = sorted(_tours(spots, (0,), 0.0))
    (length, best), (second, _) = tours[:2]
    refusal = first_refusal((not in_range, "leg_out_of_range"), (second < length * CLEARLY_LONGER, "margin"))
    order = [names[place] for place in best]
    facts = {
        "km_east_and_north": {
            name: [round(spot.real / 1000, 3), round(spot.imag / 1000, 3)]
            for name, spot in zip(names, spots, strict=True)
        },
        "farthest_from_start": max(zip(names, spots, strict=True), key=lambda told: abs(told[1]))[0],
        "km_of_orders": dict(
            sorted(
                ("->".join(names[place] for place in tour), round(metres / 1000, 3)) for metres, tour in tours
            )
        ),
    }
    told = judged("PN", "->".join(order), facts)
    value = {"order": order, "length": length, "printed": printed, **told}
    return SecondAnswer(value, refusal, {"second": second})


def _tours(
    spots: Sequence[complex], gone: tuple[int, ...], length: float
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """All tours that go on from those places, each with its length."""
    if len(gone) == len(spots):
        yield length, gone
    for place in range(1, len(spots)):
        if place not in gone:
            yield from _tours(spots, (*gone, place), length + abs(spots[place] - spots[gone[-1]]))
