"""Import stage: the passes over a map file. Reads the extract, yields rows of layers, rejects and shared road nodes.

Invariant: every object whose tags match a layer comes out exactly once for it, as a Feature or as a Reject.
Areas are assembled by libosmium; coordinates are lon, lat in degrees, WGS84.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import osmium
import shapely
from osmium.osm.types import Area, Node, Relation, Way
from shapely.geometry.base import BaseGeometry

from app.core.errors import BadExtract
from osm_import import tagging
from osm_import.diagnosing import Diagnosis, MemberWay, diagnose_relation
from osm_import.extracts import read_entities
from osm_import.features import Feature, Junction, Reason, Reject, point_wkb, spheroid_area, to_wkb
from osm_import.outlines import polygonal
from osm_import.tagging import Form, Match, Shape

AREA_TYPES = ("multipolygon", "boundary")
"""Relation types that make areas. Routes, border lines (multilinestring), waterways … are no areas by design."""
DOUBTFUL_TYPES = ("site", "")
"""Types that look like an area to their mapper, and are none: rejected, not passed over."""

Location = tuple[float, float]


@dataclass(slots=True)
class _Waiting:
    """An object whose area has not come yet."""

    osm_type: str
    osm_id: int
    version: int
    tags: dict[str, str]
    matches: list[Match]
    line: bytes | None = None
    members: tuple[int, ...] = ()


class ExtractReader:
    """Reads one extract once; afterwards `objects` counts what was there.

    Raises BadExtract for a file that breaks off, is damaged, empty or not sorted by type.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.objects = {"n": 0, "w": 0, "r": 0}
        """Objects with a tag that some layer looks at, by OSM type."""
        self._wkb = osmium.geom.WKBFactory()
        self._waiting: dict[tuple[str, int], _Waiting] = {}
        self._assembled: set[int] = set()
        self._road_nodes: dict[int, int | list[int]] = {}
        self._junctions: dict[int, Location] = {}

    def rows(self) -> Iterator[Feature | Reject]:
        """Every row and every reject, in the file's order; areas as they are assembled."""
        # Filters live as long as the reader: the library keeps no reference to them.
        node_filter = osmium.filter.KeyFilter(*tagging.NODE_KEYS)
        node_filter.enable_for(osmium.osm.NODE)
        object_filter = osmium.filter.KeyFilter(*tagging.OBJECT_KEYS)
        object_filter.enable_for(osmium.osm.WAY | osmium.osm.RELATION | osmium.osm.AREA)
        processor = osmium.FileProcessor(str(self.path)).with_areas()
        processor.with_filter(node_filter).with_filter(object_filter)
        rank = 0
        for entity in read_entities(self.path, processor):
            if isinstance(entity, Area):
                yield from self._read_area(entity)
                continue
            kind = "nwr".index(entity.type_str())
            if kind < rank:
                raise BadExtract(
                    f"{self.path.name} is not sorted: {'nwr'[kind]}{entity.id} comes after other types. "
                    "Sort it first (osmium sort)."
                )
            rank = kind
            self.objects["nwr"[kind]] += 1
            if isinstance(entity, Node):
                yield from self._read_node(entity)
            elif isinstance(entity, Way):
                yield from self._read_way(entity)
            elif isinstance(entity, Relation):
                yield from self._read_relation(entity)
        yield from self._finish_ways()
        yield from self._finish_relations(processor.node_location_storage)

    def junctions(self) -> Iterator[Junction]:
        """The nodes that two or more kept roads share; after `rows` is exhausted."""
        for node_id, (lon, lat) in sorted(self._junctions.items()):
            ways = self._road_nodes[node_id]
            if isinstance(ways, list):
                yield Junction(node_id, ways, point_wkb(lon, lat))

    # --- nodes -----------------------------------------------------------------------------------------

    def _read_node(self, node: Node) -> Iterator[Feature | Reject]:
        tags, fault = _read_tags(node)
        matches = tagging.find_matches(tags, Form.NODE)
        if not matches:
            return
        entity = _Waiting("n", node.id, node.version, tagging.stored_tags(tags), matches)
        if fault:
            yield from _reject(entity, Reason.BAD_TEXT, fault)
        elif not node.location.valid():
            yield from _reject(entity, Reason.BAD_LOCATION, f"{node.location} is no place on earth")
        else:
            point = shapely.Point(node.location.lon, node.location.lat)
            yield from _make_features(entity, point, is_area=False, repaired=False)

    # --- ways ------------------------------------------------------------------------------------------

    def _read_way(self, way: Way) -> Iterator[Feature | Reject]:
        tags, fault = _read_tags(way)
        is_closed = way.is_closed() and len(way.nodes) > 3
        matches = tagging.find_matches(tags, tagging.way_form(tags, is_closed))
        if not matches:
            return
        entity = _Waiting("w", way.id, way.version, tagging.stored_tags(tags), matches)
        if fault:
            yield from _reject(entity, Reason.BAD_TEXT, fault)
            return
        places = [(node.lon, node.lat) if node.location.valid() else None for node in way.nodes]
        yield from self._read_line(entity, way, places)
        entity.matches = [match for match in matches if match.shape is Shape.AREA]
        if not entity.matches:
            return
        known = [place for place in places if place]
        if len(known) < len(places):
            detail = f"{len(places) - len(known)} of its {len(places)} nodes are not in the extract"
            yield from _reject(entity, Reason.MISSING_NODES, detail, known[0] if known else None)
        else:
            entity.line = to_wkb(shapely.LineString(known))
            self._waiting["w", way.id] = entity

    def _read_line(
        self, entity: _Waiting, way: Way, places: list[Location | None]
    ) -> Iterator[Feature | Reject]:
        known = [place for place in places if place]
        for match in entity.matches:
            one = _only(entity, match)
            if match.shape is Shape.REFUSED:
                yield from _reject(
                    one, Reason.LINE_NOT_AREA, _line_detail(way, entity.tags), known[0] if known else None
                )
            elif match.shape is Shape.LINE:
                inner = _strip_missing(places)
                absent = len(places) - len(known)
                if any(place is None for place in inner) or (absent and len(set(inner)) < 2):
                    detail = f"{absent} of its {len(places)} nodes are not in the extract"
                    yield from _reject(one, Reason.MISSING_NODES, detail, known[0] if known else None)
                elif len(set(inner)) < 2:
                    yield from _reject(
                        one,
                        Reason.TOO_FEW_POINTS,
                        f"it has {len(set(inner))} different point(s)",
                        known[0] if known else None,
                    )
                else:
                    # A road cut by the extract's edge keeps its inner part, flagged as repaired.
                    line = shapely.LineString(_without_repeats(inner))
                    yield from _make_features(one, line, is_area=False, repaired=absent > 0)
                    if match.layer == "road":
                        self._note_road(way)

    def _note_road(self, way: Way) -> None:
        for node in way.nodes:
            if not node.location.valid():
                continue
            seen = self._road_nodes.get(node.ref)
            if seen is None:
                self._road_nodes[node.ref] = way.id
            elif isinstance(seen, list):
                if way.id not in seen:
                    seen.append(way.id)
            elif seen != way.id:
                self._road_nodes[node.ref] = [seen, way.id]
                self._junctions[node.ref] = (node.lon, node.lat)

    # --- relations and areas ---------------------------------------------------------------------------

    def _read_relation(self, relation: Relation) -> Iterator[Feature | Reject]:
        tags, fault = _read_tags(relation)
        kind = tags.get("type", "")
        if kind not in AREA_TYPES and kind not in DOUBTFUL_TYPES:
            return
        matches = tagging.find_matches(tags, Form.RELATION)
        if not matches or relation.id in self._assembled:
            return
        members = tuple(member.ref for member in relation.members if member.type == "w")
        entity = _Waiting(
            "r", relation.id, relation.version, tagging.stored_tags(tags), matches, members=members
        )
        if fault:
            yield from _reject(entity, Reason.BAD_TEXT, fault)
        elif kind in DOUBTFUL_TYPES:
            yield from _reject(entity, Reason.RELATION_NOT_AREA, f"its type is {kind or 'not given'}")
        else:
            self._waiting["r", relation.id] = entity

    def _read_area(self, area: Area) -> Iterator[Feature | Reject]:
        osm_type, osm_id = ("w" if area.from_way() else "r"), area.orig_id()
        if area.num_rings()[0] == 0:
            return  # could not be assembled; told at the end
        entity = self._waiting.pop((osm_type, osm_id), None)
        if entity is None and osm_type == "w":
            return
        if entity is None:
            tags, fault = _read_tags(area)
            matches = tagging.find_matches(tags, Form.RELATION)
            if fault or not matches:
                return
            entity = _Waiting("r", osm_id, area.version, tagging.stored_tags(tags), matches)
        if osm_type == "r":
            self._assembled.add(osm_id)
        geometry = shapely.from_wkb(bytes.fromhex(self._wkb.create_multipolygon(area)))
        yield from self._make_area(entity, geometry, repaired=False)

    def _make_area(
        self, entity: _Waiting, geometry: BaseGeometry, repaired: bool
    ) -> Iterator[Feature | Reject]:
        if not shapely.is_valid(geometry):
            geometry, repaired = shapely.make_valid(geometry), True
        areas = polygonal(geometry)
        if areas is None:
            yield from _reject(entity, Reason.NO_AREA, "its ring encloses nothing")
        else:
            yield from _make_features(entity, areas, is_area=True, repaired=repaired)

    def _finish_ways(self) -> Iterator[Feature | Reject]:
        """Closed ways that are no simple ring: mended by their linework, and flagged."""
        for key in [key for key in self._waiting if key[0] == "w"]:
            entity = self._waiting.pop(key)
            ring = shapely.Polygon(shapely.from_wkb(entity.line).coords)
            yield from self._make_area(entity, ring, repaired=True)

    def _finish_relations(self, locations: Any) -> Iterator[Feature | Reject]:
        """Relations that made no area: one more pass over their ways tells why."""
        if not self._waiting:
            return
        wanted = {way_id for entity in self._waiting.values() for way_id in entity.members}
        ways = {
            way.id: MemberWay(way.id, [(node.ref, _locate(locations, node.ref)) for node in way.nodes])
            for way in read_entities(self.path, osmium.FileProcessor(str(self.path), osmium.osm.WAY))
            if way.id in wanted and isinstance(way, Way)
        }
        for entity in self._waiting.values():
            diagnosis: Diagnosis = diagnose_relation(entity.members, ways)
            place = to_wkb(diagnosis.place) if diagnosis.place is not None else None
            for match in entity.matches:
                yield Reject(
                    match.layer,
                    "r",
                    entity.osm_id,
                    entity.tags.get("name"),
                    diagnosis.reason,
                    diagnosis.detail,
                    place,
                )


def _read_tags(entity: Any) -> tuple[dict[str, str], str]:
    """The tags, and what is wrong with them where something is."""
    try:
        tags = dict(entity.tags)
    except UnicodeDecodeError as error:
        return {}, f"tags are not UTF-8: {error.reason}"
    if any("\0" in key or "\0" in value for key, value in tags.items()):
        return {
            k.replace("\0", ""): v.replace("\0", "") for k, v in tags.items()
        }, "a tag holds a NUL character"
    return tags, ""


def _only(entity: _Waiting, match: Match) -> _Waiting:
    return _Waiting(entity.osm_type, entity.osm_id, entity.version, entity.tags, [match])


def _reject(entity: _Waiting, reason: Reason, detail: str, place: Location | None = None) -> Iterator[Reject]:
    where = point_wkb(*place) if place else None
    for match in entity.matches:
        yield Reject(
            match.layer, entity.osm_type, entity.osm_id, entity.tags.get("name"), reason, detail, where
        )


def _line_detail(way: Way, tags: dict[str, str]) -> str:
    if not way.is_closed():
        return "the way is not closed"
    if tags.get("area") == "no":
        return "the way is closed, but tagged area=no"
    return (
        "the way has too few nodes for an area"
        if len(way.nodes) < 4
        else "a closed highway is a line without area=yes"
    )


def _strip_missing(places: list[Location | None]) -> list[Location | None]:
    """Without the unknown places at both ends."""
    known = [index for index, place in enumerate(places) if place]
    return places[known[0] : known[-1] + 1] if known else []


def _without_repeats(places: list[Location | None]) -> list[Location]:
    points = [place for place in places if place]
    return [place for index, place in enumerate(points) if index == 0 or place != points[index - 1]]


def _locate(locations: Any, node_id: int) -> Location | None:
    try:
        location = locations.get(node_id)
    except KeyError:
        return None
    return (location.lon, location.lat) if location.valid() else None


def _make_features(
    entity: _Waiting, geometry: BaseGeometry, is_area: bool, repaired: bool
) -> Iterator[Feature]:
    """One feature a match, with the geometry that its layer keeps and its own columns."""
    inside: BaseGeometry | None = None
    for match in entity.matches:
        kept = geometry
        if match.layer in ("poi", "address") and is_area:
            inside = inside if inside is not None else shapely.point_on_surface(geometry)
            kept = inside
        elif match.layer in ("park", "water") and is_area and len(geometry.geoms) == 1:
            kept = geometry.geoms[0]
        yield Feature(
            match.layer,
            entity.osm_type,
            entity.osm_id,
            entity.version,
            match.klass,
            entity.tags,
            to_wkb(kept),
            repaired,
            _own_columns(match, entity.tags, geometry, is_area),
        )


def _own_columns(match: Match, tags: dict[str, str], geometry: BaseGeometry, is_area: bool) -> dict[str, Any]:
    if match.layer == "address":
        return dict(tagging.address_parts(tags))
    wiki = {"wikidata": tags.get("wikidata"), "wikipedia": tags.get("wikipedia")}
    if match.layer == "poi":
        own = {"is_area": is_area, "category": match.category, "classes": list(match.classes)}
        return own | wiki | tagging.address_parts(tags)
    if match.layer == "road":
        return tagging.road_columns(tags)
    if match.layer == "region":
        return wiki | tagging.region_columns(tags)
    if match.layer == "aoi":
        return {"area_m2": spheroid_area(geometry)}
    return wiki
