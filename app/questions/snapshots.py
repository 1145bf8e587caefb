"""Finding published snapshots by `name` (its newest) or `name@timestamp`."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from app.core.errors import NotFound, UsageError
from app.questions import queries
from app.questions.records import SnapshotRef


def published_snapshots(connection: Connection) -> list[SnapshotRef]:
    """All published maps, the newest first."""
    return [
        SnapshotRef(
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
        for row in connection.exec_driver_sql(queries.SNAPSHOTS)
    ]


def find_snapshots(connection: Connection, wanted: Sequence[str]) -> list[SnapshotRef]:
    """One map for each name or `name@timestamp`; raises NotFound naming those there are, UsageError for one twice."""
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
    return found


def find_same_snapshots(connection: Connection, stored: Sequence[Mapping[str, str]]) -> list[SnapshotRef]:
    """The maps that a recipe names, {snapshot, checksum} each: of several of one name and time the one of that file.

    Where none has the checksum, the newest of the name and time; raises NotFound where there is none at all.
    """
    published = published_snapshots(connection)
    same = {(one.reference, one.checksum): one for one in reversed(published)}
    return [
        same.get((one["snapshot"], one["checksum"])) or find_snapshots(connection, [one["snapshot"]])[0]
        for one in stored
    ]
