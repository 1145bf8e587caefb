"""Roads and water courses of one name, joined and cut to the picture; pieces along which a label can lie. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import shapely
from shapely.ops import linemerge, substring

from app.drawing.frame import Frame
from app.drawing.ground import to_pixels
from app.drawing.scene import Line

Path = list[tuple[float, float]]
"""Pixels."""
FRACTIONS = (0.5, 0.3, 0.7, 0.15, 0.85, 0.4, 0.6)
"""Where along a line a label is tried."""
ENDS = 10
"""Pixels that a piece is longer than the label on it."""


@dataclass(frozen=True)
class RoadLine:
    """All lines of one name: pixels within the picture, the longest first."""

    name: str | None
    ref: str | None
    osm_keys: Sequence[str]
    classes: Sequence[str]
    lines: Sequence[Path]


def join_lines(lines: Sequence[Line], frame: Frame) -> list[RoadLine]:
    """The named or numbered lines by name and number, in the order of these."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for one in lines:
        if one.name or one.ref:
            groups.setdefault((one.name or "", one.ref or ""), []).append(one)
    joined = []
    for (name, ref), members in sorted(groups.items()):
        members.sort(key=lambda one: (int(one.osm_key[1:]), one.osm_key))
        paths, keys, classes = [], [], []
        for one in members:
            inside = _cut(to_pixels(one.geometry, frame), frame)
            if inside:
                paths += inside
                keys.append(one.osm_key)
                classes.append(one.klass)
        if paths:
            joined.append(RoadLine(name or None, ref or None, keys, sorted(set(classes)), _merge(paths)))
    return joined


def _cut(shape: Any, frame: Frame) -> list[Any]:
    """The lines of a shape inside the picture."""
    inside = shapely.intersection(shape, shapely.box(0, 0, frame.width, frame.height))
    return [one for one in shapely.get_parts(inside) if one.geom_type == "LineString" and one.length > 0]


def _merge(paths: Sequence[Any]) -> list[Path]:
    merged = linemerge(shapely.MultiLineString(paths)) if len(paths) > 1 else paths[0]
    # JSON in the database knows no negative zero
    lines = [
        [(round(x, 1) + 0.0, round(y, 1) + 0.0) for x, y in one.coords] for one in shapely.get_parts(merged)
    ]
    return sorted(lines, key=lambda line: (-round(shapely.LineString(line).length, 1), line))


def pieces_for(line: Path, width: float) -> Iterator[Path]:
    """Pieces of a line on which a label of so many pixels can lie, the best first."""
    whole = shapely.LineString(line)
    wanted = width + ENDS
    if whole.length < wanted:
        return
    smooth = whole.simplify(1.0)
    for fraction in FRACTIONS:
        start = min(max(0.0, fraction * smooth.length - wanted / 2), smooth.length - wanted)
        piece = substring(smooth, start, start + wanted)
        if piece.geom_type == "LineString":
            yield [(round(x, 2), round(y, 2)) for x, y in piece.coords]


def points_along(line: Path) -> Iterator[tuple[int, int]]:
    """Where on a line something that does not follow it can stand, the best first."""
    whole = shapely.LineString(line)
    for fraction in FRACTIONS:
        point = whole.interpolate(fraction, normalized=True)
        yield round(point.x), round(point.y)
