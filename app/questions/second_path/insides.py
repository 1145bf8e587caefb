"""Second path: what of a layer lies in a region, found once for all questions about that region."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from app.questions.second_path.geodesy import spheroid_lengths


class Part(NamedTuple):
    """An object's part in a region: its position in the layer, its shape there and that shape's measure."""

    position: int
    shape: Any
    measure: float


class Inside:
    """The objects of a layer that share more than the boundary with a region; cut off in lon/lat where asked.

    `tree` is over `geometries`, whose classes `classes` holds; a position is an index into them.
    """

    def __init__(self, region: Any, geometries: Any, classes: list[str], tree: Any) -> None:
        shapely.prepare(region)
        self.region = region
        self._geometries, self._classes = geometries, classes
        met = np.sort(tree.query(region, predicate="intersects"))
        self._whole: NDArray[np.bool_] = shapely.contains_properly(region, geometries[met])
        crossing = np.nonzero(~self._whole)[0]
        outside = crossing[shapely.touches(region, geometries[met[crossing]])]
        kept = np.setdiff1d(np.arange(len(met)), outside)
        self._met = met[kept]
        self._whole = self._whole[kept]
        self._lengths: dict[tuple[int, bool], Part] = {}

    @cached_property
    def _places(self) -> dict[int, list[tuple[int, str, bool]]]:
        """(position, class, whether it lies inside whole) by dimension, ascending."""
        places: dict[int, list[tuple[int, str, bool]]] = {}
        dimensions = shapely.get_dimensions(self._geometries[self._met]).tolist()
        for position, dimension, whole in zip(
            self._met.tolist(), dimensions, self._whole.tolist(), strict=True
        ):
            places.setdefault(dimension, []).append((position, self._classes[position], whole))
        return places

    def positions(self, classes: frozenset[str] | None, dimension: int) -> list[int]:
        """Those of a dimension, and of any of the classes where these are told; ascending."""
        return [
            position
            for position, klass, _ in self._places.get(dimension, [])
            if classes is None or klass in classes
        ]

    def wholly(self, positions: Iterable[int]) -> list[int]:
        """Those of some of the objects that lie inside the region, and do not reach its boundary."""
        return [one for one in positions if one in self._inner]

    @cached_property
    def _inner(self) -> frozenset[int]:
        return frozenset(self._met[self._whole].tolist())

    def lengths(self, classes: frozenset[str], clipped: bool) -> list[Part]:
        """The lines of any of the classes with their metres in the region, or with all their metres; ascending."""
        wanted = [
            (position, clipped and not whole)
            for position, klass, whole in self._places.get(1, [])
            if klass in classes
        ]
        self._measure([one for one in wanted if one not in self._lengths])
        return [self._lengths[one] for one in wanted]

    def _measure(self, lines: list[tuple[int, bool]]) -> None:
        shapes = [
            shapely.intersection(self._geometries[position], self.region)
            if cut
            else self._geometries[position]
            for position, cut in lines
        ]
        for one, shape, metres in zip(lines, shapes, spheroid_lengths(shapes), strict=True):
            self._lengths[one] = Part(one[0], shape, metres)
