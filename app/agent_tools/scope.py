"""What a tool may look at: one snapshot, through one connection."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import shapely
from sqlalchemy import Connection, Row, TextClause
from sqlalchemy.exc import DBAPIError

from app.agent_tools import queries
from app.agent_tools.errors import ToolError
from app.questions.records import SnapshotRef

SECONDS = 2
"""How long one statement of a tool may take."""
CANCELLED = "57014"
"""PostgreSQL's SQLSTATE for a statement that was ended by its time limit."""


class Scope:
    """One snapshot, whose tables are first in the connection's search_path."""

    def __init__(self, connection: Connection, snapshot: SnapshotRef) -> None:
        self._connection = connection
        self.snapshot = snapshot

    def rows(self, statement: TextClause, binds: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """The rows of a statement. Raises ToolError where it takes too long."""
        try:
            return self._connection.execute(statement, dict(binds)).all()
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != CANCELLED:
                raise
            raise ToolError(
                f"This took more than {SECONDS} seconds. Ask for less: a smaller radius, or a more exact name.",
                "too_slow",
            ) from error

    @cached_property
    def outline(self) -> shapely.Geometry | None:
        """Where the map is complete, in lon, lat; None where nothing tells."""
        return shapely.from_wkb(self.snapshot.outline) if self.snapshot.outline else None

    def covers(self, lon: float, lat: float) -> bool:
        """Whether a point lies in the map; every point does where no outline is known."""
        return self.outline is None or bool(shapely.intersects_xy(self.outline, lon, lat))

    def require_table(self, table: str) -> None:
        """Raise ToolError where the snapshot lacks a table, as maps do that were imported long ago."""
        relation = {"relation": f"{self.snapshot.schema}.{table}"}
        if not self.rows(queries.TABLE_IS_THERE, relation)[0].is_there:
            raise ToolError(
                f"{self.snapshot.reference} was imported before names could be searched. "
                "Import its extract again with `trigpoint import`.",
                "unavailable",
            )
