"""Later maps of planted stations: random edits of stations, of what lies beside them, and of the roads to them.

A seed is a script: it tells what becomes of each object. Copies are written like the planted extract, sorted by id.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import osmium
from osmium.osm import Location, mutable

from app.core.planted import FIRST_ID, MARK
from app.core.seeds import below

NEW_ID = FIRST_ID + 500_000_000_000_000
"""The first id of what is added: between those of planted places and those of their twins."""
PLACE_KEYS = ("amenity", "shop", "tourism", "leisure")
STATION_EVERY, PLACE_EVERY, ROAD_EVERY = 3, 6, 25
"""One of so many objects is edited."""
STATION_FATES = ("closed", "a street on", "elsewhere", "renamed", "another class", "another operator")
PLACE_FATES = ("closed", "a street on", "renamed", "another class", "touched")
ROAD_FATES = ("cut", "no cars", "slow", "one way", "renamed")
NEW_STATIONS, NEW_PLACES = 10, 30
OTHER_CLASSES = (
    {"amenity": "restaurant"},
    {"amenity": "cafe"},
    {"shop": "supermarket"},
    {"tourism": "hotel"},
    {"leisure": "park"},
)
METRE = 1e-5
"""About a metre, in degrees."""


class Script:
    """The edits of one seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def edited(self, one: Any) -> Any:
        """The object as it is after its edit, if there is one; None where it is gone."""
        tags = dict(one.tags)
        if tags.get("amenity") == "charging_station":
            return self._station(one, tags) if self._hits(one, STATION_EVERY) else one
        if one.is_way() and "highway" in tags:
            return self._road(one, tags) if self._hits(one, ROAD_EVERY) else one
        if not one.is_relation() and any(key in tags for key in PLACE_KEYS):
            return self._place(one, tags) if self._hits(one, PLACE_EVERY) else one
        return one

    def added(self, corners: Sequence[tuple[float, float]]) -> Iterator[mutable.Node]:
        """New stations and places beside some of the corners, by id."""
        for serial in range(NEW_STATIONS + NEW_PLACES):
            lon, lat = corners[below(len(corners), self.seed, "corner", serial)]
            tags = {"name": f"New {serial}", **MARK}
            if serial < NEW_STATIONS:
                tags |= {"amenity": "charging_station", "operator": f"Operator {serial % 3}"}
            else:
                tags |= OTHER_CLASSES[serial % len(OTHER_CLASSES)]
            yield mutable.Node(
                id=NEW_ID + serial, version=1, tags=tags, location=Location(lon + 20 * METRE, lat)
            )

    def _hits(self, one: Any, every: int) -> bool:
        return below(every, self.seed, "hit", one.type_str(), one.id) == 0

    def _draw(self, one: Any, most: int, what: str) -> int:
        return below(most, self.seed, what, one.type_str(), one.id)

    def _station(self, one: Any, tags: Mapping[str, str]) -> Any:
        fate = STATION_FATES[self._draw(one, len(STATION_FATES), "fate")]
        if fate == "another operator":
            return _tagged(one, tags, operator=f"Operator {self._draw(one, 3, 'operator')}")
        return self._common(one, tags, fate)

    def _place(self, one: Any, tags: Mapping[str, str]) -> Any:
        fate = PLACE_FATES[self._draw(one, len(PLACE_FATES), "fate")]
        return self._common(one, tags, fate)

    def _common(self, one: Any, tags: Mapping[str, str], fate: str) -> Any:
        if fate == "closed":
            return None
        if fate == "renamed":
            return _tagged(one, tags, name=f"{tags.get('name', 'Unnamed')} II")
        if fate == "another class":
            kept = {key: value for key, value in tags.items() if key not in PLACE_KEYS}
            return _tagged(one, kept, **OTHER_CLASSES[self._draw(one, len(OTHER_CLASSES), "class")])
        if fate in ("a street on", "elsewhere") and one.is_node():
            reach = 90 if fate == "a street on" else 4_000
            east, north = (self._draw(one, 2 * reach + 1, side) - reach for side in ("east", "north"))
            at = Location(one.location.lon + east * METRE, one.location.lat + north * METRE)
            return one.replace(location=at, version=one.version + 1)
        return one.replace(version=one.version + 1)

    def _road(self, one: Any, tags: Mapping[str, str]) -> Any:
        fate = ROAD_FATES[self._draw(one, len(ROAD_FATES), "fate")]
        if fate == "cut":
            return None
        if fate == "no cars":
            return _tagged(one, tags, motor_vehicle="no")
        if fate == "slow":
            return _tagged(one, tags, maxspeed="20")
        if fate == "one way":
            return _tagged(one, tags, oneway="yes")
        return _tagged(one, tags, name=f"{tags.get('name', 'Unnamed')} II")


def write_later(source: Path, target: Path, seed: int, timestamp: str) -> Path:
    """The extract after the edits of a seed, later by its header; the outline is that of the source."""
    script = Script(seed)
    nodes: Iterator[Any] = iter(osmium.FileProcessor(str(source), osmium.osm.NODE))
    corners = [
        (one.location.lon, one.location.lat)
        for one in nodes
        if "highway" in one.tags and one.location.valid()
    ]
    with osmium.io.Reader(str(source), osmium.osm.NOTHING) as reader:
        header = reader.header()
    for key in ("timestamp", "osmosis_replication_timestamp"):
        header.set(key, timestamp)
    with osmium.SimpleWriter(str(target), header=header) as writer:
        waiting = list(enumerate(script.added(corners), NEW_ID))
        objects: Iterator[Any] = iter(osmium.FileProcessor(str(source)))
        for one in objects:
            while waiting and not (one.is_node() and one.id < waiting[0][0]):
                writer.add(waiting.pop(0)[1])
            if (left := script.edited(one)) is not None:
                writer.add(left)
    outline = source.with_name(source.name.replace(".osm.pbf", ".poly"))
    if outline.is_file():
        target.with_name(target.name.replace(".osm.pbf", ".poly")).write_bytes(outline.read_bytes())
    return target


def _tagged(one: Any, tags: Mapping[str, str], **more: str) -> Any:
    return one.replace(tags={**tags, **more}, version=one.version + 1)
