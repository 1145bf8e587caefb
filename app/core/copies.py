"""Processes that are copies of this one: what it has loaded they need not load."""

import os
import signal
import stat
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

STANDARD_STREAMS = (0, 1, 2)
LOOK_EVERY = 0.01
"""Seconds between two looks at whether a copy has ended."""


def can_be_copied() -> bool:
    """Whether a copy of this process could hurt neither: it has one thread, and no connection that both would hold."""
    threads = len(list(Path("/proc/self/task").iterdir()))
    return threads == 1 and not any(_is_connection(int(one)) for one in os.listdir("/proc/self/fd"))


def _is_connection(descriptor: int) -> bool:
    if descriptor in STANDARD_STREAMS:
        return False
    try:
        return stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except OSError:  # the one by which they were listed
        return False


class Copy:
    """A copy of this process that runs `work` and ends, in a session of its own; it is waited for as a `Popen` is.

    It ends with the status that `work` exits with; with 1, and the traceback in its stderr, where `work` raises.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self.returncode: int | None = None
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            _run_and_end(work)

    def poll(self) -> int | None:
        """The status it ended with, minus the signal's number where a signal ended it; None while it lives."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and give its status. Raises subprocess.TimeoutExpired after so many seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(f"a copy of process {os.getpid()}", timeout or 0)
            time.sleep(LOOK_EVERY)
        return status

    def kill(self) -> None:
        """End it at once, if it lives."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def _run_and_end(work: Callable[[], None]) -> None:
    """Never returns: what called, and would clean up after itself, is the other process's."""
    status = 1
    try:
        work()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
