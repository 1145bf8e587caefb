"""Import stage: a snapshot cut out of another along one of its regions, such as a city. Reads one, writes another.

The cut holds the rows that belong to the region, whole; its outline is the region. All of it happens inside the
database, in one transaction: a cut that is killed at any moment leaves at most a row that the next one marks failed.
"""

import hashlib
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

import psycopg
import shapely
from shapely import MultiPolygon

from app.core.clock import Clock
from app.core.errors import BadExtract, Conflict, NotFound, UsageError
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.naming import snapshot_reference
from app.db.raw import connect_raw
from osm_import import cutting_queries, queries
from osm_import.attempts import (
    LAYER_SCHEMA_VERSION,
    ImportResult,
    Origin,
    abandoned_on_failure,
    begin,
    find_published,
    lock,
    one_sentence,
    refuse_other_maps,
    sweep,
)
from osm_import.completing import SLACK_SQUARE_DEGREES, mark_edges
from osm_import.cutting_network import cut_edges
from osm_import.extracts import check_name, safe_name
from osm_import.features import to_wkb
from osm_import.gating import find_held, refuse_held
from osm_import.importing import ALL_LAYERS
from osm_import.loading import LayerCount
from osm_import.outlines import Outline, OutlineSource
from osm_import.progress import Progress
from osm_import.publishing import Loaded, publish
from osm_import.wkb import ewkb_hex

log = get_logger(__name__)

CUT_VERSION = 3
"""Raised whenever the same map and edge would give other rows."""
MOST_BEYOND = 0.001
"""A region that reaches beyond its map by less than this share of its area is cut off there: outlines of extracts are
drawn roughly. By more, it is refused."""
KEY = re.compile(r"[wr][1-9][0-9]{0,18}")
TABLES = (
    "poi", "poi_area", "park", "water", "region", "aoi", "address", "other_place", "road", "road_node",
    "road_edge", "turn_restriction", "road_barrier", "reject",
)  # fmt: skip
"""In an order in which each finds what it needs: an area or an address its places, a node its roads or edges."""


class Cut(NamedTuple):
    """What a cut came to."""

    snapshot: ImportResult
    parent: str
    """The snapshot that it was cut out of, `name@timestamp`."""
    boundary: str

    def as_json(self) -> dict[str, Any]:
        """The result of `trigpoint snapshot cut --json`."""
        return {**self.snapshot.as_json(), "cut_of": self.parent, "boundary": self.boundary}


class Parent(NamedTuple):
    """A published snapshot, as far as a cut needs it."""

    id: int
    name: str
    schema: str
    source: str
    checksum: str
    timestamp: datetime | None
    sequence: int | None
    layers: dict[str, Any]
    bounded: bool
    """Whether anybody knows where it ends."""

    @property
    def reference(self) -> str:
        """`name@timestamp`."""
        return snapshot_reference(self.name, self.timestamp)


class Region(NamedTuple):
    """The region that a cut is made along."""

    boundary: str
    name: str | None
    name_en: str | None
    outline: MultiPolygon


def cut_snapshot(
    settings: Settings, reference: str, boundary: str, name: str | None, clock: Clock, progress: Progress
) -> Cut:
    """Cut the region `boundary` (`r62422`) out of a published snapshot, as a snapshot called `name`, and publish it.

    What is there already is found again. Raises NotFound where there is no such snapshot or region, BadExtract where
    the region is broken or not wholly in the map, Conflict where the name is taken; else as import_extract does.
    """
    if not KEY.fullmatch(boundary):
        raise UsageError(
            f"{boundary[:40]!r} is not a region: r (relation) or w (way) and its number, such as r62422."
        )
    if name is not None:
        check_name(name)
    with one_sentence(boundary, "cut"), closing(connect_raw(settings, Role.OWNER)) as connection:
        parent = _pin_parent(connection, reference)
        region = _read_region(connection, parent, boundary)
        name = name or _default_name(region)
        origin = Origin(
            parent.source, _checksum(parent, region), parent.timestamp, parent.sequence, parent.id, boundary
        )
        with lock(connection, name):
            sweep(connection)
            refuse_other_maps(connection, name, boundary)
            result = find_published(connection, name, origin.checksum, list(parent.layers))
            if result is None:
                refuse_held(connection, name, origin.checksum, LAYER_SCHEMA_VERSION)
                result = _cut_locked(settings, connection, name, origin, parent, region, clock, progress)
            result = result._replace(held=find_held(connection, name))
    return Cut(result, parent.reference, boundary)


def published_parents(connection: psycopg.Connection[Any]) -> list[Parent]:
    """All snapshots that may be cut, the newest first."""
    binds = {"layer_schema_version": LAYER_SCHEMA_VERSION}
    return [Parent(*row) for row in connection.execute(cutting_queries.FIND_PARENTS, binds)]


def _pin_parent(connection: psycopg.Connection[Any], reference: str) -> Parent:
    """The snapshot that `reference` means; nobody can drop it as long as this connection is open."""
    parents = published_parents(connection)
    parent = next((one for one in parents if reference in (one.name, one.reference, one.schema)), None)
    if parent is None:
        known = ", ".join(one.reference for one in parents[:10])
        raise NotFound(
            f"There is no published snapshot {reference!r} of layer schema {LAYER_SCHEMA_VERSION}. "
            + (f"There are: {known}." if known else "Import one with `trigpoint import`.")
        )
    if not parent.bounded:
        raise Conflict(
            f"Nobody knows where {parent.reference} ends, so nothing whole can be cut out of it. "
            "Import its extract again with a .poly file of the same name beside it."
        )
    connection.execute(cutting_queries.PIN, {"id": parent.id})
    row = connection.execute(cutting_queries.STILL_PUBLISHED, {"id": parent.id}).fetchone()
    connection.commit()
    if row is None or not row[0]:
        raise NotFound(f"Snapshot {parent.reference} was dropped just now. Import it again.")
    return parent


def _read_region(connection: psycopg.Connection[Any], parent: Parent, boundary: str) -> Region:
    binds = {"id": parent.id, "boundary": boundary}
    row = connection.execute(cutting_queries.read_region(parent.schema), binds).fetchone()
    if row is None:
        raise _no_region(connection, parent, boundary)
    connection.commit()
    name, name_en, repaired, beyond, outline = row
    if repaired:
        raise BadExtract(
            f"{_called(boundary, name)} is broken in {parent.reference}: its ring had to be mended, so nobody knows "
            "where it ends. Correct it in OpenStreetMap, or take a map of another day."
        )
    if beyond > MOST_BEYOND:
        raise BadExtract(
            f"{_called(boundary, name)} is not wholly in {parent.reference}: {beyond:.1%} of it lies beyond the "
            "map's outline. Import a larger extract; or this one with a .poly file beside it, if it is complete there."
        )
    if beyond:
        log.warning("the region is cut off at the map's outline", region=boundary, beyond=beyond)
    return Region(boundary, name, name_en, shapely.from_wkb(bytes(outline)))


def _no_region(connection: psycopg.Connection[Any], parent: Parent, boundary: str) -> Exception:
    """What to say where the layer `region` does not hold the boundary."""
    row = connection.execute(cutting_queries.read_reject(parent.schema), {"boundary": boundary}).fetchone()
    if row is not None:
        name, reason, detail = row
        return BadExtract(
            f"{_called(boundary, name)} is not whole in {parent.reference} ({reason}: {detail}). "
            "Import a larger extract, or correct the region in OpenStreetMap."
        )
    if "region" not in parent.layers:
        return NotFound(f"{parent.reference} was imported without the layer region. Import it again with it.")
    known = connection.execute(cutting_queries.largest_regions(parent.schema)).fetchall()
    listed = ", ".join(_called(key, name) for key, name in known)
    return NotFound(
        f"The layer region of {parent.reference} holds no {boundary}: it holds areas with boundary=administrative and "
        "an admin_level, and places. "
        + (f"The largest whole ones are {listed}." if listed else "It has none.")
    )


def _called(boundary: str, name: str | None) -> str:
    return f"{boundary} ({name})" if name else boundary


def _default_name(region: Region) -> str:
    name = safe_name(region.name_en or "") or safe_name(region.name or "")
    if not name:
        raise UsageError(f"{_called(region.boundary, region.name)} gives no name for a snapshot. Say --name.")
    return name


def _checksum(parent: Parent, region: Region) -> str:
    """A hash of all that decides the rows."""
    facts = (f"trigpoint cut {CUT_VERSION}", parent.checksum, region.boundary, to_wkb(region.outline))
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def _cut_locked(
    settings: Settings,
    connection: psycopg.Connection[Any],
    name: str,
    origin: Origin,
    parent: Parent,
    region: Region,
    clock: Clock,
    progress: Progress,
) -> ImportResult:
    snapshot_id, schema = begin(connection, name, origin, clock)
    outline = Outline(region.outline, OutlineSource.AREA, f"{region.boundary} of {parent.reference}")
    with abandoned_on_failure(settings, connection, snapshot_id, schema):
        connection.execute(queries.create_schema(schema))
        connection.execute(queries.search_schemas(schema))
        counts = _copy_tables(connection, parent, region, progress)
        progress.start("indexing", len(TABLES))
        for table in TABLES:
            connection.execute(queries.section(f"{table}_indexes"))
            progress.advance(1)
        mark_edges(connection, outline)
        tag_keys = [key for (key,) in connection.execute(cutting_queries.TAG_KEYS)]
        what = f"{_called(region.boundary, region.name)} in {parent.reference}"
        publish(connection, Loaded(snapshot_id, schema, what, counts, tag_keys), outline, clock, progress)
        connection.commit()
    log.info("cut", schema=schema, **{layer: count.kept for layer, count in counts.items()})
    layers = {layer: asdict(count) for layer, count in counts.items()}
    return ImportResult(
        name, schema, origin.checksum, origin.timestamp, outline.source.value, layers, reused=False
    )


def _copy_tables(
    connection: psycopg.Connection[Any], parent: Parent, region: Region, progress: Progress
) -> dict[str, LayerCount]:
    """Make the tables and fill them from the parent's; gives the counts of the layers that the parent has."""
    binds = {"outline": ewkb_hex(to_wkb(region.outline)), "slack": SLACK_SQUARE_DEGREES}
    sent = {}
    progress.start("cutting", len(TABLES))
    for table in TABLES:
        connection.execute(queries.section(table))
        sent[table] = _copy_table(connection, table, parent.schema, binds)
        progress.advance(1)
    return _counted(connection, sent, [layer for layer in ALL_LAYERS if layer in parent.layers])


def _copy_table(connection: psycopg.Connection[Any], table: str, parent: str, binds: dict[str, Any]) -> int:
    if table == "road_edge":
        return cut_edges(connection, parent, binds)
    if table == "road_node":
        return connection.execute(cutting_queries.copy_road_nodes(parent), binds).rowcount
    return connection.execute(cutting_queries.copy_rows(table, parent), binds).rowcount


def _counted(
    connection: psycopg.Connection[Any], sent: dict[str, int], layers: Sequence[str]
) -> dict[str, LayerCount]:
    repaired = {layer: mended for layer, _, mended in connection.execute(queries.COUNT_ROWS)}
    rejected = dict(connection.execute(queries.COUNT_REJECTS).fetchall())
    return {
        layer: LayerCount(
            sent[layer] + rejected.get(layer, 0), sent[layer], repaired[layer], rejected.get(layer, 0)
        )
        for layer in layers
    }
