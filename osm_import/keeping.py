"""Housekeeping of snapshots: list, drop, publish what is held. Reads and writes trigpoint.snapshot and its schemas.

Each change is one transaction under the snapshot's row lock: two that want the same snapshot come one after the
other, and one that is killed has changed nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.errors import Conflict, Held, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.naming import map_date, reference_schema, snapshot_reference
from osm_import import comparing_queries, queries

SECONDS_A_DAY = 86_400


class Snapshot(NamedTuple):
    """One row of trigpoint.snapshot, as far as housekeeping needs it."""

    id: int
    name: str
    schema: str
    state: str
    timestamp: datetime | None

    @property
    def reference(self) -> str:
        """`name@timestamp`."""
        return snapshot_reference(self.name, self.timestamp)


class Dropped(NamedTuple):
    """What was removed, and which published maps of the name remain, the newest first."""

    snapshot: Snapshot
    remaining: list[str]

    def as_json(self) -> dict[str, Any]:
        """The result of `trigpoint snapshot drop --json`."""
        return {
            "snapshot": self.snapshot.reference,
            "schema": self.snapshot.schema,
            "was": self.snapshot.state,
            "dropped": True,
            "remaining": self.remaining,
        }


def list_snapshots(connection: Connection, clock: Clock) -> list[dict[str, Any]]:
    """Every snapshot by name and date, whatever its state; ages in days by `clock`, sizes in bytes on disk."""
    now = clock.now()
    return [
        {
            "snapshot": snapshot_reference(row.name, row.data_timestamp),
            "name": row.name,
            "schema": row.schema_name,
            "state": row.state,
            "source": row.source,
            "checksum": row.checksum,
            "timestamp": map_date(row.data_timestamp),
            "replication_sequence": row.replication_sequence,
            "outline_source": row.outline_source,
            "cut_of": snapshot_reference(row.parent_name, row.parent_timestamp) if row.boundary else None,
            "boundary": row.boundary,
            "layers": row.layers,
            "planted": row.planted,
            "permuted": row.permuted,
            "newest": row.newest,
            "age_days": _age_days(now, row.data_timestamp),
            "needed_by": row.needed_by,
            "bytes": row.bytes,
        }
        for row in connection.exec_driver_sql(queries.LIST_SNAPSHOTS)
    ]


def _age_days(now: datetime, timestamp: datetime | None) -> float | None:
    return round((now - timestamp).total_seconds() / SECONDS_A_DAY, 1) if timestamp else None


def drop_snapshot(settings: Settings, reference: str) -> Dropped:
    """Remove a snapshot's two schemas and mark its row as dropped; the row stays as what once was.

    `reference` is a name, name@timestamp or the schema's name, and must fit one snapshot. Raises NotFound, UsageError
    where it fits several, Conflict naming the data set versions that stand on it, Held while somebody uses it.
    """
    with _change(settings, reference, ("published", "held", "importing"), ("failed",)) as (connection, one):
        if one.state == "importing" and not _granted(connection, queries.TRY_IMPORT_LOCK, {"name": one.name}):
            raise Held(f"{one.reference} is being imported at the moment. Stop that import, or wait for it.")
        if not _granted(connection, queries.TRY_SNAPSHOT_LOCK, {"id": one.id}):
            raise Held(
                f"Questions are being made of {one.reference}, or a map is cut out of it or compared with it. "
                "Try again when that is done."
            )
        needed_by = list(connection.exec_driver_sql(queries.NEEDED_BY, {"id": one.id}).scalars())
        if needed_by:
            raise Conflict(
                f"{one.reference} cannot be dropped: {_listed(needed_by)} "
                f"{'uses' if len(needed_by) == 1 else 'use'} it, "
                "and a published version never changes. Nothing was dropped."
            )
        for schema in (reference_schema(one.id), one.schema):
            connection.exec_driver_sql(queries.drop_schema(schema))
        connection.exec_driver_sql(comparing_queries.DROP_COMPARISONS, {"id": one.id})
        connection.exec_driver_sql(queries.MARK_DROPPED, {"id": one.id})
        remaining = [
            other.reference
            for other in _read_snapshots(connection)
            if other.name == one.name and other.state == "published"
        ]
    return Dropped(one, remaining)


def publish_held(settings: Settings, reference: str, clock: Clock) -> Snapshot:
    """Publish a snapshot that an import left held: its readers are let in and its row is switched, in one step.

    Raises NotFound, UsageError where `reference` fits several, Conflict where the snapshot is not held.
    """
    with _change(settings, reference, ("held",), ("published", "importing", "failed")) as (connection, one):
        if one.state != "held":
            raise Conflict(f"{one.reference} is {one.state}, not held: there is nothing to publish.")
        for statement in queries.grant_layers(one.schema) + queries.grant_views(reference_schema(one.id)):
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(queries.PUBLISH_HELD, {"id": one.id, "now": clock.now()})
    return one._replace(state="published")


@contextmanager
def _change(
    settings: Settings, reference: str, states: tuple[str, ...], else_states: tuple[str, ...]
) -> Iterator[tuple[Connection, Snapshot]]:
    """One transaction over the one snapshot that `reference` means, its row locked; commits at the end.

    Snapshots in `states` go before those in `else_states`.
    """
    with connect(settings, Role.OWNER) as connection:
        found = _find_one(_read_snapshots(connection), reference, states, else_states)
        try:
            connection.exec_driver_sql(queries.WAIT_FOR_LOCK)
            state = connection.exec_driver_sql(queries.LOCK_SNAPSHOT, {"id": found.id}).scalar_one()
            if state != found.state:
                raise Conflict(f"{found.reference} was {found.state} and is {state} now. Nothing was done.")
            yield connection, found
            connection.commit()
        except DBAPIError as error:
            if not isinstance(error.orig, psycopg.errors.LockNotAvailable):
                raise
            raise Held(
                f"{found.reference} is being read or changed by somebody else. Nothing was done; try again."
            ) from error


def _read_snapshots(connection: Connection) -> list[Snapshot]:
    return [Snapshot(*row) for row in connection.exec_driver_sql(queries.SNAPSHOTS)]


def _find_one(
    snapshots: list[Snapshot], reference: str, states: tuple[str, ...], else_states: tuple[str, ...]
) -> Snapshot:
    fitting = [one for one in snapshots if reference in (one.name, one.reference, one.schema)]
    for wanted in (states, else_states):
        found = [one for one in fitting if one.state in wanted]
        if len(found) > 1:
            shown = _listed([f"{one.reference} ({one.state}, {one.schema})" for one in found])
            raise UsageError(
                f"{reference!r} fits {len(found)} snapshots: {shown}. Name one by its timestamp or schema."
            )
        if found:
            return found[0]
    if fitting:
        raise NotFound(f"{fitting[0].reference} was dropped already.")
    known = [one.reference for one in snapshots if one.state in states]
    raise NotFound(
        f"There is no {'held ' if states == ('held',) else ''}snapshot {reference!r}. "
        + (f"There are: {_listed(known)}." if known else "`trigpoint snapshots --all` lists what there is.")
    )


def _granted(connection: Connection, statement: str, binds: dict[str, Any]) -> bool:
    return bool(connection.exec_driver_sql(statement, binds).scalar_one())


def _listed(words: list[str], most: int = 10) -> str:
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more
