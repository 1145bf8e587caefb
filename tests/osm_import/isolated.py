"""The real command in a forked process of its own: a crash or a hang ends that process alone, and is told.

Forks come from a server that has imported the command already, so that one costs hundredths of a second.
"""

import contextlib
import os
import signal
import sys
import time
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from app.core.settings import Settings

FORKS = get_context("forkserver")
LOCK = Lock()
"""Starting a process polls all others: two threads that do so at once take each other's exit codes."""
PRELOADED = ["app.cli.main", "app.cli.import_", "osm_import.reading", "tests.osm_import.isolated"]


class Finished(NamedTuple):
    """What a command came to; `code` is None where it hung, negative where a signal ended it."""

    code: int | None
    out: str
    err: str
    left: list[int]
    """Processes that it left behind."""

    @property
    def sentence(self) -> str:
        """What the command said in the end, without `trigpoint: `."""
        return self.err.rpartition("trigpoint: ")[2].strip() if "trigpoint: " in self.err else ""


def run_command(settings: Settings, arguments: list[str], folder: Path, seconds: float) -> Finished:
    """`trigpoint` with these arguments, ended after so many seconds with all that it started."""
    FORKS.set_forkserver_preload(PRELOADED)
    environment = {
        "TRIGPOINT_DATABASE_URL": settings.database_url,
        "TRIGPOINT_LOCAL_DIR": str(folder / "local"),
        "TRIGPOINT_GEOFABRIK_URL": "http://127.0.0.1:9",
    }
    out, err = folder / "out", folder / "err"
    process = FORKS.Process(target=_command, args=(arguments, environment, str(out), str(err)))
    with LOCK:
        process.start()
    wait([process.sentinel], seconds)
    with LOCK:
        code = process.exitcode
    assert process.pid is not None
    left = _wait_for_children(process.pid) if code is not None else []
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with LOCK:
        process.join()
    return Finished(code, out.read_text(), err.read_text(), left)


def _command(arguments: list[str], environment: dict[str, str], out: str, err: str) -> None:
    os.setsid()
    os.environ.update(environment)
    for number, name in ((1, out), (2, err)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
    sys.argv = ["trigpoint", *arguments]
    from app.cli.main import main

    main()


def members_of(group: int) -> list[int]:
    """The living processes of a group."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[2]) == group and fields[0] != "Z":
                    found.append(int(entry.name))
    return found


def _wait_for_children(group: int, patience: float = 5.0) -> list[int]:
    until = time.monotonic() + patience
    while (left := members_of(group)) and time.monotonic() < until:
        time.sleep(0.05)
    return left
