"""One scorer of a run at a time: an advisory lock of PostgreSQL, which a killed worker lets go."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from app.predictions import queries_runs


@contextmanager
def only_one(connection: Connection, run_id: int) -> Iterator[bool]:
    """Whether we alone may score the run; held until the block ends."""
    alone: bool = connection.execute(queries_runs.TRY_LOCK_SCORING, {"run_id": run_id}).scalar_one()
    connection.commit()
    try:
        yield alone
    finally:
        if alone:
            connection.rollback()
            connection.execute(queries_runs.UNLOCK_SCORING, {"run_id": run_id})
            connection.commit()
