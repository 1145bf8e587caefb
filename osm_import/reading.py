"""Import stage: what a scan of the file writes, made into rows of layers, rejects and shared road nodes.

Invariant: every object whose tags match a layer comes out exactly once for it, as a Feature or as a Reject.
Coordinates are lon, lat in degrees, WGS84.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

import numpy as np
import shapely

from app.core.errors import BadExtract
from app.core.identity import canonical_tags
from osm_import import opl, tagging
from osm_import.child import Batch, Child, Record
from osm_import.diagnosing import MemberWay, diagnose_relation
from osm_import.features import Feature, Junction, Reject, spheroid_area, to_wkb
from osm_import.outlines import polygonal
from osm_import.progress import Progress
from osm_import.reasons import Reason
from osm_import.road_nodes import RoadNodes
from osm_import.tagging import Form, Match, Shape
from osm_import.wkb import LINE, MULTI_POLYGON, POLYGON, count_hex, point_wkb

AREAS_AT_ONCE = 2000
MOST_DECISIONS = 200_000
TOLD_EVERY = 0.2
"""Seconds between two looks at how far the scan is."""

POINT_LAYERS = ("poi", "address")
"""An area is a point on its surface there."""
SINGLE_LAYERS = ("park", "water")
"""Areas of one part are polygons there."""

Row = Feature | Reject


@dataclass(slots=True)
class _Object:
    """One object of the map, and the layers that its tags lead to."""

    osm_type: str
    osm_id: int
    version: int
    tags: dict[str, str]
    tags_json: str
    matches: Sequence[Match]


class ExtractReader:
    """Reads one extract once, for some layers.

    Raises BadExtract for a file that breaks off, is damaged or not sorted by type; CareNeeded (child.py) where it has
    to be read again, with `careful`.
    """

    def __init__(
        self,
        path: Path,
        progress: Progress,
        layers: tuple[str, ...] = tagging.LAYERS,
        *,
        junctions: bool = True,
        careful: bool = False,
    ) -> None:
        self._path = path
        self._progress = progress
        self._layers = frozenset(layers)
        self._child = Child(path, layers, careful)
        self._batches = self._child.batches()
        self._decisions: dict[Any, tuple[Match, ...]] = {}
        self._contacts = tagging.ContactKeys()
        self._areas: list[tuple[_Object, str]] = []
        self._road_nodes = RoadNodes() if junctions and "road" in layers else None
        self._ways_begun = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.close()

    def rows(self) -> Iterator[Row]:
        """Every row of the layers, and the rejects that are known by then."""
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
            if self._child.has_read_objects:
                break
        yield from self._finish_areas()

    def late_rejects(self) -> Iterator[Row]:
        """Why relations made no area, which takes a look at their ways; after `rows` is exhausted."""
        for batch in self._batches:
            yield from self._read_batch(batch)
        yield from self._finish_areas()

    def junctions(self) -> Iterator[Junction]:
        """The nodes that two or more kept roads share; after `rows` is exhausted."""
        return self._road_nodes.shared() if self._road_nodes else iter(())

    def _read_batch(self, batch: Batch) -> Iterator[Row]:
        for line in batch.lines:
            yield from self._read_line(line)
        for record in batch.records:
            yield from self._read_record(record)

    # --- nodes and ways --------------------------------------------------------------------------------

    def _read_line(self, line: str) -> Sequence[Row]:
        fields = line.split(" ")
        if fields[2] == opl.DELETED:
            return ()
        tags = opl.read_tags(fields[3][1:])
        if line[0] == "n":
            if self._ways_begun:
                raise BadExtract(
                    f"{self._path.name} is not sorted: {fields[0]} comes after other types. "
                    "Sort it first (osmium sort)."
                )
            matches = self._find_matches(tags, Form.NODE)
            return self._make_node(self._object(fields, tags, matches), fields[4:]) if matches else ()
        self._ways_begun = True
        nodes = fields[4][1:]
        closed = opl.is_closed(nodes) and nodes.count("n") > 3
        matches = self._find_matches(tags, tagging.way_form(tags, closed))
        return self._make_way(self._object(fields, tags, matches), nodes, closed) if matches else ()

    def _find_matches(self, tags: dict[str, str], form: Form) -> tuple[Match, ...]:
        key = (form, tagging.deciding_tags(tags))
        known = self._decisions.get(key)
        if known is None:
            if len(self._decisions) >= MOST_DECISIONS:
                self._decisions.clear()
            found = tagging.find_matches(tags, form)
            known = self._decisions[key] = tuple(match for match in found if match.layer in self._layers)
        return known

    def _object(self, fields: list[str], tags: dict[str, str], matches: Sequence[Match]) -> _Object:
        stored = self._contacts.without(tags)
        return _Object(
            fields[0][0], int(fields[0][1:]), int(fields[1][1:]), stored, canonical_tags(stored), matches
        )

    def _make_node(self, entity: _Object, place: list[str]) -> Sequence[Row]:
        try:
            lon, lat = float(place[0][1:]), float(place[1][1:])
        except ValueError:
            return _reject(entity, entity.matches, Reason.BAD_LOCATION, "it has no place on earth")
        if not (abs(lon) <= 180 and abs(lat) <= 90):
            detail = f"{place[0][1:]} {place[1][1:]} is no place on earth"
            return _reject(entity, entity.matches, Reason.BAD_LOCATION, detail)
        wkb = point_wkb(lon, lat)
        return [
            _feature(entity, match, wkb, False, own_columns(match, entity.tags)) for match in entity.matches
        ]

    def _make_way(self, entity: _Object, nodes: str, closed: bool) -> Sequence[Row]:
        way = opl.read_way(nodes)
        rows: list[Row] = []
        areas = []
        for match in entity.matches:
            if match.shape is Shape.AREA:
                areas.append(match)
            elif match.shape is Shape.LINE:
                rows += self._make_line(entity, match, way)
            else:
                detail = _line_detail(entity.tags, opl.is_closed(nodes), closed)
                rows += _reject(entity, [match], Reason.LINE_NOT_AREA, detail, way.first_place)
        if not areas:
            return rows
        ring = way.without_repeats()
        if way.missing:
            rows += _reject(entity, areas, Reason.MISSING_NODES, _missing_detail(way), way.first_place)
        elif len(ring) < 8:
            rows += _reject(entity, areas, Reason.NO_AREA, "its ring encloses nothing", way.first_place)
        else:
            entity.matches = areas
            wkb = POLYGON + count_hex(1) + count_hex(len(ring) // 2) + ring.tobytes().hex()
            self._areas.append((entity, wkb))
        return rows

    def _make_line(self, entity: _Object, match: Match, way: opl.WayNodes) -> Sequence[Row]:
        """A line cut by the extract's edge keeps its inner part, flagged as repaired."""
        inner = way.without_ends() if way.missing else way
        line = inner.without_repeats()
        if inner.missing or (way.missing and len(line) < 4):
            return _reject(entity, [match], Reason.MISSING_NODES, _missing_detail(way), way.first_place)
        if len(line) < 4:
            detail = f"it has {len(line) // 2} different point(s)"
            return _reject(entity, [match], Reason.TOO_FEW_POINTS, detail, way.first_place)
        if match.layer == "road" and self._road_nodes is not None:
            self._road_nodes.note(entity.osm_id, inner.ids, inner.degrees)
        wkb = LINE + count_hex(len(line) // 2) + line.tobytes().hex()
        return [_feature(entity, match, wkb, way.missing > 0, own_columns(match, entity.tags))]

    # --- relations and areas ---------------------------------------------------------------------------

    def _read_record(self, record: Record) -> Sequence[Row]:
        match record:
            case ["reject", osm_type, osm_id, tags, reason, detail, place]:
                form = {"n": Form.NODE, "w": Form.LINE}.get(osm_type, Form.RELATION)
                matches = self._find_matches(tags, form)
                entity = _Object(osm_type, osm_id, 0, tags, "", matches)
                return _reject(entity, matches, Reason(reason), detail, place)
            case ["area", osm_id, version, tags, wkb]:
                stored = self._contacts.without(tags)
                matches = self._find_matches(tags, Form.RELATION)
                entity = _Object("r", osm_id, version, stored, canonical_tags(stored), matches)
                self._areas.append((entity, wkb))
            case ["no_area", osm_id, tags, members, ways]:
                found = diagnose_relation(members, dict(map(_member_way, ways)))
                place = to_wkb(found.place) if found.place is not None else None
                entity = _Object("r", osm_id, 0, tags, "", self._find_matches(tags, Form.RELATION))
                return _reject(entity, entity.matches, found.reason, found.detail, place)
        return ()

    def _finish_areas(self) -> Iterator[Row]:
        """The areas that came since the last time: checked, mended and measured all at once."""
        waiting, self._areas = self._areas, []
        if not waiting:
            return
        shapes = shapely.from_wkb([wkb for _, wkb in waiting])
        valid = shapely.is_valid(shapes)
        broken = np.flatnonzero(~valid)
        for index in broken:
            shapes[index] = polygonal(shapely.make_valid(shapes[index]))
        shapes = shapely.orient_polygons(shapes)
        surface = np.array(
            [any(match.layer in POINT_LAYERS for match in entity.matches) for entity, _ in waiting]
        )
        inside = iter(shapely.get_coordinates(shapely.point_on_surface(shapes[surface])).tolist())
        texts = shapely.to_wkb(shapes, hex=True, byte_order=1, output_dimension=2)
        for (entity, _), shape, text, has_point, is_valid in zip(
            waiting, shapes, texts, surface, valid, strict=True
        ):
            if shape is None:
                yield from _reject(entity, entity.matches, Reason.NO_AREA, "its ring encloses nothing")
                continue
            point = point_wkb(*next(inside)) if has_point else ""
            for match in entity.matches:
                wkb = point if match.layer in POINT_LAYERS else _area_wkb(text.lower(), match.layer)
                own = (
                    {"area_m2": spheroid_area(shape)}
                    if match.layer == "aoi"
                    else own_columns(match, entity.tags)
                )
                yield _feature(entity, match, wkb, not is_valid, own)


def _feature(entity: _Object, match: Match, wkb: str, repaired: bool, columns: dict[str, Any]) -> Feature:
    return Feature(
        match.layer,
        entity.osm_type,
        entity.osm_id,
        entity.version,
        match.klass,
        entity.tags,
        entity.tags_json,
        wkb,
        repaired,
        columns,
    )


def _reject(
    entity: _Object, matches: Sequence[Match], reason: Reason, detail: str, wkb: str | None = None
) -> list[Reject]:
    name = entity.tags.get("name")
    return [
        Reject(match.layer, entity.osm_type, entity.osm_id, name, reason, detail, wkb) for match in matches
    ]


def _member_way(record: Record) -> tuple[int, MemberWay]:
    way_id, nodes = record
    return way_id, MemberWay(way_id, [(node, tuple(place) if place else None) for node, place in nodes])


def _missing_detail(way: opl.WayNodes) -> str:
    return f"{way.missing} of its {len(way.ids)} nodes are not in the extract"


def _line_detail(tags: dict[str, str], returns: bool, closed: bool) -> str:
    if not returns:
        return "the way is not closed"
    if tags.get("area") == "no":
        return "the way is closed, but tagged area=no"
    return (
        "a closed highway is a line without area=yes" if closed else "the way has too few nodes for an area"
    )


def _area_wkb(wkb: str, layer: str) -> str:
    """The area as its layer keeps it: park and water as a polygon where it is one, the others as a multipolygon."""
    if wkb.startswith(POLYGON):
        return wkb if layer in SINGLE_LAYERS else MULTI_POLYGON + count_hex(1) + wkb
    header = MULTI_POLYGON + count_hex(1)
    return wkb.removeprefix(header) if layer in SINGLE_LAYERS else wkb


def own_columns(match: Match, tags: dict[str, str]) -> dict[str, Any]:
    """The columns that only the match's layer has, but for what is measured."""
    if match.layer == "road":
        return tagging.road_columns(tags)
    if match.layer == "address":
        return dict(tagging.address_parts(tags))
    wiki = {"wikidata": tags.get("wikidata"), "wikipedia": tags.get("wikipedia")}
    if match.layer == "poi":
        own = {
            "is_area": match.shape is Shape.AREA,
            "category": match.category,
            "classes": list(match.classes),
        }
        return own | wiki | tagging.address_parts(tags)
    if match.layer == "region":
        return wiki | tagging.region_columns(tags)
    return wiki
