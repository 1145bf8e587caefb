"""What a schedule's source has, beside what is published here: whether a round has anything to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.core.settings import Settings
from app.db.naming import snapshot_reference
from app.questions.versions import find_version
from app.schedules import queries
from app.schedules.models import Schedule
from osm_import.downloading import find_region
from osm_import.replicating import State, read_state, updates_url


@dataclass(frozen=True)
class RoundOutcome:
    """What a round came to, or would come to: a word, a sentence, and the rest for --json."""

    result: str
    told: str
    detail: Mapping[str, Any]

    def as_json(self, schedule: str, *, dry_run: bool = False) -> dict[str, Any]:
        """As `schedule run --json` prints it."""
        return {
            "schedule": schedule,
            "dry_run": dry_run,
            "result": self.result,
            "told": self.told,
            **self.detail,
        }


@dataclass(frozen=True)
class SourceLook:
    """The source's state, and the newest published map with its date."""

    state: State
    newest_id: int | None
    newest: datetime | None
    is_used: bool
    """Whether the data set's newest version stands on that map."""

    def first_stage(self, schedule: Schedule) -> tuple[str, dict[str, Any]] | None:
        """The stage that a new round begins with, and what it is for; None where there is nothing to do."""
        known = [one for one in (self.newest, schedule.taken_timestamp) if one is not None]
        if not known or self.state.timestamp > max(known):
            return "found", {
                "sequence": self.state.sequence,
                "timestamp": self.state.timestamp.isoformat(),
            }
        if not self.is_used and self.newest_id is not None:
            return "imported", {"snapshot": snapshot_reference(schedule.snapshot, self.newest)}
        return None

    def describe_nothing_new(self) -> str:
        """What to say where there is nothing to do."""
        at = self.describe_state()
        if self.newest is not None and self.state.timestamp < self.newest:
            return (
                f"The source's state, {at}, is older than the map in use, {self.newest:%Y-%m-%d %H:%M} UTC."
            )
        return f"Nothing new: the source is at {at}."

    def describe_state(self) -> str:
        """The source's time and sequence."""
        return f"{self.state.timestamp:%Y-%m-%d %H:%M} UTC (sequence {self.state.sequence})"


def look_at_source(
    settings: Settings, connection: Connection, schedule: Schedule, now: datetime
) -> SourceLook:
    """What the source has, and what is published. Raises NotFound for a region that its server has no more."""
    remote = find_region(schedule.region, settings.geofabrik_url)
    state = read_state(updates_url(remote), now)
    version = find_version(connection, schedule.dataset)
    row = connection.execute(queries.NEWEST_MAP, {"snapshot": schedule.snapshot}).one_or_none()
    if row is None:
        return SourceLook(state, None, None, True)
    binds = {"version_id": version.id, "snapshot_id": row.id}
    is_used = bool(connection.execute(queries.STANDS_ON, binds).scalar_one())
    return SourceLook(state, row.id, row.data_timestamp, is_used)
