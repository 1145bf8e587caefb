"""One round of a schedule: look, fetch, import, refresh, continue runs, drop what is not kept.

Each stage is committed before the next begins. A round that was broken off, wherever, is gone on with by the next call,
and comes to the same version: a stage that was done already is found done.
"""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import ImportHeld, TrigpointError
from app.core.progress import Progress, Say
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.bodies import BODY
from app.jobs.kinds import RefreshOf
from app.map_tools.sandbox import remove_dropped_copies
from app.operations.endpoints import EndpointChoice
from app.operations.evaluate import RunRequest
from app.operations.import_map import ImportRequest, import_map
from app.operations.schedule_source import RoundOutcome, look_at_source
from app.operations.separate_process import Order, run_apart
from app.predictions.accounts import Budget
from app.questions.versions import find_version
from app.schedules import queries
from app.schedules.holding import hold_region
from app.schedules.models import Continued, Schedule
from app.schedules.schedules import begin_again, end_round, go_on, note_look, read_schedule
from osm_import.downloading import find_region
from osm_import.replicating import State, fetch_state, forget_older
from osm_import.retaining import retain


def plan_round(settings: Settings, name: str, clock: Clock) -> RoundOutcome:
    """What a round would do; nothing is written, nothing fetched but the state."""
    with connect(settings, Role.WORKER) as connection:
        schedule = read_schedule(connection, name, clock.now())
        found = look_at_source(settings, connection, schedule, clock.now())
    if schedule.aim is not None:
        told = f"A round is open at the stage {schedule.stage}; a round would continue it."
        return RoundOutcome("open", told, schedule.aim)
    begun = found.first_stage(schedule)
    if begun is None:
        return RoundOutcome("nothing_new", found.describe_nothing_new(), {})
    stage, aim = begun
    if stage == "found":
        return RoundOutcome(
            "would_import",
            f"There is a newer map, of {found.describe_state()}: a round would import it and refresh the data set.",
            aim,
        )
    fates = _run_apart(settings, "refresh", _refresh_of(schedule, aim, dry_run=True))
    return RoundOutcome("would_refresh", f"{schedule.dataset} would go to {aim['snapshot']}.", fates)


def run_round(settings: Settings, name: str, clock: Clock, progress: Progress, say: Say) -> RoundOutcome:
    """Look, and do all that follows. What fails is kept with its words, and raised; the next call goes on there."""
    with connect(settings, Role.WORKER) as connection:
        snapshot = read_schedule(connection, name, clock.now()).snapshot
    with hold_region(settings, snapshot) as connection:
        try:
            outcome = _Round(settings, connection, name, clock, progress).go_on(say)
        except ImportHeld as held:
            connection.rollback()
            outcome = RoundOutcome("held", str(held), {})
        except TrigpointError as error:
            connection.rollback()
            end_round(connection, name, "failed", str(error), clock.now())
            raise
        end_round(connection, name, outcome.result, outcome.told, clock.now())
    return outcome


class _Round:
    def __init__(
        self, settings: Settings, connection: Connection, name: str, clock: Clock, progress: Progress
    ) -> None:
        self._settings = settings
        self._connection = connection
        self._name = name
        self._clock = clock
        self._progress = progress

    def go_on(self, say: Say) -> RoundOutcome:
        schedule = self._schedule()
        if schedule.stage == "idle":
            nothing = self._begin(schedule)
            if nothing is not None:
                return nothing
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

    def _begin(self, schedule: Schedule) -> RoundOutcome | None:
        """Look at the source and open a round; where there is nothing to do, what comes of that."""
        found = look_at_source(self._settings, self._connection, schedule, self._clock.now())
        state = found.state
        note_look(self._connection, schedule.name, state.sequence, state.timestamp, self._clock.now())
        begun = found.first_stage(schedule)
        if begun is None:
            return RoundOutcome("nothing_new", found.describe_nothing_new(), {})
        go_on(self._connection, schedule.name, *begun)
        return None

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
        request = ImportRequest(str(path), schedule.snapshot)
        try:
            done = import_map(self._settings, request, self._progress, self._clock)
        except ImportHeld:
            begin_again(self._connection, schedule.name, taken)
            raise
        go_on(self._connection, schedule.name, "imported", aim | {"snapshot": done.reference}, taken)
        forget_older(path)

    def _refresh(self, schedule: Schedule, aim: dict[str, Any]) -> None:
        done = _run_apart(self._settings, "refresh", _refresh_of(schedule, aim))
        go_on(self._connection, schedule.name, "refreshed", aim | {"refreshed": done})

    def _finish(self, schedule: Schedule) -> RoundOutcome:
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
            return RoundOutcome("unchanged", f"{version} already uses {aim.get('snapshot')}.", detail)
        counted = ", ".join(
            f"{done.get(one, 0):,} {one}" for one in ("kept", "updated", "replaced", "retired")
        )
        return RoundOutcome("refreshed", f"{version} on {aim.get('snapshot')}: {counted}.", detail)

    def _continue(self, schedule: Schedule, version: str, run: Continued) -> dict[str, Any]:
        """Go on with the newest run of its kind: what is asked as before is not asked again."""
        binds = {"dataset": schedule.dataset, "solver": run.solver, "endpoint": run.endpoint}
        before = self._connection.execute(queries.RUN_BEFORE, binds).one_or_none()
        self._connection.commit()
        asked_as_before = {} if before is None else _options_of(before.seed, before.repeats, before.sampling)
        request = RunRequest(
            version,
            run.solver,
            EndpointChoice(run.endpoint),
            budget=Budget(schedule.budget_tokens),
            reuse=True,
            **asked_as_before,
        )
        done = _run_apart(self._settings, "evaluate", asdict(request))
        return {"run": done["run"], "solver": run.solver, "endpoint": run.endpoint, "status": done["status"]}

    def _folder(self, schedule: Schedule) -> Path:
        return self._settings.local_dir / "extracts" / "followed" / schedule.snapshot


def _refresh_of(schedule: Schedule, aim: Mapping[str, Any], *, dry_run: bool = False) -> dict[str, Any]:
    asked = RefreshOf(dataset=schedule.dataset, snapshot=aim["snapshot"], dry_run=dry_run)
    return asked.model_dump(mode="json")


def _options_of(seed: int, repeats: int, sampling: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a run that ask as one with this sampling did."""
    # The body that the run began with, with what options of it came to; options would contradict it.
    body = {name: sampling.get(name, value) for name, value in sampling.get(BODY, {}).items()}
    options = {
        name: sampling[name]
        for name in ("temperature", "max_tokens")
        if sampling.get(name) is not None and name not in body
    }
    return {"seed": seed, "repeats": repeats, "body": body or None, **options}


def _run_apart(settings: Settings, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The operation's value; what it keeps in memory goes with its process."""

    def go_on_always(_: str) -> Order:
        return "go on"

    return run_apart(operation, arguments, settings.local_dir / "extracts", go_on_always)
