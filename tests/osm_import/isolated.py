"""The real command in a forked process of its own: a crash or a hang ends that process alone, and is told."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from app.core.settings import Settings
from tests.support.forks import TRIGPOINT, Forked


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
    environment = os.environ | {
        "TRIGPOINT_DATABASE_URL": settings.database_url,
        "TRIGPOINT_LOCAL_DIR": str(folder / "local"),
        "TRIGPOINT_GEOFABRIK_URL": "http://127.0.0.1:9",
    }
    out, err = folder / "out", folder / "err"
    process = Forked(TRIGPOINT, arguments, environment, out, err)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    code = process.returncode
    left = _wait_for_children(process.pid) if code is not None else []
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return Finished(code, out.read_text(), err.read_text(), left)


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
