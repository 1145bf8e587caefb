"""What maintainers did: a line an action, in the transaction of the action, so that neither is without the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.access import queries
from app.core.identity import canonical_json


@dataclass(frozen=True)
class Actor:
    """Who acts: a key in a request, or somebody at the command line."""

    key_id: int | None = None
    request_id: str | None = None


AT_THE_COMMAND_LINE = Actor()


@dataclass(frozen=True)
class Entry:
    """A line of the record; `key` and `name` are those of the API key, None at the command line."""

    id: int
    at: datetime
    key: str | None
    name: str | None
    request_id: str | None
    action: str
    subject: str
    detail: dict[str, Any]


def note(
    connection: Connection,
    actor: Actor,
    action: str,
    subject: str,
    now: datetime,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Write a line. The caller commits."""
    values = {
        "now": now,
        "key_id": actor.key_id,
        "request_id": actor.request_id,
        "action": action,
        "subject": subject,
        "detail": canonical_json(dict(detail or {})),
    }
    connection.execute(queries.NOTE, values)


def read_audit(connection: Connection, before: int | None, limit: int) -> list[Entry]:
    """The newest `limit` lines, or those that came before line `before`; the newest first."""
    rows = connection.execute(queries.READ_AUDIT, {"before": before, "limit": limit})
    return [
        Entry(row.id, row.at, row.key, row.name, row.request_id, row.action, row.subject, row.detail)
        for row in rows
    ]
