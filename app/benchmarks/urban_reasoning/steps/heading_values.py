"""Values that responses about a destination (PR) state beside the quantities, by many ways to compute."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import asin, atan2, cos, degrees, hypot, radians, sin, sqrt

from app.benchmarks.urban_reasoning.steps.context_text import Place
from app.benchmarks.urban_reasoning.steps.heading import DEGREE_KM
from app.benchmarks.urban_reasoning.steps.rules import Known

RADII_KM = (6371.0, 6371.0088, 6378.137)
PRINTED_DECIMALS = (3, 4)
"""Decimals to which texts round differences in degrees before they go on."""


def beside_headings(way: Sequence[Place], candidates: Sequence[Place]) -> Iterator[Known]:
    """Values of each leg, the way as a whole, each candidate, and of turns between them."""
    last = way[-1]
    lines = [(one, other, f"leg{number}") for number, (one, other) in enumerate(pairwise(way), 1)]
    lines.append((way[0], last, "overall"))
    lines += [(last, place, f"c{number}") for number, place in enumerate(candidates)]
    for one, other, name in lines:
        yield from _between(one, other, name)
    for number, place in enumerate(candidates):
        yield from _between(way[0], place, f"c{number}")
        yield from _between(way[-2], place, f"c{number}")
    for number, place in enumerate((*way, *candidates)):
        yield from _of_point(place, f"w{number}" if number < len(way) else f"c{number - len(way)}")
    yield from _scales(way, candidates)
    yield from _across([*way, *candidates])
    headings = [
        _headings(other.lat - one.lat, other.lon - one.lon, one.lat, other.lat) for one, other, _ in lines
    ]
    count = len(way) - 1
    for each in zip(*headings, strict=True):
        yield from _turns(each, count)
    lengths = [_km(one, other) for one, other, _ in lines[:count]]
    for number in range(2, count + 1):
        yield Known("sum_of_legs", sum(lengths[:number]), "km")
    yield Known("mean_of_legs", sum(lengths) / count, "km")


def _scales(way: Sequence[Place], candidates: Sequence[Place]) -> Iterator[Known]:
    """Cosines of the latitudes by which a text may scale longitudes throughout: means of points, of ends, rounded."""
    groups = (way, candidates, [*way, *candidates], [way[0], way[-1]])
    for lats in ([place.lat for place in group] for group in groups):
        for lat in (sum(lats) / len(lats), (min(lats) + max(lats)) / 2):
            for decimals in (None, 0, 1, 2, 3):
                middle = lat if decimals is None else round(lat, decimals)
                yield Known("mean_lat", middle, "deg")
                yield Known("mean_lat", radians(middle), "rad")
                yield Known("cos_mean_lat", cos(radians(middle)), "")
                for kilometres in DEGREE_KM:
                    yield Known("km_of_degree", kilometres * cos(radians(middle)), "km")


def _across(points: Sequence[Place]) -> Iterator[Known]:
    """Differences between any two points, such as from the start of the way to each."""
    for one, other in combinations(points, 2):
        yield Known("dlat_across", other.lat - one.lat, "deg")
        yield Known("dlon_across", other.lon - one.lon, "deg")


def _between(one: Place, other: Place, name: str) -> Iterator[Known]:
    dlat, dlon = other.lat - one.lat, other.lon - one.lon
    yield Known(f"dlat_{name}", dlat, "deg")
    yield Known(f"dlon_{name}", dlon, "deg")
    yield Known(f"dlat_{name}", dlat * 60, "")
    yield Known(f"dlon_{name}", dlon * 60, "")
    yield Known(f"dlat_{name}", radians(dlat), "rad")
    yield Known(f"dlon_{name}", radians(dlon), "rad")
    if dlon:
        yield Known(f"slope_{name}", dlat / dlon, "")
    if dlat:
        yield Known(f"slope_{name}", dlon / dlat, "")
    yield Known(f"degrees_{name}", hypot(dlat, dlon), "deg")
    yield Known(f"degrees_{name}", dlat * dlat, "")
    yield Known(f"degrees_{name}", dlon * dlon, "")
    yield Known(f"degrees_{name}", dlat * dlat + dlon * dlon, "")
    for lat in (one.lat, other.lat, (one.lat + other.lat) / 2):
        scaled = dlon * cos(radians(lat))
        yield Known(f"dlon_scaled_{name}", scaled, "deg")
        yield Known(f"dlon_scaled_{name}", radians(scaled), "rad")
        yield Known(f"degrees_{name}", hypot(dlat, scaled), "deg")
        for kilometres in DEGREE_KM:
            north, east = dlat * kilometres, scaled * kilometres
            yield Known(f"dlat_km_{name}", north, "km")
            yield Known(f"dlon_km_{name}", east, "km")
            yield Known(f"distance_{name}", hypot(north, east), "km")
            yield Known(f"distance_{name}", north * north + east * east, "")
            yield Known(f"distance_{name}", hypot(dlat * 110.57, scaled * 111.32), "km")
    for decimals in (None, *PRINTED_DECIMALS):
        a, b = (dlat, dlon) if decimals is None else (round(dlat, decimals), round(dlon, decimals))
        for heading in _headings(a, b, one.lat, other.lat):
            for turned in (heading, heading % 360):
                yield Known(f"bearing_{name}", turned, "deg")
                yield Known(f"bearing_{name}", radians(turned), "rad")
            if decimals is None:
                for acute in (abs(heading), 180 - abs(heading), abs(abs(heading) - 90), 90 - heading):
                    yield Known(f"acute_{name}", acute, "deg")
        for lat in (one.lat, (one.lat + other.lat) / 2):
            for kilometres in DEGREE_KM:
                yield Known(f"distance_{name}", kilometres * hypot(a, b * cos(radians(lat))), "km")
    yield from _on_sphere(one, other, name)


def _on_sphere(one: Place, other: Place, name: str) -> Iterator[Known]:
    first, second, turn = radians(one.lat), radians(other.lat), radians(other.lon - one.lon)
    y, x = sin(turn) * cos(second), cos(first) * sin(second) - sin(first) * cos(second) * cos(turn)
    lat_term, lon_term = sin((second - first) / 2) ** 2, sin(turn / 2) ** 2
    a = lat_term + cos(first) * cos(second) * lon_term
    c = 2 * asin(min(1.0, sqrt(a)))
    for value in (
        y,
        x,
        sin(turn),
        cos(turn),
        lat_term,
        lon_term,
        a,
        c,
        sqrt(a),
        lon_term * cos(first) * cos(second),
    ):
        yield Known(f"sphere_{name}", value, "")
    for value in (cos(first) * sin(second), sin(first) * cos(second), sin(first) * cos(second) * cos(turn)):
        yield Known(f"sphere_{name}", value, "")
    for radius in RADII_KM:
        yield Known(f"distance_{name}", radius * c, "km")


def _km(one: Place, other: Place) -> float:
    return next(known.value for known in reversed([*_on_sphere(one, other, "")]))


def _of_point(place: Place, key: str) -> Iterator[Known]:
    yield Known(f"lat_{key}", radians(place.lat), "rad")
    yield Known(f"lon_{key}", radians(place.lon), "rad")
    yield Known(f"cos_lat_{key}", cos(radians(place.lat)), "")
    yield Known(f"sin_lat_{key}", sin(radians(place.lat)), "")
    for kilometres in DEGREE_KM:
        yield Known("km_of_degree", kilometres * cos(radians(place.lat)), "km")


def _headings(dlat: float, dlon: float, start: float, end: float) -> list[float]:
    """By the great circle, on a plane by the middle, the first or the second latitude, and without any scale."""
    first, second, turn = radians(start), radians(start + dlat), radians(dlon)
    great = atan2(sin(turn) * cos(second), cos(first) * sin(second) - sin(first) * cos(second) * cos(turn))
    scales = [cos(radians(lat)) for lat in ((start + end) / 2, start, end)] + [1.0]
    return [degrees(great), *(degrees(atan2(dlon * scale, dlat)) for scale in scales)]


def _turns(headings: Sequence[float], count: int) -> Iterator[Known]:
    """Differences between legs that follow each other, and of candidates to the last, the overall, the mean heading."""
    legs, overall, candidates = headings[:count], headings[count], headings[count + 1 :]
    for number, (one, other) in enumerate(pairwise(legs), 1):
        yield from _turn(f"turn{number}", one, other)
    mean = degrees(atan2(sum(sin(radians(one)) for one in legs), sum(cos(radians(one)) for one in legs)))
    late = [
        degrees(
            atan2(sum(sin(radians(one)) for one in legs[-n:]), sum(cos(radians(one)) for one in legs[-n:]))
        )
        for n in (2, 3)
    ]
    plain = [sum(one % 360 for one in legs[-n:]) / n for n in (2, 3, count)]
    for value in (mean, *late, *plain):
        yield Known("mean_heading", value % 360, "deg")
    yield from _turn("turn", legs[-1], overall)
    for number, heading in enumerate(candidates):
        yield from _turn(f"off_last_c{number}", legs[-1], heading)
        yield from _turn(f"off_overall_c{number}", overall, heading)
        for value in (mean, *late):
            yield from _turn(f"off_mean_c{number}", value, heading)


def _turn(name: str, one: float, other: float) -> Iterator[Known]:
    apart = abs(one - other) % 360
    yield Known(name, min(apart, 360 - apart), "deg")
    yield Known(name, abs(one % 360 - other % 360), "deg")
