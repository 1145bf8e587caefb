"""Bringing a data set to a newer map of its region: what a change can have touched is proved again."""

from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.publish_written import RefreshedWritten, refresh_written
from app.questions.records import SnapshotRef
from app.questions.refresh.publishing import refresh_and_publish
from app.questions.refresh.refreshing import Refreshed, refresh
from app.questions.refresh.starting import start
from app.questions.versions import PublishedVersion, find_version
from app.questions.written import is_written
from app.routing.apart import RoutersApart


@dataclass(frozen=True)
class RefreshRequest:
    """Which data set is brought to which map, and what is allowed on the way."""

    dataset: str
    snapshot: str
    dry_run: bool = False
    """Whether no version is written."""
    full: bool = False
    """Whether every question is asked again, not only those that a change may affect."""
    allow_older: bool = False
    allow_other_ids: bool = False


@dataclass(frozen=True)
class RefreshedDataset:
    """What became of the questions of `version`, and the version `made` of them; None in a dry run.

    `refreshed` is None where the version uses the map already.
    """

    version: PublishedVersion
    refreshed: Refreshed | None = None
    made: PublishedVersion | None = None
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """As `refresh --json` prints it."""
        done, before = self.refreshed, self.version.reference
        if done is None:
            return {"from": before, "to": before} | _NOTHING
        return {
            "from": before,
            "to": self.made.reference if self.made else None,
            "snapshots": {"from": done.pair.old.reference, "to": done.pair.new.reference},
            "questions": len(done.fates),
            **done.counts,
            "rerun": done.rerun,
            "touched": done.touched,
            "reasons": done.reasons,
            "seconds": self.seconds,
        }


_NOTHING: dict[str, Any] = {
    **dict.fromkeys(("kept", "updated", "retired", "replaced", "rerun"), 0),
    "questions": 0,
    "touched": {},
    "reasons": {},
    "seconds": 0.0,
}
"""What is told beside the version where nothing is to be done."""


def refresh_dataset(settings: Settings, request: RefreshRequest) -> RefreshedDataset | RefreshedWritten:
    """Make the data set's next version on another map of its region. Questions that nothing touched are carried over.

    Of a data set that was written by hand, the calls that are its evidence are made again.

    Raises NotFound, UsageError, Conflict for what cannot be refreshed so, Held while somebody else makes a version of
    the data set.
    """
    from osm_import.comparing import compare_snapshots  # loads what only imports need

    def compare(old: SnapshotRef, new: SnapshotRef) -> int:
        return compare_snapshots(settings, old.schema, new.schema, SystemClock()).id

    with connect(settings, Role.WORKER) as connection:
        version = find_version(connection, request.dataset)
        by_hand = is_written(connection, version)
    if by_hand:
        done = refresh_written(settings, version, request.snapshot, dry_run=request.dry_run)
        return done or RefreshedDataset(version)
    with connect(settings, Role.WORKER) as connection:
        version, recipe, pair = start(
            connection,
            request.dataset,
            request.snapshot,
            compare,
            request.allow_older,
            request.allow_other_ids,
        )
        if pair is None:
            return RefreshedDataset(version)
        begun = monotonic()
        made, routers = None, RoutersApart(settings, Role.WORKER)
        if recipe.router is not None:
            recipe = replace(recipe, router=routers.engine)
        if request.dry_run:
            refreshed = refresh(connection, version, recipe, pair, request.full, routers=routers)
        else:
            clock = SystemClock()
            refreshed, made = refresh_and_publish(
                settings, connection, version, recipe, pair, clock, request.full, routers
            )
            connection.commit()
        return RefreshedDataset(version, refreshed, made, round(monotonic() - begun, 3))
