"""Sessions opened, read, listed, closed. Works as the role api, which writes by functions of the database alone."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection, Row

from app.agent_tools.opened import find_open_map_by_id
from app.agent_tools.sets import ALL, find_set
from app.core.errors import Conflict, NotFound, TooMany
from app.core.strict_json import showable, shown_name
from app.questions.records import SnapshotRef
from app.questions.versions import find_version
from app.sessions import queries
from app.sessions.records import ENDED, SessionCall, SessionState, state_of

MOST_CALLS = 100
MOST_BYTES = 1_000_000
"""Bytes of all answers of a session."""
LASTS = timedelta(hours=1)
MOST_OPEN = 50
"""Sessions of a key that are open at once."""
MOST_KEPT = 1_000_000_000
"""Bytes of answers that are kept for a key in sessions whose answers are not submitted."""
MOST_UNSUBMITTED, MOST_CALLS_KEPT = 10_000, 100_000
"""Sessions of a key whose answers are not submitted, and their calls: so much of what it sends is kept at most."""
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True)
class WantedSession:
    """For which question of which data set, `name` or `name@version`, an agent wants which set of tools."""

    dataset: str
    question: str
    tool_set: str = ALL


def begin_writing(connection: Connection) -> None:
    """What comes first in a transaction of the api role that opens, uses or closes a session."""
    connection.execute(queries.WRITE)


def open_session(connection: Connection, wanted: WantedSession, key_id: int, now: datetime) -> SessionState:
    """A new session of the key. The caller commits.

    Raises NotFound for what there is not, Conflict where the question has no map or its map is closed for tools,
    TooMany.
    """
    find_set(wanted.tool_set)
    asked = _find_question(connection, wanted)
    session_id = token_hex(16)
    values = asked | {
        "id": session_id,
        "key_id": key_id,
        "tool_set": wanted.tool_set,
        "most_calls": MOST_CALLS,
        "most_bytes": MOST_BYTES,
        "now": now,
        "until": now + LASTS,
        "most_open": MOST_OPEN,
        "most_kept": MOST_KEPT,
    }
    kept = connection.execute(queries.UNSUBMITTED, {"key_id": key_id}).one()
    is_full = kept.sessions >= MOST_UNSUBMITTED or kept.calls >= MOST_CALLS_KEPT
    _refuse("kept" if is_full else connection.execute(queries.OPEN, values).scalar_one())
    return find_session(connection, session_id, key_id, now)


def _find_question(connection: Connection, wanted: WantedSession) -> dict[str, Any]:
    """The question by its version and id, and its map. Raises NotFound, and Conflict where no tool can be called."""
    version = find_version(connection, wanted.dataset)
    asked = {"version_id": version.id, "question_id": wanted.question}
    row = connection.execute(queries.QUESTION, asked).one_or_none()
    if row is None:
        raise NotFound(f"{version.reference} has no question {shown_name(wanted.question)}.")
    if row.snapshot_id is None:
        raise Conflict(f"Question {row.id} of {version.reference} has no map on which tools could be called.")
    find_open_map_by_id(connection, row.name, row.snapshot_id)
    return {**asked, "snapshot_id": row.snapshot_id}


def _refuse(limit: str | None) -> None:
    """Raise TooMany where a limit of the key is reached."""
    if limit == "open":
        raise TooMany(
            f"A key has at most {MOST_OPEN} open sessions. Close those whose answers are found, or wait for their end.",
            retry_after=60.0,
        )
    if limit == "kept":
        raise TooMany(
            f"Of sessions whose answers are not submitted, at most {MOST_UNSUBMITTED:,} are kept for a key, with "
            f"{MOST_CALLS_KEPT:,} calls and {MOST_KEPT:,} bytes of answers. Submit them. Sessions that no submission "
            "names are deleted seven days after their end.",
            retry_after=3600.0,
        )


def find_session(connection: Connection, session_id: str, key_id: int | None, now: datetime) -> SessionState:
    """A session of that key, or anybody's where it is None. Raises NotFound."""
    return state_of(_find_row(connection, session_id, key_id), now)


def find_callable(
    connection: Connection, session_id: str, key_id: int, now: datetime
) -> tuple[SessionState, SnapshotRef]:
    """A session in which tools can be called now, and its map.

    Raises NotFound, Conflict for one that has ended, or whose map is closed for tools.
    """
    row = _find_row(connection, session_id, key_id)
    found = state_of(row, now)
    if found.ended is not None:
        raise has_ended(found)
    return found, find_open_map_by_id(connection, row.map_name, row.snapshot_id)


def _find_row(connection: Connection, session_id: str, key_id: int | None) -> Row[Any]:
    row = None
    if _ID.fullmatch(session_id):
        row = connection.execute(queries.READ, {"id": session_id, "key_id": key_id}).one_or_none()
    if row is None:
        raise NotFound(f"There is no session {shown_name(session_id)} of yours.")
    return row


def has_ended(found: SessionState) -> Conflict:
    """The error for a call in a session that has ended; it says what ended it."""
    why = f": {ENDED[found.ended]}" if found.ended else ""
    return Conflict(
        f"The session {found.session} has ended{why} ({found.calls} of {found.limits.calls} calls, {found.bytes:,} of "
        f"{found.limits.bytes:,} bytes, until {found.ends_at:%Y-%m-%dT%H:%M:%SZ})."
    )


def list_sessions(
    connection: Connection, key_id: int | None, before: str | None, limit: int, now: datetime
) -> list[SessionState]:
    """At most `limit` sessions of that key, or of all, opened before the session `before`; the newest first."""
    rows = connection.execute(queries.LIST, {"key_id": key_id, "before": before, "limit": limit})
    return [state_of(row, now) for row in rows]


def close_session(connection: Connection, session_id: str, key_id: int, now: datetime) -> SessionState:
    """End a session of the key; one that has ended stays as it is. The caller commits. Raises NotFound."""
    found = find_session(connection, session_id, key_id, now)
    connection.execute(queries.CLOSE, {"id": found.session, "key_id": key_id, "now": now})
    return find_session(connection, session_id, key_id, now)


def calls_of(connection: Connection, session_id: str) -> list[SessionCall]:
    """The calls of a session that are not yet steps of a run, in order; for maintainers."""
    rows = connection.execute(queries.CALLS, {"id": session_id})
    return [SessionCall.model_validate(showable(dict(row._mapping))) for row in rows]
