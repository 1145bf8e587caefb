"""Work within a transaction that leaves no trace in it."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

_SET = text("savepoint undone")
_GO_BACK = text("rollback to savepoint undone")
_END = text("release savepoint undone")


@contextmanager
def undone(connection: Connection) -> Iterator[None]:
    """Whatever the block does to the transaction is undone at its end, settings too, also after an error.

    The savepoint is released as well, which SQLAlchemy's `begin_nested().rollback()` does not do: in PostgreSQL a
    savepoint outlives `rollback to savepoint` (SQL Command ROLLBACK TO SAVEPOINT, Description). Thousands of them would
    lie within each other, and the first statement that writes then locks a transaction id for each.
    """
    connection.execute(_SET)
    try:
        yield
    finally:
        connection.execute(_GO_BACK)
        connection.execute(_END)
