"""Where the places of the files are: degrees, degrees exchanged, or metres of Web Mercator under the names of degrees;
and how far they are apart.

Anchors of direction_nearest stand there as metres of EPSG:3857, latitude holding y; anchors of amenities_around have
latitude and longitude exchanged. In most of these the latitude is beyond 90; the others are told by where the region
lies, which places that can only be read in one way say.
"""

from collections.abc import Sequence
from math import hypot
from statistics import median
from typing import Literal, NamedTuple

from pyproj import Geod, Transformer

from app.benchmarks.mapqa.imported.files import Entity

Written = Literal["degrees", "exchanged", "metres", "nowhere"]
DEGREES: Written = "degrees"
EXCHANGED: Written = "exchanged"
METRES: Written = "metres"
NOWHERE: Written = "nowhere"
SMALLEST_METRES = 1000.0
"""What is farther from 0 than any degree and nearer than this is neither."""
WORLD = 20_037_508.35
"""Half of the plane of EPSG:3857, metres."""
AROUND = 15.0
"""Degrees from the middle of a region in which its places lie."""
_GEOD = Geod(ellps="WGS84")
_FROM_PLANE = Transformer.from_crs(3857, 4326, always_xy=True)
_TO_PLANE = Transformer.from_crs(4326, 3857, always_xy=True)


class Centre(NamedTuple):
    """About the middle of a region, in degrees."""

    lon: float
    lat: float

    def is_near(self, lon: float, lat: float) -> bool:
        """Whether the point may lie in the region."""
        return max(abs(lon - self.lon), abs(lat - self.lat)) <= AROUND


class Spot(NamedTuple):
    """Where a place is, in degrees, and how the file writes it."""

    lon: float
    lat: float
    written: Written


def centre_of(entities: Sequence[Entity]) -> Centre | None:
    """The middle of the places that can be read in one way alone, else of all as they stand; None for no places."""
    spots = [spot for one in entities if (spot := _sure(one)) is not None]
    spots = spots or [
        Spot(one.longitude, one.latitude, DEGREES)
        for one in entities
        if max(abs(one.latitude), abs(one.longitude)) <= 90
    ]
    if not spots:
        return None
    return Centre(median(one.lon for one in spots), median(one.lat for one in spots))


def _sure(one: Entity) -> Spot | None:
    """The place, if only one reading is on the earth."""
    lat, lon = one.latitude, one.longitude
    if abs(lat) <= 90 < abs(lon) <= 180:
        return Spot(lon, lat, DEGREES)
    if abs(lon) <= 90 < abs(lat) <= 180:
        return Spot(lat, lon, EXCHANGED)
    return None


def locate(one: Entity, centre: Centre | None) -> Spot:
    """Where a place is. What can be read either way is read as it stands, unless only the other way fits the region."""
    lat, lon = one.latitude, one.longitude
    if max(abs(lat), abs(lon)) > SMALLEST_METRES:
        if max(abs(lat), abs(lon)) > WORLD:
            return Spot(0.0, 0.0, NOWHERE)
        there = _FROM_PLANE.transform(lon, lat)
        return Spot(float(there[0]), float(there[1]), METRES)
    sure = _sure(one)
    if sure is not None:
        return sure
    if max(abs(lat), abs(lon)) > 90:
        return Spot(0.0, 0.0, NOWHERE)
    if centre is not None and not centre.is_near(lon, lat) and centre.is_near(lat, lon):
        return Spot(lat, lon, EXCHANGED)
    return Spot(lon, lat, DEGREES)


def plane_metres(one: Spot, other: Spot) -> float:
    """Metres between two places on the plane of Web Mercator."""
    x, y = _TO_PLANE.transform([one.lon, other.lon], [one.lat, other.lat])
    return hypot(x[0] - x[1], y[0] - y[1])


def ground_metres(one: Spot, other: Spot) -> float:
    """Metres between two places along the WGS84 geodesic."""
    return float(_GEOD.inv(one.lon, one.lat, other.lon, other.lat)[2])
