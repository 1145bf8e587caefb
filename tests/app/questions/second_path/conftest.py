"""Tiny towns for the second path: points and areas at known geodesic offsets from one place, held in memory."""

from collections.abc import Sequence
from typing import Any

import pytest
import shapely
from pyproj import Geod

from app.questions.second_path import Layers, Row

GEOD = Geod(ellps="WGS84")


class Town:
    """A town around (9.5, 47.1), inside a square outline of 20 km."""

    lon, lat = 9.5, 47.1

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {}
        self.place_areas: list[tuple[str, bytes]] = []
        self.outline: Any = self.square(20_000)

    def at(self, metres: float, azimuth: float) -> tuple[float, float]:
        """The point so far from the town's middle, in that direction."""
        lon, lat, _ = GEOD.fwd(self.lon, self.lat, azimuth, metres)
        return lon, lat

    def square(self, side: float, metres: float = 0.0, azimuth: float = 0.0) -> Any:
        """A box in lon/lat about `side` metres wide and high, whose middle is so far from the town's."""
        lon, lat = self.at(metres, azimuth)
        east, _, _ = GEOD.fwd(lon, lat, 90, side / 2)
        _, north, _ = GEOD.fwd(lon, lat, 0, side / 2)
        return shapely.box(2 * lon - east, 2 * lat - north, east, north)

    def add(self, layer: str, key: str, geometry: Any, name: str | None, klass: str, **columns: Any) -> None:
        """One row of a layer."""
        row = Row(
            key,
            name,
            klass,
            columns.get("classes", (klass,)),
            columns.get("tags", {}),
            columns.get("repaired", False),
            shapely.to_wkb(geometry, byte_order=1),
        )
        self.rows.setdefault(layer, []).append(row)

    def poi(
        self,
        key: str,
        metres: float,
        azimuth: float,
        name: str | None,
        classes: Sequence[str] = ("restaurant",),
        repaired: bool = False,
    ) -> None:
        """A point of interest so far from the middle."""
        place = shapely.Point(*self.at(metres, azimuth))
        told = {"addr:country": "LI"}  # an anchor is told by more than its name
        self.add("poi", key, place, name, classes[0], classes=tuple(classes), tags=told, repaired=repaired)

    def ground(self, key: str, geometry: Any) -> None:
        """The area of a point of interest."""
        self.place_areas.append((key, shapely.to_wkb(shapely.MultiPolygon([geometry]))))

    def aoi(self, key: str, geometry: Any, name: str, repaired: bool = False) -> None:
        """An area of interest."""
        self.add("aoi", key, shapely.MultiPolygon([geometry]), name, "residential", repaired=repaired)

    def region(self, key: str, geometry: Any, name: str | None, klass: str = "town", **columns: Any) -> None:
        """A region with a Wikidata link."""
        columns.setdefault("tags", {"wikidata": "Q1"})
        self.add("region", key, shapely.MultiPolygon([geometry]), name, klass, **columns)

    def layers(self) -> Layers:
        """What the second path sees."""
        outline = None if self.outline is None else shapely.to_wkb(self.outline)
        return Layers.from_rows(self.rows, outline, place_areas=self.place_areas)


@pytest.fixture
def town() -> Town:
    """An empty town, but for a museum n1 in its middle."""
    made = Town()
    made.poi("n1", 0, 0, "Museum", ("museum",))
    return made
