"""`trigpoint worker`: becomes a Celery worker (or, with --beat, the schedule); `trigpoint evaluate` starts one too."""

import os
import sys
from typing import Annotated

import typer

from app.core.settings import PROJECT_ROOT, Settings
from app.db.room import refuse_without_room
from app.predictions.messages import QUEUES

TASKS_AT_ONCE = 3
"""One that works, one that scores, one that sweeps: the workshop itself keeps many calls in flight."""


def worker_command(log_level: str) -> list[str]:
    """The command line of a worker process."""
    options = ["--pool", "threads", "--concurrency", str(TASKS_AT_ONCE), "--queues", ",".join(QUEUES)]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", log_level]
    hostname = f"trigpoint-{os.getpid()}-{os.urandom(3).hex()}@%h"
    return [*_celery("worker"), *options, "--hostname", hostname, *quiet]


def beat_command(log_level: str) -> list[str]:
    """The command line of the schedule's process."""
    options = ["--scheduler", "redbeat.RedBeatScheduler", "--pidfile", "", "--loglevel", log_level]
    return [*_celery("beat"), *options]


def _celery(command: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "celery",
        "--workdir",
        str(PROJECT_ROOT),
        "-A",
        "workers.app",
        "-q",
        command,
    ]


def worker(
    beat: Annotated[bool, typer.Option("--beat", help="be the schedule instead of a worker")] = False,
) -> None:
    """Work runs, score them, and sweep, until stopped; SIGTERM finishes what is in flight and hands the rest back."""
    settings = Settings.load()
    settings.broker_url()
    if not beat:
        refuse_without_room(settings)
    command = beat_command(settings.log_level) if beat else worker_command(settings.log_level)
    os.chdir(PROJECT_ROOT)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command[0], command)
