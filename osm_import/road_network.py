"""Import stage: what reading notes of the road network: ways with their nodes, barriers, turn restrictions.

network_rows.py makes rows of that once everything is noted. Coordinates are lon, lat in degrees.
"""

from array import array
from collections.abc import Mapping, Sequence

from osm_import.network_rows import WayTravel, describe
from osm_import.road_nodes import RoadNodes
from osm_import.travel_table import travel_table
from osm_import.travelling import Barrier, Travel, deciding_keys, node_barrier, way_travel
from osm_import.turn_restrictions import RestrictionRelation, restriction_relation

MOST_TRAVELS = 50_000
"""Combinations of tags that are remembered with what they mean."""


class RoadNetwork:
    """Notes the roads of an extract, the lines of ferries, and what stops or turns those who travel there."""

    def __init__(self) -> None:
        self._table = travel_table()
        self._deciding = deciding_keys(self._table)
        self._known: dict[tuple[tuple[str, str], ...], Travel | None] = {}
        self.lines = RoadNodes()
        self.travels: list[WayTravel | None] = []
        """How each line is travelled, in the order in which they were noted."""
        self.barriers: dict[int, Barrier] = {}
        """By node, whether a road passes it or not."""
        self.relations: list[RestrictionRelation] = []

    def describe_way(self, tags: Mapping[str, str], stored: Mapping[str, str]) -> WayTravel | None:
        """What tags say of a way's travel, `stored` being those that are kept; None where nobody may go."""
        key = tuple([pair for pair in tags.items() if pair[0] in self._deciding])
        if key not in self._known:
            if len(self._known) >= MOST_TRAVELS:
                self._known.clear()
            self._known[key] = way_travel(tags, self._table)
        travel = self._known[key]
        return None if travel is None else describe(travel, stored)

    def describe_node(self, tags: Mapping[str, str]) -> Barrier | None:
        """What tags say of a node that stops somebody; None where it has no tag `barrier`."""
        return node_barrier(tags, self._table)

    def note_way(
        self, way_id: int, node_ids: Sequence[str], degrees: "array[float]", travel: WayTravel | None
    ) -> None:
        """A road, or the line of a ferry, with its nodes as `n123` and their places: lon, lat, lon, lat …"""
        self.lines.note(way_id, node_ids, degrees, ferry=travel is not None and travel.is_ferry)
        self.travels.append(travel)

    def note_barrier(self, node_id: int, barrier: Barrier) -> None:
        """A node with a barrier."""
        self.barriers[node_id] = barrier

    def note_restriction(
        self, osm_id: int, tags: Mapping[str, str], members: Sequence[Sequence[str | int]]
    ) -> None:
        """A relation of type `restriction`, with type, id and role of its members."""
        found = restriction_relation(osm_id, tags, members, self._table)
        if found is not None:
            self.relations.append(found)
