"""Runs model-written SQL in the sandbox: as the role `reader`, read-only, through a cursor, 20 rows, 1 MB.

A connection a statement, so that nothing carries over. Our clock ends a statement; the sandbox's keeper removes one
that does not end then, and the server recovers. Invariant: what the statement did wrong is an outcome, what of ours
failed is an error (ServiceUnavailable); a statement that another one ended is run again, unseen.
"""

import asyncio
import contextlib
import os
import random
import re
import socket
import time
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Self

import psycopg

from app.core.errors import ServiceUnavailable, TrigpointError
from app.core.log import get_logger
from app.core.settings import Settings
from app.db.engine import UNTAKEN_SECONDS
from app.db.naming import quoted
from app.db.raw import KEEPALIVES
from app.map_tools import queries, queries_sandbox
from app.map_tools.sandbox import Sandbox

logger = get_logger(__name__)

SECONDS = 60.0
ROWS = 20
BYTES = 1 << 20
AT_ONCE = 4
"""Statements that a worker keeps running; the sandbox runs as many, whoever sends them."""
_GRACE = 0.5
_MESSAGE = 500
_BLAMED = 2
"""How often a statement may end the server, or outlive its time, until that is the model's fault."""
_INTERRUPTED = 20
"""How often a statement is run again that others ended."""
_RETURN_SECONDS = 15.0
"""How long the sandbox may be away: it comes back by itself within ten seconds."""
_NOTED_SECONDS = 3.0
"""How long the server may take to write down that a session crashed; where it ended otherwise, none did."""
_PLACE_SECONDS = 600.0
"""How long a statement waits for a place among those of other workers."""
_FULL = ("too many connections", "too many clients", "connection slots are reserved")
_NEVER = ("password authentication failed", "no pg_hba.conf entry", "permission denied")
_NO_DATABASE = re.compile(r'database "[^"]*" does not exist')
_INTERRUPTION = ("57P01", "57P02", "57P03", "57P05")
_TOLD = ("57P01", "57P05")
"""Of these: an administrator's command, and a session that idled."""
_OURS = ("08", "40", "53100", "53300", "55P03", "57P", "58", "F0", "XX001", "XX002")
"""Beginnings of SQLSTATEs that are no fault of the statement: connections, locks, shutdowns, disks, damage."""
_KINDS = {
    "42703": "column",
    "3F000": "relation",
    "42P01": "relation",
    "21000": "subquery",
    "53200": "resource",
    "53400": "resource",
}
_TOO_MUCH = re.compile(r"out of memory|invalid memory alloc|bad_alloc|temporary file size", re.IGNORECASE)


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


class _Interrupted(Exception):
    """The server ended the session: after another statement's crash, or this one's, or because it was told to."""

    def __init__(self, *, by_crash: bool) -> None:
        super().__init__()
        self.by_crash = by_crash


class _Outlived(Exception):
    """The statement went on after it was cancelled; its session is removed by force."""


@dataclass
class _Session:
    """A connection for one statement, and what says later whether it crashed the server."""

    connection: psycopg.AsyncConnection[Any]
    pid: int
    since: datetime


class SqlRunner:
    """Runs statements; belongs to one event loop. Raises SettingsError where the role's password is not given."""

    def __init__(self, settings: Settings, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._sandbox = Sandbox(settings)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._filling = asyncio.Lock()
        self._layers: dict[str, str] = {}

    async def ask(self, schema: str, relations: Collection[str], sql: str) -> SqlOutcome:
        """Check `sql` and run it over the views of `schema`, which are `relations`. Raises as `run` does."""
        # It takes a tenth of a second to import, and few of those who import this module run SQL.
        from app.map_tools.sql_checking import check_sql, without_semicolon

        refusal = await asyncio.to_thread(check_sql, sql, relations)
        if refusal is not None:
            return SqlOutcome("refused", kind=refusal.kind, message=refusal.message)
        return await self.run(schema, without_semicolon(sql))

    async def run(self, schema: str, sql: str) -> SqlOutcome:
        """Run `sql`, unchecked: all that protects the sandbox is the role, this executor and the keeper.

        Raises ServiceUnavailable where the sandbox is away, and where the statement is not to blame.
        """
        statement = _statement(sql)
        blamed = 0
        async with self._places:
            for _ in range(_INTERRUPTED):
                session = await self._enter(schema)
                try:
                    return await self._within_time(session.connection, statement)
                except _Outlived:
                    blamed += 1
                    reason = f"it went on after its {self._seconds:g} s and could not be cancelled"
                except _Interrupted as error:
                    blamed += error.by_crash and await self._has_crashed(session)
                    reason = "it ended the server, by the memory that it took or by a fault that it met"
                finally:
                    await session.connection.close()
                if blamed == _BLAMED:
                    return SqlOutcome("invalid", kind="resource", message=f"{reason}, twice")
                logger.info("a statement is run again", blamed=blamed)
        raise ServiceUnavailable("The sandbox does not run the model's SQL: others end it again and again.")

    async def _enter(self, schema: str) -> _Session:
        """A session in a sandbox that has the copy of `schema`; waits for its place, and for a server that recovers."""
        began = time.monotonic()
        seen_full = began
        while True:
            try:
                layers = await self._find_layers(schema)
                connection = await self._connect(schema)
                try:
                    there, since = await _look_around(connection, layers)
                except BaseException:
                    await connection.close()
                    raise
                if there:
                    return _Session(
                        connection, connection.info.backend_pid, since - timedelta(milliseconds=10)
                    )
                await connection.close()
                await self._fill(schema, layers)
            except psycopg.OperationalError as error:
                now = time.monotonic()
                said = str(error)
                if any(words in said for words in _FULL):
                    seen_full = now
                if any(words in said for words in _NEVER) or now > min(
                    seen_full + _RETURN_SECONDS, began + _PLACE_SECONDS
                ):
                    raise _away(error) from error
                await asyncio.sleep(random.uniform(0.02, 0.2))  # noqa: S311 - so that waiting workers take turns
            except psycopg.Error as error:
                raise _away(error) from error

    async def _find_layers(self, schema: str) -> str:
        """Where the copy's tables lie. A snapshot never changes, so it is looked up once."""
        if schema not in self._layers:
            try:
                self._layers[schema] = await asyncio.to_thread(self._sandbox.layers_of, schema)
            except (TrigpointError, psycopg.Error) as error:
                raise _away(error) from error
        return self._layers[schema]

    async def _fill(self, schema: str, layers: str) -> None:
        async with self._filling:
            try:
                await asyncio.to_thread(self._sandbox.fill, schema, layers)
            except psycopg.OperationalError:
                raise
            except (TrigpointError, psycopg.Error) as error:
                raise _away(error) from error

    async def _has_crashed(self, session: _Session) -> bool:
        """Whether the session's own statement ended the server, once the server is back and can tell."""
        began = time.monotonic()
        while True:
            try:
                pids = await asyncio.to_thread(self._sandbox.crashed, session.since)
            except psycopg.Error as error:
                if time.monotonic() > began + _RETURN_SECONDS:
                    raise _away(error) from error
            else:
                # Its caller may learn that a session is gone before the server does, and writes it down.
                if pids or time.monotonic() > began + _NOTED_SECONDS:
                    return session.pid in pids
            await asyncio.sleep(0.1)

    async def _connect(self, schema: str) -> psycopg.AsyncConnection[Any]:
        """A connection for one statement; makes the sandbox's database where there is none yet."""
        try:
            return await self._log_in(schema)
        except psycopg.OperationalError as error:
            if not _NO_DATABASE.search(str(error)):
                raise
        async with self._filling:
            await asyncio.to_thread(self._sandbox.make_database)
        return await self._log_in(schema)

    async def _log_in(self, schema: str) -> psycopg.AsyncConnection[Any]:
        # The server's own limit is the second to end a statement: ours may be gone.
        options = {
            "search_path": f"{quoted(schema)},public",
            "default_transaction_read_only": "on",
            "statement_timeout": str(round((self._seconds + 2 * _GRACE) * 1000)),
            "idle_in_transaction_session_timeout": "60000",
            "lock_timeout": "10000",
            "client_connection_check_interval": "500",
            "max_parallel_workers_per_gather": "0",
            "timezone": "UTC",
            "client_min_messages": "error",
        }
        connection = await psycopg.AsyncConnection.connect(
            **self._sandbox.reader,
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
            if not asking.done():
                raise _Outlived
            return SqlOutcome("timeout", message=f"not done within {self._seconds:g} s")
        finally:
            if not asking.done():
                _hang_up(connection)
            with contextlib.suppress(psycopg.Error, ServiceUnavailable, _Interrupted):
                await asking


async def _look_around(connection: psycopg.AsyncConnection[Any], layers: str) -> tuple[bool, datetime]:
    """Whether the tables of the copy are there, and the server's time."""
    cursor = await connection.execute(queries_sandbox.IS_FILLED, (layers,))
    rows: list[tuple[bool, datetime]] = await cursor.fetchall()
    await connection.rollback()
    return rows[0]


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
        if error.sqlstate in _INTERRUPTION or (error.sqlstate is None and connection.broken):
            raise _Interrupted(by_crash=error.sqlstate not in _TOLD) from error
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
    if _TOO_MUCH.search(message) and state[:2] in ("53", "54", "XX"):
        return "resource"
    if "subquery" in message and state.startswith("42"):
        return "subquery"
    return _KINDS.get(state) or ("syntax" if state == "42601" else "other")


def _away(error: Exception) -> ServiceUnavailable:
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return ServiceUnavailable(f"The sandbox does not run the model's SQL: {reason}")
