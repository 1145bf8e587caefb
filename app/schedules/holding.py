"""One round at a time for all schedules of a region."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from app.core.errors import Held
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.schedules import queries


@contextmanager
def hold_region(settings: Settings, snapshot: str) -> Iterator[Connection]:
    """A connection whose session holds the rounds of a region until the block, or the process, ends.

    `snapshot` is the name that the region's maps are imported under. Raises Held while another process holds it.
    """
    with connect(settings, Role.WORKER) as connection:
        if not connection.execute(queries.LOCK, {"snapshot": snapshot}).scalar_one():
            raise Held(
                f"Another process is running a schedule of {snapshot}; try again when it has finished."
            )
        connection.commit()
        try:
            yield connection
        finally:
            connection.rollback()
            connection.execute(queries.UNLOCK, {"snapshot": snapshot})
            connection.commit()
