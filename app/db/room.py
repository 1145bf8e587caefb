"""Whether PostgreSQL has connections left for one more worker: all that may be opened must be there to have."""

from dataclasses import dataclass

from psycopg.rows import class_row

from app.core.errors import Conflict
from app.core.settings import Role, Settings
from app.db.pools import COMMAND_CONNECTIONS, SERVER_CONNECTIONS, WORKER_CONNECTIONS, WORKER_LOCK
from app.db.queries_presence import ROOM
from app.db.raw import connect_raw

OTHERS = SERVER_CONNECTIONS + COMMAND_CONNECTIONS


@dataclass(frozen=True)
class Room:
    """Connections: how many there are for roles like ours and beside them, and how many living workers may open."""

    total: int
    reserved: int
    taken: int

    @property
    def workers(self) -> int:
        """How many more workers there is room for, beside a server of pages and commands."""
        return max(0, (self.total - OTHERS - self.taken) // WORKER_CONNECTIONS)


def room_of(settings: Settings) -> Room:
    """The room on the server; workers of all of its databases count, as they live (presence.py)."""
    with (
        connect_raw(settings, Role.WORKER) as connection,
        connection.cursor(row_factory=class_row(Room)) as cursor,
    ):
        room = cursor.execute(ROOM, {"kind": WORKER_LOCK}).fetchone()
    assert room is not None
    return room


def refuse_without_room(settings: Settings) -> None:
    """Raise Conflict where one more worker might find no connection."""
    room = room_of(settings)
    if not room.workers:
        wanted = room.taken + WORKER_CONNECTIONS + OTHERS + room.reserved
        raise Conflict(
            f"No room for another worker: it may open {WORKER_CONNECTIONS} connections to PostgreSQL, those that live "
            f"may open {room.taken}, a server and commands {OTHERS}, and there are {room.total}. Stop a worker, or "
            f"set max_connections to {wanted} or more and restart PostgreSQL."
        )
