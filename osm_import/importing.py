"""Import stage, the whole of it: one extract to one published snapshot, under one lock a name.

Each table is made, filled and indexed in a transaction of its own, in a schema that nobody reads; outline, checks,
grants and the switch are one transaction more. An import killed at any moment leaves an unpublished row of
trigpoint.snapshot and its schema; the next import marks it failed and removes both.
"""

import gc
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

import psycopg

from app.core.clock import Clock
from app.core.errors import BadExtract, Held, ImportFailed, ImportHeld, ServiceUnavailable, UsageError
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.naming import map_date, reference_schema, snapshot_reference, snapshot_schema
from app.db.raw import connect_raw
from osm_import import queries
from osm_import.child import CareNeeded
from osm_import.completing import AREA_LAYERS, mark_edges
from osm_import.downloading import DISK_FULL
from osm_import.extracts import Extract, check_name, check_unchanged, default_name, open_extract
from osm_import.gating import find_held, refuse_held
from osm_import.loading import Loader
from osm_import.outlines import Outline
from osm_import.preflight import preflight
from osm_import.progress import Progress
from osm_import.publishing import Loaded, find_outline, publish
from osm_import.reading import ExtractReader
from osm_import.tagging import LAYERS

log = get_logger(__name__)

LAYER_SCHEMA_VERSION = 2
"""Raised whenever schema.sql, tagging.py or reading.py would make other rows of the same extract."""

ALL_LAYERS = (*LAYERS, "road_node")

Layers = dict[str, dict[str, int]]


class ImportResult(NamedTuple):
    """What an import came to."""

    name: str
    schema: str
    checksum: str
    timestamp: datetime | None
    outline_source: str
    layers: Layers
    reused: bool
    """The same file was published under this name before; nothing was done."""
    held: tuple[str, ...] = ()
    """Snapshots of this name that wait for a person's decision."""

    def as_json(self) -> dict[str, Any]:
        """The result of `trigpoint import --json`."""
        return {
            "snapshot": snapshot_reference(self.name, self.timestamp),
            "name": self.name,
            "schema": self.schema,
            "checksum": self.checksum,
            "timestamp": map_date(self.timestamp),
            "outline_source": self.outline_source,
            "layers": self.layers,
            "published": True,
        }


def read_layers(text: str) -> tuple[str, ...]:
    """Names of layers with commas between, in the order of ALL_LAYERS. Raises UsageError for a name that is none."""
    wanted = {name.strip() for name in text.split(",")}
    unknown = sorted(wanted - set(ALL_LAYERS))
    if unknown:
        raise UsageError(f"{unknown[0][:40]!r} is no layer. The layers are {', '.join(ALL_LAYERS)}.")
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
    extract = open_extract(source, settings, progress)
    name = name or default_name(extract.path)
    with (
        _one_sentence(extract),
        closing(connect_raw(settings, Role.OWNER)) as connection,
        _lock(connection, name),
    ):
        sweep(connection)
        result = _find_published(connection, name, extract, layers)
        if result is None:
            refuse_held(connection, name, extract.checksum, LAYER_SCHEMA_VERSION)
            if check_room:
                preflight(settings, extract.path, connection)
            result = _import_locked(settings, connection, name, extract, layers, clock, progress)
        return result._replace(held=find_held(connection, name))


def sweep(connection: psycopg.Connection[Any]) -> list[str]:
    """Mark imports that nobody runs any more as failed, and remove what they left; gives their schemas' names."""
    swept = []
    for snapshot_id, name, schema in connection.execute(queries.UNFINISHED).fetchall():
        if not _one(connection, queries.TRY_LOCK, {"name": name}):
            continue
        if _remove_unfinished(connection, snapshot_id, schema):
            log.warning("swept an import that did not finish", schema=schema)
            swept.append(schema)
        connection.execute(queries.UNLOCK, {"name": name})
    connection.commit()
    return swept


def _remove_unfinished(connection: psycopg.Connection[Any], snapshot_id: int, schema: str) -> bool:
    """Mark a snapshot failed and remove its schemas, in one transaction; False where it was published meanwhile."""
    if not connection.execute(queries.FAIL_SNAPSHOT, {"id": snapshot_id}).rowcount:
        connection.commit()
        return False
    connection.execute(queries.drop_schema(reference_schema(snapshot_id)))
    connection.execute(queries.drop_schema(schema))
    connection.commit()
    return True


@contextmanager
def _lock(connection: psycopg.Connection[Any], name: str) -> Iterator[None]:
    """Held by the session: it goes with the process, however that ends.

    The server needs a moment to see that a killed process is gone; so long, and no longer, we wait.
    """
    try:
        connection.execute(queries.NOTICE_DEAD_CLIENTS)
        connection.execute(queries.WAIT_FOR_LOCK)
        connection.execute(queries.LOCK, {"name": name})
        connection.commit()
    except psycopg.errors.LockNotAvailable as error:
        raise Held(
            f"Another import of {name!r} is running. Wait for it, or give this one another --name."
        ) from error
    try:
        yield
    finally:
        with suppress(psycopg.Error):
            connection.rollback()
            connection.execute(queries.UNLOCK, {"name": name})
            connection.commit()


def _find_published(
    connection: psycopg.Connection[Any], name: str, extract: Extract, layers: tuple[str, ...]
) -> ImportResult | None:
    binds = {
        "name": name,
        "checksum": extract.checksum,
        "layer_schema_version": LAYER_SCHEMA_VERSION,
        "layers": list(layers),
    }
    row = connection.execute(queries.FIND_PUBLISHED, binds).fetchone()
    connection.commit()
    if row is None:
        return None
    _, _, schema, checksum, timestamp, outline_source, counts = row
    return ImportResult(name, schema, checksum, timestamp, outline_source, counts, reused=True)


def _import_locked(
    settings: Settings,
    connection: psycopg.Connection[Any],
    name: str,
    extract: Extract,
    layers: tuple[str, ...],
    clock: Clock,
    progress: Progress,
) -> ImportResult:
    snapshot_id, schema = _begin(connection, name, extract, clock)
    try:
        loader, outline = _load_layers(settings, connection, schema, extract, layers, progress)
        counts = loader.counts
        loaded = Loaded(snapshot_id, schema, extract, counts, loader.tag_keys)
        check_unchanged(extract)
        publish(connection, loaded, outline, clock, progress)
        connection.commit()
    except ImportHeld:
        raise
    except BaseException:
        connection.close()
        _abandon(settings, snapshot_id, schema)
        raise
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
        junctions = "road_node" in layers
        kept = tuple(layer for layer in layers if layer in LAYERS)
        try:
            with (
                collector_paused(),
                ExtractReader(extract.path, progress, kept, junctions=junctions, careful=careful) as reader,
                Loader(lambda: connect_raw(settings, Role.OWNER), schema, layers, progress) as loader,
            ):
                loader.load(reader.rows())
                loader.finish("road")
                loader.load_junctions(reader.junctions())
                loader.finish("road_node")
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


def _begin(connection: psycopg.Connection[Any], name: str, extract: Extract, clock: Clock) -> tuple[int, str]:
    snapshot_id = int(_one(connection, queries.NEXT_ID, {}))
    date = extract.timestamp.strftime("%Y%m%d") if extract.timestamp else "undated"
    schema = snapshot_schema(name, date, snapshot_id)
    binds = {
        "id": snapshot_id,
        "name": name,
        "schema_name": schema,
        "source": extract.source,
        "checksum": extract.checksum,
        "timestamp": extract.timestamp,
        "sequence": extract.sequence,
        "layer_schema_version": LAYER_SCHEMA_VERSION,
        "now": clock.now(),
    }
    connection.execute(queries.BEGIN_SNAPSHOT, binds)
    connection.commit()
    return snapshot_id, schema


def _abandon(settings: Settings, snapshot_id: int, schema: str) -> None:
    """Leave nothing, and mark the snapshot failed; where even that cannot be written, the next import does it."""
    with suppress(psycopg.Error, ServiceUnavailable), connect_raw(settings, Role.OWNER) as fresh:
        fresh.execute(queries.WAIT_FOR_LOCK)
        _remove_unfinished(fresh, snapshot_id, schema)


@contextmanager
def _one_sentence(extract: Extract) -> Iterator[None]:
    """Turn what the database or the disk says into one sentence with what to do."""
    try:
        yield
    except psycopg.errors.DiskFull as error:
        raise ImportFailed(
            f"The database's disk is full ({_first_line(error)}): nothing of {extract.path.name} was published. "
            "Free some space and import again."
        ) from error
    except psycopg.errors.UndefinedTable as error:
        raise ImportFailed(
            f"The service's tables are missing ({_first_line(error)}). Run `trigpoint migrate`."
        ) from error
    except (psycopg.errors.DataError, psycopg.errors.IntegrityError) as error:
        raise BadExtract(
            f"{extract.path.name} holds something that the database refuses ({_first_line(error)}); "
            "nothing was published."
        ) from error
    except psycopg.OperationalError as error:
        raise ServiceUnavailable(
            f"PostgreSQL stopped the import ({_first_line(error)}); nothing was published. "
            "Look at `trigpoint doctor`, then import again."
        ) from error
    except psycopg.Error as error:
        raise ImportFailed(
            f"PostgreSQL refused a statement of the import ({_first_line(error)}); nothing was published. "
            "`trigpoint doctor` says what is amiss."
        ) from error
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise ImportFailed(
            f"The disk is full ({error}): nothing of {extract.path.name} was published. Free some space."
        ) from error


def _first_line(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _one(connection: psycopg.Connection[Any], statement: str, binds: dict[str, Any]) -> Any:
    row = connection.execute(statement, binds).fetchone()
    return row[0] if row else None
