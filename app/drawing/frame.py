"""The part of the earth that a picture shows, in web Mercator (EPSG:3857). Pure.

Pixels are counted from the picture's top left corner, x to the right and y down. A tile of 256 pixels holds the whole
world at zoom 0; each zoom has twice the pixels of the one before (OpenStreetMap wiki, "Slippy map tilenames").
"""

from dataclasses import dataclass
from math import asinh, atan, cos, degrees, pi, radians, sinh, tan
from typing import Any

import numpy as np

from app.core.errors import UsageError

ZOOMS = range(8, 22)
SIDES = range(200, 2049)
"""Pixels that a side of a picture may have."""
FARTHEST_LATITUDE = 85.0
"""Degrees; web Mercator ends a little beyond."""
TILE = 256
EQUATOR_M = 2 * pi * 6_378_137
"""Metres around the equator of WGS84."""
BEYOND = 64
"""Pixels around a picture that are read too, so that what is cut off leaves no trace at its edges."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels; or west, south, east, north in degrees, where it is said."""


@dataclass(frozen=True)
class Frame:
    """A picture's place: its centre in degrees, its zoom, its size in pixels."""

    lon: float
    lat: float
    zoom: int
    width: int
    height: int

    def __post_init__(self) -> None:
        """Raise UsageError for a frame that cannot be drawn."""
        if self.zoom not in ZOOMS:
            raise UsageError(f"A map is drawn at zoom {ZOOMS[0]} to {ZOOMS[-1]}, not {self.zoom}.")
        if self.width not in SIDES or self.height not in SIDES:
            raise UsageError(
                f"A picture has {SIDES[0]} to {SIDES[-1]} pixels a side, not {self.width} x {self.height}."
            )
        if not (-180 <= self.lon <= 180 and abs(self.lat) <= FARTHEST_LATITUDE):
            raise UsageError(
                f"A map is drawn around a longitude from -180 to 180 and a latitude from -{FARTHEST_LATITUDE:g} "
                f"to {FARTHEST_LATITUDE:g}, not {self.lon:g}, {self.lat:g}."
            )

    @property
    def world(self) -> int:
        """Pixels from west to east around the world."""
        return TILE << self.zoom

    @property
    def origin(self) -> tuple[int, int]:
        """The pixel of the world that is the picture's first one: whole, so that lines stay where they are."""
        x = (self.lon + 180) / 360 * self.world
        y = (1 - asinh(tan(radians(self.lat))) / pi) / 2 * self.world
        return round(x - self.width / 2), round(y - self.height / 2)

    @property
    def metres_per_pixel(self) -> float:
        """Metres a pixel at the centre."""
        return EQUATOR_M * cos(radians(self.lat)) / self.world

    def degrees_around(self, beyond: int = 0) -> Box:
        """West, south, east, north in degrees, of the picture and so many pixels around it."""
        x, y = self.origin
        west, north = self._degrees(x - beyond, y - beyond)
        east, south = self._degrees(x + self.width + beyond, y + self.height + beyond)
        return west, south, east, north

    def _degrees(self, x: float, y: float) -> tuple[float, float]:
        return x / self.world * 360 - 180, degrees(atan(sinh(pi * (1 - 2 * y / self.world))))

    def pixels(self, places: Any) -> Any:
        """Pixels of an array of lon, lat, to a hundredth: finer differences of machines do not count."""
        x = (places[:, 0] + 180) / 360 * self.world - self.origin[0]
        y = (1 - np.arcsinh(np.tan(np.radians(places[:, 1]))) / pi) / 2 * self.world - self.origin[1]
        return np.round(np.column_stack((x, y)), 2)

    def holds(self, box: Box) -> bool:
        """Whether a box of pixels is wholly inside the picture."""
        left, top, right, bottom = box
        return left >= 0 and top >= 0 and right <= self.width and bottom <= self.height

    def as_json(self) -> dict[str, Any]:
        """What the record says of the frame; edges in degrees."""
        west, south, east, north = (round(one, 7) for one in self.degrees_around())
        return {
            "lon": self.lon,
            "lat": self.lat,
            "zoom": self.zoom,
            "width": self.width,
            "height": self.height,
            "west": west,
            "south": south,
            "east": east,
            "north": north,
            "metres_per_pixel": round(self.metres_per_pixel, 6),
        }
