"""What a response about a destination (PR) can state of a line between two points, whatever way it computes.

A quantity has a range instead of a value: from the smallest to the largest that the usual ways give, with any length of
a degree, any latitude of the region for the scale of longitudes, on the sphere or on a plane. Degrees, kilometres.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import atan2, cos, degrees, hypot, radians, sin
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.context_text import Place

DEGREE_NORTH, DEGREE_EAST = (110.54, 111.33), (110.54, 111.56)
"""Kilometres of a degree of latitude, and of a degree of longitude on the equator: by the ellipsoid or a sphere."""
REGION = 0.06
"""Degrees beyond the points from where a text may take the latitude of its scale."""
PLANE = (0.994, 1.008)
"""Share by which the ellipsoid and roundings of the scale change the ratio of east to north."""
LEAST_TURN = 0.02
"""Degrees by which headings computed in different ways differ at least."""


class Range(NamedTuple):
    """From the smallest to the largest value."""

    low: float
    high: float

    def middle(self) -> float:
        """The value in the middle."""
        return (self.low + self.high) / 2

    def times(self, other: "Range") -> "Range":
        """The range of products."""
        values = [one * two for one, two in product(self, other)]
        return Range(min(values), max(values))

    def turned(self) -> "Range":
        """The range of the negative values."""
        return Range(-self.high, -self.low)


class Kind(NamedTuple):
    """A quantity of a line: its name, unit and range. `period`: values that differ by it are the same."""

    name: str
    unit: str
    range: Range
    period: float = 0.0


Parts = Mapping[str, Range]
"""Ranges of quantities as the text has them, by name, in place of those that the context gives."""


class Line(NamedTuple):
    """A line from a point to another, by the names that quantities end with: `leg3`, `overall`, `c0`."""

    key: str
    start: Place
    end: Place


def scale_of(places: Sequence[Place]) -> Range:
    """The cosines of the latitudes of a region."""
    lats = [place.lat for place in places]
    ends = [cos(radians(lat)) for lat in (min(lats) - REGION, max(lats) + REGION)]
    return Range(min(ends), max(ends))


def components(line: Line, scale: Range, parts: Parts) -> dict[str, Range]:
    """Differences in degrees, scaled or not, and lengths to the north and to the east."""
    north, east = line.end.lat - line.start.lat, line.end.lon - line.start.lon
    found = {"dlat": Range(north, north), "dlon": Range(east, east), **_only(parts, "dlat", "dlon")}
    found["dlon_scaled"] = parts.get("dlon_scaled") or found["dlon"].times(scale)
    found["north"] = parts.get("north") or found["dlat"].times(Range(*DEGREE_NORTH))
    found["east"] = parts.get("east") or found["dlon_scaled"].times(Range(*DEGREE_EAST))
    return found


def _only(parts: Parts, *names: str) -> dict[str, Range]:
    return {name: parts[name] for name in names if name in parts}


def heading(line: Line, scale: Range, parts: Parts, by_degrees: bool = False) -> Range:
    """Degrees clockwise from north; the low end is within 0 and 360. With `by_degrees`, longitudes are not scaled."""
    if "bearing" in parts:
        return parts["bearing"]
    told = components(line, scale, parts)
    in_metres = "north" in parts or "east" in parts
    north, east = (told["north"], told["east"]) if in_metres else (told["dlat"], told["dlon_scaled"])
    east = told["dlon"] if by_degrees else east.times(Range(*PLANE))
    angles = [degrees(atan2(x, y)) for x, y in product(east, north)]
    if not {"dlat", "dlon", "dlon_scaled", "north", "east"} & parts.keys() and not by_degrees:
        angles.append(_great_circle(line))
    first = angles[0]
    apart = [(angle - first + 180) % 360 - 180 for angle in angles]
    low = (first + min(apart) - LEAST_TURN) % 360
    return Range(low, low + max(apart) - min(apart) + 2 * LEAST_TURN)


def _great_circle(line: Line) -> float:
    first, second = radians(line.start.lat), radians(line.end.lat)
    turn = radians(line.end.lon - line.start.lon)
    return degrees(
        atan2(sin(turn) * cos(second), cos(first) * sin(second) - sin(first) * cos(second) * cos(turn))
    )


def length(line: Line, scale: Range, parts: Parts) -> Range:
    """Kilometres from the start to the end."""
    told = components(line, scale, parts)
    sizes = [_size(told[name]) for name in ("north", "east")]
    return Range(hypot(sizes[0].low, sizes[1].low), hypot(sizes[0].high, sizes[1].high))


def _size(one: Range) -> Range:
    ends = sorted(abs(end) for end in one)
    return Range(0.0 if one.low < 0 < one.high else ends[0], ends[1])


def angle_between(one: Range, other: Range) -> Range:
    """The angle between two headings, up to 180 degrees."""
    apart = abs((one.middle() - other.middle() + 180) % 360 - 180)
    width = (one.high - one.low + other.high - other.low) / 2
    return Range(max(0.0, apart - width), min(180.0, apart + width))


def kinds_of(line: Line, scale: Range, parts: Parts, is_scaled: bool) -> Iterator[Kind]:
    """What a text may state of a line by itself. `is_scaled` tells that the text scales its longitudes."""
    told = components(line, scale, parts)
    for name in ("dlat", "dlon", "dlon_scaled"):
        yield from _signed(name, "deg", told[name])
        for unit, factor in (("rad", radians(1)), ("minutes", 60.0), ("seconds", 3600.0)):
            yield from _signed(
                f"{name} in {unit}", unit if unit == "rad" else "", _scaled(told[name], factor)
            )
    for name in ("north", "east"):
        yield from _signed(name, "km", told[name])
    yield from _headings("bearing", heading(line, scale, parts))
    if not is_scaled:
        yield from _headings("bearing", heading(line, scale, parts, by_degrees=True))
    yield Kind("distance", "km", length(line, scale, parts))
    flat = hypot(*(_size(told[name]).middle() for name in ("dlat", "dlon_scaled")))
    yield Kind("degrees", "deg", Range(flat * 0.997, flat * 1.003))
    yield from _squares(told)


def _scaled(one: Range, factor: float) -> Range:
    return Range(one.low * factor, one.high * factor)


def _signed(name: str, unit: str, one: Range) -> Iterator[Kind]:
    yield Kind(name, unit, one)
    yield Kind(f"turned {name}", unit, one.turned())
    yield Kind(f"size of {name}", unit, one)
    yield Kind(f"size of {name}", unit, one.turned())


def _headings(name: str, one: Range) -> Iterator[Kind]:
    yield Kind(name, "deg", one, 360.0)
    yield Kind(f"{name} in rad", "rad", Range(radians(one.low), radians(one.high)), radians(360))
    for middle in (0, 90, 180, 270, 360):
        low, high = sorted((abs(one.low - middle), abs(one.high - middle)))
        if high <= 91:
            yield Kind(f"acute {name}", "deg", Range(low, high))
            yield Kind(f"acute {name} in rad", "rad", Range(radians(low), radians(high)))


def _squares(told: Mapping[str, Range]) -> Iterator[Kind]:
    for one, other, unit in (("north", "east", "km"), ("dlat", "dlon_scaled", "deg")):
        squares = [_size(told[name]).times(_size(told[name])) for name in (one, other)]
        both = Range(squares[0].low + squares[1].low, squares[0].high + squares[1].high)
        for each in (*squares, both):
            yield Kind(f"square in {unit}", "", each)
            if unit == "km":
                yield Kind("square in m", "", _scaled(each, 1e6))
    if all(told["dlat"]) and all(told["dlon"]) and told["dlat"].middle() and told["dlon_scaled"].middle():
        slope = told["dlon_scaled"].middle() / told["dlat"].middle()
        for value in (slope, 1 / slope, told["dlon"].middle() / told["dlat"].middle()):
            ends = sorted((value * 0.99, value * 1.01))
            yield Kind("slope", "", Range(*ends))
            yield Kind("slope", "", Range(-ends[1], -ends[0]))


def turns_between(name: str, one: Range, other: Range) -> Iterator[Kind]:
    """The angle between headings, and how texts get to it: the difference, its cosine."""
    angle = angle_between(one, other)
    yield Kind(name, "deg", angle)
    yield Kind(f"{name} in rad", "rad", Range(radians(angle.low), radians(angle.high)))
    apart = one.middle() % 360 - other.middle() % 360
    width = (one.high - one.low + other.high - other.low) / 2
    for value in (apart, -apart, 360 - abs(apart), abs(apart) - 360):
        yield Kind(f"difference for {name}", "deg", Range(value - width, value + width))
    ends = sorted(cos(radians(end)) for end in angle)
    yield Kind(f"cosine of {name}", "", Range(ends[0] - 0.004, ends[1] + 0.004))


def products_of(name: str, one: Mapping[str, Range], other: Mapping[str, Range]) -> Iterator[Kind]:
    """The scalar and the vector product of two lines, in the units of their components."""
    for north, east, scale in (("north", "east", 1.0), ("north", "east", 1e6), ("dlat", "dlon_scaled", 1.0)):
        y, x, v, u = (two.middle() for two in (one[north], one[east], other[north], other[east]))
        slack = 0.02 * hypot(x, y) * hypot(u, v)
        for value in (x * u + y * v, x * v - y * u, y * u - x * v, x * u, y * v):
            yield Kind(f"product for {name}", "", Range((value - slack) * scale, (value + slack) * scale))
