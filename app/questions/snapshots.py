"""Finding published snapshots by `name` (its newest) or `name@timestamp`, and pinning them for a transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, UsageError
from app.db.engine import use_schema
from app.facts.resolving import make_fact_set
from app.questions import queries
from app.questions.records import SnapshotRef

OLDEST_LAYER_SCHEMA = 3
"""Templates read other_place and place_name, which maps imported before this do not have."""


def published_snapshots(connection: Connection) -> list[SnapshotRef]:
    """All published maps, the newest first."""
    return [read_snapshot_row(row) for row in connection.exec_driver_sql(queries.SNAPSHOTS)]


def read_snapshot_row(row: Row[Any]) -> SnapshotRef:
    """The map that a row with the columns of `queries.SNAPSHOTS` tells of."""
    return SnapshotRef(
        id=row.id,
        name=row.name,
        schema=row.schema_name,
        checksum=row.checksum,
        timestamp=row.data_timestamp,
        outline=row.outline,
        outline_source=row.outline_source,
        layers=sorted(row.layers),
        layer_schema_version=row.layer_schema_version,
    )


def find_snapshots(connection: Connection, wanted: Sequence[str]) -> list[SnapshotRef]:
    """One map for each name or `name@timestamp`, pinned: none can be dropped before this transaction ends.

    Raises NotFound naming those there are, UsageError for one twice.
    """
    published = published_snapshots(connection)
    found = []
    for reference in wanted:
        match = next((one for one in published if reference in (one.name, one.reference)), None)
        if match is None:
            known = ", ".join(one.reference for one in published)
            raise NotFound(
                f"There is no published snapshot {reference!r}. "
                + (f"There are: {known}." if known else "Import one with `trigpoint import`.")
            )
        if match in found:
            raise UsageError(f"Snapshot {match.reference} is named twice; a data set takes each map once.")
        found.append(match)
    pin(connection, found)
    return found


def find_snapshots_with_facts(connection: Connection, wanted: Sequence[str]) -> list[SnapshotRef]:
    """As `find_snapshots`, each map with the set of all that is known of its places now; None where nothing is.

    Sets that are new are written and committed first: making questions takes long, and holds nobody up.
    """
    while True:
        sets = {one.id: _make_fact_set(connection, one) for one in find_snapshots(connection, wanted)}
        connection.commit()
        found = find_snapshots(connection, wanted)
        if all(one.id in sets for one in found):  # else a newer map was published just now
            return [replace(one, facts=sets[one.id]) for one in found]


def _make_fact_set(connection: Connection, snapshot: SnapshotRef) -> str | None:
    use_schema(connection, snapshot.schema)
    return make_fact_set(connection, snapshot.name, snapshot.timestamp)


def refuse_old_layers(found: Sequence[SnapshotRef]) -> None:
    """Raise Conflict where a map was imported too long ago for today's templates to read it."""
    for one in found:
        if one.layer_schema_version < OLDEST_LAYER_SCHEMA:
            raise Conflict(
                f"Snapshot {one.reference} has layer schema {one.layer_schema_version}; templates need "
                f"{OLDEST_LAYER_SCHEMA} or later. Import its extract again with `trigpoint import`."
            )


def find_same_snapshots(connection: Connection, stored: Sequence[Mapping[str, str]]) -> list[SnapshotRef]:
    """The maps that a recipe names, {snapshot, checksum} each, pinned: of several of one time that of the file.

    Where none has the checksum, the newest of the name and time; raises NotFound where there is none at all.
    """
    published = published_snapshots(connection)
    same = {(one.reference, one.checksum): one for one in reversed(published)}
    found = [
        same.get((one["snapshot"], one["checksum"])) or find_snapshots(connection, [one["snapshot"]])[0]
        for one in stored
    ]
    pin(connection, found)
    return found


def pin(connection: Connection, found: Sequence[SnapshotRef]) -> None:
    """Hold each map's lock in common with other readers until the transaction ends, then see that all are there.

    Raises NotFound for one that was dropped.
    """
    connection.exec_driver_sql(queries.PIN_SNAPSHOTS, {"ids": [one.id for one in found]})
    there = {one.id for one in published_snapshots(connection)}
    for one in found:
        if one.id not in there:
            raise NotFound(f"Snapshot {one.reference} was dropped just now. Import it again.")
