"""The one place where names of schemas are made and quoted for SQL text."""

import re
from datetime import UTC, datetime

from psycopg import sql

_SAFE = re.compile(r"[a-z][a-z0-9_]{0,62}")


def quoted(name: str) -> str:
    """`name` as a quoted SQL identifier; raises ValueError for names that Trigpoint never makes."""
    if not _SAFE.fullmatch(name):
        raise ValueError(f"not a schema, table or role name of ours: {name!r}")
    return sql.Identifier(name).as_string(None)


def snapshot_schema(name: str, date: str, snapshot_id: int) -> str:
    """The schema of one import: `name` a snapshot's name, `date` as yyyymmdd."""
    safe = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:30] or "map"
    return f"osm_{safe}_{date}_{snapshot_id}"


def reference_schema(snapshot_id: int) -> str:
    """The schema of a snapshot's read-only views for model-written SQL."""
    return f"reference_{snapshot_id}"


def map_date(time: datetime | None) -> str | None:
    """A map's date as ISO 8601 in UTC, to the second."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if time else None


def reference_if_any(name: str | None, timestamp: datetime | None) -> str | None:
    """As `snapshot_reference`; None of a question that stands on no map."""
    return None if name is None else snapshot_reference(name, timestamp)


def snapshot_reference(name: str, timestamp: datetime | None) -> str:
    """`name@timestamp`, as --snapshot takes it; `name@undated` where the extract tells no time."""
    return f"{name}@{map_date(timestamp) or 'undated'}"
