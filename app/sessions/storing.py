"""Stores a tool call of a session with its outcome, before the answer leaves. Writes agent_session_call."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.agent_tools.errors import ToolError
from app.agent_tools.outcomes import ToolOutcome
from app.core.identity import canonical_json, digest
from app.core.strict_json import storable
from app.questions.records import SnapshotRef
from app.sessions import queries
from app.sessions.opening import find_session, has_ended
from app.sessions.records import SessionState
from app.solvers.calls import AskedSnapshot, tool_call

MOST_BYTES_OF_ARGUMENTS = 10_000
"""Bytes of the arguments of one call in a session."""
LONGEST_TOOL_NAME = 100


@dataclass(frozen=True)
class MadeCall:
    """A call that was made in a session, and what came of it.

    `size` is of the answer as it leaves, in bytes; the times are those of the server.
    """

    snapshot: SnapshotRef
    tool: str
    arguments: Mapping[str, Any]
    outcome: ToolOutcome
    size: int
    began: datetime
    ended: datetime

    @property
    def latency_ms(self) -> int:
        """From the call to its outcome, in whole milliseconds."""
        return max(0, round(1000 * (self.ended - self.began).total_seconds()))


def refuse_long_call(tool: str, arguments: Mapping[str, Any]) -> None:
    """Raise ToolError for a call that is too long to be kept; it is not stored and does not count."""
    try:
        size = len(canonical_json(storable(dict(arguments))).encode())
    except (ValueError, RecursionError):
        raise ToolError("An argument is nested too deep, or holds a number that is too large.") from None
    if size > MOST_BYTES_OF_ARGUMENTS or len(tool) > LONGEST_TOOL_NAME:
        raise ToolError(
            f"A call in a session has a tool's name of at most {LONGEST_TOOL_NAME} letters and arguments of at most "
            f"{MOST_BYTES_OF_ARGUMENTS:,} bytes; these have {len(tool):,} and {size:,}."
        )


def store_call(
    connection: Connection, session: SessionState, key_id: int, call: MadeCall
) -> ToolError | None:
    """Store the call with its outcome. The caller commits, and only then lets the answer leave.

    Where the answer is larger than the room that is left, the error that is stored in its place, and that is to leave.
    Raises Conflict where the session has ended meanwhile.
    """
    asked = AskedSnapshot(call.snapshot.reference, call.snapshot.checksum)
    request = tool_call(asked, session.tool_set, storable(call.tool), storable(dict(call.arguments))).body
    refusal = ToolError(
        f"This answer has {call.size:,} bytes, which is more than the session has left of its "
        f"{session.limits.bytes:,}. The session has ended.",
        "unavailable",
    )
    values = {
        "session_id": session.session,
        "key_id": key_id,
        "request": canonical_json(request),
        "request_hash": digest(request),
        "response": canonical_json(call.outcome.as_json()),
        "refusal": canonical_json(ToolOutcome.of_error(refusal).as_json()),
        "bytes": call.size,
        "began": call.began,
        "ended": call.ended,
        "latency_ms": call.latency_ms,
    }
    became = connection.execute(queries.STORE, values).scalar_one()
    if became == "ended":
        raise has_ended(find_session(connection, session.session, key_id, call.began))
    return refusal if became == "withheld" else None
