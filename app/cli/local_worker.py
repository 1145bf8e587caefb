"""The worker that `evaluate` starts: a process of its own for its own run, which ends softly when the command ends.

It stands by as a copy of the command's process, made before that connects to anything: what both need is loaded once.
It ends where the command is killed, too: it reads from a pipe of which the command alone holds the other end.
"""

import contextlib
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Self

from pydantic import SecretStr

from app.cli.worker import worker_command
from app.core.copies import Copy, can_be_copied
from app.core.errors import ServiceUnavailable
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.room import refuse_without_room
from app.inference.patience import LONGEST

STARTS = 3
AT_THE_END = 15.0
"""Seconds that a worker which is to end may take beside the longest call."""
LONGEST_WORD = 32
"""Bytes of what a process that stands by is told when it is to be a worker: the only run that it works, or 0."""


_PASSWORDS = {f"password_{Role.WORKER.value}", f"password_{Role.READER.value}", "password_sandbox"}


def worker_environment(settings: Settings) -> dict[str, str]:
    """The environment that gives a worker these settings; of the passwords its own, and those of models' SQL."""
    environment = dict(os.environ)
    for name in Settings.model_fields:
        variable = f"TRIGPOINT_{name.upper()}"
        value = getattr(settings, name)
        if name.startswith("password_") and name not in _PASSWORDS:
            environment.pop(variable, None)
        elif value is not None:
            environment[variable] = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    return environment


class LocalWorker:
    """Has a process stand by, makes it a worker, starts another if that dies, and stops it at the end of the block."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: Copy | subprocess.Popen[bytes] | None = None
        self._pipe: int | None = None
        self._starts = 0
        self._only_run: int | None = None
        self.log = settings.local_dir / "log" / "evaluate-worker.log"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def is_started(self) -> bool:
        """Whether this command has a worker of its own."""
        return self._starts > 0

    def stand_by(self) -> None:
        """Copy this process for `start` to find. Does nothing where both would hold what only one may."""
        if not can_be_copied():
            return
        theirs, ours = os.pipe()

        def begin_when_told() -> None:
            os.close(ours)
            told = os.read(theirs, LONGEST_WORD)
            if told:
                _become_worker(self._settings, self.log, theirs, int(told) or None)

        self._process, self._pipe = Copy(begin_when_told), ours
        os.close(theirs)

    def start(self, only_run: int | None = None) -> None:
        """Start the worker, for one run alone where it is told; it takes a second or so until it works.

        Raises Conflict where it finds no connections.
        """
        refuse_without_room(self._settings)
        self._only_run = only_run
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self._starts += 1
        if self._starts == 1 and self._pipe is not None:
            # One that was killed before it was told is found dead, and another started, by keep_alive.
            with contextlib.suppress(BrokenPipeError):
                os.write(self._pipe, str(only_run or 0).encode())
            return
        self._let_go()
        theirs, self._pipe = os.pipe()
        with self.log.open("ab") as log, os.fdopen(theirs):
            self._process = subprocess.Popen(
                worker_command(self._settings.log_level, pipe=theirs, only_run=only_run),
                cwd=PROJECT_ROOT,
                env=worker_environment(self._settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(theirs,),
                start_new_session=True,
            )

    def keep_alive(self) -> None:
        """Start another where it has died. Raises ServiceUnavailable when it dies again and again."""
        if not self.is_started or self._process is None or self._process.poll() is None:
            return
        if self._starts >= STARTS:
            raise ServiceUnavailable(
                f"The worker ended {self._starts} times (exit status {self._process.returncode}). The last line of its "
                f"log, {self.log}: {_last_line(self.log)} Its answers are kept; the next worker continues the run."
            )
        self.start(self._only_run)

    def stop(self) -> None:
        """Have it finish what is in flight and hand the rest back; then it ends. Ctrl-C meanwhile ends it at once."""
        self._let_go()
        if self._process is None:
            return
        try:
            self._process.wait(self._settings.request_timeout_seconds * LONGEST + AT_THE_END)
        except (subprocess.TimeoutExpired, KeyboardInterrupt) as error:
            self._process.kill()
            self._process.wait()
            if isinstance(error, KeyboardInterrupt):
                raise
        finally:
            self._process = None

    def _let_go(self) -> None:
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


def _become_worker(settings: Settings, log: Path, pipe: int, only_run: int | None) -> None:
    """What the command line that `worker_command` gives does in a new interpreter."""
    with open(os.devnull, "rb") as nothing, log.open("ab") as end:
        for mine, standard in ((nothing, 0), (end, 1), (end, 2)):
            os.dup2(mine.fileno(), standard)
    environment = worker_environment(settings)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(PROJECT_ROOT)
    _, _, module, *options = worker_command(settings.log_level, pipe=pipe, only_run=only_run)
    sys.argv = [module, *options]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1][:200] if lines else "(none)."
