"""The sandbox: a PostgreSQL of its own that holds copies of snapshots' reference views, and nothing else of ours.

Reads those views in the service's database, writes the sandbox. A copy is made when it is first asked for, in one
transaction, and made anew where the sandbox lost it. Invariant: a copy whose tables lie in `layers_<id>_<digest>` is
whole, and of the snapshot with that digest.
"""

import contextlib
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import psycopg

from app.core.errors import NotFound, ServiceUnavailable, SettingsError
from app.core.identity import digest
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.naming import reference_schema
from app.db.raw import KEEPALIVES, connect_raw
from app.map_tools import queries_sandbox as queries

logger = get_logger(__name__)
READER = "trigpoint_reader"
FILLER = "trigpoint_sandbox"
_PREFIX = reference_schema(0).removesuffix("0")


def remove_dropped_copies(settings: Settings) -> bool:
    """Remove what the sandbox holds of snapshots that were dropped; False where it cannot be done from here and now.

    It is then done when the next snapshot is filled.
    """
    try:
        Sandbox(settings).remove_dropped()
    except (SettingsError, ServiceUnavailable, psycopg.Error) as error:
        logger.info("copies of dropped maps are left in the sandbox for now", reason=type(error).__name__)
        return False
    return True


class Sandbox:
    """The way to one sandbox server. Raises SettingsError where a password that it takes is not given."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.reader: dict[str, Any] = settings.sandbox_login(READER)
        self._filler: dict[str, Any] = settings.sandbox_login(FILLER)

    def layers_of(self, schema: str) -> str:
        """Where the tables of a snapshot's copy lie, be they there or not. Raises NotFound where it was dropped."""
        number = schema.removeprefix(_PREFIX)
        with connect_raw(self._settings, Role.WORKER) as connection:
            row = connection.execute(queries.SNAPSHOT, {"id": int(number)}).fetchone()
        if row is None:
            raise NotFound(f"{schema} has no snapshot: it was dropped. Import its map again.")
        return f"layers_{number}_{digest(list(row))[:16]}"

    def fill(self, schema: str, layers: str) -> None:
        """Copy the reference views in `schema` into the sandbox, unless it has them; one process at a time.

        Raises psycopg.Error where one of both servers fails, ServiceUnavailable where the service's is away.
        """
        self.make_database()
        with self._connect() as sandbox, self._locked(sandbox, schema):
            if _is_there(sandbox, layers):
                return
            logger.info("filling the sandbox", schema=schema)
            self.remove_dropped(sandbox)
            with connect_raw(self._settings, Role.READER) as source, sandbox.transaction():
                _copy(source, sandbox, schema, layers)
            sandbox.execute(queries.CHECKPOINT)

    def crashed(self, since: datetime) -> set[int]:
        """The pids of the sessions that crashed the sandbox since then, or were ended there by force."""
        with self._connect() as sandbox:
            return {pid for (pid,) in sandbox.execute(queries.CRASHED, (since,))}

    def count_copies(self) -> int:
        """How many snapshots of our database it holds, once both roles were let in. Raises psycopg.Error."""
        name = self._filler["dbname"]
        with self._connect("postgres") as connection:
            (there,) = connection.execute(queries.DATABASE_IS_THERE, {"name": name}).fetchone() or (False,)
        if not there:
            return 0
        psycopg.connect(**self.reader, connect_timeout=10).close()
        with self._connect() as sandbox:
            names = [row[0] for row in sandbox.execute(queries.SCHEMAS.encode())]
        return sum(name.startswith(_PREFIX) for name in names)

    def remove_dropped(self, sandbox: psycopg.Connection[Any] | None = None) -> None:
        """Remove copies of snapshots that the service does not have any more. Raises psycopg.Error."""
        if sandbox is None:
            with self._connect() as opened:
                return self.remove_dropped(opened)
        there = [name for (name,) in sandbox.execute(queries.SCHEMAS.encode())]
        number_of = {name: int(name.split("_")[1]) for name in there}
        with connect_raw(self._settings, Role.WORKER) as connection:
            ids = sorted(set(number_of.values()))
            kept = {row[0] for row in connection.execute(queries.PUBLISHED, {"ids": ids})}
        for name in there:
            if number_of[name] in kept:
                continue
            with contextlib.suppress(psycopg.errors.LockNotAvailable), sandbox.transaction():
                # One that is being read goes with the next that is filled.
                sandbox.execute(queries.BRIEFLY)
                sandbox.execute(queries.drop_schema(name).encode())
        return None

    def make_database(self) -> None:
        """The sandbox's database is called as the service's own is: SQL may ask for its name."""
        name = self._filler["dbname"]
        with self._connect("postgres") as connection, self._locked(connection, name):
            (there,) = connection.execute(queries.DATABASE_IS_THERE, {"name": name}).fetchone() or (False,)
            if not there:
                for statement in queries.make_database(name):
                    connection.execute(statement.encode())

    @contextlib.contextmanager
    def _locked(self, connection: psycopg.Connection[Any], name: str) -> Iterator[None]:
        connection.execute(queries.LOCK, {"name": name})
        yield
        connection.execute(queries.UNLOCK, {"name": name})

    def _connect(self, database: str | None = None) -> psycopg.Connection[Any]:
        login = self._filler | ({"dbname": database} if database else {})
        return psycopg.connect(
            **login,
            autocommit=True,
            application_name="trigpoint sandbox",
            connect_timeout=10,
            options="-c timezone=UTC -c client_min_messages=warning",
            **KEEPALIVES,
        )


def _is_there(sandbox: psycopg.Connection[Any], layers: str) -> bool:
    (there, _) = sandbox.execute(queries.IS_FILLED, (layers,)).fetchone() or (False, None)
    return bool(there)


def _copy(
    source: psycopg.Connection[Any], sandbox: psycopg.Connection[Any], schema: str, layers: str
) -> None:
    """One snapshot, in the current transaction of the sandbox, in place of what there is of it."""
    source.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    source.execute(queries.UNHURRIED.encode())
    columns: dict[str, list[tuple[str, str]]] = {}
    for view, column, kind in source.execute(queries.COLUMNS, {"schema": schema}):
        columns.setdefault(view, []).append((column, kind))
    number = schema.removeprefix(_PREFIX)
    for (name,) in sandbox.execute(queries.SCHEMAS.encode()).fetchall():
        if name == schema or name.startswith(f"layers_{number}_"):
            sandbox.execute(queries.drop_schema(name).encode())
    for statement in queries.make_schemas(layers, schema):
        sandbox.execute(statement.encode())
    for view, of_view in columns.items():
        sandbox.execute(queries.make_table(view, of_view))
        with (
            source.cursor() as reading,
            sandbox.cursor() as writing,
            reading.copy(queries.copy_out(schema, view)) as rows,
            writing.copy(queries.copy_in(view)) as copy,
        ):
            for block in rows:
                copy.write(block)
        for finish in queries.finish_table(layers, schema, view, of_view):
            sandbox.execute(finish)
    for grant in queries.let_in(schema):
        sandbox.execute(grant.encode())
