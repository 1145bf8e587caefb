"""Quantities of Distance (DS) and Direction (DR): from coordinates to the distance, or to the bearing.

Formulas: haversine, and beside it the spherical law of cosines and the equirectangular approximation; the initial
bearing of the great circle. Degrees, radians, kilometres.
"""

from collections.abc import Callable, Iterator
from math import acos, asin, atan, atan2, cos, degrees, pi, radians, sin, sqrt

from app.benchmarks.urban_reasoning.steps.context_text import Place
from app.benchmarks.urban_reasoning.steps.graphs import Graph, Quantity, Way

RADII_KM = (6371.0088, 6371.0, 6371.009, 6371.01)
"""The mean radius of the earth, and as it is often rounded."""


def quantity(
    name: str, unit: str, *ways: tuple[str, Callable[..., float]], period: float = 0.0, signless: bool = False
) -> Quantity:
    """A quantity from formulas, each with the names of what it is computed from."""
    made = tuple(Way(tuple(inputs.split()), formula) for inputs, formula in ways)
    return Quantity(name, unit, made, period, signless)


def distance_graph(one: Place, other: Place) -> Graph:
    """The quantities of a distance."""
    return Graph(_coordinates(signless=True), _given(one, other)).with_more(_distance())


def direction_graph(one: Place, other: Place) -> Graph:
    """The quantities of a bearing."""
    return Graph(_coordinates(signless=False), _given(one, other)).with_more(_bearing())


def _given(one: Place, other: Place) -> dict[str, float]:
    return {"lat1_deg": one.lat, "lon1_deg": one.lon, "lat2_deg": other.lat, "lon2_deg": other.lon}


def _coordinates(signless: bool) -> Iterator[Quantity]:
    for axis in ("lat", "lon"):
        for place in (1, 2):
            yield quantity(f"{axis}{place}_deg", "deg")
            yield quantity(f"{axis}{place}_rad", "rad", (f"{axis}{place}_deg", radians))
        ends = [f"{axis}1", f"{axis}2"]
        yield quantity(
            f"d{axis}_deg", "deg", (f"{ends[0]}_deg {ends[1]}_deg", lambda a, b: b - a), signless=signless
        )
        yield quantity(
            f"d{axis}_rad",
            "rad",
            (f"d{axis}_deg", radians),
            (f"{ends[0]}_rad {ends[1]}_rad", lambda a, b: b - a),
            signless=signless,
        )
    for place in (1, 2):
        yield quantity(f"sin_lat{place}", "", (f"lat{place}_rad", sin))
        yield quantity(f"cos_lat{place}", "", (f"lat{place}_rad", cos))
    yield quantity("sin_dlon", "", ("dlon_rad", sin), signless=signless)
    yield quantity("cos_dlon", "", ("dlon_rad", cos))


def _distance() -> Iterator[Quantity]:
    for axis in ("lat", "lon"):
        yield quantity(f"half_d{axis}", "rad", (f"d{axis}_rad", lambda d: d / 2), signless=True)
        yield quantity(f"half_d{axis}_deg", "deg", (f"d{axis}_deg", lambda d: d / 2), signless=True)
        yield quantity(f"sin_half_d{axis}", "", (f"half_d{axis}", sin), signless=True)
        yield quantity(f"sin2_half_d{axis}", "", (f"sin_half_d{axis}", lambda s: s * s))
    yield quantity("cos_product", "", ("cos_lat1 cos_lat2", lambda a, b: a * b))
    yield quantity(
        "lon_term",
        "",
        ("cos_product sin2_half_dlon", lambda a, b: a * b),
        ("cos_lat1 cos_lat2 sin2_half_dlon", lambda a, b, s: a * b * s),
    )
    yield quantity("a", "", ("sin2_half_dlat lon_term", lambda a, b: a + b))
    yield quantity("sqrt_a", "", ("a", sqrt))
    yield quantity("one_minus_a", "", ("a", lambda a: 1 - a))
    yield quantity("sqrt_one_minus_a", "", ("one_minus_a", sqrt))
    yield quantity("half_c", "rad", ("sqrt_a", asin), ("sqrt_a sqrt_one_minus_a", lambda a, b: atan2(a, b)))
    yield quantity(
        "c",
        "rad",
        ("half_c", lambda half: 2 * half),
        ("cos_c", lambda x: acos(max(-1.0, min(1.0, x)))),
        ("equirectangular_c", lambda x: x),
    )
    yield Quantity("radius_km", "km", (), free_choice=RADII_KM)
    yield quantity(
        "distance_km",
        "km",
        ("radius_km c", lambda r, c: r * c),
        ("equirectangular_x_km equirectangular_y_km", lambda x, y: sqrt(x * x + y * y)),
    )
    yield from _other_formulas()


def _other_formulas() -> Iterator[Quantity]:
    yield quantity("sin_product", "", ("sin_lat1 sin_lat2", lambda a, b: a * b))
    yield quantity("cos_term", "", ("cos_lat1 cos_lat2 cos_dlon", lambda a, b, d: a * b * d))
    yield quantity("cos_c", "", ("sin_product cos_term", lambda a, b: a + b))
    yield quantity("mean_lat_deg", "deg", ("lat1_deg lat2_deg", lambda a, b: (a + b) / 2))
    yield quantity(
        "mean_lat_rad",
        "rad",
        ("mean_lat_deg", radians),
        ("lat1_rad lat2_rad", lambda a, b: (a + b) / 2),
    )
    yield quantity("cos_mean_lat", "", ("mean_lat_rad", cos))
    yield quantity("equirectangular_x", "rad", ("dlon_rad cos_mean_lat", lambda d, c: d * c), signless=True)
    yield quantity(
        "equirectangular_c", "rad", ("equirectangular_x dlat_rad", lambda x, y: sqrt(x * x + y * y))
    )
    yield quantity(
        "equirectangular_x_km", "km", ("radius_km equirectangular_x", lambda r, x: r * x), signless=True
    )
    yield quantity("equirectangular_y_km", "km", ("radius_km dlat_rad", lambda r, y: r * y), signless=True)


def _bearing() -> Iterator[Quantity]:
    yield quantity("y", "", ("sin_dlon cos_lat2", lambda a, b: a * b))
    yield quantity("x_first", "", ("cos_lat1 sin_lat2", lambda a, b: a * b))
    yield quantity("sin1_cos2", "", ("sin_lat1 cos_lat2", lambda a, b: a * b))
    yield quantity(
        "x_second",
        "",
        ("sin1_cos2 cos_dlon", lambda a, b: a * b),
        ("sin_lat1 cos_lat2 cos_dlon", lambda a, b, c: a * b * c),
    )
    yield quantity("x", "", ("x_first x_second", lambda a, b: a - b))
    yield quantity("ratio", "", ("y x", lambda y, x: y / x))
    yield quantity("theta_rad", "rad", ("y x", lambda y, x: atan2(y, x)), period=2 * pi)
    yield quantity("theta_deg", "deg", ("theta_rad", degrees), period=360)
    yield quantity("bearing", "deg", ("theta_deg", lambda theta: theta % 360))
    yield quantity("atan_ratio_rad", "rad", ("ratio", atan))
