"""The ranges of all quantities of a way and its candidates (PR), by the context or by what a text states of them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, radians, sin

from app.benchmarks.urban_reasoning.steps.context_text import Place
from app.benchmarks.urban_reasoning.steps.heading_lines import (
    DEGREE_EAST,
    DEGREE_NORTH,
    Kind,
    Line,
    Parts,
    Range,
    components,
    heading,
    kinds_of,
    length,
    products_of,
    scale_of,
    turns_between,
)

EVERYWHERE = ""
"""The line of quantities that are of no line."""
PARTS = ("dlat", "dlon", "dlon_scaled", "north", "east", "bearing")
"""Quantities from which others of the same line follow, each only from those before it."""
MEAN_DECIMALS, BESIDE = 2, 0.6
"""Decimals of a latitude that is no point's at most, and degrees that it may lie beside the points."""
_ONLY_WITH = {
    "product for": re.compile(r"\b(?:dot|scalar|cross|inner)\b|product", re.IGNORECASE),
    "cosine of off": re.compile(r"\b(?:dot|scalar|cross|inner)\b|product|acos|arccos", re.IGNORECASE),
    "square in": re.compile(r"sqrt|hypot|square|\^ ?\{? ?2", re.IGNORECASE),
    "slope": re.compile(r"slope|ratio|\btan|atan|divid|quotient|frac", re.IGNORECASE),
    "sine of": re.compile(r"\bsin", re.IGNORECASE),
    "mean heading": re.compile(r"mean|average", re.IGNORECASE),
    "degree to the": re.compile(r"km|kilomet|metres|meters", re.IGNORECASE),
    "length of legs": re.compile(r"total|sum|together|whole", re.IGNORECASE),
    "in rad": re.compile(r"rad|pi\b", re.IGNORECASE),
    "in minutes": re.compile(r"minute|nautical|\* ?60\b", re.IGNORECASE),
    "in seconds": re.compile(r"second|3600", re.IGNORECASE),
}
"""Words without which a text does not compute in a way, by what the names of its quantities hold."""
Stated = Mapping[str, Parts]
"""By line: the values that a text has for some of its parts."""


class Ranges:
    """What a text can state under one context. `scale` is that of the longitudes."""

    def __init__(
        self, way: Sequence[Place], candidates: Sequence[Place], scales: Sequence[float], text: str
    ) -> None:
        self.left_out = [prefix for prefix, words in _ONLY_WITH.items() if not words.search(text)]
        self.way, self.candidates = way, candidates
        region = scale_of([*way, *candidates])
        self.scale = Range(min(region.low, *scales, region.high), max(region.high, *scales, region.low))
        self.is_scaled = bool(scales)
        self.last = f"leg{len(way) - 1}"
        lines = [Line(f"leg{number}", *ends) for number, ends in enumerate(pairwise(way), 1)]
        lines.append(Line("overall", way[0], way[-1]))
        lines += [Line(f"c{number}", way[-1], place) for number, place in enumerate(candidates)]
        self.lines = {line.key: line for line in lines}
        self.kinds = {key: self.of(key, {}) for key in self.lines}
        self.kinds[EVERYWHERE] = self._told(self._everywhere())

    def of(
        self, key: str, stated: Stated, line: Line | None = None, scale: Range | None = None
    ) -> list[Kind]:
        """All quantities of a line; with what the text has for parts of lines, another end, or another scale."""
        return self._told(self._of(key, stated, line, scale))

    def _told(self, kinds: Iterable[Kind]) -> list[Kind]:
        """Without the quantities of ways of computing that the text does not use."""
        return [kind for kind in kinds if not any(prefix in kind.name for prefix in self.left_out)]

    def _of(self, key: str, stated: Stated, line: Line | None, scale: Range | None) -> Iterator[Kind]:
        line, scale = line or self.lines[key], scale or self.scale
        parts = stated.get(key, {})
        yield from kinds_of(line, scale, parts, self.is_scaled)
        own = heading(line, scale, parts)
        for other in self._compared(key):
            told = stated.get(other, {})
            against = heading(self.lines[other], scale, told)
            name = (
                {self.last: "off_last", "overall": "off_overall"}.get(other, "turn")
                if key[0] == "c"
                else "turn"
            )
            yield from turns_between(name, own, against)
            if key[0] == "c":
                yield Kind(f"heading of {other}", "deg", against, 360.0)
            yield from products_of(
                name, components(line, scale, parts), components(self.lines[other], scale, told)
            )

    def _compared(self, key: str) -> list[str]:
        """The lines with whose headings that of a line is compared."""
        if key[0] == "c":
            return [self.last, "overall"]
        if key == "overall":
            return [self.last]
        number = int(key.removeprefix("leg"))
        return [f"leg{number - 1}"] if number > 1 else []

    def _everywhere(self) -> Iterator[Kind]:
        for place in (*self.way, *self.candidates):
            for name, angle in (("lat", place.lat), ("lon", place.lon)):
                yield _about("coordinate", "deg", angle, 1e-9)
                yield _about("coordinate", "deg", -angle, 1e-9)
                yield _about("coordinate in rad", "rad", radians(angle), 1e-9)
                yield _about(f"sine of {name}", "", sin(radians(angle)), 1e-7)
                yield _about(f"cosine of {name}", "", cos(radians(angle)), 1e-7)
        yield Kind("scale", "", self.scale)
        for name, each in (("north", DEGREE_NORTH), ("east", DEGREE_EAST)):
            yield Kind(f"degree to the {name}", "km", Range(*each))
            yield Kind("degree to the east", "km", Range(*each).times(self.scale))
        legs = [length(line, self.scale, {}) for key, line in self.lines.items() if key.startswith("leg")]
        for count in range(2, len(legs) + 1):
            yield Kind(
                "length of legs",
                "km",
                Range(sum(leg.low for leg in legs[:count]), sum(leg.high for leg in legs[:count])),
            )
        yield from self._mean_headings()

    def _mean_headings(self) -> Iterator[Kind]:
        angles = [
            heading(line, self.scale, {}).middle()
            for key, line in self.lines.items()
            if key.startswith("leg")
        ]
        for count in {2, 3, len(angles)}:
            told = [radians(angle) for angle in angles[-count:]]
            mean = degrees(atan2(sum(map(sin, told)), sum(map(cos, told))))
            for value in (mean, sum(angle % 360 for angle in angles[-count:]) / count):
                yield Kind("mean heading", "deg", Range(value - 0.1, value + 0.1), 360.0)

    def is_mean_latitude(self, value: float, decimals: int) -> bool:
        """Whether a number may be a latitude of the region as it is rounded for the scale."""
        lats = [place.lat for place in (*self.way, *self.candidates)]
        return (decimals <= MEAN_DECIMALS and min(lats) - BESIDE <= value <= max(lats) + BESIDE) or any(
            abs(value - (one + other) / 2) < 2e-5 for one in lats for other in lats
        )

    def may_be_coordinate(self, value: float) -> bool:
        """Whether a number is near to a coordinate of a point."""
        return any(
            abs(abs(value) - abs(angle)) < BESIDE
            for place in (*self.way, *self.candidates)
            for angle in (place.lat, place.lon)
        )

    def with_coordinate(self, key: str, value: float) -> Iterator[Line]:
        """A line, with a value in place of one coordinate of its ends that it may have been meant for."""
        line = self.lines[key]
        for end in ("start", "end"):
            place: Place = getattr(line, end)
            for moved in (place._replace(lat=value), place._replace(lon=value)):
                apart = abs(moved.lat - place.lat) + abs(moved.lon - place.lon)
                if 0 < apart < BESIDE:
                    yield line._replace(start=moved) if end == "start" else line._replace(end=moved)


def _about(name: str, unit: str, value: float, share: float) -> Kind:
    slack = abs(value) * share
    return Kind(name, unit, Range(value - slack, value + slack))
