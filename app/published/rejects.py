"""One published map with what its import could not take, and where that lies. As the api role."""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.errors import NotFound
from app.published import queries_rejects as queries
from app.published.maps import read_snapshots
from app.published.models import Licensed, Snapshot

MOST_MAPS = 1000


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Reject(_Model):
    """An object that was not taken."""

    layer: str
    osm_key: str
    name: str | None
    reason: str
    detail: str
    lon: float | None = Field(description="null if its place is not known")
    lat: float | None


class RejectCount(_Model):
    """How many objects were not taken for a reason."""

    layer: str
    reason: str
    objects: int


class Rejects(Licensed):
    """A map and what it lacks."""

    snapshot: Snapshot
    outline: dict[str, Any] | None = Field(description="as GeoJSON, made coarse")
    counts: list[RejectCount]
    rejects: list[Reject] = Field(description="at most 1,000, by layer and reason")


def read_rejects(connection: Connection, reference: str) -> Rejects:
    """The published map `name@timestamp`, the latest import of it, or `name`, the newest map. Raises NotFound."""
    name, at, _ = reference.partition("@")
    maps = read_snapshots(connection, name, None, MOST_MAPS)
    found = next(
        ((number, one) for number, one in maps if (one.snapshot == reference if at else one.newest)), None
    )
    if found is None:
        known = ", ".join(sorted({one.snapshot for _, one in maps})) or "none of that name"
        raise NotFound(f"There is no published map {reference!r}; there are: {known}.")
    number, snapshot = found
    binds = {"snapshot_id": number, "most": queries.MOST_REJECTS}
    rows = connection.execute(queries.REJECTS, binds).all()
    outline = connection.execute(queries.OUTLINE, {"snapshot_id": number}).scalar_one()
    counts = {(row.layer, row.reason): row.alike for row in rows}
    return Rejects(
        snapshot=snapshot,
        outline=None if outline is None else json.loads(outline),
        counts=[
            RejectCount(layer=layer, reason=reason, objects=objects)
            for (layer, reason), objects in counts.items()
        ],
        rejects=[
            Reject(**{name: value for name, value in row._mapping.items() if name != "alike"}) for row in rows
        ],
    )
