"""Set-up stage: tells whether a process is ours, and stops it. Reads pid files and /proc; writes nothing.

Invariant: no process is signalled unless its command line proves that this checkout started it, so a stale pid file
can never end that of somebody else. (Working folders prove more, but in containers root may not read them.)
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

STOP_SECONDS = 30.0
Proof = Callable[[list[str]], bool]


def command_line(pid: int) -> list[str]:
    """The arguments of a live process; empty when it is gone, a zombie, or not ours to read."""
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return []
    return [part.decode(errors="replace") for part in raw.split(b"\0") if part]


def pid_in(file: Path, is_ours: Proof) -> int:
    """The pid in the first word of a pid file when that process lives and is proved ours, else 0."""
    try:
        words = file.read_text().split()
    except OSError:
        return 0
    pid = int(words[0]) if words and words[0].isdigit() else 0
    return pid if pid and is_ours(command_line(pid)) else 0


def stop(pid: int, is_ours: Proof, first: signal.Signals = signal.SIGTERM) -> bool:
    """Asks a process of ours to end, waits, and kills it after 30 s. False when it was not ours or already gone."""
    if not pid or not is_ours(command_line(pid)):
        return False
    os.kill(pid, first)
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        if not command_line(pid):
            return True
        time.sleep(0.05)
    if is_ours(command_line(pid)):
        os.kill(pid, signal.SIGKILL)
    return True
