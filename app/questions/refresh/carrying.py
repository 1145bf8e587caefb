"""Questions that stand as they are, carried over to a version that is being written; they stay within the database."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.core.identity import canonical_json
from app.questions.records import SnapshotRef
from app.questions.refresh import queries as reading
from app.questions.refresh import queries_publishing as queries
from app.questions.refresh.changes import Pair


class Carrier:
    """Carries questions of one version over to another, whose questions stand on the newer map of the pair."""

    def __init__(self, connection: Connection, version_id: int, new_id: int, pair: Pair) -> None:
        self._connection, self._new_id = connection, new_id
        self.facts_used: set[str] = set()
        """The facts that questions lean on which were carried over."""
        old, new = pair.old, pair.new
        newer = connection.exec_driver_sql(reading.newer_objects(old.schema, new.schema, old.layers)).all()
        self._binds = {
            "version_id": version_id,
            "new_id": new_id,
            "old_map": old.id,
            "new_map": new.id,
            "old_maps": _maps(old),
            "new_maps": _maps(new),
            "facts": Jsonb(new.facts) if new.facts else None,
            "layers": [row.layer for row in newer],
            "osm_keys": [row.osm_key for row in newer],
            "versions": [row.version for row in newer],
            "hashes": [row.content_hash for row in newer],
        }

    def copy_truth(self) -> Iterator[None]:
        """Copy what belongs to all questions, statement by statement, before it is known which are carried over."""
        self._connection.exec_driver_sql(queries.TRUTH_FIRST)
        return self._steps(queries.COPY_TRUTH, None)

    def keep(self, ids: Sequence[str]) -> Iterator[None]:
        """Carry these over, whose truth is copied, statement by statement; that of all others is dropped."""
        yield from self._steps((*queries.CARRY, *queries.DROP_TRUTH, queries.TRUTH_OF_QUESTIONS), ids)

    def carry(self, ids: Sequence[str]) -> Iterator[None]:
        """Carry these over with what belongs to them, statement by statement."""
        return self._steps((*queries.CARRY, *queries.COPY_TRUTH), ids)

    def _steps(self, statements: Iterable[str], ids: Sequence[str] | None) -> Iterator[None]:
        binds = {**self._binds, "ids": ids}
        for statement in statements:
            self._connection.exec_driver_sql(statement, binds)
            yield
        if ids is not None:
            self.facts_used.update(self._connection.exec_driver_sql(queries.FACTS_USED, binds).scalars())

    def retell(self, told: Mapping[str, list[dict[str, Any]]]) -> None:
        """Tell by id how well known the objects are now that a question names which was carried over."""
        if told:
            popularity = [canonical_json(one) for one in told.values()]
            binds = {"new_id": self._new_id, "ids": list(told), "popularity": popularity}
            self._connection.exec_driver_sql(queries.RETELL, binds)


def _maps(one: SnapshotRef) -> Jsonb:
    return Jsonb([one.as_json()], dumps=canonical_json)
