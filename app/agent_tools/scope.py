"""What a tool may look at: one snapshot, through one connection."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import shapely
from sqlalchemy import Connection, Row, TextClause
from sqlalchemy.exc import DBAPIError

from app.agent_tools.errors import ToolError
from app.agent_tools.queries import LOOK_UP, READ_ONLY, SECONDS, SHORT, least_likeness
from app.db.engine import use_schema
from app.db.savepoints import undone
from app.questions.programs import RouterSource
from app.questions.records import SnapshotRef
from app.routing.one_path import OnePathRouter
from app.routing.results import Router

CANCELLED = "57014"
NO_TABLE = "42P01"
"""PostgreSQL's SQLSTATEs for a statement that was ended by its time limit, and for a table that there is not."""
TOO_SLOW = f"This took more than {SECONDS} seconds. Ask for less: a smaller radius, or a more exact name."
LACKS_TABLE = (
    "lacks a table that this tool reads: it was imported by an earlier version, or without a layer. "
    "Import its extract again with `trigpoint import`."
)


@lru_cache(maxsize=16)
def read_outline(wkb: str) -> shapely.Geometry:
    """An outline from hexadecimal WKB, kept from call to call: that of a country has thousands of corners."""
    return shapely.from_wkb(wkb)


class Scope:
    """One snapshot, whose tables are first in the connection's search_path, and its routers; None where no way may be
    looked for."""

    def __init__(self, connection: Connection, snapshot: SnapshotRef, routers: RouterSource | None) -> None:
        self._connection = connection
        self._routers = routers
        self.snapshot = snapshot

    def begin(self) -> None:
        """Begin the transaction in which a tool reads: it writes nothing, and no statement takes long."""
        self._connection.rollback()
        self._connection.execute(SHORT)
        self._restrict()

    @contextmanager
    def within_transaction(self) -> Iterator[None]:
        """A tool reads within the transaction that the connection is in, which goes on as it was before.

        A statement may take as long as the transaction lets it: what a question is made of must not depend on how busy
        the machine is.
        """
        with undone(self._connection):
            self._restrict()
            yield

    def _restrict(self) -> None:
        for statement in (READ_ONLY, *LOOK_UP):
            self._connection.execute(statement)
        use_schema(self._connection, self.snapshot.schema)

    def rows(self, statement: TextClause, binds: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """The rows of a statement. Raises ToolError where it takes too long, or where the map lacks a table."""
        try:
            return self._connection.execute(statement, dict(binds)).all()
        except DBAPIError as error:
            state = getattr(error.orig, "sqlstate", None)
            if state == CANCELLED:
                raise ToolError(TOO_SLOW, "too_slow") from error
            if state == NO_TABLE:
                raise ToolError(f"{self.snapshot.reference} {LACKS_TABLE}", "unavailable") from error
            raise

    def require_likeness(self, least: float) -> None:
        """Texts count as alike from this likeness on, 0 to 1."""
        self._connection.execute(least_likeness(least))

    def open_router(self, mode: str) -> Router:
        """The router for a mode, held open between calls. Raises what `app.routing.opening.open_router` raises."""
        try:
            router: Router = self._held().open(self._connection, self.snapshot, mode)
        finally:
            self._begin_again()
        return router

    def open_second_path(self, mode: str) -> OnePathRouter:
        """The router that searches in this process, held open likewise, for what only it can tell."""
        try:
            router: OnePathRouter = self._held().open_second_path(self._connection, self.snapshot, mode)
        finally:
            self._begin_again()
        return router

    def forget_router(self, mode: str) -> None:
        """Open the router anew at the next call."""
        self._held().forget(self.snapshot, mode)

    def _held(self) -> RouterSource:
        if self._routers is None:
            raise ToolError("No way can be looked for here: no router is open.", "unavailable")
        return self._routers

    def _begin_again(self) -> None:
        """The transaction ended if a network was read, which takes longer than a statement of a tool may."""
        if not self._connection.in_transaction():
            self.begin()

    @property
    def outline(self) -> shapely.Geometry | None:
        """Where the map is complete, in lon, lat; None where nothing tells."""
        return read_outline(self.snapshot.outline) if self.snapshot.outline else None

    def covers(self, lon: float, lat: float) -> bool:
        """Whether a point lies in the map; every point does where no outline is known."""
        return self.outline is None or bool(shapely.intersects_xy(self.outline, lon, lat))
