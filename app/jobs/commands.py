"""A command of ours as a process: what it tells, how it is stopped, what comes of it.

So a job does what the command line does, in memory of its own, and ends with the worker that began it.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from app.core.errors import Permanent, TrigpointError
from app.core.settings import PROJECT_ROOT

Order = Literal["go on", "cancel", "hand back", "lost"]
"""What a job's worker wants next; all but the first end the command."""
LOOK_SECONDS = 1.0
GRACE_SECONDS = 30.0
"""How often it is asked for, and how long a command has to clean up before it is killed."""
LONGEST_LINE = 300
MOST_SAID = 2_000


class Ended(Exception):
    """The command was ended by an order."""

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        self.order = order


def run_command(words: Sequence[str], folder: Path, ask: Callable[[str], Order]) -> dict[str, Any]:
    """What `trigpoint WORDS` prints with --json, run in `folder`.

    `ask` is given the last line that it told, each second, and says what to do. Raises Ended for any order but
    `go on`, TrigpointError with the command's own words where it fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="trigpoint-job-") as kept:
        told, printed = Path(kept) / "told", Path(kept) / "printed"
        command = [sys.executable, "-m", "app.jobs.child", str(os.getpid()), *_with_json(words)]
        environment = os.environ | {"PYTHONPATH": str(PROJECT_ROOT), "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
        with told.open("wb") as err, printed.open("wb") as out:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        try:
            _wait(process, told, ask)
        finally:
            if process.poll() is None:
                _end(process)
        if process.returncode != 0:
            raise _failure(process.returncode, told)
        answer: dict[str, Any] = json.loads(printed.read_text())
        return answer


def _with_json(words: Sequence[str]) -> list[str]:
    """`--json` before the `--` behind which no option is read."""
    place = words.index("--")
    return [*words[:place], "--json", *words[place:]]


def _wait(process: subprocess.Popen[bytes], told: Path, ask: Callable[[str], Order]) -> None:
    while True:
        try:
            process.wait(LOOK_SECONDS)
            return
        except subprocess.TimeoutExpired:
            order = ask(_last_line(told))
            if order != "go on":
                raise Ended(order) from None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _tail(told: Path) -> str:
    with told.open("rb") as file:
        file.seek(max(0, told.stat().st_size - 2 * MOST_SAID))
        return file.read().decode("utf-8", "replace").replace("\x00", "")


def _last_line(told: Path) -> str:
    lines = [line.strip() for line in _tail(told).splitlines() if line.strip()]
    return lines[-1][:LONGEST_LINE] if lines else ""


def _failure(status: int, told: Path) -> TrigpointError:
    said = _tail(told)
    _, mark, sentence = said.rpartition("trigpoint: ")
    if mark:
        return Permanent(sentence.strip()[-MOST_SAID:])
    how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
    last = _last_line(told) or "it said nothing"
    return Permanent(f"The command ended with {how}: {last}. The worker's log says more.")
