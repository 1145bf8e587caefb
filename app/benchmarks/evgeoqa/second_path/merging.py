"""Second path: which points of a class are one destination, what lies beside each, and how far each is. Metres."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import shapely

from app.benchmarks.evgeoqa.second_path.connected import ConnectedRoads
from app.questions.second_path.geodesy import Found, measure
from app.questions.second_path.layers import Layers

MERGED_WITHIN = 50.0
BESIDE, EDGE = 1000.0, 1.0
ORDER = {"n": 0, "w": 1, "r": 2}
LonLat = tuple[float, float]


class Destination(NamedTuple):
    """Points of a class that are one; the first of them gives key and place."""

    key: str
    keys: tuple[str, ...]
    name: str | None
    repaired: bool
    at: LonLat
    part: int | None


class Surroundings:
    """What of one map the questions are about; what was found out is kept."""

    def __init__(self, layers: Layers) -> None:
        self._poi = layers["poi"]
        self._water = layers["water"]
        self._roads = ConnectedRoads(layers.road_rows("car"), layers.road_lines)
        self._destinations: dict[str, list[Destination]] = {}
        self._beside: dict[tuple[str, frozenset[str]], list[Found | None]] = {}
        self._apart: tuple[str, LonLat, list[tuple[float, str, int]]] | None = None
        self._parts: dict[LonLat, int | None] = {}

    def destinations(self, klass: str) -> list[Destination]:
        """All destinations of a class, by the order of their first points."""
        if klass not in self._destinations:
            self._destinations[klass] = [self._merged(group) for group in self._groups(klass)]
        return self._destinations[klass]

    def beside(self, klass: str, classes: frozenset[str]) -> list[Found | None]:
        """By destination of a class: the nearest place of `classes` within the distance and its margin."""
        asked = (klass, classes)
        if asked not in self._beside:
            points = self._poi.points_of(classes)
            self._beside[asked] = [
                next(
                    (
                        found
                        for found in points.within(*one.at, BESIDE + EDGE)
                        if self._poi.keys[found.position] not in one.keys
                    ),
                    None,
                )
                for one in self.destinations(klass)
            ]
        return self._beside[asked]

    def by_distance(self, klass: str, at: LonLat) -> list[tuple[float, str, int]]:
        """Metres, key and number of each destination of a class in the part of the roads that a place is in."""
        if self._apart is None or self._apart[:2] != (klass, at):
            part = self.part_of(at)
            ones = self.destinations(klass)
            numbers = [number for number, one in enumerate(ones) if part is not None and one.part == part]
            places = np.array([ones[number].at for number in numbers]).reshape(-1, 2)
            metres, _ = measure(*at, places[:, 0], places[:, 1])
            found = sorted(
                (far, ones[number].key, number) for far, number in zip(metres.tolist(), numbers, strict=True)
            )
            self._apart = (klass, at, found)
        return self._apart[2]

    def part_of(self, at: LonLat) -> int | None:
        """The part of the roads for cars that a place is in."""
        if at not in self._parts:
            self._parts[at] = self._roads.part_of(*at)
        return self._parts[at]

    def is_in_water(self, at: LonLat) -> bool:
        """Whether a place lies on an area of water."""
        found = self._water.tree.query(shapely.Point(at), predicate="intersects").tolist()
        return any(shapely.get_dimensions(self._water.geometries[one]) == 2 for one in found)

    def _groups(self, klass: str) -> list[list[int]]:
        """The positions of the points of each destination, in their order, by single linkage."""
        poi = self._poi
        everyone = self._in_order(poi.of_class.get(klass, np.empty(0, dtype=np.intp)).tolist())
        leader = {position: position for position in everyone}
        points = poi.points_of(frozenset({klass}))

        def find(position: int) -> int:
            while leader[position] != position:
                position = leader[position]
            return position

        for position in everyone:
            whose = self._whose(position)
            if whose is None:
                continue
            for other in points.within(*self._at(position), MERGED_WITHIN, skip=position):
                if self._whose(other.position) == whose:
                    leader[find(other.position)] = find(position)
        groups: dict[int, list[int]] = {}
        for position in everyone:
            groups.setdefault(find(position), []).append(position)
        return list(groups.values())

    def _in_order(self, positions: list[int]) -> list[int]:
        keys = self._poi.keys
        return sorted(positions, key=lambda one: (ORDER[keys[one][0]], int(keys[one][1:])))

    def _whose(self, position: int) -> tuple[str, str] | None:
        """By what a point is told to be one with another: its operator, or else its name."""
        row = self._poi.rows[position]
        operator = row.tags.get("operator", "").strip(" ")
        if operator:
            return "operator", operator.lower()
        name = (row.name or "").strip(" ")
        return ("name", name.lower()) if name else None

    def _at(self, position: int) -> LonLat:
        lon, lat = self._poi.coordinates[position].tolist()
        return lon, lat

    def _merged(self, positions: list[int]) -> Destination:
        rows = [self._poi.rows[one] for one in positions]
        at = self._at(positions[0])
        names = [row.name.strip(" ") for row in rows if row.name and row.name.strip(" ")]
        return Destination(
            rows[0].osm_key,
            tuple(row.osm_key for row in rows),
            names[0] if names else None,
            any(row.repaired for row in rows),
            at,
            self._roads.part_of(*at),
        )


_KEPT: "WeakKeyDictionary[Layers, Surroundings]" = WeakKeyDictionary()


def surroundings_of(layers: Layers) -> Surroundings:
    """The surroundings of a map's destinations, made once for its layers."""
    found = _KEPT.get(layers)
    if found is None:
        found = _KEPT[layers] = Surroundings(layers)
    return found
