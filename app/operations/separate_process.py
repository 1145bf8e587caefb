"""An operation in a process of its own: it is begun, watched and stopped here, and its value comes back.

What the operation keeps in memory goes with its process, which ends with the process that began it. The process reads
its request from stdin, tells its progress on stderr a line at a time, and writes what came of it to a file.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from app.core import errors
from app.core.errors import BadSubmission, Permanent, TrigpointError
from app.core.identity import canonical_json
from app.core.settings import PROJECT_ROOT

Order = Literal["go on", "cancel", "hand back", "lost"]
"""What is wanted of an operation next; all but the first end it."""
LOOK_SECONDS = 1.0
"""How often an order is asked for."""
GRACE_SECONDS = 30.0
"""How long an operation has to clean up before its process is killed."""
LONGEST_LINE = 300
MOST_SAID = 2_000
"""Characters of an error that are kept."""


class EndedByOrder(Exception):
    """The operation was ended by an order."""

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        self.order = order


def run_apart(
    operation: str, arguments: Mapping[str, Any], folder: Path, ask: Callable[[str], Order]
) -> dict[str, Any]:
    """The value of an operation of `app.operations.by_name`, which runs in a process of its own, in `folder`.

    `ask` is given the last line that the operation told, each second, and says what to do. Raises EndedByOrder for any
    order but `go on`, and the TrigpointError that the operation raised.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="trigpoint-job-") as kept:
        request, told, outcome = (Path(kept) / name for name in ("request", "told", "outcome"))
        request.write_text(canonical_json({"operation": operation, "arguments": dict(arguments)}))
        process = _start(request, told, outcome, folder)
        try:
            _wait(process, told, ask)
        finally:
            if process.poll() is None:
                _end(process)
        return _read_outcome(process.returncode, told, outcome)


def _start(request: Path, told: Path, outcome: Path, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "app.operations.process", str(os.getpid()), str(outcome)]
    environment = os.environ | {"PYTHONPATH": str(PROJECT_ROOT), "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
    with request.open("rb") as asked, told.open("wb") as said:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=asked,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def _wait(process: subprocess.Popen[bytes], told: Path, ask: Callable[[str], Order]) -> None:
    while True:
        try:
            process.wait(LOOK_SECONDS)
            return
        except subprocess.TimeoutExpired:
            order = ask(_last_line(told))
            if order != "go on":
                raise EndedByOrder(order) from None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _read_outcome(status: int, told: Path, outcome: Path) -> dict[str, Any]:
    """The value; raises the operation's own error, or one that says how its process ended without any."""
    if status == 0:
        value: dict[str, Any] = json.loads(outcome.read_text())["value"]
        return value
    if outcome.exists():
        error = json.loads(outcome.read_text())["error"]
        raise _error_of(error["class"], error["message"])
    how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
    last = _last_line(told) or "it said nothing"
    raise Permanent(f"The command ended with {how}: {last}. The worker's log says more.")


def _error_of(name: str, message: str) -> TrigpointError:
    """The error of that class with these words; a refusal of single answers comes back without their list."""
    found = getattr(errors, name, Permanent)
    is_ours = isinstance(found, type) and issubclass(found, TrigpointError)
    kind = found if is_ours and found is not BadSubmission else Permanent
    return kind(message.strip()[-MOST_SAID:])


def _last_line(told: Path) -> str:
    with told.open("rb") as file:
        file.seek(max(0, told.stat().st_size - 2 * MOST_SAID))
        said = file.read().decode("utf-8", "replace").replace("\x00", "")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:LONGEST_LINE] if lines else ""
