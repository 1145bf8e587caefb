"""One round of a schedule: look, fetch, import, refresh, continue runs, drop what is not kept.

Each stage is committed before the next begins. A round that was broken off, wherever, is gone on with by the next call,
and comes to the same version: a stage that was done already is found done.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from app.cli.output import say
from app.core.clock import Clock
from app.core.errors import Held, ImportHeld, TrigpointError
from app.core.identity import canonical_json
from app.core.progress import Progress
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.naming import snapshot_reference
from app.inference.bodies import BODY
from app.jobs.commands import Order, run_command
from app.map_tools.sandbox import remove_dropped_copies
from app.questions.versions import find_version
from app.schedules import queries
from app.schedules.models import Continued, Schedule
from app.schedules.schedules import begin_again, end_round, go_on, note_look, read_schedule
from osm_import.downloading import find_region
from osm_import.importing import import_extract
from osm_import.replicating import State, fetch_state, forget_older, read_state, updates_url
from osm_import.retaining import retain

Run = Callable[[list[str]], dict[str, Any]]


@dataclass(frozen=True)
class Told:
    """What a round came to."""

    result: str
    told: str
    detail: Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """What a look found: the source's state, and the newest published map with its date."""

    state: State
    newest_id: int | None
    newest: datetime | None
    stands: bool
    """Whether the data set's newest version stands on that map."""

    def begins(self, schedule: Schedule) -> tuple[str, dict[str, Any]] | None:
        """The stage that a new round begins with, and what it is for; None where there is nothing to do."""
        known = [one for one in (self.newest, schedule.taken_timestamp) if one is not None]
        if not known or self.state.timestamp > max(known):
            return "found", {
                "sequence": self.state.sequence,
                "timestamp": self.state.timestamp.isoformat(),
            }
        if not self.stands and self.newest_id is not None:
            return "imported", {"snapshot": snapshot_reference(schedule.snapshot, self.newest)}
        return None

    def nothing(self) -> str:
        """What to say where there is nothing to do."""
        at = f"{self.state.timestamp:%Y-%m-%d %H:%M} UTC (sequence {self.state.sequence})"
        if self.newest is not None and self.state.timestamp < self.newest:
            return (
                f"The source's state, {at}, is older than the map in use, {self.newest:%Y-%m-%d %H:%M} UTC."
            )
        return f"Nothing new: the source is at {at}."


@contextmanager
def held_alone(settings: Settings, snapshot: str) -> Iterator[Connection]:
    """A connection whose session holds the region's rounds; it goes with the process, however that ends."""
    with connect(settings, Role.WORKER) as connection:
        if not connection.execute(queries.LOCK, {"snapshot": snapshot}).scalar_one():
            raise Held(
                f"Another process is running a schedule of {snapshot}; try again when it has finished."
            )
        connection.commit()
        try:
            yield connection
        finally:
            connection.rollback()
            connection.execute(queries.UNLOCK, {"snapshot": snapshot})
            connection.commit()


def look_at(settings: Settings, connection: Connection, schedule: Schedule, now: datetime) -> Found:
    """What the source has, and what is published. Raises NotFound for a region that its server has no more."""
    remote = find_region(schedule.region, settings.geofabrik_url)
    state = read_state(updates_url(remote), now)
    version = find_version(connection, schedule.dataset)
    row = connection.execute(queries.NEWEST_MAP, {"snapshot": schedule.snapshot}).one_or_none()
    if row is None:
        return Found(state, None, None, True)
    binds = {"version_id": version.id, "snapshot_id": row.id}
    stands = bool(connection.execute(queries.STANDS_ON, binds).scalar_one())
    return Found(state, row.id, row.data_timestamp, stands)


def dry_run(settings: Settings, name: str, clock: Clock) -> Told:
    """What a round would do; nothing is written, nothing fetched but the state."""
    with connect(settings, Role.WORKER) as connection:
        schedule = read_schedule(connection, name, clock.now())
        found = look_at(settings, connection, schedule, clock.now())
    if schedule.aim is not None:
        return Told(
            "open", f"A round is open at the stage {schedule.stage}; a round would continue it.", schedule.aim
        )
    begun = found.begins(schedule)
    if begun is None:
        return Told("nothing_new", found.nothing(), {})
    stage, aim = begun
    if stage == "found":
        at = f"{found.state.timestamp:%Y-%m-%d %H:%M} UTC (sequence {found.state.sequence})"
        return Told(
            "would_import",
            f"There is a newer map, of {at}: a round would import it and refresh the data set.",
            aim,
        )
    words = ["refresh", f"--snapshot={aim['snapshot']}", "--dry-run", "--", schedule.dataset]
    return Told("would_refresh", f"{schedule.dataset} would go to {aim['snapshot']}.", _run(settings)(words))


def run_schedule(settings: Settings, name: str, clock: Clock, progress: Progress) -> Told:
    """Look, and do all that follows. What fails is kept with its words, and raised; the next call goes on there."""
    with connect(settings, Role.WORKER) as connection:
        snapshot = read_schedule(connection, name, clock.now()).snapshot
    with held_alone(settings, snapshot) as connection:
        try:
            told = _Round(settings, connection, name, clock, progress).go()
        except ImportHeld as held:
            connection.rollback()
            told = Told("held", str(held), {})
        except TrigpointError as error:
            connection.rollback()
            end_round(connection, name, "failed", str(error), clock.now())
            raise
        end_round(connection, name, told.result, told.told, clock.now())
    return told


class _Round:
    def __init__(
        self, settings: Settings, connection: Connection, name: str, clock: Clock, progress: Progress
    ) -> None:
        self._settings = settings
        self._connection = connection
        self._name = name
        self._clock = clock
        self._progress = progress

    def go(self) -> Told:
        schedule = self._schedule()
        if schedule.stage == "idle":
            found = look_at(self._settings, self._connection, schedule, self._clock.now())
            note_look(
                self._connection,
                schedule.name,
                found.state.sequence,
                found.state.timestamp,
                self._clock.now(),
            )
            begun = found.begins(schedule)
            if begun is None:
                return Told("nothing_new", found.nothing(), {})
            go_on(self._connection, schedule.name, *begun)
        for stage, work in (("found", self._fetch), ("fetched", self._import), ("imported", self._refresh)):
            schedule = self._schedule()
            if schedule.stage == stage:
                say(f"{schedule.name}: {work.__name__.strip('_')}")
                work(schedule, dict(schedule.aim or {}))
        return self._finish(self._schedule())

    def _schedule(self) -> Schedule:
        found = read_schedule(self._connection, self._name, self._clock.now())
        self._connection.commit()
        return found

    def _fetch(self, schedule: Schedule, aim: dict[str, Any]) -> None:
        remote = find_region(schedule.region, self._settings.geofabrik_url)
        state = State(aim["sequence"], datetime.fromisoformat(aim["timestamp"]))
        path = fetch_state(remote, state, self._folder(schedule), self._progress)
        go_on(self._connection, schedule.name, "fetched", aim | {"file": path.name})

    def _import(self, schedule: Schedule, aim: dict[str, Any]) -> None:
        path = self._folder(schedule) / aim["file"]
        if not path.is_file():  # another machine's
            self._fetch(schedule, {key: aim[key] for key in ("sequence", "timestamp")})
        taken = datetime.fromisoformat(aim["timestamp"])
        try:
            done = import_extract(self._settings, str(path), schedule.snapshot, self._clock, self._progress)
        except ImportHeld:
            begin_again(self._connection, schedule.name, taken)
            raise
        go_on(self._connection, schedule.name, "imported", aim | {"snapshot": done.reference}, taken)
        forget_older(path)

    def _refresh(self, schedule: Schedule, aim: dict[str, Any]) -> None:
        words = ["refresh", f"--snapshot={aim['snapshot']}", "--", schedule.dataset]
        done = _run(self._settings)(words)
        go_on(self._connection, schedule.name, "refreshed", aim | {"refreshed": done})

    def _finish(self, schedule: Schedule) -> Told:
        aim = dict(schedule.aim or {})
        done = aim.get("refreshed", {})
        version = find_version(self._connection, schedule.dataset).reference
        runs = [self._continue(schedule, version, one) for one in schedule.runs]
        retained = retain(
            self._settings, schedule.snapshot, schedule.keep_snapshots, schedule.keep_comparisons, self._clock
        )
        if retained.snapshots:
            remove_dropped_copies(self._settings)
        detail = {
            "snapshot": aim.get("snapshot"),
            "refresh": done,
            "runs": runs,
            "dropped": retained.snapshots,
            "comparisons_dropped": retained.comparisons,
        }
        if done.get("from") == done.get("to"):
            return Told("unchanged", f"{version} already uses {aim.get('snapshot')}.", detail)
        counted = ", ".join(
            f"{done.get(one, 0):,} {one}" for one in ("kept", "updated", "replaced", "retired")
        )
        return Told("refreshed", f"{version} on {aim.get('snapshot')}: {counted}.", detail)

    def _continue(self, schedule: Schedule, version: str, run: Continued) -> dict[str, Any]:
        """Go on with the newest run of its kind: what is asked as before is not asked again."""
        binds = {"dataset": schedule.dataset, "solver": run.solver, "endpoint": run.endpoint}
        before = self._connection.execute(queries.RUN_BEFORE, binds).one_or_none()
        self._connection.commit()
        options = []
        if before is not None:
            sampling = before.sampling
            # The body that the run began with, with what options of it came to; options would contradict it.
            body = {name: sampling.get(name, value) for name, value in sampling.get(BODY, {}).items()}
            options += [f"--seed={before.seed}", f"--repeats={before.repeats}"]
            options += [f"--body={canonical_json(body)}"] if body else []
            options += [
                f"--{name.replace('_', '-')}={sampling[name]}"
                for name in ("temperature", "max_tokens")
                if sampling.get(name) is not None and name not in body
            ]
        if schedule.budget_tokens is not None:
            options.append(f"--budget-tokens={schedule.budget_tokens}")
        words = ["evaluate", f"--solver={run.solver}", f"--endpoint={run.endpoint}", "--reuse", "--detach"]
        done = _run(self._settings)([*words, *options, "--", version])
        return {"run": done["run"], "solver": run.solver, "endpoint": run.endpoint, "status": done["status"]}

    def _folder(self, schedule: Schedule) -> Path:
        return self._settings.local_dir / "extracts" / "followed" / schedule.snapshot


def _run(settings: Settings) -> Run:
    """Does a command of ours in a process of its own: what it keeps in memory goes with it."""

    def go_on_always(_: str) -> Order:
        return "go on"

    return lambda words: run_command(words, settings.local_dir / "extracts", go_on_always)
