"""The worker that `evaluate` starts when none lives: a process of its own, which ends softly when the command ends.

Where the command is killed, too: the worker reads from a pipe of which the command alone holds the other end.
"""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from pydantic import SecretStr

from app.cli.worker import worker_command
from app.core.errors import ServiceUnavailable
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.room import refuse_without_room

STARTS = 3


def worker_environment(settings: Settings) -> dict[str, str]:
    """The environment that gives a worker these settings; of the roles' passwords only its own."""
    environment = dict(os.environ)
    for name in Settings.model_fields:
        variable = f"TRIGPOINT_{name.upper()}"
        value = getattr(settings, name)
        if name.startswith("password_") and name != f"password_{Role.WORKER.value}":
            environment.pop(variable, None)
        elif value is not None:
            environment[variable] = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    return environment


class LocalWorker:
    """Starts a worker, starts it again if it dies, and stops it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: int | None = None
        self._starts = 0
        self.log = settings.local_dir / "log" / "evaluate-worker.log"

    @property
    def is_started(self) -> bool:
        """Whether this command has a worker of its own."""
        return self._process is not None

    def start(self) -> None:
        """Start the process; it takes a second or two until it works. Raises Conflict where it finds no connections."""
        refuse_without_room(self._settings)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self._starts += 1
        self._let_go()
        theirs, self._pipe = os.pipe()
        with self.log.open("ab") as log, os.fdopen(theirs):
            self._process = subprocess.Popen(
                worker_command(self._settings.log_level, pipe=theirs),
                cwd=PROJECT_ROOT,
                env=worker_environment(self._settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(theirs,),
                start_new_session=True,
            )

    def keep_alive(self) -> None:
        """Start it again where it has died. Raises ServiceUnavailable when it dies again and again."""
        if self._process is None or self._process.poll() is None:
            return
        if self._starts >= STARTS:
            raise ServiceUnavailable(
                f"The worker ended {self._starts} times (exit {self._process.returncode}); its last line: "
                f"{_last_line(self.log)} Read {self.log}; the run stays and goes on with the next worker."
            )
        self.start()

    def stop(self) -> None:
        """Have it finish what is in flight and hand the rest back; then it ends."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(self._settings.request_timeout_seconds + 15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        self._let_go()

    def _let_go(self) -> None:
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1][:200] if lines else "(none)."
