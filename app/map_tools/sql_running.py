"""Runs model-written SQL: as the role `reader`, read-only, one statement through a cursor, 20 rows, 1 MB, by our clock.

A connection a statement, so that nothing carries over. Invariant: what the statement did wrong is an outcome, what of
ours failed is an error (ServiceUnavailable), and neither takes longer than the clock and one second.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

import psycopg

from app.core.errors import ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import UNTAKEN_SECONDS
from app.db.naming import quoted
from app.db.raw import KEEPALIVES
from app.map_tools import queries

SECONDS = 60.0
ROWS = 20
BYTES = 1 << 20
AT_ONCE = 4
"""Statements that a worker keeps running: each may take a core of the database."""
_GRACE = 0.5
_MESSAGE = 500
_OURS = ("08", "40", "53300", "55P03", "57P", "58", "F0", "XX001", "XX002")
"""Beginnings of SQLSTATEs that are no fault of the statement: connections, locks, shutdowns, disks, damage."""
_KINDS = {"42703": "column", "3F000": "relation", "42P01": "relation", "21000": "subquery"}


@dataclass(frozen=True)
class SqlOutcome:
    """What a statement came to. `rows` are JSON texts; `kind` and `message` say what is wrong with a statement.

    `more`: there were more rows; `withheld`: rows that were left out because they are too large.
    """

    state: Literal["rows", "timeout", "invalid", "refused"]
    rows: list[str] = field(default_factory=list)
    more: bool = False
    withheld: int = 0
    kind: str | None = None
    message: str | None = None

    @property
    def is_valid(self) -> bool:
        """As the paper counts: statements that run, those that run out of time among them."""
        return self.state in ("rows", "timeout")

    def as_json(self) -> dict[str, Any]:
        """The outcome as a step stores it."""
        return asdict(self)

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Self:
        """The outcome that `as_json` stored."""
        return cls(**stored)


class SqlRunner:
    """Runs statements; belongs to one event loop. Raises SettingsError where the role's password is not given."""

    def __init__(self, settings: Settings, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._url = settings.role_url(Role.READER).replace("postgresql+psycopg:", "postgresql:", 1)
        self._places = asyncio.Semaphore(AT_ONCE)

    async def ask(self, schema: str, relations: Collection[str], sql: str) -> SqlOutcome:
        """Check `sql` and run it over the views of `schema`, which are `relations`. Raises as `run` does."""
        # It takes a tenth of a second to import, and few of those who import this module run SQL.
        from app.map_tools.sql_checking import check_sql, without_semicolon

        refusal = await asyncio.to_thread(check_sql, sql, relations)
        if refusal is not None:
            return SqlOutcome("refused", kind=refusal.kind, message=refusal.message)
        return await self.run(schema, without_semicolon(sql))

    async def run(self, schema: str, sql: str) -> SqlOutcome:
        """Run `sql`, unchecked: all that protects the database is the role and this executor.

        Raises ServiceUnavailable where the database is away, and where the statement is not to blame.
        """
        async with self._places:
            try:
                connection = await self._connect(schema)
            except psycopg.Error as error:
                raise _away(error) from error
            try:
                return await self._within_time(connection, _statement(sql))
            finally:
                await connection.close()

    async def _connect(self, schema: str) -> psycopg.AsyncConnection[Any]:
        # The server's own limit is the second to end a statement: ours may be gone.
        options = {
            "search_path": f"{quoted(schema)},public",
            "default_transaction_read_only": "on",
            "statement_timeout": str(round((self._seconds + 2 * _GRACE) * 1000)),
            "idle_in_transaction_session_timeout": "60000",
            "lock_timeout": "10000",
            "client_connection_check_interval": "1000",
            "max_parallel_workers_per_gather": "0",
            "timezone": "UTC",
            "client_min_messages": "error",
        }
        connection = await psycopg.AsyncConnection.connect(
            self._url,
            application_name="trigpoint model-written sql",
            connect_timeout=10,
            options=" ".join(f"-c {name}={value}" for name, value in options.items()),
            # A server that is cut off must not pass for a statement that takes too long.
            tcp_user_timeout=UNTAKEN_SECONDS * 1000,
            **KEEPALIVES,
        )
        await connection.set_read_only(True)
        return connection

    async def _within_time(self, connection: psycopg.AsyncConnection[Any], statement: bytes) -> SqlOutcome:
        asking = asyncio.create_task(_ask(connection, statement))
        try:
            await asyncio.wait({asking}, timeout=self._seconds)
            if asking.done():
                return asking.result()
            with contextlib.suppress(psycopg.Error):
                await connection.cancel_safe(timeout=_GRACE)
            await asyncio.wait({asking}, timeout=_GRACE)
            return SqlOutcome("timeout", message=f"not done within {self._seconds:g} s")
        finally:
            if not asking.done():
                _hang_up(connection)
            with contextlib.suppress(psycopg.Error, ServiceUnavailable):
                await asking


def _statement(sql: str) -> bytes:
    asked = sql.replace("\0", "\ufffd")
    return queries.ASK.format(limit=BYTES, asked=asked).encode("utf-8", "replace")


async def _ask(connection: psycopg.AsyncConnection[Any], statement: bytes) -> SqlOutcome:
    try:
        # Prepared, because a prepared statement is one statement, whatever its text hides.
        await connection.execute(statement, prepare=True)
        cursor = await connection.execute(queries.FETCH.format(rows=ROWS + 1).encode())
        rows: list[tuple[int, str | None]] = await cursor.fetchall()
    except psycopg.Error as error:
        return _read_error(error)
    lines: list[str] = []
    left = BYTES
    for _, line in rows[:ROWS]:
        size = BYTES + 1 if line is None else len(line.encode())
        if line is not None and size <= left:
            lines.append(line)
            left -= size
    return SqlOutcome("rows", lines, more=len(rows) > ROWS, withheld=min(len(rows), ROWS) - len(lines))


def _hang_up(connection: psycopg.AsyncConnection[Any]) -> None:
    """End the conversation with a server that does not even answer to a cancellation."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def _read_error(error: psycopg.Error) -> SqlOutcome:
    """What an error says of the statement. Raises ServiceUnavailable where the statement is not to blame."""
    state = error.sqlstate
    if state is None or state.startswith(_OURS):
        raise _away(error) from error
    if state == "57014":
        return SqlOutcome("timeout", message="cancelled by the server")
    message = (error.diag.message_primary or str(error))[:_MESSAGE]
    return SqlOutcome("invalid", kind=_kind(state, message, error.diag.source_function), message=message)


def _kind(state: str, message: str, raised_by: str | None) -> str:
    """The class of an error, as GS-QA counts them."""
    if state == "42883":
        return "operator" if raised_by == "op_error" else "function"
    if state == "42P01" and raised_by == "errorMissingRTE":
        return "missing_from"
    if "subquery" in message and state.startswith("42"):
        return "subquery"
    return _KINDS.get(state) or ("syntax" if state == "42601" else "other")


def _away(error: psycopg.Error) -> ServiceUnavailable:
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return ServiceUnavailable(f"PostgreSQL does not run the model's SQL: {reason}")
