"""Import stage: one attempt to make a snapshot, be it read or cut: its lock, its row, and what it leaves if it ends.

An attempt that is killed at any moment leaves an unpublished row of trigpoint.snapshot and perhaps its schema; the
next one marks the row failed and removes the schema.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, NamedTuple

import psycopg

from app.core.clock import Clock
from app.core.errors import BadExtract, Conflict, Held, ImportFailed, ImportHeld, ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.naming import map_date, reference_schema, snapshot_reference, snapshot_schema
from app.db.raw import connect_raw
from osm_import import queries
from osm_import.downloading import DISK_FULL

log = get_logger(__name__)

LAYER_SCHEMA_VERSION = 9
"""Raised whenever schema.sql, travel.toml or the code that reads extracts would make other rows of the same extract,
or another outline."""
AREAS_SINCE = 5
"""The first layer schema with the layer poi_area."""
NETWORK_SINCE = 7
"""The first layer schema with the road network."""
ALIKE_SINCE = 2
"""Layer schemas from this one on have the same columns and hashes, and differ in the rows of odd objects and in
outlines alone, but for poi_area and the road network: maps of two of them can be compared."""

Layers = dict[str, dict[str, int]]


class Origin(NamedTuple):
    """What a snapshot is made of, as its row says it."""

    source: str
    checksum: str
    timestamp: datetime | None
    sequence: int | None
    parent_id: int | None = None
    boundary: str | None = None
    """The region that it is cut along out of its parent; None where it is read from an extract."""


class ImportResult(NamedTuple):
    """What an import or a cut came to."""

    name: str
    schema: str
    checksum: str
    timestamp: datetime | None
    outline_source: str
    layers: Layers
    reused: bool
    """The same was published under this name before; nothing was done."""
    held: tuple[str, ...] = ()
    """Snapshots of this name that wait for a person's decision."""
    deleted: int = 0
    """Objects that were left out since an editor has marked them as deleted."""
    notes: tuple[str, ...] = ()
    """What whoever imports should know of the file, in sentences."""

    @property
    def reference(self) -> str:
        """`name@timestamp`."""
        return snapshot_reference(self.name, self.timestamp)

    def as_json(self) -> dict[str, Any]:
        """The result of `trigpoint import --json`."""
        return {
            "snapshot": self.reference,
            "name": self.name,
            "schema": self.schema,
            "checksum": self.checksum,
            "timestamp": map_date(self.timestamp),
            "outline_source": self.outline_source,
            "layers": self.layers,
            "deleted": self.deleted,
            "notes": list(self.notes),
            "published": True,
        }


@contextmanager
def lock(connection: psycopg.Connection[Any], name: str) -> Iterator[None]:
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


def sweep(connection: psycopg.Connection[Any]) -> list[str]:
    """Mark imports that nobody runs any more as failed, and remove what they left; gives their schemas' names."""
    swept = []
    for snapshot_id, name, schema in connection.execute(queries.UNFINISHED).fetchall():
        if not one_value(connection, queries.TRY_LOCK, {"name": name}):
            continue
        if _remove_unfinished(connection, snapshot_id, schema):
            log.warning("swept an import that did not finish", schema=schema)
            swept.append(schema)
        connection.execute(queries.UNLOCK, {"name": name})
    connection.commit()
    return swept


def refuse_other_maps(connection: psycopg.Connection[Any], name: str, boundary: str | None) -> None:
    """Raise Conflict where `name` belongs to maps of another kind: imports, or cuts along another region."""
    row = connection.execute(queries.OTHER_MAP_OF_NAME, {"name": name, "boundary": boundary}).fetchone()
    connection.commit()
    if row is not None:
        timestamp, other = row
        what = f"was cut along {other}" if other else "was imported from an extract"
        raise Conflict(
            f"The name {name!r} is taken: {snapshot_reference(name, timestamp)} {what}, and the maps of a name "
            "follow each other. Give this one another --name."
        )


def find_published(
    connection: psycopg.Connection[Any], name: str, checksum: str, layers: Sequence[str]
) -> ImportResult | None:
    """The snapshot of that name, origin and layers, if it is there already."""
    binds = {
        "name": name,
        "checksum": checksum,
        "layer_schema_version": LAYER_SCHEMA_VERSION,
        "layers": list(layers),
    }
    row = connection.execute(queries.FIND_PUBLISHED, binds).fetchone()
    connection.commit()
    if row is None:
        return None
    _, _, schema, checksum, timestamp, outline_source, counts = row
    return ImportResult(name, schema, checksum, timestamp, outline_source, counts, reused=True)


def begin(connection: psycopg.Connection[Any], name: str, origin: Origin, clock: Clock) -> tuple[int, str]:
    """Write the snapshot's row, as being made, and commit; gives its id and the name of its schema."""
    snapshot_id = int(one_value(connection, queries.NEXT_ID, {}))
    date = origin.timestamp.strftime("%Y%m%d") if origin.timestamp else "undated"
    schema = snapshot_schema(name, date, snapshot_id)
    binds = {
        "id": snapshot_id,
        "name": name,
        "schema_name": schema,
        **origin._asdict(),
        "layer_schema_version": LAYER_SCHEMA_VERSION,
        "now": clock.now(),
    }
    connection.execute(queries.BEGIN_SNAPSHOT, binds)
    connection.commit()
    return snapshot_id, schema


@contextmanager
def abandoned_on_failure(
    settings: Settings, connection: psycopg.Connection[Any], snapshot_id: int, schema: str
) -> Iterator[None]:
    """Whatever ends the block, unless the snapshot is held: close the connection, leave nothing, mark it failed.

    Where even that cannot be written, the next attempt does it.
    """
    try:
        yield
    except ImportHeld:
        raise
    except BaseException:
        connection.close()
        with suppress(psycopg.Error, ServiceUnavailable), connect_raw(settings, Role.OWNER) as fresh:
            fresh.execute(queries.WAIT_FOR_LOCK)
            _remove_unfinished(fresh, snapshot_id, schema)
        raise


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
def one_sentence(what: str, work: str = "import") -> Iterator[None]:
    """Turn what the database or the disk says into one sentence with what to do; `work` is a verb and a noun."""
    try:
        yield
    except psycopg.errors.DiskFull as error:
        raise ImportFailed(
            f"The database's disk is full ({_first_line(error)}): nothing of {what} was published. "
            f"Free some space and {work} again."
        ) from error
    except psycopg.errors.UndefinedTable as error:
        raise ImportFailed(
            f"The service's tables are missing ({_first_line(error)}). Run `trigpoint migrate`."
        ) from error
    except (psycopg.errors.DataError, psycopg.errors.IntegrityError) as error:
        raise BadExtract(
            f"{what} holds something that the database refuses ({_first_line(error)}); nothing was published."
        ) from error
    except psycopg.OperationalError as error:
        raise ServiceUnavailable(
            f"PostgreSQL stopped the {work} ({_first_line(error)}); nothing was published. "
            f"Look at `trigpoint doctor`, then {work} again."
        ) from error
    except psycopg.Error as error:
        raise ImportFailed(
            f"PostgreSQL refused a statement of the {work} ({_first_line(error)}); nothing was published. "
            "`trigpoint doctor` says what is wrong."
        ) from error
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise ImportFailed(
            f"The disk is full ({error}): nothing of {what} was published. Free some space."
        ) from error


def _first_line(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def one_value(connection: psycopg.Connection[Any], statement: str, binds: dict[str, Any]) -> Any:
    """The first column of the first row; None where there is none."""
    row = connection.execute(statement, binds).fetchone()
    return row[0] if row else None
