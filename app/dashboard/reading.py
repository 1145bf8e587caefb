"""How pages read: one moment of the database, as the api role, and not for ever."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from app.api.service import Service
from app.dashboard.queries import give_up_after

PATIENCE_MS = 15_000
"""How long a statement of a page may take; then the page says that the database does not answer."""


@contextmanager
def reading(service: Service) -> Iterator[Connection]:
    """A connection that sees one state of the database. What takes too long raises OperationalError, a 503."""
    with service.engine.connect() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ")
        connection.exec_driver_sql(give_up_after(PATIENCE_MS))
        yield connection
