"""Steps of a route counted from the nodes of the extract, by the rules of docs/tools.md: shares no code with the tools."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely

from tests.app.agent_tools.raw_roads import GEOD, Place, RawRoads, Rules

MODES = ("car", "bicycle", "foot")
EdgeId = tuple[int, int]
"""A way, and the number of its part between nodes at which one may turn."""


class Told(NamedTuple):
    """What one does at a node."""

    kind: str
    place: Place
    road: str | None
    exit: int | None = None
    degrees: float | None = None


class Segment(NamedTuple):
    """A way's line from a node to the next one, as a mode may travel it."""

    edge: EdgeId
    kmh: float
    to: int


class Part(NamedTuple):
    """An edge of a route: its nodes in the order of travel."""

    edge: EdgeId
    nodes: list[int]


class RawNetwork:
    """Where ways are cut, and where one may go from each node."""

    def __init__(self, raw: RawRoads, mode: str) -> None:
        self.raw = raw
        self.node_at = {place: node for node, place in raw.places.items()}
        self.cuts = self._find_cuts()
        self.leaving: dict[int, list[Segment]] = defaultdict(list)
        self.beside: dict[int, set[int]] = defaultdict(set)
        rules = Rules(mode)
        for way in raw.ways.values():
            forward, backward, _ = rules.speeds(way.tags)
            part = 0
            for number, (one, other) in enumerate(pairwise(way.nodes)):
                part += number > 0 and one in self.cuts
                for start, end, kmh in ((one, other, forward), (other, one, backward)):
                    if kmh:
                        self.leaving[start].append(Segment((way.number, part), kmh, end))
                if forward or backward:
                    self.beside[one].add(other)
                    self.beside[other].add(one)

    def _find_cuts(self) -> set[int]:
        """Nodes that two ways of any mode share or one passes twice, ends, barriers, nodes of restrictions."""
        rules = [Rules(mode) for mode in MODES]
        uses: dict[int, int] = defaultdict(int)
        cuts = set(self.raw.barriers)
        for way in self.raw.ways.values():
            if any(any(one.speeds(way.tags)[:2]) for one in rules):
                cuts |= {way.nodes[0], way.nodes[-1]}
                for node in way.nodes:
                    uses[node] += 1
        cuts |= {node for node, count in uses.items() if count > 1}
        return cuts | {
            ref
            for _, members in self.raw.turns
            for kind, ref, role in members
            if kind == "n" and role == "via"
        }

    def label(self, edge: EdgeId) -> str | None:
        tags = self.raw.ways[edge[0]].tags
        name = tags.get("name") or tags.get("ref")
        return " ".join(name.split()) if name else None

    def is_round(self, edge: EdgeId) -> bool:
        return self.raw.ways[edge[0]].tags.get("junction") in ("roundabout", "circular")

    def segment(self, one: int, other: int) -> Segment:
        return max((line for line in self.leaving[one] if line.to == other), key=lambda line: line.kmh)


def read_parts(network: RawNetwork, line: Sequence[Place]) -> list[Part] | None:
    """The whole edges along a line; None where it begins or ends at a node, or is too short to tell."""
    nodes = [network.node_at.get((round(lon, 7), round(lat, 7))) for lon, lat in line]
    inner = [node for number, node in enumerate(nodes) if node is not None and node != nodes[number - 1]]
    if nodes[0] is not None or nodes[-1] is not None or len(inner) < 3:
        return None
    path = _extend(network, line[0], inner)
    path = _extend(network, line[-1], path[::-1])[::-1]
    cut = [0, *(number for number in range(1, len(path) - 1) if path[number] in network.cuts), len(path) - 1]
    parts = []
    for first, last in pairwise(cut):
        edges = {network.segment(one, other).edge for one, other in pairwise(path[first : last + 1])}
        if len(edges) > 1:
            return None  # two ways lie one on the other
        parts.append(Part(edges.pop(), path[first : last + 1]))
    return parts


def _extend(network: RawNetwork, place: Place, path: list[int]) -> list[int]:
    """The path with the nodes before it, from where the edge begins on which the place lies."""
    places = network.raw.places

    def off(node: int) -> float:
        return shapely.LineString([places[node], places[path[0]]]).distance(shapely.Point(place))

    before = min(network.beside[path[0]], key=off)
    path = [before, *path]
    while path[0] not in network.cuts:
        (before,) = network.beside[path[0]] - {path[1]}
        path = [before, *path]
    return path


def count_steps(network: RawNetwork, parts: Sequence[Part]) -> list[Told]:
    """What one does along the edges, the departure left out."""
    told: list[Told] = []
    name = network.label(parts[0].edge)
    entered: int | None = None
    for number, (before, after) in enumerate(pairwise(parts), 1):
        place, road = network.raw.places[after.nodes[0]], network.label(after.edge)
        was_round, is_round = network.is_round(before.edge), network.is_round(after.edge)
        turn = _turn(network, before, after)
        if is_round and not was_round:
            entered, name = number, road
            told.append(Told("roundabout", place, None, None, None))
        elif was_round and not is_round:
            exits = _count_exits(network, parts, number)
            if entered is None:
                told.append(Told("leave_roundabout", place, road, exits))
            else:
                angle = _turn(network, parts[entered - 1], after)
                told[-1] = Told("roundabout", told[-1].place, road, exits, angle)
            name = road
        elif not is_round:
            kind = _kind(network, before, after, turn, keeps=road is not None and road == name)
            if kind is None and road is not None and road != name:
                kind = _name(turn)
            if kind is not None:
                told.append(Told(kind, place, road, None, turn))
                name = road
            name = road or name
    return told


def _count_exits(network: RawNetwork, parts: Sequence[Part], number: int) -> int:
    exits = 0
    while number > 0 and network.is_round(parts[number - 1].edge):
        number -= 1
        leaving = network.leaving[parts[number].nodes[-1]]
        exits += any(not network.is_round(one.edge) for one in leaving)
    return exits


def _kind(network: RawNetwork, before: Part, after: Part, turn: float, *, keeps: bool) -> str | None:
    """The kind of a turn, None where one follows the road."""
    if before.edge == after.edge and before.nodes == after.nodes[::-1]:
        return "turn_back"
    choices = {one.edge for one in network.leaving[after.nodes[0]]} - {before.edge, after.edge}
    if not choices or abs(turn) <= 20:
        return None
    return None if keeps and abs(turn) <= 60 else _name(turn)


def _name(turn: float) -> str:
    side = "left" if turn < 0 else "right"
    if abs(turn) <= 20:
        return "straight"
    if abs(turn) <= 60:
        return f"slight_{side}"
    if abs(turn) <= 120:
        return side
    return f"sharp_{side}" if abs(turn) <= 170 else "turn_back"


def _turn(network: RawNetwork, before: Part, after: Part) -> float:
    came = _heading(network, before.nodes[::-1])
    goes = _heading(network, after.nodes)
    turn = (goes - came - 180) % 360
    return turn - 360 if turn > 180 else turn


def _heading(network: RawNetwork, nodes: Sequence[int]) -> float:
    """Degrees from the first node to the place 20 m along the line."""
    places = np.array([network.raw.places[node] for node in nodes])
    lengths = GEOD.inv(*places[:-1].T, *places[1:].T)[2]
    along = np.concatenate(([0], np.cumsum(lengths)))
    there = [np.interp(20, along, column) for column in places.T]
    return float(GEOD.inv(*places[0], *there)[0])


def offset_from(line: Sequence[Place], place: Place) -> float:
    """Metres from a place to the nearest point of a line, positive where the place lies to the right."""
    flat = (np.array(line) - place) * np.array([111_320 * np.cos(np.radians(place[1])), 111_200])
    flat = flat[np.concatenate(([True], np.any(np.diff(flat, axis=0) != 0, axis=1)))]
    pieces = shapely.linestrings(np.stack((flat[:-1], flat[1:]), axis=1))
    nearest = int(np.argmin(shapely.distance(pieces, shapely.Point(0, 0))))
    (east, north), (to_east, to_north) = flat[nearest], flat[nearest + 1]
    right = (to_north - north) * -east - (to_east - east) * -north > 0
    metres = shapely.distance(pieces[nearest], shapely.Point(0, 0))
    return float(metres if right else -metres)
