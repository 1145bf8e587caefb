"""Roads read from an extract with pyosmium, and the fastest ways on them: it shares no code with the tools.

Speeds and rules of access are read from travel.toml, as published data; docs/road-network.md says what they mean. A turn
restriction is a chain of arcs that nobody may travel one after the other.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import osmium
import shapely
from pyproj import Geod

GEOD = Geod(ellps="WGS84")
ENTERING = 3000.0
GONE = ("disused", "abandoned", "demolished", "razed", "removed")
TABLE = Path(__file__).parents[3] / "osm_import" / "travel.toml"
Place = tuple[float, float]
"""Degrees: lon, lat."""
Chain = tuple[int, ...]


class Way(NamedTuple):
    number: int
    tags: dict[str, str]
    nodes: list[int]


@dataclass
class RawRoads:
    """What an extract says of roads."""

    ways: dict[int, Way] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    barriers: dict[int, dict[str, str]] = field(default_factory=dict)
    turns: list[tuple[dict[str, str], list[tuple[str, int, str]]]] = field(default_factory=list)

    @classmethod
    def of(cls, file: Path) -> "RawRoads":
        found = cls()
        _RoadReader(found).apply_file(str(file), locations=True, idx="flex_mem")
        return found


class _RoadReader(osmium.SimpleHandler):  # type: ignore[misc]
    def __init__(self, found: RawRoads) -> None:
        super().__init__()
        self.found = found

    def node(self, node: Any) -> None:
        if "barrier" in node.tags:
            self.found.barriers[node.id] = dict(node.tags)

    def way(self, way: Any) -> None:
        tags = dict(way.tags)
        assert tags.get("route") != "ferry", "this reader knows no ferries"
        if "highway" not in tags or tags.get("area") == "yes" or any(tags.get(key) == "yes" for key in GONE):
            return
        nodes = [node for node in way.nodes if node.location.valid()]
        if len(nodes) == len(way.nodes) > 1:
            self.found.ways[way.id] = Way(way.id, tags, [node.ref for node in nodes])
            self.found.places.update({node.ref: (node.lon, node.lat) for node in nodes})

    def relation(self, relation: Any) -> None:
        if relation.tags.get("type") == "restriction":
            members = [(one.type, one.ref, one.role) for one in relation.members]
            self.found.turns.append((dict(relation.tags), members))


class Rules:
    """The table of speeds and access, for one mode."""

    def __init__(self, mode: str) -> None:
        table = tomllib.loads(TABLE.read_text())
        self.name = mode
        self.mode = table["modes"][mode]
        self.limits = table["maxspeed"]
        self.oneway = {word: kind for kind, words in table["oneway"].items() for word in words.split()}
        self.access = {word: kind for kind, words in table["access"].items() for word in words.split()}
        self.barriers = table["barriers"][mode]
        self.locked = table["barriers"]["closed_by"]

    def speeds(self, tags: dict[str, str]) -> tuple[float, float, bool]:
        """Km/h along a way and against it, 0 where nobody may go; and whether it is for its own places only."""
        usual, asked = self.mode["kmh"].get(tags["highway"]), self.mode.get("kmh_if_allowed", {})
        speed = usual or asked.get(tags["highway"])
        if not speed or any(
            tags.get(key, "") in words.split() for key, words in self.mode.get("closing", {}).items()
        ):
            return 0, 0, False
        if self.mode["limited"]:
            speed = self.limit(tags) or speed
        for key, caps in self.mode.get("caps", {}).items():
            speed = min(speed, caps.get(tags.get(key, ""), speed))
        found, own = [], False
        for side in ("forward", "backward"):
            meaning = self.meaning(tags, side, asked=not usual) if side in self.sides(tags) else "closed"
            own |= meaning == "destination"
            found.append({"closed": 0.0, "pushed": min(speed, self.mode["pushed"])}.get(meaning, speed))
        return found[0], found[1], own

    def meaning(self, tags: dict[str, str], side: str, *, asked: bool) -> str:
        keys = self.mode["access"].split()
        for key in reversed(keys):
            for value in (tags.get(f"{key}:{side}"), tags.get(key)):
                kinds = {self.access.get(part.strip()) for part in (value or "").split(";")}
                kind = next(
                    (one for one in ("open", "destination", "pushed", "closed") if one in kinds), None
                )
                if kind and not (asked and key == keys[0] and kind == "open"):
                    return kind
        return "closed" if asked else "open"

    def sides(self, tags: dict[str, str]) -> tuple[str, ...]:
        keys = self.mode["oneway"].split()
        said = [(key, self.oneway[tags[key]]) for key in keys if tags.get(key) in self.oneway]
        key, kind = said[-1] if said else ("", "both")
        implied = self.mode.get("implied_oneway", {})
        if not said and any(tags.get(one, "") in words.split() for one, words in implied.items()):
            kind = "forward"
        contra = self.mode.get("contraflow", {})
        if kind in ("forward", "backward") and key != keys[-1] and any(
            tags.get(one, "") in words.split() for one, words in contra.items()
        ):  # fmt: skip
            kind = "both"
        return {"both": ("forward", "backward"), "none": ()}.get(kind, (kind,))

    def limit(self, tags: dict[str, str]) -> float | None:
        for key in self.limits["keys"].split():
            if speed := self.read_speed(tags.get(key, "")):
                return speed
        either = [self.read_speed(tags.get(key, "")) for key in self.limits["by_direction"].split()]
        return min(filter(None, either), default=None)

    def read_speed(self, said: str) -> float | None:
        found = [self._read_one(part.strip()) for part in said.split(";")]
        lowest = min(filter(None, found), default=None)
        return min(lowest, self.limits["most"]) if lowest else None

    def _read_one(self, said: str) -> float | None:
        if said in self.limits["words"]:
            return float(self.limits["words"][said])
        if match := re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-zA-Z/]*)", said):
            return float(match[1]) * self.limits["units"].get(match[2].lower() or "km/h", 0.0) or None
        if match := re.fullmatch(r"[A-Z]{2}(?:-[A-Z]+)?:(?:zone:?)?(\d+)", said):
            return float(match[1]) or None
        country, _, rest = said.partition(":")
        zones = self.limits["zones"]
        return zones.get(f"{country}:{rest}", zones.get(f"*:{rest}")) if rest else None

    def stops(self, tags: dict[str, str]) -> bool:
        """Whether nobody gets past a barrier."""
        for key in reversed(self.mode["access"].split()):
            kind = self.access.get(tags.get(key, ""))
            if kind:
                return kind == "closed"
        if any(tags.get(key) == value for key, value in self.locked.items()):
            return True
        opened = self.barriers["open"].split()
        return tags["barrier"] in self.barriers.get("closed", "").split() or not (
            opened == ["*"] or tags["barrier"] in opened
        )

    def restriction(self, tags: dict[str, str]) -> str | None:
        excepted = {part.strip() for part in tags.get("except", "").split(";")}
        for key in reversed(self.mode["restrictions"].split()):
            if key in tags:
                return (
                    None
                    if key == "restriction" and excepted & set(self.mode["access"].split())
                    else tags[key]
                )
        return None


@dataclass
class Piece:
    """A part of a way between two nodes at which one may turn."""

    way: int
    nodes: list[int]
    metres: float
    kmh: tuple[float, float]
    own: bool


class Spent(NamedTuple):
    """What it takes to get to a place: the cost by which ways are chosen, seconds, metres."""

    cost: float
    seconds: float
    metres: float

    def more(self, seconds: float, metres: float, cost: float = 0.0) -> "Spent":
        return Spent(self.cost + seconds + cost, self.seconds + seconds, self.metres + metres)


class Spot(NamedTuple):
    """A place on a piece: its number, and the share of its length before the place."""

    piece: int
    share: float


class Ways:
    """The roads of one mode. An arc is twice a piece along it, and one more against it."""

    def __init__(self, raw: RawRoads, mode: str) -> None:
        self.rules = Rules(mode)
        self.raw = raw
        self.pieces = list(self._cut())
        self.blocked = {node for node, tags in raw.barriers.items() if self.rules.stops(tags)}
        self.leaving: dict[int, list[int]] = defaultdict(list)
        self.coming: dict[int, list[int]] = defaultdict(list)
        for arc in range(2 * len(self.pieces)):
            if self.seconds(arc):
                self.leaving[self.tail(arc)].append(arc)
                self.coming[self.tail(arc ^ 1)].append(arc)
        self.forbidden = set(self._forbid())
        self.begun = {chain[:size] for chain in self.forbidden for size in range(1, len(chain))}
        self.lines = [shapely.LineString([raw.places[node] for node in one.nodes]) for one in self.pieces]
        self.scale = np.array([np.cos(np.radians(shapely.total_bounds(self.lines)[[1, 3]].mean())), 1.0])
        self.flat = shapely.transform(np.array(self.lines), lambda corners: corners * self.scale)
        self.tree = shapely.STRtree(self.flat)

    def tail(self, arc: int) -> int:
        return self.pieces[arc >> 1].nodes[-1 if arc & 1 else 0]

    def seconds(self, arc: int) -> float:
        """How long an arc takes, 0 where nobody may go; pieces without a length take next to nothing."""
        piece = self.pieces[arc >> 1]
        kmh = piece.kmh[arc & 1]
        return max(piece.metres, 1e-9) / kmh * 3.6 if kmh else 0.0

    def meet(self, place: Place) -> tuple[Spot, float]:
        """The nearest place on a road, and how many metres it is away."""
        here = shapely.Point(np.array(place) * self.scale)
        number = int(self.tree.nearest(here))
        along = self.flat[number].project(here)
        lon, lat = np.array(self.flat[number].interpolate(along).coords[0]) / self.scale
        return Spot(number, along / (self.flat[number].length or 1.0)), float(GEOD.inv(*place, lon, lat)[2])

    def spread(self, start: Spot) -> dict[int, list[tuple[float, Spent]]]:
        """By arc: from which share on it is travelled, and what is spent by then; of all ways from a place."""
        found: dict[int, list[tuple[float, Spent]]] = defaultdict(list)
        waiting: list[tuple[float, int, Chain, Spent]] = []
        nothing = Spent(0.0, 0.0, 0.0)
        for arc in (2 * start.piece, 2 * start.piece + 1):
            if self.seconds(arc):
                share = 1 - start.share if arc & 1 else start.share
                found[arc].append((share, nothing))
                done = nothing.more(*self._rest(arc, share))
                heappush(waiting, (done.cost, arc, self._suffix((arc,)), done))
        settled: set[tuple[int, Chain]] = set()
        whole: dict[int, Spent] = {}
        while waiting:
            _, arc, chain, done = heappop(waiting)
            if (arc, chain) in settled:
                continue
            settled.add((arc, chain))
            for after, longer in self._turns(arc, chain):
                entering = ENTERING if self.pieces[after >> 1].own and not self.pieces[arc >> 1].own else 0.0
                entered = done.more(0.0, 0.0, entering)
                if after not in whole or entered.cost < whole[after].cost:
                    whole[after] = entered
                if (after, longer) not in settled:
                    then = entered.more(*self._rest(after, 0.0))
                    heappush(waiting, (then.cost, after, longer, then))
        for arc, entered in whole.items():
            found[arc].append((0.0, entered))
        return found

    def spent(self, found: dict[int, list[tuple[float, Spent]]], spot: Spot) -> Spent | None:
        """What it takes to get to a place by the cheapest way; None where no way leads."""
        best: Spent | None = None
        for arc in (2 * spot.piece, 2 * spot.piece + 1):
            share = 1 - spot.share if arc & 1 else spot.share
            for start, entered in found.get(arc, ()):
                if share >= start - 1e-12:
                    part = share - start
                    there = entered.more(part * self.seconds(arc), part * self.pieces[arc >> 1].metres)
                    best = there if best is None or there.cost < best.cost else best
        return best

    def _rest(self, arc: int, share: float) -> tuple[float, float]:
        return (1 - share) * self.seconds(arc), (1 - share) * self.pieces[arc >> 1].metres

    def _turns(self, arc: int, chain: Chain) -> Iterator[tuple[int, Chain]]:
        node = self.tail(arc ^ 1)
        for after in self.leaving[node]:
            back = after == arc ^ 1
            if node in self.blocked and not back:
                continue
            if back and node not in self.blocked and any(one >> 1 != arc >> 1 for one in self.coming[node]):
                continue
            longer = (*chain, after)
            if not any(longer[start:] in self.forbidden for start in range(len(longer))):
                yield after, self._suffix(longer)

    def _suffix(self, chain: Chain) -> Chain:
        """The longest end of a chain with which a forbidden one begins."""
        return next((chain[start:] for start in range(len(chain)) if chain[start:] in self.begun), ())

    # --- cutting ways, reading restrictions -----------------------------------------------------------------

    def _cut(self) -> Iterator[Piece]:
        uses: dict[int, int] = defaultdict(int)
        for way in self.raw.ways.values():
            if any(self.rules.speeds(way.tags)[:2]):
                for node in way.nodes:
                    uses[node] += 1
        told = {ref for _, members in self.raw.turns for kind, ref, _ in members if kind == "n"}
        for way in self.raw.ways.values():
            forward, backward, own = self.rules.speeds(way.tags)
            if not (forward or backward):
                continue
            cuts = [
                place
                for place, node in enumerate(way.nodes)
                if place in (0, len(way.nodes) - 1)
                or uses[node] > 1
                or node in told
                or node in self.raw.barriers
            ]
            for first, last in pairwise(cuts):
                nodes = way.nodes[first : last + 1]
                lons, lats = zip(*(self.raw.places[node] for node in nodes), strict=True)
                yield Piece(way.number, nodes, float(GEOD.line_length(lons, lats)), (forward, backward), own)

    def _forbid(self) -> Iterator[Chain]:
        by_way: dict[int, list[int]] = defaultdict(list)
        for number, piece in enumerate(self.pieces):
            by_way[piece.way].append(number)
        only: dict[tuple[Chain, int], set[int]] = defaultdict(set)
        for tags, members in self.raw.turns:
            kind = self.rules.restriction(tags)
            before, via, after = (
                [(one, ref) for one, ref, role in members if role == wanted]
                for wanted in ("from", "via", "to")
            )
            if not kind or not (before and via and after) or not re.match("no_|only_", kind):
                continue
            targets = {ref for _, ref in after}
            for chain in self._chains_to(by_way, before, via):
                node = self.tail(chain[-1] ^ 1)
                if kind.startswith("only_"):
                    only[chain, node] |= targets
                    continue
                for arc in self.leaving[node]:
                    back = arc == chain[-1] ^ 1
                    if self.pieces[arc >> 1].way in targets and not (
                        kind == "no_u_turn"
                        and not back
                        and self.pieces[arc >> 1].way == self.pieces[chain[0] >> 1].way
                    ):
                        yield (*chain, arc)
        for (chain, node), ways in only.items():
            for arc in self.leaving[node]:
                if self.pieces[arc >> 1].way not in ways:
                    yield (*chain, arc)

    def _chains_to(
        self, by_way: dict[int, list[int]], before: Sequence[tuple[str, int]], via: Sequence[tuple[str, int]]
    ) -> Iterator[Chain]:
        """The arcs along which one comes to the end of a restriction's `via`."""
        for _, way in before:
            arcs = [
                arc for number in by_way[way] for arc in (2 * number, 2 * number + 1) if self.seconds(arc)
            ]
            for arc in arcs:
                node = self.tail(arc ^ 1)
                if via[0][0] == "n":
                    if node == via[0][1]:
                        yield (arc,)
                elif chain := self._along(by_way, node, [ref for _, ref in via]):
                    yield (arc, *chain)

    def _along(self, by_way: dict[int, list[int]], node: int, ways: Sequence[int]) -> Chain:
        chain: list[int] = []
        for way in ways:
            numbers = by_way[way]
            there = [2 * one for one in numbers]
            back = [2 * one + 1 for one in reversed(numbers)]
            arcs = next((one for one in (there, back) if one and self.tail(one[0]) == node), None)
            if arcs is None:
                return ()
            chain += arcs
            node = self.tail(arcs[-1] ^ 1)
        return tuple(chain)
