"""Import stage: areas checked and mended, many at once, for that is how the geometry library is fast. Pure.

Coordinates are lon, lat in degrees; WKB is hexadecimal.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely

from osm_import.antimeridian import split_area
from osm_import.heads import HALF
from osm_import.outlines import polygonal
from osm_import.wkb import point_wkb

MOST_POINTS_BY_LINES = 5_000
"""Points of a broken area up to which its lines are split where they cross: that takes the square of their number."""


class CheckedArea(NamedTuple):
    """A valid area; its parts lie on one side of the antimeridian each."""

    shape: Any
    wkb: str
    point: str
    """WKB of a point on its surface; empty where none was asked for."""
    repaired: bool
    """Whether its rings crossed themselves, or nobody can tell what they enclose."""


def check_areas(texts: Sequence[str], with_point: Sequence[bool]) -> Iterator[CheckedArea | None]:
    """The areas that these WKB texts hold, None for one that encloses nothing."""
    shapes = shapely.from_wkb([bytes.fromhex(text) for text in texts])
    repaired = np.zeros(len(shapes), dtype=bool)
    bounds = shapely.bounds(shapes)
    for index in np.flatnonzero(bounds[:, 2] - bounds[:, 0] > HALF):
        split = split_area(shapes[index])
        repaired[index] = split is None
        shapes[index] = shapes[index] if split is None else split
    broken = ~shapely.is_valid(shapes)
    for index in np.flatnonzero(broken):
        shapes[index] = polygonal(_mend(shapes[index]))
    shapes = shapely.orient_polygons(shapes)
    surface = np.array(with_point)
    inside = iter(shapely.get_coordinates(shapely.point_on_surface(shapes[surface])).tolist())
    binaries = shapely.to_wkb(shapes, byte_order=1, output_dimension=2)
    for shape, binary, has_point, is_repaired in zip(
        shapes, binaries, surface, repaired | broken, strict=True
    ):
        point = point_wkb(*next(inside)) if has_point and shape is not None else ""
        yield None if shape is None else CheckedArea(shape, binary.hex(), point, bool(is_repaired))


def _mend(shape: Any) -> Any:
    """A valid shape out of a broken one. In a large one, ground that is enclosed several times is all inside."""
    if shapely.get_num_coordinates(shape) <= MOST_POINTS_BY_LINES:
        return shapely.make_valid(shape)
    return shapely.make_valid(shape, method="structure", keep_collapsed=False)
