"""Quantities of Distance (DS) and Direction (DR): from coordinates to the distance, or to the bearing.

Formulas: haversine, and beside it the spherical law of cosines and the equirectangular approximation; the initial
bearing of the great circle. Degrees, radians, kilometres.
"""

from collections.abc import Callable, Iterator
from math import acos, asin, atan, atan2, cos, degrees, hypot, pi, radians, sin, sqrt, tan

from app.benchmarks.urban_reasoning.steps.context_text import Place
from app.benchmarks.urban_reasoning.steps.graphs import Graph, Quantity, Way
from app.benchmarks.urban_reasoning.steps.rules import Known

RADII_KM = (6371.0088, 6371.0, 6371.009, 6371.01)
"""The mean radius of the earth, and as it is often rounded."""


def quantity(
    name: str, unit: str, *ways: tuple[str, Callable[..., float]], period: float = 0.0, signless: bool = False
) -> Quantity:
    """A quantity from formulas, each with the names of what it is computed from."""
    made = tuple(Way(tuple(inputs.split()), formula) for inputs, formula in ways)
    return Quantity(name, unit, made, period, signless)


def distance_graph(one: Place, other: Place, by_cosines: bool = True) -> Graph:
    """The quantities of a distance; with or without those of the law of cosines."""
    graph = Graph(_coordinates(signless=True, with_sines=by_cosines), _given(one, other))
    return graph.with_more(_distance(by_cosines))


def direction_graph(one: Place, other: Place) -> Graph:
    """The quantities of a bearing."""
    return Graph(_coordinates(signless=False), _given(one, other)).with_more(_bearing())


def beside_distance(one: Place, other: Place) -> list[Known]:
    """Values that texts about a distance state beside its quantities."""
    exact = distance_graph(one, other).exact
    return [*_beside_coordinates(one, other), *_beside_distance(lambda name: exact(name) or 0.0)]


def beside_bearing(one: Place, other: Place) -> list[Known]:
    """Values that texts about a bearing state beside its quantities."""
    exact = direction_graph(one, other).exact
    return [*_beside_coordinates(one, other), *_beside_bearing(lambda name: exact(name) or 0.0)]


def _beside_coordinates(one: Place, other: Place) -> Iterator[Known]:
    for number, place in ((1, one), (2, other)):
        for axis, angle in (("lat", place.lat), ("lon", place.lon)):
            seconds = abs(angle) * 3600
            whole, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
            name = f"{axis}{number}_deg"
            for value in (minutes / 60, rest / 3600, minutes / 60 + rest / 3600, minutes + rest / 60):
                yield Known(name, value, "deg")
            yield Known(name, whole + minutes / 60, "deg")
            yield Known(name, rest, "")
            yield Known(name, 90 - angle, "deg")
            yield Known(f"{axis}{number}_rad", pi / 2 - radians(angle), "rad")
            yield Known(f"{axis}{number}_rad", radians(angle) / pi, "")
            if axis == "lon":
                yield Known(f"sin_lon{number}", sin(radians(angle)), "")
                yield Known(f"cos_lon{number}", cos(radians(angle)), "")
            else:
                yield Known(f"sin_lat{number}", sin(radians(angle)), "")
                yield Known(f"cos_lat{number}", cos(radians(angle)) ** 2, "")
                yield Known(f"tan_lat{number}", tan(radians(angle)), "")
    ends = [_unit_vector(place) for place in (one, other)]
    for number, vector in enumerate(ends, 1):
        yield from (Known(f"vector{number}", value, "") for value in vector)
    apart = [b - a for a, b in zip(*ends, strict=True)]
    yield from (Known("chord", value, "") for value in (*apart, *(each**2 for each in apart), hypot(*apart)))
    yield Known("chord", sum(each**2 for each in apart), "")
    dlat, dlon = other.lat - one.lat, other.lon - one.lon
    for name, difference in (("dlat_deg", dlat), ("dlon_deg", dlon)):
        yield Known(name, difference * 60, "")
        yield Known(name, difference * 3600, "")
        yield Known(name, difference / 2 * 3600, "")
        seconds = abs(difference) * 3600
        yield Known(name, seconds % 60, "")
        yield Known(name, seconds // 60 % 60, "")
        for kilometres in (111.0, 111.12, 111.195, 111.2, 111.3, 111.32, 110.57, 110.6):
            for lat in (one.lat, other.lat, (one.lat + other.lat) / 2):
                scale = 1.0 if name == "dlat_deg" else cos(radians(lat))
                yield Known(name.replace("_deg", "_km"), difference * kilometres * scale, "km")
                yield Known("km_of_degree", kilometres * cos(radians(lat)), "km")
    yield Known("mean_lat_deg", (one.lat + other.lat) / 2, "deg")
    yield Known("mean_lat_rad", radians((one.lat + other.lat) / 2), "rad")
    yield Known("cos_mean_lat", cos(radians((one.lat + other.lat) / 2)), "")


def _unit_vector(place: Place) -> tuple[float, float, float]:
    lat, lon = radians(place.lat), radians(place.lon)
    return cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)


def _beside_distance(of: Callable[[str], float]) -> Iterator[Known]:
    root, lon_square = of("sqrt_a"), of("sin2_half_dlon")
    yield Known("half_c", degrees(of("half_c")), "deg")
    yield Known("c", degrees(of("c")), "deg")
    yield Known("sqrt_a", root / of("sqrt_one_minus_a"), "")
    yield Known("two_sqrt_a", 2 * root, "")
    yield Known("one_cosine", of("cos_lat1") * lon_square, "")
    yield Known("one_cosine", of("cos_lat2") * lon_square, "")
    yield Known("cos_c", 1 - of("cos_c"), "")
    for name in ("dlat", "dlon"):
        yield Known(f"{name}_rad", of(f"{name}_rad") ** 2, "")
        yield Known(f"{name}_rad", of(f"half_{name}") ** 2, "")
        yield Known(f"cos_{name}", cos(of(f"{name}_rad")), "")
        yield Known(f"sin_{name}", sin(of(f"{name}_rad")), "")
    yield Known("equirectangular_x", of("equirectangular_x") ** 2, "")
    yield Known("equirectangular_c", of("equirectangular_c") ** 2, "")
    for radius in (6371.0088, 6371.0, 6372.8, 6378.137, 6367.0):
        for name in ("c", "equirectangular_c"):
            yield Known("distance_km", radius * of(name), "km")
            yield Known("distance_miles", radius * of(name) / 1.609344, "")
        yield Known("diameter_km", 2 * radius, "km")
    yield Known("distance_nautical", 6371 * of("c") / 1.852, "")


def _beside_bearing(of: Callable[[str], float]) -> Iterator[Known]:
    theta, ratio = of("theta_deg"), of("ratio")
    acute = abs(degrees(atan(ratio)))
    yield Known("turned", (theta + 180) % 360, "deg")
    for value in (theta, theta + 360, theta % 360):
        yield Known("theta_deg", value, "deg")
        yield Known("theta_rad", radians(value), "rad")
        yield Known("sector", value / 22.5, "")
        yield Known("sector", (value + 11.25) / 22.5, "")
        yield Known("sector", (value % 360 + 11.25) % 360, "deg")
    for value in (acute, 180 - acute):
        yield Known("acute_deg", value, "deg")
        yield Known("acute_rad", radians(value), "rad")
    for middle in range(0, 361, 45):
        if abs(theta % 360 - middle) <= 45:
            yield Known("off_sector", (theta % 360) - middle, "deg")
    nearest = round(theta % 360 / 22.5) * 22.5
    yield Known("off_sector", (theta % 360) - nearest, "deg")
    yield Known("off_sector", (theta % 360) - nearest - 11.25, "deg")
    yield Known("off_sector", (theta % 360) - nearest + 11.25, "deg")
    yield Known("ratio", ratio, "")
    yield Known("ratio", 1 / ratio if ratio else 0.0, "")
    yield Known("cosines", of("cos_lat1") * of("cos_lat2"), "")
    yield Known("cosines", of("cos_lat2") * of("cos_dlon"), "")
    yield Known("cosines", of("sin_lat1") * of("cos_dlon"), "")
    yield Known("sines", of("sin_lat1") * of("sin_lat2"), "")
    yield Known("hypotenuse", hypot(of("y"), of("x")), "")
    yield Known("half_dlon", of("dlon_deg") / 2, "deg")
    yield Known("half_dlon", of("dlon_rad") / 2, "rad")
    yield Known("dlon_wrapped", of("dlon_deg") + 360, "deg")


def faults_of_distance(one: Place, other: Place) -> list[Known]:
    """What usual mistakes about a distance give."""
    exact = distance_graph(one, other).exact

    def of(name: str) -> float:
        return exact(name) or 0.0

    first, second = of("sin2_half_dlat"), of("sin2_half_dlon")
    found = [
        Known("a", of("sin_half_dlat") + of("lon_term"), ""),
        Known("a", first + second, ""),
        Known("a", first + of("cos_lat1") * second, ""),
        Known("a", first + of("cos_lat2") * second, ""),
        Known("a", first + of("cos_product"), ""),
        Known("a", abs(first - of("lon_term")), ""),
        Known("a", sin(of("dlat_rad")) ** 2 + of("cos_product") * sin(of("dlon_rad")) ** 2, ""),
        Known("a", first + of("cos_product") * of("sin_half_dlon"), ""),
        Known("lon_term", of("cos_product") * of("sin_half_dlon"), ""),
        Known("lon_term", of("sin_lat1") * of("sin_lat2") * second, ""),
    ]
    found += [Known("c", of("a"), "rad"), Known("c", 2 * of("a"), "rad")]
    found += [Known("distance_km", 6371 * value, "km") for value in (2 * of("a"), 2 * of("c"), of("sqrt_a"))]
    for place in "12":
        for axis in ("lat", "lon"):
            angle = of(f"{axis}{place}_deg")
            found.append(Known(f"{axis}{place}_rad", angle * pi / 360, "rad"))
            found.append(Known(f"{axis}{place}_deg", _misread_minutes(angle), "deg"))
    return found


def _misread_minutes(angle: float) -> float:
    """Minutes and seconds read as decimals."""
    seconds = round(abs(angle) * 3600)
    return seconds // 3600 + seconds // 60 % 60 / 100 + seconds % 60 / 10000


def faults_of_bearing(one: Place, other: Place) -> list[Known]:
    """What usual mistakes about a bearing give."""
    exact = direction_graph(one, other).exact

    def of(name: str) -> float:
        return exact(name) or 0.0

    swapped = degrees(atan2(of("x"), of("y")))
    found = [
        Known("theta_deg", value, "deg")
        for value in (swapped, swapped % 360, -swapped, (360 - swapped) % 360)
    ]
    found += [Known("theta_rad", radians(one.value), "rad") for one in found]
    theta = of("theta_deg")
    found += [
        Known("bearing", value, "deg")
        for value in (360 - theta % 360, (theta + 90) % 360, (theta + 180) % 360, 180 - theta)
    ]
    found += [
        Known("y", of("sin_dlon"), ""),
        Known("y", of("sin_dlon") * of("cos_lat1"), ""),
        Known("y", of("cos_dlon") * of("cos_lat2"), ""),
        Known("x", of("x_first") + of("x_second"), ""),
        Known("x", of("x_first") - of("sin1_cos2"), ""),
        Known("x", of("x_second"), ""),
    ]
    return found[:-1]


def _given(one: Place, other: Place) -> dict[str, float]:
    return {"lat1_deg": one.lat, "lon1_deg": one.lon, "lat2_deg": other.lat, "lon2_deg": other.lon}


def _coordinates(signless: bool, with_sines: bool = True) -> Iterator[Quantity]:
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
        if with_sines:
            yield quantity(f"sin_lat{place}", "", (f"lat{place}_rad", sin))
        yield quantity(f"cos_lat{place}", "", (f"lat{place}_rad", cos))
    yield quantity("sin_dlon", "", ("dlon_rad", sin), signless=signless)
    yield quantity("cos_dlon", "", ("dlon_rad", cos))


def _distance(by_cosines: bool) -> Iterator[Quantity]:
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
        *([("cos_c", lambda x: acos(max(-1.0, min(1.0, x))))] if by_cosines else []),
        ("equirectangular_c", lambda x: x),
    )
    yield Quantity("radius_km", "km", (), free_choice=RADII_KM)
    yield quantity(
        "distance_km",
        "km",
        ("radius_km c", lambda r, c: r * c),
        ("equirectangular_x_km equirectangular_y_km", lambda x, y: sqrt(x * x + y * y)),
    )
    yield from _equirectangular()
    if by_cosines:
        yield from _law_of_cosines()


def _law_of_cosines() -> Iterator[Quantity]:
    yield quantity("sin_product", "", ("sin_lat1 sin_lat2", lambda a, b: a * b))
    yield quantity("cos_term", "", ("cos_lat1 cos_lat2 cos_dlon", lambda a, b, d: a * b * d))
    yield quantity("cos_c", "", ("sin_product cos_term", lambda a, b: a + b))


def _equirectangular() -> Iterator[Quantity]:
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
    yield quantity("sin2_half_dlon", "", ("dlon_rad", lambda d: sin(d / 2) ** 2))
    yield quantity(
        "correction", "", ("sin_lat1 cos_lat2 sin2_half_dlon", lambda a, b, c: 2 * a * b * c), signless=True
    )
    yield quantity("ratio", "", ("y x", lambda y, x: y / x))
    yield quantity("theta_rad", "rad", ("y x", lambda y, x: atan2(y, x)), period=2 * pi)
    yield quantity("theta_deg", "deg", ("theta_rad", degrees), period=360)
    yield quantity("bearing", "deg", ("theta_deg", lambda theta: theta % 360))
    yield quantity("atan_ratio_rad", "rad", ("ratio", atan), signless=True)
    yield quantity("atan_ratio_deg", "deg", ("atan_ratio_rad", degrees), signless=True)
