"""Import stage: what a scan of the file writes, made into rows of layers, rejects and shared road nodes.

Invariant: every object whose tags match a layer comes out exactly once for it, as a Feature or as a Reject; the outer
ways of a multipolygon without tags of its own (old_style.py) come out as that multipolygon.
Coordinates are lon, lat in degrees, WGS84.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, NamedTuple, Self

from app.core.errors import ImportFailed
from app.core.identity import canonical_tags
from osm_import import antimeridian, opl, tag_tables, tagging
from osm_import.areas import check_areas
from osm_import.child import Batch, Child, Record
from osm_import.diagnosing import MemberWay, diagnose_relation
from osm_import.features import (
    Description,
    Feature,
    Junction,
    PlaceArea,
    Reject,
    spheroid_area,
    to_wkb,
)
from osm_import.network_rows import NetworkRows, WayTravel
from osm_import.old_style import OldRelation, join
from osm_import.osmium_errors import not_sorted, not_uploaded
from osm_import.progress import Progress
from osm_import.reasons import Reason
from osm_import.road_network import RoadNetwork
from osm_import.tagging import Form, Match, Shape
from osm_import.travelling import Barrier
from osm_import.way_shapes import WayShape, count_points, read_shape
from osm_import.wkb import LINE, MULTI_POLYGON, POLYGON, count_hex, point_wkb

AREAS_AT_ONCE = 2000
MOST_DECISIONS = 50_000
MOST_KNOWN = 8_000
"""Texts of tags that are remembered, of nodes and of ways: most of a map's objects share theirs with others."""
TOLD_EVERY = 0.2
"""Seconds between two looks at how far the scan is."""

POINT_LAYERS = ("poi", "address", "other_place")
"""An area is a point on its surface there."""
SINGLE_LAYERS = ("park", "water")
"""Areas of one part are polygons there."""
MEASURED_LAYERS = ("aoi",)
"""An area's square metres are a column there."""

Row = Feature | PlaceArea | Reject
Matches = tuple[Match, ...]


class _Meaning(NamedTuple):
    """One layer that tags lead to."""

    match: Match
    description: Description


class _Tagged(NamedTuple):
    """What tags mean, for a way by whether it is closed; the same for all objects that have them."""

    name: str | None
    opened: tuple[_Meaning, ...]
    closed: tuple[_Meaning, ...]
    travel: WayTravel | None = None
    """Of a way that somebody may travel."""
    barrier: Barrier | None = None
    """Of a node that stops somebody, or may."""


NOTHING = _Tagged(None, (), ())
"""Tags that no layer wants."""


class _Object(NamedTuple):
    """One object of the map, and the layers that its tags lead to."""

    osm_type: str
    osm_id: int
    version: int
    name: str | None
    meanings: Sequence[_Meaning]
    travel: WayTravel | None = None


class _Held(NamedTuple):
    """A way that may be part of a multipolygon of the old style, for layers that want areas of it."""

    entity: _Object
    nodes: str
    shape: str


class _Area(NamedTuple):
    """An area that is to be checked."""

    entity: _Object
    wkb: str
    repaired: bool = False
    """Whether it takes no part in gold even where nothing has to be mended."""


class ExtractReader:
    """Reads one extract once, for some layers; with `grounds` the areas of places, with `network` that of roads, too.

    Raises BadExtract for a file that breaks off, is damaged, not sorted or not uploaded; CareNeeded (child.py) where it
    has to be read again, with `careful`. `in_memory` is what Extract says.
    """

    def __init__(
        self,
        path: Path,
        progress: Progress,
        layers: tuple[str, ...] = tag_tables.LAYERS,
        *,
        junctions: bool = True,
        network: bool = False,
        grounds: bool = False,
        careful: bool = False,
        in_memory: bool = False,
    ) -> None:
        self._path = path
        self._progress = progress
        self._layers = frozenset(layers)
        self._grounds = grounds
        further = [*(["road_node"] if junctions else []), *(["road_edge"] if network else [])]
        self._child = Child(path, (*layers, *further), careful, in_memory)
        self._batches = self._child.batches()
        self._decisions: dict[Any, Matches] = {}
        self._contacts = tagging.ContactKeys()
        self._known: dict[str, dict[str, _Tagged]] = {"n": {}, "w": {}}
        self._lines: deque[str] = deque()
        self._shapes: deque[str] = deque()
        self._areas: list[_Area] = []
        self._held: dict[int, _Held] = {}
        self._old: list[OldRelation] = []
        self._network = RoadNetwork() if (junctions or network) and "road" in layers else None
        self._junctions, self._travels = junctions, network
        self._ways_begun = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.close()

    def rows(self) -> Iterator[Row]:
        """Rows and rejects of nodes and ways."""
        self._progress.start("reading", self._path.stat().st_size)
        told, told_at = 0, monotonic()
        for batch in self._batches:
            yield from self._read_batch(batch)
            if len(self._areas) >= AREAS_AT_ONCE:
                yield from self._finish_areas()
            if monotonic() - told_at > TOLD_EVERY:
                offset, told_at = self._child.offset(), monotonic()
                self._progress.advance(max(0, offset - told))
                told = max(told, offset)
            if self._child.has_read_ways:
                break
        if self._lines:
            yield from self.relation_rows()  # where the scan failed, its reason comes last
            raise ImportFailed(
                f"The scan of {self._path.name} lost shapes of ways. This is a fault of Trigpoint."
            )
        yield from self._finish_areas()

    def relation_rows(self) -> Iterator[Row]:
        """Rows and rejects of relations, and rejects that the scan itself tells; after `rows` is exhausted."""
        for batch in self._batches:
            yield from self._read_batch(batch)
        yield from self._finish_old()
        yield from self._finish_areas()

    def junctions(self) -> Iterator[Junction]:
        """The nodes that two or more kept roads share; after `rows` is exhausted."""
        return self._network.lines.shared() if self._network and self._junctions else iter(())

    def network(self) -> NetworkRows:
        """The road network's rows; after `rows` is exhausted, of a reader that was made with `network`."""
        assert self._network, "the network is made of the layer road"
        noted = self._network
        return NetworkRows(noted.lines.lines(), noted.travels, noted.barriers, noted.relations)

    def _read_batch(self, batch: Batch) -> Iterator[Row]:
        self._lines.extend(batch.lines)
        self._shapes.extend(batch.shapes)
        yield from self._read_lines()
        for record in batch.records:
            yield from self._read_record(record)

    # --- what tags mean --------------------------------------------------------------------------------

    def _learn(self, kind: str, text: str) -> _Tagged:
        """What the tags of a `T` field mean for a node or a way."""
        tags = opl.read_tags(text[1:])
        forms = (
            [Form.NODE] * 2 if kind == "n" else [tagging.way_form(tags, closed) for closed in (False, True)]
        )
        opened, closed = [self._find_matches(tags, form) for form in forms]
        tagged = self._describe(tags, opened, closed) if opened or closed else NOTHING
        if self._network is not None and self._travels:
            if kind == "n":
                barrier = self._network.describe_node(tags)
                tagged = tagged._replace(barrier=barrier) if barrier else tagged
            else:
                travel = self._network.describe_way(tags, self._contacts.without(tags))
                tagged = tagged._replace(travel=travel) if travel else tagged
        known = self._known[kind]
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[text] = tagged
        return tagged

    def _describe(self, tags: dict[str, str], opened: Matches, closed: Matches) -> _Tagged:
        stored = self._contacts.without(tags)
        text = canonical_tags(stored)
        meanings = {
            match: _Meaning(
                match, Description(match.layer, match.klass, stored, text, tagging.own_columns(match, stored))
            )
            for match in dict.fromkeys((*opened, *closed))
        }
        if_opened = tuple([meanings[match] for match in opened])
        same = opened == closed
        return _Tagged(
            stored.get("name"), if_opened, if_opened if same else tuple([meanings[match] for match in closed])
        )

    def _find_matches(self, tags: dict[str, str], form: Form) -> Matches:
        key = (form, tagging.deciding_tags(tags))
        known = self._decisions.get(key)
        if known is None:
            if len(self._decisions) >= MOST_DECISIONS:
                self._decisions.clear()
            found = tagging.find_matches(tags, form)
            known = self._decisions[key] = tuple(match for match in found if match.layer in self._layers)
        return known

    # --- nodes and ways --------------------------------------------------------------------------------

    def _read_lines(self) -> Iterator[Row]:
        """The objects that are there; a way waits for its shape, which comes by another pipe."""
        lines, shapes = self._lines, self._shapes
        while lines:
            line = lines[0]
            shape = ""
            if line[0] == "w":
                number = line[1 : line.index(" ") + 1]
                # The careful scan leaves ways out whose shape it has written.
                while shapes and not shapes[0].startswith(number):
                    shapes.popleft()
                if not shapes:
                    return
                shape = shapes.popleft()[len(number) :]
            lines.popleft()
            yield from self._read_line(line, shape)

    def _read_line(self, line: str, shape: str) -> Sequence[Row]:
        fields = line.split(" ")
        kind, text = line[0], fields[3]
        if fields[2] == opl.DELETED:
            return ()
        if kind == "w":
            self._ways_begun = True
        elif self._ways_begun:
            raise not_sorted(self._path, f"{fields[0]} comes after other types")
        if fields[0][1] == "-":
            raise not_uploaded(self._path, f"{'node' if kind == 'n' else 'way'} {fields[0][1:]}")
        tagged = self._known[kind].get(text) or self._learn(kind, text)
        if tagged is NOTHING:
            return ()
        osm_id, version = int(fields[0][1:]), int(fields[1][1:])
        if kind == "n":
            if tagged.barrier is not None and self._network is not None:
                self._network.note_barrier(osm_id, tagged.barrier)
            return self._make_node(_Object(kind, osm_id, version, tagged.name, tagged.opened), fields[4:])
        nodes = fields[4][1:]
        # Most tags, those of every road among them, mean the same for both.
        closed = tagged.opened is not tagged.closed and opl.is_ring(nodes) and nodes.count("n") > 3
        meanings = tagged.closed if closed else tagged.opened
        if tagged.travel is not None and tagged.travel.is_ferry:
            self._note_ferry(osm_id, nodes, read_shape(shape), tagged.travel)
        if not meanings:
            return ()
        entity = _Object(kind, osm_id, version, tagged.name, meanings, tagged.travel)
        return self._make_way(entity, nodes, shape)

    def _make_node(self, entity: _Object, place: list[str]) -> Sequence[Row]:
        try:
            lon, lat = float(place[0][1:]), float(place[1][1:])
        except ValueError:
            return _reject(entity, entity.meanings, Reason.BAD_LOCATION, "it has no place on earth")
        if not (abs(lon) <= 180 and abs(lat) <= 90):
            detail = f"{place[0][1:]} {place[1][1:]} is not a place on earth"
            return _reject(entity, entity.meanings, Reason.BAD_LOCATION, detail)
        wkb = point_wkb(lon, lat)
        return [_feature(entity, meaning, wkb, False) for meaning in entity.meanings]

    def _make_way(
        self, entity: _Object, nodes: str, shape: str, *, joined: bool = False, uncertain: bool = False
    ) -> Sequence[Row]:
        """Rows of a way. One of a multipolygon that has no tags waits with its areas, unless `joined` says that it is
        known what becomes of that; `uncertain` areas take no part in gold."""
        if not joined and entity.osm_id in self._child.held:
            areas = [one for one in entity.meanings if one.match.shape is not Shape.LINE]
            self._held[entity.osm_id] = _Held(entity._replace(meanings=areas), nodes, shape)
            entity = entity._replace(meanings=[one for one in entity.meanings if one not in areas])
        way = read_shape(shape)
        rows: list[Row] = []
        areas = []
        for meaning in entity.meanings:
            if meaning.match.shape is Shape.AREA:
                areas.append(meaning)
            elif meaning.match.shape is Shape.LINE:
                rows += self._make_line(entity, meaning, nodes, way)
            else:
                detail = _line_detail(meaning.description.tags, nodes)
                rows += _reject(entity, [meaning], Reason.LINE_NOT_AREA, detail, way.first_place)
        if not areas:
            return rows
        if way.missing:
            detail = _missing_detail(nodes, way)
            rows += _reject(entity, areas, Reason.MISSING_NODES, detail, way.first_place)
        elif count_points(way.known) < 4:
            rows += _reject(entity, areas, Reason.NO_AREA, "its ring encloses nothing", way.first_place)
        else:
            wkb = POLYGON + count_hex(1) + way.known
            self._areas.append(_Area(entity._replace(meanings=areas), wkb, uncertain))
        return rows

    def _make_line(self, entity: _Object, meaning: _Meaning, nodes: str, way: WayShape) -> Sequence[Row]:
        """A line cut by the extract's edge keeps its inner part, flagged as repaired."""
        points = count_points(way.inner)
        if way.missing and points < 2:
            detail = _missing_detail(nodes, way)
            return _reject(entity, [meaning], Reason.MISSING_NODES, detail, way.first_place)
        if points < 2:
            detail = f"it has {points} different point(s)"
            return _reject(entity, [meaning], Reason.TOO_FEW_POINTS, detail, way.first_place)
        if meaning.match.layer == "road" and self._network is not None:
            self._network.note_way(entity.osm_id, _node_ids(nodes, way), way.degrees(), entity.travel)
        # A line over the antimeridian goes around the earth in lon, lat: its length is right, where it lies is not.
        wraps = antimeridian.may_cross(way.inner) and antimeridian.crosses(way.degrees())
        return (_feature(entity, meaning, LINE + way.inner, way.missing > 0 or wraps),)

    def _note_ferry(self, osm_id: int, nodes: str, way: WayShape, travel: WayTravel) -> None:
        """The line of a ferry; one that the extract's edge cuts takes less time than it says."""
        if self._network is not None and count_points(way.inner) > 1:
            travel = travel.untimed() if way.missing else travel
            self._network.note_way(osm_id, _node_ids(nodes, way), way.degrees(), travel)

    # --- relations and areas ---------------------------------------------------------------------------

    def _read_record(self, record: Record) -> Sequence[Row]:
        match record:
            case ["restriction", osm_id, tags, members, fault]:
                if fault:
                    return [Reject("turn_restriction", "r", osm_id, None, Reason.BAD_TEXT, fault)]
                if self._network is not None:
                    self._network.note_restriction(osm_id, tags, members)
            case ["reject", osm_type, osm_id, tags, reason, detail, place]:
                form = {"n": Form.NODE, "w": Form.LINE}.get(osm_type, Form.RELATION)
                entity = self._described(osm_type, osm_id, 0, tags, form)
                return _reject(entity, entity.meanings, Reason(reason), detail, place)
            case ["area", osm_id, version, tags, wkb]:
                self._areas.append(_Area(self._described("r", osm_id, version, tags, Form.RELATION), wkb))
            case ["old_area", *values]:
                self._old.append(OldRelation(*values))
            case ["no_area", osm_id, tags, members, ways]:
                found = diagnose_relation(members, dict(map(_member_way, ways)))
                place = to_wkb(found.place) if found.place is not None else None
                entity = self._described("r", osm_id, 0, tags, Form.RELATION)
                return _reject(entity, entity.meanings, found.reason, found.detail, place)
        return ()

    def _described(
        self, osm_type: str, osm_id: int, version: int, tags: dict[str, str], form: Form
    ) -> _Object:
        tagged = self._describe(tags, self._find_matches(tags, form), ())
        return _Object(osm_type, osm_id, version, tagged.name, tagged.opened)

    def _finish_old(self) -> Iterator[Row]:
        """Multipolygons that are what their outer ways say, and the ways of all others by themselves."""
        # Ways without a meaning as an area say nothing.
        tags_of = {
            way_id: held.entity.meanings[0].description.tags
            for way_id, held in self._held.items()
            if held.entity.meanings
        }
        for one in join(self._old, tags_of):
            old = one.relation
            entity = self._described("r", old.osm_id, old.version, one.tags, Form.RELATION)
            meanings = [meaning for meaning in entity.meanings if meaning.match.shape is Shape.AREA]
            if old.wkb is not None and meanings:
                self._areas.append(_Area(entity._replace(meanings=meanings), old.wkb, not one.certain))
                for way_id in one.ways:
                    self._held.pop(way_id, None)
        outer = {way_id for old in self._old for way_id in old.outer}
        for way_id, held in self._held.items():
            yield from self._make_way(*held, joined=True, uncertain=way_id in outer)

    def _finish_areas(self) -> Iterator[Row]:
        """The areas that came since the last time: checked, mended and measured all at once."""
        waiting, self._areas = self._areas, []
        if not waiting:
            return
        surface = [
            any(meaning.match.layer in POINT_LAYERS for meaning in one.entity.meanings) for one in waiting
        ]
        checked = check_areas([one.wkb for one in waiting], surface)
        for one, area in zip(waiting, checked, strict=True):
            if area is None:
                yield from _reject(
                    one.entity, one.entity.meanings, Reason.NO_AREA, "its ring encloses nothing"
                )
                continue
            repaired = area.repaired or one.repaired
            for meaning in one.entity.meanings:
                layer = meaning.match.layer
                wkb = area.point if layer in POINT_LAYERS else _area_wkb(area.wkb, layer)
                size = spheroid_area(area.shape) if layer in MEASURED_LAYERS else None
                yield _feature(one.entity, meaning, wkb, repaired, size)
                if layer == "poi" and self._grounds:
                    key = f"{one.entity.osm_type}{one.entity.osm_id}"
                    yield PlaceArea(key, _area_wkb(area.wkb, "poi_area"), repaired)


def _feature(
    entity: _Object, meaning: _Meaning, wkb: str, repaired: bool, area: float | None = None
) -> Feature:
    return Feature(meaning.description, entity.osm_type, entity.osm_id, entity.version, wkb, repaired, area)


def _reject(
    entity: _Object, meanings: Sequence[_Meaning], reason: Reason, detail: str, wkb: str | None = None
) -> list[Reject]:
    return [
        Reject(one.match.layer, entity.osm_type, entity.osm_id, entity.name, reason, detail, wkb)
        for one in meanings
    ]


def _member_way(record: Record) -> tuple[int, MemberWay]:
    way_id, nodes = record
    return way_id, MemberWay(way_id, [(node, tuple(place) if place else None) for node, place in nodes])


def _node_ids(nodes: str, way: WayShape) -> list[str]:
    """The nodes of a way's inner points, as `n123`."""
    return way.nodes.ids if way.nodes else nodes.split(",")


def _missing_detail(nodes: str, way: WayShape) -> str:
    return f"{way.missing} of its {nodes.count('n')} nodes are not in the extract"


def _line_detail(tags: dict[str, str], nodes: str) -> str:
    if not opl.is_ring(nodes):
        return "the way is not closed"
    if tags.get("area") == "no":
        return "the way is closed, but tagged area=no"
    if nodes.count("n") > 3:
        return "a closed highway is a line without area=yes"
    return "the way has too few nodes for an area"


def _area_wkb(wkb: str, layer: str) -> str:
    """The area as its layer keeps it: park and water as a polygon where it is one, the others as a multipolygon."""
    if wkb.startswith(POLYGON):
        return wkb if layer in SINGLE_LAYERS else MULTI_POLYGON + count_hex(1) + wkb
    header = MULTI_POLYGON + count_hex(1)
    return wkb.removeprefix(header) if layer in SINGLE_LAYERS else wkb
