"""Second path: which lines run along a region's border, so that a hair decides whether they lie in the region.

A line that is the border, node by node, surely does not.

Told in a plane around the region (azimuthal equidistant, metres): at 500 km from its middle it is off by a thousandth.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import shapely
from pyproj import Proj

from app.questions.second_path.geodesy import earth_centred
from app.questions.second_path.layers import EDGE_DEGREES, Layers

ALONG_METRES = 15.0
"""Metres from a border within which a line runs along it: a quarter less than asked, since planes differ."""
LEAST_PIECE = 100.0
"""Metres of a line so near to the border from which on it surely does not just cross it."""


LEAST_DEEP = 1.0
"""Metres of a line inside the region and off its border from which on a part of it surely lies in the region."""


class Along(NamedTuple):
    """Metres of a line along a border, on either side of it."""

    inside: float
    outside: float


class Border:
    """The border of one region, and the lines of one layer along it; each line is looked at once."""

    def __init__(self, layers: Layers, name: str, region: int) -> None:
        self._layer = layers[name]
        shape = layers["region"].geometries[region]
        boundary = shapely.segmentize(shapely.boundary(shape), EDGE_DEGREES)
        corners = shapely.get_coordinates(boundary)
        x, y, z = earth_centred(corners[:, 0], corners[:, 1]).mean(axis=0)
        lon, lat = np.degrees(np.arctan2(y, x)), np.degrees(np.arctan2(z, np.hypot(x, y)))
        self._plane = Proj(proj="aeqd", lon_0=lon, lat_0=lat, ellps="WGS84")
        self._ground = self._drawn(shapely.segmentize(shape, EDGE_DEGREES))
        self._band = shapely.buffer(self._drawn(boundary), ALONG_METRES)
        shapely.prepare(self._band)
        steepest = min(89.0, float(np.abs(corners[:, 1]).max()) + 0.01)
        reach = 2 * ALONG_METRES / (110_574.0 * np.cos(np.radians(steepest)))
        near = self._layer.tree.query(boundary, predicate="dwithin", distance=reach)
        shapes, itself = self._layer.geometries, shapely.boundary(shape)
        self._near = {
            one
            for one in near.tolist()
            if shapely.get_dimensions(shapes[one]) == 1 and not shapely.covers(itself, shapes[one])
        }
        self._known: dict[int, Along] = {}
        self._shallow: dict[int, bool] = {}

    def _drawn(self, shape: Any) -> Any:
        return shapely.transform(
            shape, lambda places: np.column_stack(self._plane(places[:, 0], places[:, 1]))
        )

    def along(self, classes: frozenset[str]) -> dict[int, Along]:
        """The lines of any of the classes that run along the border, by position."""
        found = {one: self._of(one) for one in sorted(self._near) if self._layer.classes[one] in classes}
        return {one: metres for one, metres in found.items() if metres.inside or metres.outside}

    def shallow(self, classes: frozenset[str]) -> list[int]:
        """The lines of any of the classes that come near the border and nowhere lie farther inside, by position."""
        return [
            one for one in sorted(self._near) if self._layer.classes[one] in classes and self._is_shallow(one)
        ]

    def _is_shallow(self, position: int) -> bool:
        if position not in self._shallow:
            line = self._line(position)
            deep = shapely.difference(shapely.intersection(line, self._ground), self._band)
            near = bool(shapely.intersects(line, self._band))
            self._shallow[position] = near and float(shapely.length(deep)) < LEAST_DEEP
        return self._shallow[position]

    def _line(self, position: int) -> Any:
        return self._drawn(shapely.segmentize(self._layer.geometries[position], EDGE_DEGREES))

    def _of(self, position: int) -> Along:
        if position not in self._known:
            pieces = shapely.intersection(self._line(position), self._band)
            self._known[position] = self._measure(shapely.get_parts(pieces))
        return self._known[position]

    def _measure(self, pieces: Iterable[Any]) -> Along:
        near = [piece for piece in pieces if shapely.length(piece) >= LEAST_PIECE]
        inside = sum(float(shapely.length(shapely.intersection(piece, self._ground))) for piece in near)
        return Along(inside, sum(float(shapely.length(piece)) for piece in near) - inside)


_borders: WeakKeyDictionary[Layers, dict[tuple[str, int], Border]] = WeakKeyDictionary()


def border_of(layers: Layers, name: str, region: int) -> Border:
    """The border of the region at that position, and the lines of the layer `name` along it, made once."""
    borders = _borders.setdefault(layers, {})
    if (name, region) not in borders:
        borders[name, region] = Border(layers, name, region)
    return borders[name, region]
