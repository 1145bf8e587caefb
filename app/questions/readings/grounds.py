"""Readings: the points that may stand for a place. Lon, lat in degrees; metres."""

from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import shapely

from app.questions.second_path.geodesy import Floats, Positions, chords, earth_centred, longest_geodesic
from app.questions.second_path.layers import Layers


class Grounds:
    """The areas of a map's places, read once: of each the centroid and every vertex of its outline."""

    def __init__(self, layers: Layers) -> None:
        self._poi = poi = layers["poi"]
        areas = {key: wkb for key, wkb in layers.place_areas.items() if key in poi.position}
        self._shapes = dict(zip(areas, shapely.from_wkb(list(areas.values())), strict=True))
        self._points: dict[int, Floats] = {}
        self.radii = self._measure()
        """By position in the layer poi: how far the farthest point of a place is from the one that the layer has."""

    def _measure(self) -> Floats:
        radii = np.zeros(len(self._poi))
        if not self._shapes:
            return radii
        positions = np.array([self._poi.position[key] for key in self._shapes], dtype=np.intp)
        corners, of_shape = shapely.get_coordinates(np.array(list(self._shapes.values())), return_index=True)
        owners = positions[of_shape]
        own = self._poi.coordinates[owners]
        apart = earth_centred(corners[:, 0], corners[:, 1]) - earth_centred(own[:, 0], own[:, 1])
        straight = np.zeros(len(self._poi))
        np.maximum.at(straight, owners, np.sqrt((apart**2).sum(axis=1)))
        for position in positions.tolist():
            radii[position] = longest_geodesic(float(straight[position]))
        return radii

    def key(self, position: int) -> str:
        """The osm_key of a place."""
        return self._poi.keys[position]

    def shape(self, position: int) -> shapely.Geometry | None:
        """The area of a place; None where it is mapped as a point."""
        return self._shapes.get(self._poi.keys[position])

    @cached_property
    def _tree(self) -> Any:
        return shapely.STRtree(list(self._shapes.values()))

    def meeting(self, shape: Any) -> list[int]:
        """The places whose area meets a shape, by position."""
        keys = list(self._shapes)
        met = self._tree.query(shape, predicate="intersects")
        return sorted(self._poi.position[keys[one]] for one in met.tolist())

    def points(self, position: int) -> Floats:
        """Every point that may stand for a place, (n, 2): its own, then an area's centroid and vertices."""
        if position not in self._points:
            own, shape = self._poi.coordinates[[position]], self.shape(position)
            self._points[position] = (
                own
                if shape is None
                else np.vstack(
                    (own, shapely.get_coordinates(shapely.centroid(shape)), shapely.get_coordinates(shape))
                )
            )
        return self._points[position]

    def points_of_all(self, positions: Positions) -> tuple[Floats, Positions]:
        """The points of several places, one after the other, and where those of each begin."""
        parts = [self.points(position) for position in positions.tolist()]
        starts = np.cumsum([0, *(len(part) for part in parts)])[:-1]
        return (np.concatenate(parts) if parts else np.empty((0, 2))), starts.astype(np.intp)

    def straight(self, lon: float, lat: float, positions: Positions) -> Floats:
        """Straight metres through the earth from a point to the own points of places."""
        own = self._poi.coordinates[positions]
        return chords(earth_centred(lon, lat)[0], earth_centred(own[:, 0], own[:, 1]))


_grounds: WeakKeyDictionary[Layers, Grounds] = WeakKeyDictionary()


def grounds_of(layers: Layers) -> Grounds:
    """The areas of the map's places, read once."""
    if layers not in _grounds:
        _grounds[layers] = Grounds(layers)
    return _grounds[layers]
