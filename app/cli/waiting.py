"""Waiting for a run: by its command's own worker where no other takes it up, until it is answered and scored."""

import time

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.cli.following import RefusalTeller, look_at, patiently, run_bar
from app.cli.local_worker import LocalWorker
from app.cli.output import say
from app.cli.stopping import Stop, unwound_by_signals
from app.core.errors import Conflict, ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.db.outages import will_pass
from app.db.presence import living_workers
from app.predictions.control import pause
from app.predictions.messages import WORK, Messenger
from app.predictions.progress import Hands, Progress, hands_on

LOOK_EVERY, LOOK_UNDER_WAY, LOOK_SELDOM = 0.1, 0.25, 2.0
"""Seconds between two looks at a run: near its end, before, and for one so large that a look takes long."""
NEAR_END = 1.0
"""So many seconds before the last answer."""
QUIET_SECONDS = 5.0
"""After so long without a change, workers that lived may be gone."""
TAKEN_WITHIN = 2.0
"""Seconds in which a worker that has a free hand takes up a run; after that the command starts one of its own."""
SCORING_SECONDS = 600.0
FINISHED = ("complete", "incomplete")


def leave(settings: Settings, messenger: Messenger, run_id: int) -> None:
    """Have whoever lives work on the run, and say how to follow it."""
    messenger.send(WORK)
    with connect(settings, Role.WORKER) as connection:
        busy_with = hands_on(connection, run_id).busy_with
        warn_without_worker(connection, settings)
    behind = f" behind run {busy_with}" if busy_with not in (None, run_id) else ""
    say(f"Run {run_id} is queued{behind}; `trigpoint run show {run_id}` shows its progress.")


def warn_without_worker(connection: Connection, settings: Settings) -> None:
    """Say what to start where no worker is there to do what waits."""
    if not living_workers(connection, settings):
        say("No worker is running: start one with `trigpoint worker`.")


def see_through(settings: Settings, messenger: Messenger, worker: LocalWorker, run_id: int) -> Progress:
    """Wait until the run is answered and scored, by `worker` where none lives."""
    database = make_engine(settings, Role.WORKER, pool_size=1)
    with unwound_by_signals() as stop:
        try:
            if not _anybody_lives(database, settings):
                worker.start(run_id)
            messenger.send(WORK)
            return _wait(settings, database, worker, run_id, stop)
        except KeyboardInterrupt:
            say(_interrupted(database, run_id, by_hand=stop.is_by_hand))
            raise
        finally:
            worker.stop()
            database.dispose()


def _interrupted(database: Engine, run_id: int, *, by_hand: bool) -> str:
    """What becomes of a run whose command is stopped: Ctrl-C pauses it, so that no worker goes on asking."""
    if not by_hand:
        return (
            f"Stopping. Run {run_id} keeps its answers. To continue it, give the same command again, or start"
            " `trigpoint worker`."
        )
    try:
        with database.begin() as connection:
            pause(connection, run_id, "interrupted")
    except Conflict:
        return f"Stopping. All questions of run {run_id} are answered. Give the same command again to see the result."
    except DBAPIError as error:
        if not will_pass(error):
            raise
        return (
            f"Stopping. PostgreSQL does not answer, so run {run_id} is not paused: it keeps its answers, and the next"
            " worker continues it."
        )
    return (
        f"Stopping. Run {run_id} is paused and keeps its answers. Its calls in flight are finished first; press Ctrl-C"
        " again to end at once, and these calls will be made again. To continue the run,"
        f" give the same command again, or `trigpoint run resume {run_id}`."
    )


def _anybody_lives(database: Engine, settings: Settings) -> bool:
    with database.connect() as connection:
        return living_workers(connection, settings) > 0


class _Helper:
    """Starts a worker for a run that no other worker has in hand."""

    def __init__(self, settings: Settings, database: Engine, worker: LocalWorker, run_id: int) -> None:
        self._settings = settings
        self._database = database
        self._worker = worker
        self._run_id = run_id
        self._looked_at = time.monotonic()
        self._told = False

    def look(self, now: float, quiet: float) -> None:
        """Look whether somebody works the run, now and then; `quiet` seconds have passed without a change of it."""
        if now - self._looked_at < TAKEN_WITHIN or quiet < TAKEN_WITHIN:
            return
        self._looked_at = now
        hands = patiently(self._hands)
        lives = patiently(lambda: _anybody_lives(self._database, self._settings))
        if lives and hands.is_worked:
            return
        if quiet < QUIET_SECONDS and (hands.is_worked or hands.busy_with is None):
            return  # a worker is on its way, or was just busy with it: leases outlive whoever held them
        self._start(lives, hands if lives else Hands(is_worked=False, busy_with=None))

    def _hands(self) -> Hands:
        with self._database.connect() as connection:
            return hands_on(connection, self._run_id)

    def _start(self, lives: bool, hands: Hands) -> None:
        behind = f"Run {self._run_id} is waiting behind run {hands.busy_with}"
        try:
            self._worker.start(self._run_id)
        except Conflict as error:
            if not self._told:
                say(f"{behind}: {error}" if hands.busy_with else str(error))
                self._told = True
            return
        if hands.busy_with is not None:
            say(f"{behind}: this command starts a worker only for this run.")
        else:
            say(
                "No worker has taken it yet: starting one."
                if lives
                else "The worker is gone: starting another."
            )


def _wait(settings: Settings, database: Engine, worker: LocalWorker, run_id: int, stop: Stop) -> Progress:
    teller = RefusalTeller(database, run_id)
    helper = _Helper(settings, database, worker, run_id)
    with run_bar(run_id) as bar:
        seen, changed_at = -1, time.monotonic()
        while True:
            stop.raise_if_told()
            looked_at = time.monotonic()
            found = look_at(database, run_id)
            looking = time.monotonic() - looked_at
            asking = found.status not in FINISHED
            bar.show(found)
            if found.is_settled:
                return found
            teller.look(found)
            mark = found.done + found.endpoint_requests + (0 if asking else 1)
            now = time.monotonic()
            if mark != seen:
                seen, changed_at = mark, now
            elif not asking and now - changed_at > SCORING_SECONDS:
                raise ServiceUnavailable(
                    f"Run {run_id} is answered but has had no scores for {SCORING_SECONDS:g} s: read the worker's log."
                )
            elif not worker.is_started and asking:
                helper.look(now, now - changed_at)
            worker.keep_alive()
            is_near_end = found.seconds_left is None or found.seconds_left < NEAR_END
            rest = LOOK_EVERY if is_near_end else LOOK_UNDER_WAY
            # A twentieth of the time at most is for looking.
            time.sleep(min(LOOK_SELDOM, max(rest, 20 * looking)))
