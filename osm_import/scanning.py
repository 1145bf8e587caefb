"""Import stage: the passes over a map file, in a process of their own. Reads the extract; writes OPL and records.

Relations come first: they are few, and tell which ways are nothing by themselves (`begin`). What is done for millions
of objects is done by libosmium in one chain: filters by keys, node locations, OPL text to standard output, shapes of
ways (way_shapes.py) to a second pipe. Relations leave as JSON lines (`area`, `old_area`, `no_area`, `reject`; `end`,
`care` or `error` comes last) to a third. Coordinates: lon, lat, WGS84.
"""

import gc
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import osmium
from osmium.osm import NODE, RELATION, WAY
from osmium.osm.types import Area, Node, Relation, Way

from app.core.errors import BadExtract
from app.core.parent import end_with_parent
from osm_import import opl, tag_tables, tagging, turn_restrictions
from osm_import.osmium_errors import not_sorted, not_uploaded, osmium_errors
from osm_import.pbf_parts import SortedPbf
from osm_import.reasons import Reason
from osm_import.relations import MARK, RingRelation, as_opl, is_untagged, read_role, ring_relation
from osm_import.way_shapes import ShapeWriter
from osm_import.wkb import point_wkb
from osm_import.xml_files import Source, map_source

AREA_TYPES = ("multipolygon", "boundary")
"""Relation types that make areas. Routes, border lines (multilinestring), waterways … are no areas by design."""
DOUBTFUL_TYPES = ("site", "")
"""Types that look like an area to their mapper, and are none: rejected, not passed over."""
OPL = "opl,add_metadata=version"
LOCATIONS = "sparse_mmap_array"
"""Index of node locations, 16 bytes a node; it grows in place, where a vector is copied at each doubling."""
BLOCK = 1 << 18
"""Characters of shapes that leave at once."""

Write = Callable[..., None]
"""Takes the kind of a record and its values."""


class Scan:
    """One extract: relations, then nodes and ways, then the ways of those relations that are areas.

    `in_memory` says that the map reader cannot read the XML file as it lies there (xml_files.py).
    """

    def __init__(
        self,
        path: Path,
        layers: tuple[str, ...],
        careful: bool,
        in_memory: bool,
        write: Write,
        shapes: ShapeWriter,
        *,
        network: bool,
    ) -> None:
        self._path = path
        self._careful = careful
        self._network = network
        self._in_memory = in_memory
        self._write = write
        self._shapes = shapes
        self._source: Source = str(path)
        self._parts: SortedPbf | None = None
        self._wkb = osmium.geom.WKBFactory()
        self._waiting: dict[int, RingRelation] = {}
        """Relations that are to become areas, by numbers of ours: ids may be too large to be doubled."""
        self._relations_noted = self._relations_met = 0
        # Filters and the manager live as long as the scan: the library keeps no reference to them.
        self._areas = osmium.area.AreaManager()
        self._locations = osmium.index.create_map(LOCATIONS)
        self._located = osmium.NodeLocationsForWays(self._locations)
        self._located.ignore_errors()
        keys, named = tagging.object_keys(layers), tagging.named_keys(layers)
        on_nodes, on_ways = (("barrier",), ("route",)) if network else ((), ())
        self._node_filter = _key_filter((*tagging.node_keys(layers), *on_nodes), NODE)
        # One after the other: most buildings have no name, and go no farther.
        of_either = {"name", *keys, *on_ways} if named else {*keys, *on_ways}
        self._way_filter = _key_filter((*keys, *named, *on_ways), WAY)
        self._way_name_filter = _key_filter(of_either, WAY)
        self._relation_filter = _key_filter((*keys, *named, "type"), RELATION)
        self._area_filter = _key_filter((MARK,), osmium.osm.AREA)
        self._writable = osmium.filter.EntityFilter(NODE | WAY)

    def run(self) -> bool:
        """All passes; False where libosmium refuses to write an object: CarefulWriter has to.

        Raises BadExtract for a file that breaks off, is damaged, not sorted, or has objects that are not uploaded.
        """
        with osmium_errors(self._path):
            self._source = map_source(self._path, self._in_memory)
            self._parts = _parts_of(self._path)
            self._read_relations()
            self._write(
                "begin", [way_id for one in self._waiting.values() if one.old_style for way_id in one.ways]
            )
            if not self._read_objects():
                return False
            self._check_order()
            self._read_areas()
            self._tell_failures()
            return True

    def _read_objects(self) -> bool:
        reader = osmium.io.Reader(self._source, NODE | WAY | RELATION)
        counter = osmium.make_simple_handler(relation=self._count_relation)
        shapes = osmium.make_simple_handler(way=self._shapes.way)
        # Kept: a writer of libosmium that met an error ends the process when it is taken apart.
        self._writer = (
            CarefulWriter(self._write) if self._careful else osmium.SimpleWriter(osmium.io.File("-", OPL))
        )
        try:
            # Ways come before locations: those that no layer wants need none. Nodes after: members need no tags.
            osmium.apply(
                reader,
                self._relation_filter,
                counter,
                self._writable,
                self._way_filter,
                self._way_name_filter,
                self._located,
                self._node_filter,
                shapes,
                self._writer,
            )
            self._writer.close()
            sys.stdout.flush()
            os.close(sys.stdout.fileno())  # libosmium leaves it open, and the import waits for its end
            self._shapes.close()
        except (osmium.InvalidLocationError, RuntimeError) as error:
            refused = isinstance(error, osmium.InvalidLocationError) or "Unicode" in str(error)
            if self._careful or not refused:
                raise
            return False
        return True

    def _read_relations(self) -> None:
        reader = osmium.io.Reader(self._relations_alone(), RELATION)
        handler = osmium.make_simple_handler(relation=self._note_relation)
        osmium.apply(reader, self._relation_filter, handler)
        lines = "".join(as_opl(self._waiting.items())).encode()
        rings = osmium.io.Reader(osmium.io.FileBuffer(lines, "opl"), RELATION)
        osmium.apply(rings, self._areas.first_pass_handler())

    def _note_relation(self, relation: Relation) -> None:
        self._relations_noted += 1
        if relation.deleted:
            return
        if relation.id < 0:
            raise not_uploaded(self._path, f"relation {relation.id}")
        tags, fault = read_tags(relation)
        kind = tags.get("type", "")
        if kind == turn_restrictions.TYPE and self._network:
            self._note_restriction(relation, tags, fault)
        if kind not in AREA_TYPES and kind not in DOUBTFUL_TYPES:
            return
        old_style = kind == "multipolygon" and is_untagged(tags)
        if not old_style and not tagging.find_matches(tags, tagging.Form.RELATION):
            return
        if fault:
            self._write("reject", "r", relation.id, tags, Reason.BAD_TEXT, fault, None)
        elif kind in DOUBTFUL_TYPES:
            detail = f"its type is {kind or 'not given'}"
            self._write("reject", "r", relation.id, tags, Reason.RELATION_NOT_AREA, detail, None)
        else:
            rings = ring_relation(relation, tags, old_style=old_style)
            missing = next((way_id for way_id in rings.ways if way_id < 0), None)
            if missing is not None:
                raise not_uploaded(self._path, f"way {missing}")
            self._waiting[len(self._waiting) + 1] = rings

    def _note_restriction(self, relation: Relation, tags: dict[str, str], fault: str) -> None:
        members = [(member.type, member.ref, read_role(member)) for member in relation.members]
        self._write("restriction", relation.id, tags, members, fault)

    def _check_order(self) -> None:
        """Raise BadExtract where a relation was not met again, or a node came after a way that needs it."""
        if self._relations_met != self._relations_noted:
            raise not_sorted(self._path, "relations stand before ways")
        # The index sorts itself when a way comes, and the last nodes may have come after that.
        osmium.apply(osmium.io.Reader(osmium.io.FileBuffer(b"w1 v1 N\n", "opl")), self._located)
        late = next((node_id for node_id in sorted(self._shapes.missing) if self._locate(node_id)), None)
        if late is not None:
            raise not_sorted(self._path, f"node {late} comes after a way that it is part of")

    def _count_relation(self, _: Relation) -> None:
        self._relations_met += 1

    def _read_areas(self) -> None:
        if self._waiting:
            self._ways = self._ways_alone()
            handler = osmium.make_simple_handler(area=self._take_area)
            areas = self._areas.second_pass_handler(self._area_filter, handler)
            osmium.apply(osmium.io.Reader(self._ways, WAY), self._located, areas)

    def _tell_failures(self) -> None:
        """Relations that made no area: rejects where ways are absent, else the nodes of their ways (`no_area`).

        The extract's edge cuts most of them, and a country's nodes are many: only where all ways are there, reading.py
        gets them and finds out why.
        """
        for number, one in list(self._waiting.items()):
            if one.old_style:
                self._write_area(one, None)
                del self._waiting[number]
        if not self._waiting:
            return
        places = {way.id: self._first_place(way) for way in self._member_ways()}
        for number, one in list(self._waiting.items()):
            absent = [way_id for way_id in one.ways if way_id not in places]
            if absent:
                detail = (
                    f"{len(absent)} of {len(one.ways)} member ways are not in the extract, w{absent[0]} first"
                )
                place = next((places[way_id] for way_id in one.ways if places.get(way_id)), None)
                wkb = point_wkb(*place) if place else None
                self._write("reject", "r", one.osm_id, one.tags, Reason.MISSING_MEMBERS, detail, wkb)
                del self._waiting[number]
        nodes = {
            way.id: [(node.ref, self._locate(node.ref)) for node in way.nodes] for way in self._member_ways()
        }
        for one in self._waiting.values():
            ways = [(way_id, nodes[way_id]) for way_id in one.ways]
            self._check_uploaded(node_id for _, places_of in ways for node_id, _ in places_of)
            self._write("no_area", one.osm_id, one.tags, one.ways, ways)

    def _check_uploaded(self, node_ids: Iterable[int]) -> None:
        first = next((node_id for node_id in node_ids if node_id < 0), None)
        if first is not None:
            raise not_uploaded(self._path, f"node {first}")

    def _member_ways(self) -> Iterator[Way]:
        """The ways of all relations that wait, as far as they are in the extract."""
        wanted = self._members()
        if wanted:
            for way in osmium.FileProcessor(self._ways, WAY):
                if way.id in wanted and isinstance(way, Way):
                    yield way

    def _first_place(self, way: Way) -> tuple[float, float] | None:
        """Where the first node lies whose place is known."""
        return next((place for node in way.nodes if (place := self._locate(node.ref))), None)

    def _members(self) -> set[int]:
        """The ways of all relations that wait."""
        return {way_id for one in self._waiting.values() for way_id in one.ways}

    def _take_area(self, area: Area) -> None:
        if area.from_way() or area.num_rings()[0] == 0:
            return  # closed ways come as lines; what could not be assembled is told at the end
        one = self._waiting.pop(area.orig_id(), None)
        if one is not None:
            self._write_area(one, self._wkb.create_multipolygon(area))

    def _write_area(self, one: RingRelation, wkb: str | None) -> None:
        if one.old_style:
            self._write("old_area", one.osm_id, one.version, one.tags, one.outer, one.inner, wkb)
        else:
            self._write("area", one.osm_id, one.version, one.tags, wkb)

    def _locate(self, node_id: int) -> tuple[float, float] | None:
        if node_id < 0:
            return None
        try:
            location = self._locations.get(node_id)
        except KeyError:
            return None
        return (location.lon, location.lat) if location.valid() else None

    def _relations_alone(self) -> Source:
        """A file with the relations, smaller than the extract where that is quickly had."""
        with suppress(ValueError):
            if self._parts is not None:
                return self._parts.relations()
        return self._source

    def _ways_alone(self) -> Source:
        """A file with the ways of waiting relations."""
        with suppress(ValueError):
            if self._parts is not None:
                return self._parts.ways(self._members())
        return self._source


def _parts_of(path: Path) -> SortedPbf | None:
    try:
        return SortedPbf(path)
    except ValueError:
        return None  # the map reader says what is wrong, if anything is


class CarefulWriter(osmium.SimpleHandler):
    """Writes the same OPL as libosmium, slowly, and stumbles over nothing: objects whose text is not valid are
    rejected one by one, places off the earth are left out. Used where libosmium refused to write the file.
    """

    def __init__(self, write: Write) -> None:
        super().__init__()
        self._write = write

    def node(self, node: Node) -> None:
        """One node that the filter let through."""
        place = (f"x{node.lon} y{node.lat}") if node.location.valid() else "x y"
        self._put("n", node, place)

    def way(self, way: Way) -> None:
        """One way that the filter let through."""
        self._put("w", way, "N" + ",".join(f"n{node.ref}" for node in way.nodes))

    def close(self) -> None:
        """Nothing is held back here."""

    def _put(self, osm_type: str, entity: Any, rest: str) -> None:
        if entity.deleted:
            return
        tags, fault = read_tags(entity)
        if fault:
            self._write("reject", osm_type, entity.id, tags, Reason.BAD_TEXT, fault, None)
            return
        text = ",".join(f"{opl.escape(key)}={opl.escape(value)}" for key, value in tags.items())
        sys.stdout.write(f"{osm_type}{entity.id} v{entity.version} dV T{text} {rest}\n")


def _key_filter(keys: Iterable[str], entities: Any) -> osmium.filter.KeyFilter:
    """Lets only those of these entities pass that have one of the keys."""
    chosen = osmium.filter.KeyFilter(*keys)
    chosen.enable_for(entities)
    return chosen


def read_tags(entity: Any) -> tuple[dict[str, str], str]:
    """The tags that can be read, and what is wrong with the others."""
    try:
        return dict(entity.tags), ""
    except UnicodeDecodeError:
        tags = {}
        for tag in entity.tags:
            with suppress(UnicodeDecodeError):
                tags[tag.k] = tag.v
        return tags, "the text of a tag is not UTF-8"


def main(arguments: list[str]) -> None:
    """PATH LAYERS CAREFUL SOURCE SHAPES RECORDS PARENT: scan a file; child.py starts it, nobody else."""
    path, names, careful, source, to_shapes, to_records, parent = arguments
    end_with_parent(int(parent))
    sys.stdout.reconfigure(encoding="utf-8", line_buffering=False)  # type: ignore[union-attr]
    gc.disable()  # nothing here makes cycles
    records = os.fdopen(int(to_records), "w", encoding="utf-8")
    stream = os.fdopen(int(to_shapes), "w", BLOCK, encoding="ascii")
    network = "road_edge" in names
    shapes = ShapeWriter(Path(path), stream, network or "road_node" in names)

    def write(kind: str, *values: Any) -> None:
        records.write(json.dumps([kind, *values], separators=(",", ":")) + "\n")
        if kind == "begin":
            records.flush()

    layers = tuple(layer for layer in tag_tables.LAYERS if layer in names.split(","))
    scan = Scan(Path(path), layers, careful == "careful", source == "memory", write, shapes, network=network)
    try:
        write("end" if scan.run() else "care")
    except BadExtract as error:
        write("error", str(error))
    records.flush()
    os._exit(0)  # without taking the scan apart


if __name__ == "__main__":
    main(sys.argv[1:])
