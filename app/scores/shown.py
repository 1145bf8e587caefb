"""What boards show of a run by one profile: its aggregates and its standing, written. The caller commits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row

from app.core.identity import canonical_json
from app.scores import queries
from app.scores.aggregating import Aggregate, Marked, Part
from app.scores.profiles import Profile
from app.scores.standing import write_standing


@dataclass(frozen=True)
class Shown:
    """What a run came to: aggregates, its predictions with what became of each, and the questions told one by one.

    `sql` and `components` stand beside the aggregates, by scope. `compared` is what became of the predictions that runs
    are compared by, in their order.
    """

    profile: Profile
    aggregates: Sequence[Aggregate]
    marked: Sequence[tuple[Row[Any], Marked]] = ()
    public: Sequence[Part] = ()
    compared: Sequence[Marked] = ()
    sql: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    components: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def write_shown(connection: Connection, run: Row[Any], shown: Shown, calls: Mapping[str, Any]) -> None:
    """Write aggregates and standing; `calls` is what the run's calls took, as far as it may be told."""
    rows = [
        row._asdict() | {"sql": shown.sql.get(row.scope), "components": shown.components.get(row.scope)}
        for row in shown.aggregates
    ]
    kept = {
        "run_id": run.id,
        "profile": shown.profile.name,
        "scopes": [row.scope for row in shown.aggregates],
    }
    connection.execute(queries.DELETE_OTHER_AGGREGATES, kept)
    connection.execute(
        queries.UPSERT_AGGREGATES,
        {
            "run_id": run.id,
            "version_id": run.version_id,
            **shown.profile.version_binds(),
            "rows": canonical_json(rows),
        },
    )
    write_standing(connection, run, shown.profile, rows, shown.marked, shown.public, calls)
