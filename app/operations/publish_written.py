"""Questions that were written by hand: published as a version, checked, and brought to a newer map."""

from dataclasses import dataclass
from time import monotonic
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock, SystemClock
from app.core.errors import Conflict, NotFound
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.snapshots import find_snapshots, published_snapshots
from app.questions.verification import Verification
from app.questions.versions import PublishedVersion, count_questions, find_version
from app.questions.written import recipe_of
from app.routing.routers import Routers
from app.workbench.publishing import publish_drafts
from app.workbench.rerunning import Refreshed, again_through, refresh_drafts, verify_written


def publish_written(settings: Settings, dataset: str) -> dict[str, Any]:
    """Publish the questions of a data set on which people agree, and commit: {dataset, version, questions}.

    Raises NotFound where there is none, Conflict where nothing is new.
    """
    with connect(settings, Role.WORKER) as connection:
        version = publish_drafts(connection, dataset, SystemClock())
        connection.commit()
        return {
            "dataset": version.name,
            "version": version.number,
            "questions": count_questions(connection, version),
        }


def verify_written_version(settings: Settings, version: PublishedVersion) -> Verification:
    """Make every call of the version's evidence again. Raises Conflict where its map was dropped."""
    with connect(settings, Role.MAINTAINER) as connection, connect(settings, Role.MAINTAINER) as calling:
        maps = {one.id: one for one in published_snapshots(connection)}
        again = again_through(calling, Routers(settings), version.benchmark)
        return verify_written(connection, again, version, maps)


@dataclass(frozen=True)
class RefreshedWritten:
    """What became of the questions of `version` on another map, and the version `made`, where any is agreed upon."""

    version: PublishedVersion
    old: str
    snapshot: SnapshotRef
    refreshed: Refreshed
    made: PublishedVersion | None
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """As `refresh --json` prints it; flagged questions are named, so that nobody overlooks them."""
        done = self.refreshed
        return {
            "from": self.version.reference,
            "to": self.made.reference if self.made else None,
            "snapshots": {"from": self.old, "to": self.snapshot.reference},
            "questions": len(done.kept) + len(done.flagged),
            "kept": len(done.kept),
            "updated": 0,
            "retired": 0,
            "replaced": 0,
            "flagged": done.flagged,
            "rerun": done.calls,
            "touched": {},
            "reasons": {},
            "seconds": self.seconds,
        }


def refresh_written(
    settings: Settings, version: PublishedVersion, snapshot: str, *, dry_run: bool
) -> RefreshedWritten | None:
    """Bring a data set of written questions to another map, and publish those whose calls give the same results.

    None where it stands on that map already. A dry run changes nothing. Raises NotFound for a map that there is not,
    Conflict for an older version.
    """
    begun, clock = monotonic(), SystemClock()
    with connect(settings, Role.WORKER) as connection, connect(settings, Role.WORKER) as calling:
        (new,) = find_snapshots(connection, [snapshot])
        old = _map_of(connection, version)
        if old == new.reference:
            return None
        again = again_through(calling, Routers(settings), version.benchmark)
        done = refresh_drafts(connection, again, version.name, new, clock)
        made = _publish_if_any(connection, version, clock)
        if dry_run:
            connection.rollback()
            made = None
        else:
            connection.commit()
    return RefreshedWritten(version, old, new, done, made, round(monotonic() - begun, 3))


def _map_of(connection: Connection, version: PublishedVersion) -> str:
    """The map that the newest version stands on. Raises Conflict where `version` is not the newest."""
    newest = find_version(connection, version.name)
    if newest != version:
        raise Conflict(
            f"{version.reference} is not the newest version of {version.name}: refresh {version.name}."
        )
    (source,) = recipe_of(connection, version)["snapshots"]
    return str(source["snapshot"])


def _publish_if_any(
    connection: Connection, version: PublishedVersion, clock: Clock
) -> PublishedVersion | None:
    """The next version; None where every question is held back."""
    try:
        return publish_drafts(connection, version.name, clock)
    except NotFound:
        return None
