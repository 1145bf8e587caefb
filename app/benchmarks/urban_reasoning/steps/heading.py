"""Quantities of Destination (PR): headings and lengths of legs, and how each candidate lies to the end of the way.

Points are numbered from 0, the start of the way; candidates from 0 in their order. Headings and distances may be those
of the sphere or of a plane around the points.
"""

from collections.abc import Iterator, Sequence
from math import atan2, cos, degrees, hypot, radians

from app.benchmarks.urban_reasoning.steps.context_text import Place
from app.benchmarks.urban_reasoning.steps.graphs import Formula, Graph, Quantity, Way
from app.benchmarks.urban_reasoning.truth.sphere import RADIUS_M, Point, leg_on_ground, leg_on_sphere

DEGREE_KM = (111.195, 111.32, 111.0, 110.574)
"""Kilometres of a degree, as texts take them."""


def heading_graph(way: Sequence[Place], candidates: Sequence[Place]) -> Graph:
    """The quantities of a way and of candidates."""
    points = {f"w{number}": place for number, place in enumerate(way)}
    points |= {f"c{number}": place for number, place in enumerate(candidates)}
    given: dict[str, float] = {}
    for key, place in points.items():
        given |= {f"lat_{key}": place.lat, f"lon_{key}": place.lon}
    graph = Graph((Quantity(name, "deg", ()) for name in given), given)
    last = f"w{len(way) - 1}"
    pairs = [(f"w{number}", f"w{number + 1}", f"leg{number + 1}") for number in range(len(way) - 1)]
    pairs.append(("w0", last, "overall"))
    pairs += [(last, f"c{number}", f"c{number}") for number in range(len(candidates))]
    for start, end, name in pairs:
        graph.with_more(_between(start, end, name))
    for number in range(len(candidates)):
        graph.with_more(_turns(number, f"leg{len(way) - 1}"))
    return graph


def _between(start: str, end: str, name: str) -> Iterator[Quantity]:
    ends = (f"lat_{start}", f"lon_{start}", f"lat_{end}", f"lon_{end}")
    for axis in ("lat", "lon"):
        yield Quantity(
            f"d{axis}_{name}", "deg", (Way((f"{axis}_{start}", f"{axis}_{end}"), lambda a, b: b - a),)
        )
    ways = [Way(ends, formula) for formula in _HEADINGS]
    yield Quantity(f"bearing_{name}", "deg", tuple(ways), period=360)
    yield Quantity(f"distance_{name}", "km", tuple(Way(ends, formula) for formula in _DISTANCES))
    yield Quantity(f"degrees_{name}", "deg", (Way(ends, lambda a, b, c, d: hypot(c - a, d - b)),))


def _turns(number: int, last: str) -> Iterator[Quantity]:
    for name, heading in (("off_last", f"bearing_{last}"), ("off_overall", "bearing_overall")):
        yield Quantity(
            f"{name}_c{number}",
            "deg",
            (Way((f"bearing_c{number}", heading), _angle_between),),
            signless=True,
        )


def _angle_between(one: float, other: float) -> float:
    apart = abs(one - other) % 360
    return min(apart, 360 - apart)


def _sphere_heading(a: float, b: float, c: float, d: float) -> float:
    return leg_on_sphere(Point(a, b), Point(c, d)).bearing


def _ground_heading(a: float, b: float, c: float, d: float) -> float:
    return leg_on_ground(Point(a, b), Point(c, d)).bearing


def _plane_heading(a: float, b: float, c: float, d: float) -> float:
    return degrees(atan2((d - b) * cos(radians((a + c) / 2)), c - a)) % 360


def _start_heading(a: float, b: float, c: float, d: float) -> float:
    return degrees(atan2((d - b) * cos(radians(a)), c - a)) % 360


def _raw_heading(a: float, b: float, c: float, d: float) -> float:
    return degrees(atan2(d - b, c - a)) % 360


def _sphere_km(a: float, b: float, c: float, d: float) -> float:
    return leg_on_sphere(Point(a, b), Point(c, d)).metres / 1000


def _ground_km(a: float, b: float, c: float, d: float) -> float:
    return leg_on_ground(Point(a, b), Point(c, d)).metres / 1000


def _plane_km(kilometres: float) -> Formula:
    def formula(a: float, b: float, c: float, d: float) -> float:
        return kilometres * hypot(c - a, (d - b) * cos(radians((a + c) / 2)))

    return formula


_HEADINGS = (_sphere_heading, _plane_heading, _start_heading, _ground_heading, _raw_heading)
_DISTANCES = (
    _sphere_km,
    _ground_km,
    *(_plane_km(each) for each in (RADIUS_M / 1000 * radians(1), *DEGREE_KM)),
)
