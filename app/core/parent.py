"""Processes that end with the one that started them, even where that is killed."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Have Linux send this process `by` when its parent is gone, and end it if that is gone already.

    `parent` is the process number that the parent gave. It holds beyond an exec.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, by)
    if os.getppid() != parent:
        os._exit(1)
