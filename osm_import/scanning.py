"""Import stage: the passes over a map file, in a process of their own. Reads the extract; writes OPL and records.

What is done for millions of objects is done by libosmium in one chain: node locations, areas of relations, a filter by
keys, OPL text with locations on ways to standard output. Only relations pass through Python: they leave as JSON lines
(`area`, `reject`; `end` or `error` comes last) to the descriptor given. Coordinates are lon, lat in degrees, WGS84.
"""

import ctypes
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import osmium
from osmium.osm import NODE, RELATION, WAY
from osmium.osm.types import Area, Node, Relation, Way

from app.core.errors import BadExtract
from osm_import import opl, tagging
from osm_import.diagnosing import MemberWay, diagnose_relation
from osm_import.extracts import osmium_errors, read_entities
from osm_import.features import Reason, to_wkb

AREA_TYPES = ("multipolygon", "boundary")
"""Relation types that make areas. Routes, border lines (multilinestring), waterways … are no areas by design."""
DOUBTFUL_TYPES = ("site", "")
"""Types that look like an area to their mapper, and are none: rejected, not passed over."""
OPL = "opl,locations_on_ways=true,add_metadata=version"
LOCATIONS = "sparse_mmap_array"
"""Index of node locations, 16 bytes a node; it grows in place, where a vector is copied at each doubling."""
PR_SET_PDEATHSIG = 1

Write = Callable[..., None]


class CareNeeded(Exception):
    """libosmium refuses to write an object of this file as text: CarefulWriter has to."""


class Scan:
    """One extract, read once for its relations and once for the rest."""

    def __init__(self, path: Path, layers: tuple[str, ...], careful: bool, write: Write) -> None:
        self._path = path
        self._careful = careful
        self._write = write
        self._wkb = osmium.geom.WKBFactory()
        self._waiting: dict[int, tuple[int, dict[str, str], tuple[int, ...]]] = {}
        # Filters and the manager live as long as the scan: the library keeps no reference to them.
        self._areas = osmium.area.AreaManager()
        self._locations = osmium.index.create_map(LOCATIONS)
        keys = tagging.object_keys(layers)
        self._node_filter = _key_filter(tagging.node_keys(layers), NODE)
        self._way_filter = _key_filter(keys, WAY)
        self._relation_filter = _key_filter(keys, RELATION)
        self._area_filter = _key_filter(keys, osmium.osm.AREA)

    def run(self) -> None:
        """Both passes, and a third over the ways where relations made no area.

        Raises BadExtract for a file that breaks off, is damaged or not sorted by type.
        """
        with osmium_errors(self._path):
            self._read_relations()
            self._read_objects()
        self._explain_relations()

    def _read_relations(self) -> None:
        reader = osmium.io.Reader(str(self._path), RELATION)
        handler = osmium.make_simple_handler(relation=self._note_relation)
        osmium.apply(reader, self._relation_filter, self._areas.first_pass_handler(), handler)

    def _note_relation(self, relation: Relation) -> None:
        if relation.deleted:
            return
        tags, fault = read_tags(relation)
        kind = tags.get("type", "")
        if kind not in AREA_TYPES and kind not in DOUBTFUL_TYPES:
            return
        if not tagging.find_matches(tags, tagging.Form.RELATION):
            return
        if fault:
            self._write("reject", "r", relation.id, tags, Reason.BAD_TEXT, fault, None)
        elif kind in DOUBTFUL_TYPES:
            detail = f"its type is {kind or 'not given'}"
            self._write("reject", "r", relation.id, tags, Reason.RELATION_NOT_AREA, detail, None)
        else:
            members = tuple(member.ref for member in relation.members if member.type == "w")
            self._waiting[relation.id] = (relation.version, tags, members)

    def _read_objects(self) -> None:
        locations = osmium.NodeLocationsForWays(self._locations)
        locations.ignore_errors()
        handler = osmium.make_simple_handler(area=self._take_area)
        areas = self._areas.second_pass_handler(self._area_filter, handler)
        reader = osmium.io.Reader(str(self._path), NODE | WAY)
        # Kept: a writer of libosmium that met an error ends the process when it is taken apart.
        self._writer = (
            CarefulWriter(self._write) if self._careful else osmium.SimpleWriter(osmium.io.File("-", OPL))
        )
        try:
            # Locations and areas come before the filter: members of relations need no tags.
            osmium.apply(reader, locations, areas, self._way_filter, self._node_filter, self._writer)
            self._write("read")
            self._writer.close()
        except (osmium.InvalidLocationError, RuntimeError) as error:
            if self._careful or not (
                isinstance(error, osmium.InvalidLocationError) or "Unicode" in str(error)
            ):
                raise
            raise CareNeeded from error

    def _take_area(self, area: Area) -> None:
        if area.from_way() or area.num_rings()[0] == 0:
            return  # closed ways come as lines; what could not be assembled is told at the end
        waiting = self._waiting.pop(area.orig_id(), None)
        if waiting is not None:
            version, tags, _ = waiting
            self._write("area", area.orig_id(), version, tags, self._wkb.create_multipolygon(area))

    def _explain_relations(self) -> None:
        """Relations that made no area: one more pass over their ways tells why."""
        if not self._waiting:
            return
        wanted = {way_id for _, _, members in self._waiting.values() for way_id in members}
        ways = {
            way.id: MemberWay(way.id, [(node.ref, self._locate(node.ref)) for node in way.nodes])
            for way in read_entities(self._path, osmium.FileProcessor(str(self._path), WAY))
            if way.id in wanted and isinstance(way, Way)
        }
        for osm_id, (_, tags, members) in self._waiting.items():
            found = diagnose_relation(members, ways)
            place = to_wkb(found.place) if found.place is not None else None
            self._write("reject", "r", osm_id, tags, found.reason, found.detail, place)

    def _locate(self, node_id: int) -> tuple[float, float] | None:
        try:
            location = self._locations.get(node_id)
        except KeyError:
            return None
        return (location.lon, location.lat) if location.valid() else None


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
        nodes = [
            f"n{node.ref}x{node.lon}y{node.lat}" if node.location.valid() else f"n{node.ref}xy"
            for node in way.nodes
        ]
        self._put("w", way, "N" + ",".join(nodes))

    def close(self) -> None:
        """Send what is left."""
        sys.stdout.close()

    def _put(self, osm_type: str, entity: Any, rest: str) -> None:
        if entity.deleted:
            return
        tags, fault = read_tags(entity)
        if fault:
            self._write("reject", osm_type, entity.id, tags, Reason.BAD_TEXT, fault, None)
            return
        text = ",".join(f"{opl.escape(key)}={opl.escape(value)}" for key, value in tags.items())
        sys.stdout.write(f"{osm_type}{entity.id} v{entity.version} dV T{text} {rest}\n")


def _key_filter(keys: tuple[str, ...], entities: Any) -> osmium.filter.KeyFilter:
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


def end_with_parent(parent: int) -> None:
    """Have Linux end this process when the import that started it is killed, and end it if that is gone already."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def main(arguments: list[str]) -> None:
    """PATH LAYERS CAREFUL DESCRIPTOR PARENT: scan a file; child.py starts it, nobody else."""
    path, layers, careful, descriptor, parent = arguments
    end_with_parent(int(parent))
    sys.stdout.reconfigure(encoding="utf-8", line_buffering=False)  # type: ignore[union-attr]
    stream = os.fdopen(int(descriptor), "w", encoding="utf-8")

    def write(kind: str, *values: Any) -> None:
        stream.write(json.dumps([kind, *values], separators=(",", ":")) + "\n")

    scan = Scan(Path(path), tuple(layers.split(",")), careful == "careful", write)
    try:
        scan.run()
        write("end")
    except BadExtract as error:
        write("error", str(error))
    except CareNeeded:
        write("care")
    stream.flush()
    os._exit(0)  # without taking the scan apart


if __name__ == "__main__":
    main(sys.argv[1:])
