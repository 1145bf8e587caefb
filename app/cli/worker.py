"""`trigpoint worker`: becomes a Celery worker (or, with --beat, the schedule); `trigpoint evaluate` starts one too."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.room import refuse_without_room
from app.predictions.messages import QUEUE_OF_OWNERS, QUEUES


def worker_command(
    log_level: str, queues: Sequence[str] = QUEUES, *, pipe: int | None = None, only_run: int | None = None
) -> list[str]:
    """The command line of a worker process.

    It ends when the other end of `pipe` is closed, and works questions of `only_run` alone, where these are given.
    """
    command = [sys.executable, "-m", "workers", "--queues", ",".join(queues), "--log-level", log_level]
    command += [] if pipe is None else ["--end-with", str(pipe)]
    return command if only_run is None else [*command, "--only-run", str(only_run)]


def queues_of(settings: Settings, imports: bool) -> list[str]:
    """What a worker listens to; imports are for those that have the owner's password."""
    if imports:
        return [QUEUE_OF_OWNERS]
    return [*QUEUES, *([QUEUE_OF_OWNERS] if settings.password_owner else [])]


def beat_command(log_level: str) -> list[str]:
    """The command line of the schedule's process."""
    celery = [sys.executable, "-m", "celery", "--workdir", str(PROJECT_ROOT), "-A", "workers.app", "-q"]
    return [*celery, "beat", "--pidfile", "", "--loglevel", log_level]


def worker(
    beat: Annotated[
        bool, typer.Option("--beat", help="only send the regular messages; do no other work")
    ] = False,
    imports: Annotated[
        bool, typer.Option("--imports", help="carry out only imports that were requested over REST")
    ] = False,
) -> None:
    """Work on runs and score them until stopped. On SIGTERM, finish the calls in flight and give other work back."""
    settings = Settings.load()
    settings.broker_url()
    if imports:
        settings.role_url(Role.OWNER)
    if not beat:
        from app.db.engine import (
            connect,
        )  # loads SQLAlchemy, which the command line of `evaluate` is made without

        with connect(settings, Role.WORKER):  # refuses tables of another revision
            refuse_without_room(settings)
    command = (
        beat_command(settings.log_level)
        if beat
        else worker_command(settings.log_level, queues_of(settings, imports))
    )
    os.chdir(PROJECT_ROOT)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command[0], command)
