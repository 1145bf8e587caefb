"""Engines: one a role, made at an entry point, disposed by it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import OperationalError

from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.naming import quoted
from app.db.raw import KEEPALIVES, OPTIONS, not_let_in
from app.db.revisions import refuse_other_tables

UNTAKEN_SECONDS = 30
"""How long a server may take nothing of what was sent to it before it counts as gone."""
SEES_REVISION = (Role.WORKER, Role.MAINTAINER)
"""The roles that may read at which revision the tables are. The owner may, too, and changes it."""


def make_engine(
    settings: Settings,
    role: Role,
    pool_size: int = 5,
    idle_seconds: float | None = None,
    overflow: int = 0,
    untaken_seconds: int = UNTAKEN_SECONDS,
) -> Engine:
    """An engine that logs in as `role`; JSON is written canonically, so that equal values give equal bytes.

    It keeps up to `pool_size` connections, and opens up to `overflow` more while they are needed, never another.
    `idle_seconds` ends transactions that do nothing for so long: a process that was stopped holds no lock for ever.
    `untaken_seconds` ends connections whose server takes nothing of what was sent for so long, as after its host, or
    ours, was cut off; 0 leaves that to the system, which tries for a quarter of an hour.
    """
    options = OPTIONS
    if idle_seconds is not None:
        options += f" -c idle_in_transaction_session_timeout={max(1, round(idle_seconds * 1000))}"
    return create_engine(
        settings.role_url(role),
        pool_size=pool_size,
        max_overflow=overflow,
        pool_pre_ping=True,
        hide_parameters=True,
        json_serializer=canonical_json,
        json_deserializer=_read_json,
        connect_args={
            "application_name": f"trigpoint {role.value}",
            "connect_timeout": 10,
            "options": options,
            "tcp_user_timeout": untaken_seconds * 1000,
            **KEEPALIVES,
        },
    )


_READER = json.JSONDecoder()


def _read_json(data: bytes | str) -> Any:
    """As json.loads, without a look at encoding and blanks: the server's is UTF-8, and jsonb begins with its value."""
    value, _ = _READER.raw_decode(data if isinstance(data, str) else data.decode())
    return value


@contextmanager
def connect(settings: Settings, role: Role, *, at_any_revision: bool = False) -> Iterator[Connection]:
    """One connection as `role`, for a command; the caller commits.

    Raises ServiceUnavailable where PostgreSQL does not let us in, and Conflict where a role that works on the service's
    tables finds them at another revision than ours; `at_any_revision` is for those who find out what is wrong.
    """
    # A command may send much at once, and the server may let it wait for a lock meanwhile.
    engine = make_engine(settings, role, pool_size=1, untaken_seconds=0)
    try:
        try:
            connection = engine.connect()
        except OperationalError as error:
            raise not_let_in(settings, role, str(error.orig)) from error
        with connection:
            if role in SEES_REVISION and not at_any_revision:
                refuse_other_tables(connection)
            yield connection
    finally:
        engine.dispose()


def use_schema(connection: Connection, schema: str) -> None:
    """For the rest of the transaction, unqualified table names mean those of one snapshot."""
    connection.execute(text(f"set local search_path = {quoted(schema)}, public"))


def use_service_tables(connection: Connection) -> None:
    """For the rest of the transaction, unqualified table names mean the service's own."""
    connection.execute(text("set local search_path = trigpoint, public"))


@contextmanager
def without_nested_loops(connection: Connection) -> Iterator[None]:
    """Within the block, no row is joined by reading all others for it.

    What was stored just now is in no statistics: taken for a single row, tens of thousands would be joined so.
    """
    connection.execute(text("set local enable_nestloop = off"))
    yield
    connection.execute(text("set local enable_nestloop = on"))
