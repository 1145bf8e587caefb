"""Which maps may be asked over the network: each is closed until a maintainer opens it.

Whoever may ask the map can compute gold. In PostgreSQL, the role reader may read the layers of open maps alone.
"""

from typing import NamedTuple

from sqlalchemy import Connection

from app.agent_tools import queries_opened as queries
from app.core.errors import Conflict, NotFound
from app.questions.records import SnapshotRef
from app.questions.snapshots import read_snapshot_row

OPENED, CLOSED = "tools.open", "tools.close"
"""What the record of maintainers' actions says."""


class AskedMap(NamedTuple):
    """A published map, and whether tools may be called on it over the network."""

    snapshot: SnapshotRef
    is_open: bool


def find_map(connection: Connection, reference: str) -> AskedMap:
    """The published map `name@timestamp`, or `name`, the newest of that name. Raises NotFound."""
    name, at, _ = reference.partition("@")
    rows = connection.execute(queries.NAMED, {"name": name})
    maps = [AskedMap(read_snapshot_row(row), row.open_for_tools) for row in rows]
    found = next((one for one in maps if not at or one.snapshot.reference == reference), None)
    if found is None:
        known = ", ".join(one.snapshot.reference for one in maps) or "none of that name"
        raise NotFound(f"There is no published map {reference!r}; there are: {known}.")
    return found


def find_open_map(connection: Connection, reference: str) -> SnapshotRef:
    """As `find_map`. Raises Conflict for a map that is closed."""
    return _require_open(find_map(connection, reference))


def find_open_map_by_id(connection: Connection, name: str, snapshot_id: int) -> SnapshotRef:
    """The published map of that id, whose name is known. Raises NotFound, Conflict for a map that is closed."""
    rows = connection.execute(queries.NAMED, {"name": name})
    row = next((one for one in rows if one.id == snapshot_id), None)
    if row is None:
        raise NotFound(f"The map of {name!r} was dropped. Import it again.")
    return _require_open(AskedMap(read_snapshot_row(row), row.open_for_tools))


def _require_open(found: AskedMap) -> SnapshotRef:
    if not found.is_open:
        named = found.snapshot.reference
        raise Conflict(
            f"Tools are closed on {named}. A maintainer opens them: `trigpoint tool open --snapshot {named}`."
        )
    return found.snapshot


def set_open(connection: Connection, reference: str, is_open: bool) -> tuple[AskedMap, bool]:
    """Open a map for tools, or close it; the map, and whether that changed anything. The caller commits.

    Raises NotFound.
    """
    found = find_map(connection, reference)
    binds = {"id": found.snapshot.id, "is_open": is_open}
    changed = bool(connection.execute(queries.SET_OPEN, binds).scalar_one())
    return AskedMap(found.snapshot, is_open), changed
