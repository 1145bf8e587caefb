"""Processes forked from a server that has loaded the program already: one costs hundredths of a second, not two.

Each is a process of its own, in a session of its own, with the environment that it is given: it may be killed, stopped
and waited for as one that was started from nothing.
"""

import atexit
import contextlib
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Lock

from app.core.settings import PROJECT_ROOT

FORKS = get_context("forkserver")
LOCK = Lock()
"""Starting a process polls all others: two threads that do so at once take each other's exit codes."""
FORKS.set_forkserver_preload(
    [
        "app.cli.main",
        "app.cli.import_",
        "app.cli.scripted_endpoint",
        "osm_import.reading",
        "celery.apps.worker",
        "celery.concurrency.thread",
        "kombu.transport.redis",
        "workers.process",
        "app.operations.jobs",
        "app.operations.check_reasoning",
        "app.scores.submitted",
        "tests.support.forks",
    ]
)


TRIGPOINT = "trigpoint"


class Forked:
    """`trigpoint ARGUMENTS…` or `python -m MODULE ARGUMENTS…`, waited for as a `subprocess.Popen` is.

    What it prints is added to files.
    """

    def __init__(
        self,
        program: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        out: Path,
        err: Path,
    ) -> None:
        has_begun, begun = FORKS.Pipe(duplex=False)
        given = (begun, program, list(arguments), dict(environment), str(out), str(err))
        self._process = FORKS.Process(target=_run, args=given)
        with LOCK:
            self._process.start()
        begun.close()
        with has_begun, contextlib.suppress(EOFError):
            has_begun.recv_bytes()  # from here on it has a session of its own, whose processes can be ended together
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    @property
    def sentinel(self) -> int:
        """What `multiprocessing.connection.wait` takes: it is ready when the process has ended."""
        return self._process.sentinel

    @property
    def returncode(self) -> int | None:
        """The status it ended with, minus the signal's number where a signal ended it; None while it lives."""
        with LOCK:
            return self._process.exitcode

    def poll(self) -> int | None:
        """As `returncode`."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and give its status. Raises subprocess.TimeoutExpired after so many seconds."""
        wait([self.sentinel], timeout)
        status = self.returncode
        if status is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it lives."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def _run(
    begun: Connection, program: str, arguments: list[str], environment: dict[str, str], out: str, err: str
) -> None:
    os.setsid()
    with begun:
        begun.send_bytes(b"")
    for number, name in ((1, out), (2, err)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(PROJECT_ROOT)
    sys.argv = [program, *arguments]
    try:
        if program == TRIGPOINT:
            from app.cli.main import main

            main()
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()
