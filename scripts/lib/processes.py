"""Set-up stage: tells whether a process is ours, and stops it. Reads /proc; writes nothing.

Invariant: no process is signalled unless its program and its working folder (or its command line) prove that this
checkout started it, so a stale pid file can never end somebody else's process.
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

STOP_SECONDS = 30.0


def command_line(pid: int) -> list[str]:
    """The arguments of a live process; empty when it is gone, a zombie, or not ours to read."""
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return []
    return [part.decode(errors="replace") for part in raw.split(b"\0") if part]


def is_alive(pid: int) -> bool:
    """Whether the process runs (a zombie does not)."""
    return bool(command_line(pid))


def works_in(pid: int, program: str, folder: Path) -> bool:
    """Whether `pid` is a live process of that program working in `folder` (servers change into their data)."""
    try:
        cwd = os.readlink(f"/proc/{pid}/cwd").removesuffix(" (deleted)")
    except OSError:
        return False
    arguments = command_line(pid)
    return bool(arguments) and program in os.path.basename(arguments[0].split()[0]) and cwd == str(folder)


def find_in(program: str, folder: Path) -> list[int]:
    """Every live process of that program working in that folder whose parent is not one of them, lowest pid first."""
    found = [
        int(p.name)
        for p in Path("/proc").iterdir()
        if p.name.isdigit() and works_in(int(p.name), program, folder)
    ]
    return sorted(pid for pid in found if parent_of(pid) not in found)


def parent_of(pid: int) -> int:
    """The parent's pid, 0 when the process is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def stop(pid: int, is_ours: Callable[[int], bool], first: signal.Signals = signal.SIGTERM) -> bool:
    """Asks a process of ours to end, waits, and kills it after 30 s. False when it was not ours or already gone."""
    if not is_ours(pid):
        return False
    os.kill(pid, first)
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        if not is_alive(pid):
            return True
        time.sleep(0.05)
    if is_ours(pid):
        os.kill(pid, signal.SIGKILL)
    return True
