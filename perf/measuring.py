"""Benchmarks: what a tree of processes costs. Runs commands; reads /proc; writes nothing.

Seconds of wall and CPU, megabytes (10^6 bytes) of memory. Memory is the proportional share (PSS) summed over the tree,
so that pages which processes share count once.
"""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from app.core.errors import ImportFailed

TICKS = os.sysconf("SC_CLK_TCK")
INTERVAL = 0.05
"""Seconds between two looks at the memory of commands."""
SLOW_INTERVAL = 0.5
"""The same of processes that live on. A look takes 10 ms of a core, and holds up whoever of them asks for memory."""


class Cost(NamedTuple):
    """What one run took."""

    wall: float
    cpu: float
    """User and system time of the commands and of all their descendants that were waited for."""
    memory: float
    """The largest sum over the tree seen at one time."""
    server_cpu: float
    """The same of PostgreSQL's processes, meanwhile."""
    output: str
    """What the last command wrote to stdout."""


def measure(
    stages: Sequence[Sequence[Sequence[str]]], environment: Mapping[str, str], postmaster: int, log: Path
) -> Cost:
    """Run stages one after the other, the commands of a stage at once. Raises ImportFailed where one fails."""
    server_before = server_cpu(postmaster)
    watch = _MemoryWatch(INTERVAL)
    started, cpu, output = time.monotonic(), 0.0, ""
    with watch, log.open("w+", encoding="utf-8") as errors:
        for commands in stages:
            running = [
                subprocess.Popen(
                    command, env=dict(environment), stdout=subprocess.PIPE, stderr=errors, text=True
                )
                for command in commands
            ]
            watch.roots = [process.pid for process in running]
            for process in running:
                output = process.stdout.read() if process.stdout else ""
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                cpu += usage.ru_utime + usage.ru_stime
            failed = [process for process in running if process.returncode]
            if failed:
                last = log.read_text(encoding="utf-8").strip().splitlines()[-3:]
                raise ImportFailed(f"{failed[0].args!r} failed: {' / '.join(last)}. See {log}.")
        wall = time.monotonic() - started
    return Cost(wall, cpu, watch.peak / 1e6, server_cpu(postmaster) - server_before, output)


def server_cpu(postmaster: int) -> float:
    """CPU seconds of PostgreSQL since it started: its live processes, and those it has seen end."""
    own, ended = _times(postmaster)
    return own + ended + sum(_times(pid)[0] for pid in _children(postmaster))


class Spent(NamedTuple):
    """What living trees of processes took while they were watched; see Cost."""

    wall: float
    cpu: float
    memory: float
    server_cpu: float


class Watch:
    """Watches living trees of processes from entry to exit: `spent` says what they took, `series` their memory."""

    def __init__(self, roots: Sequence[int], postmaster: int) -> None:
        self._roots = list(roots)
        self._postmaster = postmaster
        self._memory = _MemoryWatch(SLOW_INTERVAL)
        self._memory.roots = self._roots

    def __enter__(self) -> "Watch":
        self._before = self._times()
        self._memory.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        wall = time.monotonic() - self._before[0]  # before it is waited for a look at the memory
        self._memory.__exit__()
        cpu, server = (
            after - before for after, before in zip(self._times()[1:], self._before[1:], strict=True)
        )
        self.spent = Spent(wall, cpu, self._memory.peak / 1e6, server)

    def seconds(self) -> float:
        """Wall seconds since it was entered."""
        return time.monotonic() - self._before[0]

    @property
    def series(self) -> list[float]:
        """Megabytes at the end of each second."""
        return [bytes_ / 1e6 for bytes_ in self._memory.by_second.values()]

    def _times(self) -> tuple[float, float, float]:
        cpu = sum(sum(_times(pid)) for root in self._roots for pid in _tree(root))
        return time.monotonic(), cpu, server_cpu(self._postmaster)


class _MemoryWatch:
    """Looks at the trees below `roots` until it is left; `peak` is the largest sum of bytes."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self.roots: list[int] = []
        self.peak = 0
        self.by_second: dict[int, int] = {}
        self._done = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> "_MemoryWatch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        started = time.monotonic()
        while not self._done.wait(self._interval):
            now = sum(memory_of(root) for root in self.roots)
            self.peak = max(self.peak, now)
            self.by_second[int(time.monotonic() - started)] = now


def memory_of(root: int) -> int:
    """Bytes of memory that a process and its descendants hold now."""
    return sum(_memory(pid) for pid in _tree(root))


def _tree(root: int) -> list[int]:
    """A process and its descendants."""
    found = [root]
    for pid in found:
        found += _children(pid)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for file in _listed(Path(f"/proc/{pid}/task")):
        try:
            found += map(int, (file / "children").read_text().split())
        except OSError:
            continue  # that thread has ended
    return found


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []  # that process has ended


def _times(pid: int) -> tuple[float, float]:
    """CPU seconds of a process, and of its children that ended; zeros when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0, 0.0
    user, system, ended_user, ended_system = map(int, fields[11:15])
    return (user + system) / TICKS, (ended_user + ended_system) / TICKS


def _memory(pid: int) -> int:
    """Bytes of proportional memory; 0 when the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
