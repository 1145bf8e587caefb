"""Published maps and how old they are."""

from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row

from app.db.naming import snapshot_reference
from app.published import queries
from app.published.models import Followed, Fresh, Freshness, MapAge, Snapshot
from app.schedules import queries as schedule_queries

FIRST = 2**62
"""An id beyond all others: where a list that runs down begins."""


def read_snapshots(
    connection: Connection, name: str | None, before: int | None, limit: int
) -> list[tuple[int, Snapshot]]:
    """At most `limit` published maps with their ids, the latest import first; only those imported before `before`."""
    binds = {"name": name, "before": FIRST if before is None else before, "limit": limit}
    return [(row.id, _snapshot(row)) for row in connection.execute(queries.SNAPSHOTS, binds)]


def _snapshot(row: Row[Any]) -> Snapshot:
    return Snapshot(
        snapshot=snapshot_reference(row.name, row.data_timestamp),
        name=row.name,
        timestamp=row.data_timestamp,
        published_at=row.published_at,
        newest=row.newest,
        source=row.source,
        checksum=row.checksum,
        boundary=row.boundary,
        outline_source=row.outline_source,
        box=row.box,
        layers=row.layers,
        planted=row.planted,
        permuted=row.permuted,
        datasets=row.datasets,
    )


def read_freshness(connection: Connection, now: datetime) -> Freshness:
    """How old the maps are under the newest version of each data set, at `now`; and how schedules fare."""
    rows = connection.execute(queries.FRESHNESS, {"now": now})
    datasets = [
        Fresh(dataset=reference, maps=[_age(row) for row in found])
        for reference, found in groupby(rows, lambda row: row.reference)
    ]
    followed = connection.execute(schedule_queries.HEALTH, {"now": now}).mappings()
    schedules = [Followed.model_validate(dict(row)) for row in followed]
    return Freshness(at=now, datasets=datasets, schedules=schedules)


def _age(row: Row[Any]) -> MapAge:
    return MapAge(
        snapshot=snapshot_reference(row.name, row.data_timestamp),
        timestamp=row.data_timestamp,
        age_days=None if row.age is None else round(float(row.age), 1),
        newest=snapshot_reference(row.name, row.newest_timestamp),
        behind_days=None if row.behind is None else round(float(row.behind), 1),
    )
