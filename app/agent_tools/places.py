"""Places as tools give them: id, name, type, point, address. Reads the layers.

The point of a place that is an area or a line is a point on it, so that it never lies outside of the place.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from app.agent_tools import queries
from app.agent_tools.arguments import PLACE_ID, Point, read_point
from app.agent_tools.errors import ToolError
from app.agent_tools.scope import Scope
from app.core.words import with_hidden_shown

LONGEST_SHOWN = 200
"""Characters of a name or a tag that are given: the map is written by strangers."""
DECIMALS = 7
"""Of degrees, as OpenStreetMap keeps them."""


class Place(BaseModel):
    """A place of the map."""

    id: str = Field(description="what other tools take as the place")
    name: str | None = None
    type: str
    lat: float
    lon: float
    address: str | None = None

    @property
    def point(self) -> Point:
        """Where it is."""
        return Point(self.lat, self.lon)

    @property
    def called(self) -> str:
        """What a sentence calls it: its name, else its address, else its type."""
        return self.name or self.address or f"{self.type.replace('_', ' ')} {self.id}"


class Position(BaseModel):
    """Where an end of a measure lies, and the place that it was given as, if it was one."""

    lat: float
    lon: float
    id: str | None = None
    name: str | None = None

    @property
    def point(self) -> Point:
        """Where it is."""
        return Point(self.lat, self.lon)

    @property
    def called(self) -> str:
        """What a sentence calls it."""
        return self.name or f"{self.lat:g}, {self.lon:g}"


@dataclass(frozen=True)
class Known:
    """A place with all that the map says of it: its layer, classes and tags without facts."""

    place: Place
    layer: str
    classes: tuple[str, ...]
    tags: dict[str, str]


def shown(text: str | None) -> str | None:
    """What the map says, on one line, with nothing in it that hides, cut to LONGEST_SHOWN; None where it is None."""
    if text is None:
        return None
    plain = with_hidden_shown(" ".join(text.split()))
    return plain if len(plain) <= LONGEST_SHOWN else plain[:LONGEST_SHOWN] + "…"


def address_line(row: Any) -> str | None:
    """`Street 5, 1234 Town` from the parts that a row has; None where it has neither street nor house number."""
    door = " ".join(part for part in (row.street, row.housenumber) if part)
    town = " ".join(part for part in (row.postcode, row.city) if part)
    return shown(", ".join(part for part in (door, town) if part)) if door else None


def load_places(scope: Scope, keys: Iterable[str]) -> dict[str, Known]:
    """The places of those ids by id; ids that the map does not have are left out."""
    rows = scope.rows(queries.PLACES, {"keys": sorted(set(keys))})
    return {row.osm_key: _known(row) for row in rows}


def find_place(scope: Scope, key: str) -> Known:
    """The place of an id. Raises ToolError where the map has none."""
    found = load_places(scope, [key])
    if key not in found:
        raise ToolError(
            f"{scope.snapshot.reference} has no place {key}. Ids of other maps do not count here; "
            "place_search finds the ids of this one.",
            "not_found",
        )
    return found[key]


def find_position(scope: Scope, where: str) -> Position:
    """Where a place or a point is. Raises ToolError for an unknown place, and for a point that was written lon, lat."""
    if PLACE_ID.fullmatch(where):
        place = find_place(scope, where).place
        return Position(lat=place.lat, lon=place.lon, id=place.id, name=place.called)
    point = read_point(where)
    assert point is not None  # the argument was checked
    refuse_swapped(scope, point)
    return Position(lat=point.lat, lon=point.lon)


def find_in_map(scope: Scope, where: str) -> Position:
    """As `find_position`. Raises ToolError also for a point that lies outside of the map."""
    position = find_position(scope, where)
    if position.id is None and not scope.covers(position.lon, position.lat):
        raise ToolError(
            f"{position.lat:g}, {position.lon:g} lies outside of the map {scope.snapshot.reference}{_extent(scope)}.",
            "not_found",
        )
    return position


def refuse_swapped(scope: Scope, point: Point) -> None:
    """Raise ToolError where a point lies outside of the map, and would lie in it with its numbers exchanged."""
    if scope.outline is None or scope.covers(point.lon, point.lat) or abs(point.lon) > 90:
        return
    if scope.covers(point.lat, point.lon):
        raise ToolError(
            f"{point.lat:g}, {point.lon:g} lies outside of the map, but {point.lon:g}, {point.lat:g} lies in it: "
            "the two numbers are swapped. Latitude comes first."
        )


def tell_apart(places: Iterable[Position]) -> Callable[[Position], str]:
    """What a sentence calls each of its places: the id is added in brackets where two of them are called alike."""
    alike = Counter(called for called, _ in {(one.called, one.id) for one in places})
    return lambda one: f"{one.called} ({one.id})" if one.id and alike[one.called] > 1 else one.called


def list_places(places: Sequence[Place]) -> str:
    """The places of a sentence: `Adler (restaurant, n5)` each."""
    return "; ".join(f"{place.called} ({place.type.replace('_', ' ')}, {place.id})" for place in places)


def _known(row: Any) -> Known:
    place = Place(
        id=row.osm_key,
        name=shown(row.name),
        type=row.type,
        lat=round(row.lat, DECIMALS),
        lon=round(row.lon, DECIMALS),
        address=address_line(row),
    )
    return Known(place, row.layer, tuple(row.classes), dict(row.tags))


def _extent(scope: Scope) -> str:
    if scope.outline is None:
        return ""
    west, south, east, north = scope.outline.bounds
    return f", which reaches from {south:.4f}, {west:.4f} to {north:.4f}, {east:.4f}"
