"""Import stage, the whole of it: one extract to one published snapshot, under one lock a name.

Each table is made, filled and indexed in a transaction of its own, in a schema that nobody reads; outline, checks,
grants and the switch are one transaction more. An import killed at any moment leaves an unpublished row of
trigpoint.snapshot and its schema; the next import marks it failed and removes both.
"""

import gc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import Any

import psycopg

from app.core.clock import Clock
from app.core.errors import BadExtract, UsageError
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.raw import connect_raw
from osm_import import queries
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
from osm_import.child import CareNeeded
from osm_import.completing import AREA_LAYERS, mark_edges
from osm_import.extracts import Extract, check_name, check_unchanged, default_name, open_extract
from osm_import.gating import find_held, refuse_held
from osm_import.loading import Loader
from osm_import.outlines import Outline
from osm_import.preflight import preflight
from osm_import.progress import Progress
from osm_import.publishing import Loaded, find_outline, publish
from osm_import.reading import ExtractReader
from osm_import.tag_tables import LAYERS, NETWORK_LAYERS

__all__ = ["ALL_LAYERS", "ImportResult", "collector_paused", "import_extract", "read_layers"]

log = get_logger(__name__)

ALL_LAYERS = (*LAYERS, "poi_area", "road_node", *NETWORK_LAYERS)


def read_layers(text: str) -> tuple[str, ...]:
    """Names of layers with commas between, in the order of ALL_LAYERS.

    Raises UsageError for a name that is none, and for a part of the road network without the rest.
    """
    wanted = {name.strip() for name in text.split(",")}
    unknown = sorted(wanted - set(ALL_LAYERS))
    if unknown:
        raise UsageError(f"{unknown[0][:40]!r} is not a layer. The layers are {', '.join(ALL_LAYERS)}.")
    whole = {"road", *NETWORK_LAYERS}
    if wanted.intersection(NETWORK_LAYERS) and not wanted >= whole:
        raise UsageError(
            f"The layers {', '.join(NETWORK_LAYERS)} make the road network together with road. Name all of them, or "
            f"none: {', '.join(sorted(whole - wanted))} is missing."
        )
    return tuple(layer for layer in ALL_LAYERS if layer in wanted)


def import_extract(
    settings: Settings,
    source: str,
    name: str | None,
    clock: Clock,
    progress: Progress,
    layers: tuple[str, ...] = ALL_LAYERS,
    *,
    check_room: bool = True,
) -> ImportResult:
    """Import what `source` names (a path, URL or region) as a snapshot called `name`, and publish it.

    Raises UsageError, NotFound, BadExtract, EndpointUnavailable for a source that cannot be read;
    Held where another import of that name runs; ImportHeld where the map is too unlike the one before it;
    ImportFailed where nothing could be published, or, if asked to `check_room`, disk or memory are too small.
    """
    if name is not None:
        check_name(name)
    extract = open_extract(source, settings, progress, clock)
    name = name or default_name(extract.path)
    with (
        one_sentence(extract.path.name),
        closing(connect_raw(settings, Role.OWNER)) as connection,
        lock(connection, name),
    ):
        sweep(connection)
        refuse_other_maps(connection, name, None)
        result = find_published(connection, name, extract.checksum, layers)
        if result is None:
            refuse_held(connection, name, extract.checksum, LAYER_SCHEMA_VERSION)
            if check_room:
                preflight(settings, extract.path, connection)
            result = _import_locked(settings, connection, name, extract, layers, clock, progress)
        return result._replace(held=find_held(connection, name), deleted=extract.deleted, notes=extract.notes)


def _import_locked(
    settings: Settings,
    connection: psycopg.Connection[Any],
    name: str,
    extract: Extract,
    layers: tuple[str, ...],
    clock: Clock,
    progress: Progress,
) -> ImportResult:
    origin = Origin(extract.source, extract.checksum, extract.timestamp, extract.sequence)
    snapshot_id, schema = begin(connection, name, origin, clock)
    with abandoned_on_failure(settings, connection, snapshot_id, schema):
        loader, outline = _load_layers(settings, connection, schema, extract, layers, progress)
        counts = loader.counts
        loaded = Loaded(snapshot_id, schema, extract.path.name, counts, loader.tag_keys)
        check_unchanged(extract)
        publish(connection, loaded, outline, clock, progress)
        connection.commit()
    log.info("published", schema=schema, **{layer: count.kept for layer, count in counts.items()})
    for layer, count in counts.items():
        if count.found and not count.kept:
            log.warning("everything in this layer was rejected; table reject says why", layer=layer)
    return ImportResult(
        name,
        schema,
        extract.checksum,
        extract.timestamp,
        outline.source.value,
        {layer: asdict(count) for layer, count in counts.items()},
        reused=False,
    )


def _load_layers(
    settings: Settings,
    connection: psycopg.Connection[Any],
    schema: str,
    extract: Extract,
    layers: tuple[str, ...],
    progress: Progress,
) -> tuple[Loader, Outline]:
    """Make, fill, index and commit the tables of a schema; nobody else sees it before the switch.

    While the largest are indexed, the areas at the edge are marked: that is in the connection's transaction still.
    """
    for careful in (False, True):
        connection.execute(queries.drop_schema(schema))
        connection.execute(queries.create_schema(schema))
        connection.commit()
        junctions, network = "road_node" in layers, "road_edge" in layers
        kept = tuple(layer for layer in layers if layer in LAYERS)
        try:
            with (
                collector_paused(),
                ExtractReader(
                    extract.path,
                    progress,
                    kept,
                    junctions=junctions,
                    network=network,
                    grounds="poi_area" in layers,
                    careful=careful,
                    in_memory=extract.in_memory,
                ) as reader,
                Loader(lambda: connect_raw(settings, Role.OWNER), schema, layers, progress) as loader,
            ):
                loader.load(reader.rows())
                loader.finish("road")
                loader.load_junctions(reader.junctions())
                loader.finish("road_node")
                if network:
                    loader.load_network(reader.network())
                loader.finish(*NETWORK_LAYERS)
                loader.load(reader.relation_rows())
                loader.finish()
                loader.wait(*AREA_LAYERS)
                connection.execute(queries.search_schemas(schema))
                outline = find_outline(connection, extract, loader.wait)
                mark_edges(connection, outline)
                loader.wait()
                return loader, outline
        except CareNeeded:
            log.warning("an object of this file is not valid text or place; reading again, with care")
        except psycopg.errors.UniqueViolation as error:
            raise BadExtract(
                f"{extract.path.name} holds an object twice ({error.diag.message_detail}). "
                "Use a plain extract, sorted and without history (osmium sort, then osmium merge)."
            ) from error
    raise BadExtract(f"{extract.path.name} holds an object that cannot be read. Download it again.")


@contextmanager
def collector_paused() -> Iterator[None]:
    """Rows make no cycles, and looking for some among what is remembered of tags takes a quarter of reading's time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
