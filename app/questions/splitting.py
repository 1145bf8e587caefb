"""Questions that two data set versions have in common, hidden in one and public in the other.

Reads question and dataset_version. Ids of questions follow from the map, so data sets of one map share questions.
"""

from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.questions.queries_versions import SPLIT_OTHERWISE
from app.questions.versions import PublishedVersion


class Shared(NamedTuple):
    """What a version has in common with another."""

    reference: str
    """The other version."""
    public_there: int
    """Hidden questions of the version whose gold is public in the other."""
    hidden_there: int
    """Public questions of the version whose gold is hidden in the other."""

    def as_json(self) -> dict[str, Any]:
        """Stable names for --json."""
        return self._asdict()


def split_otherwise(connection: Connection, version: PublishedVersion) -> list[Shared]:
    """Other published versions that hide a question of this one which it tells, or tell one which it hides."""
    rows = connection.exec_driver_sql(SPLIT_OTHERWISE, {"version_id": version.id}).all()
    return [Shared(*row) for row in rows]
