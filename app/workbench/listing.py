"""What there is beside drafts: maps on which questions can be written, and versions that are published."""

from collections import defaultdict
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from app.agent_tools.opened import AskedMap, find_map
from app.questions.snapshots import published_snapshots
from app.workbench import queries


class WrittenVersion(NamedTuple):
    """A published version of questions that were written by hand."""

    name: str
    number: int
    published_at: datetime
    questions: int


def list_versions(connection: Connection) -> dict[str, list[WrittenVersion]]:
    """By data set, the newest first."""
    found: dict[str, list[WrittenVersion]] = defaultdict(list)
    for row in connection.exec_driver_sql(queries.VERSIONS):
        found[row.name].append(WrittenVersion(*row))
    return dict(found)


def maps_for_drafts(connection: Connection) -> list[AskedMap]:
    """All published maps, and whether tools may be called on them; the newest first."""
    return [find_map(connection, one.reference) for one in published_snapshots(connection)]
