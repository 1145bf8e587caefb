"""How a run goes, for people: the bar of `evaluate` and `run show --follow`, and the words beside it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from app.cli.output import progress, say
from app.db.outages import first_line, will_pass
from app.predictions.progress import Progress as Standing
from app.predictions.progress import Refusals, progress_of, refusals_of

UNDER_WAY = ("queued", "running")
T = TypeVar("T")
LOOK_FOR_POSTGRES = 1.0
TELL_EVERY = 30.0
"""Seconds between two lines on what an endpoint refuses."""
LINE_EVERY = 10.0
"""Seconds between two lines on how a run goes, where there is no terminal for a bar."""
HINT_AFTER = 3
"""Calls that ended without an answer in time, after which it is said what to do."""

TIMEOUT_HINT = (
    "{timed_out} of its calls had no answer in time. Without --concurrency and --timeout, fewer calls are now made at "
    "once and each waits longer. To set both, or to change them, stop this command with Ctrl-C and give "
    "it again with --concurrency N (1 or 2 for a model on this machine) and --timeout SECONDS. Stored answers are kept."
)


class RunBar:
    """One line that is renewed: what is done and waits, what it took, how long the rest takes.

    Where stderr is no terminal, a line of its own is printed every LINE_EVERY seconds instead.
    """

    def __init__(self, bar: Progress, run_id: int) -> None:
        self._bar = bar
        self._line_at = time.monotonic() + LINE_EVERY
        self._task = bar.add_task(f"run {run_id}", total=None, told="")

    def show(self, found: Standing) -> None:
        """Renew the line."""
        stage = "asking" if found.status in UNDER_WAY else "scoring"
        told = ", ".join(sentences(found))
        now = time.monotonic()
        if self._bar.disable and now >= self._line_at:
            self._line_at = now + LINE_EVERY
            say(
                f"Run {found.run}: {stage}, {found.done:,} of {found.total:,} done"
                + (told and f", {told}")
                + "."
            )
        self._bar.update(self._task, total=found.total, completed=found.done, description=stage, told=told)


@contextmanager
def run_bar(run_id: int) -> Iterator[RunBar]:
    """A bar on stderr while the block runs; a line now and then where stderr is no terminal."""
    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=progress, transient=True, disable=not progress.is_terminal) as bar:
        yield RunBar(bar, run_id)


def look_at(database: Engine, run_id: int) -> Standing:
    """Where the run stands, as soon as PostgreSQL lets us look."""

    def look() -> Standing:
        with database.connect() as connection:
            return progress_of(connection, run_id)

    return patiently(look)


class RefusalTeller:
    """Says how an endpoint refuses, while a run waits for it: at once, then each new sentence, not too often."""

    def __init__(self, database: Engine, run_id: int) -> None:
        self._database = database
        self._run_id = run_id
        self._seen = 0
        self._told: set[str] = set()
        self._told_at = -TELL_EVERY
        self._hinted = False

    def look(self, found: Standing) -> None:
        """Look for a refusal that was not told, where answers are asked for in vain or are errors already."""
        failed = found.calls.retrying + found.states["error"]
        now = time.monotonic()
        if found.status not in UNDER_WAY or not failed or now - self._told_at < TELL_EVERY:
            return

        def read() -> Refusals:
            with self._database.connect() as connection:
                return refusals_of(connection, self._run_id)

        calls, timed_out, last = patiently(read)
        if timed_out >= HINT_AFTER and not self._hinted:
            self._hinted = True
            say(TIMEOUT_HINT.format(timed_out=timed_out))
        if calls > self._seen and last is not None and last not in self._told:
            self._told.add(last)
            self._told_at = now
            say(f"{calls} of its calls failed so far; the last: {last}.")
        self._seen = calls


def patiently(look: Callable[[], T]) -> T:
    """What `look` finds when PostgreSQL is there; says once that we wait for it. Raises DBAPIError for other faults."""
    told = False
    while True:
        try:
            return look()
        except DBAPIError as error:
            if not will_pass(error):
                raise
            if not told:
                say(
                    f"PostgreSQL does not answer: {first_line(error)}. Waiting; the run continues when it answers "
                    "again."
                )
            told = True
            time.sleep(LOOK_FOR_POSTGRES)


def sentences(found: Standing) -> list[str]:
    """What there is to say about a run beside what is done of it."""
    calls = found.calls
    counts = {
        "waiting": found.waiting,
        "in flight": calls.in_flight,
        "retrying": calls.retrying,
        "errors": found.states["error"],
        "reused": calls.reused,
        "tokens": sum(calls.spent),
    }
    told = [f"{count:,} {name}" for name, count in counts.items() if count]
    if calls.cost is not None and calls.prices is not None:
        told.append(f"{calls.cost:.4f} {calls.prices.currency}")
    if found.seconds_left is not None:
        told.append(f"{duration(found.seconds_left)} left")
    return told


def duration(seconds: float) -> str:
    """A length of time as people say it: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
