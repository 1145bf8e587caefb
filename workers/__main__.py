"""`python -m workers`: a Celery worker, as `trigpoint worker` and `trigpoint evaluate` start it.

Without Celery's own command line, which loads a shell, monitors and all its other commands before it begins to work.
"""

import argparse
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from app.core.memory import end_unsearched, search_seldom, uncollected

if TYPE_CHECKING:
    from celery import Celery

LOG_LEVELS = ("debug", "info", "warning", "error")
TASKS_AT_ONCE = 3
"""One that works, one that scores, one that sweeps: the worker of runs itself keeps many calls in flight."""


def serve(celery: "Celery", queues: Sequence[str], log_level: str) -> NoReturn:
    """Work what comes over `queues`, until a signal says to stop."""
    worker = celery.Worker(
        hostname=f"trigpoint-{os.getpid()}-{os.urandom(3).hex()}@{socket.gethostname()}",
        pool_cls="threads",
        concurrency=TASKS_AT_ONCE,
        queues=list(queues),
        loglevel=log_level,
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def end_with(pipe: int) -> None:
    """End softly when all who hold the other end of `pipe` have closed it, or are gone, however they went."""

    def wait_and_end() -> None:
        os.read(pipe, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait_and_end, name="end-with", daemon=True).start()


def read_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """`queues`, by commas, `log_level`; the pipe to `end_with` and the only run that is worked, or None."""
    parser = argparse.ArgumentParser(prog="python -m workers", description="A worker of Trigpoint.")
    parser.add_argument("--queues", required=True, help="by commas")
    parser.add_argument("--log-level", default="info", type=str.lower, choices=LOG_LEVELS)
    parser.add_argument("--end-with", type=int, metavar="FD", help="a pipe; end when its other end is closed")
    parser.add_argument("--only-run", type=int, metavar="RUN", help="work no questions but those of this run")
    return parser.parse_args(arguments)


def main() -> NoReturn:
    """The command."""
    options = read_arguments()
    end_unsearched()
    search_seldom()
    if options.end_with is not None:
        end_with(options.end_with)
    with uncollected():
        from workers.app import app
        from workers.process import here
    if options.only_run is not None:
        here().keep_to(options.only_run)
    serve(app, options.queues.split(","), options.log_level)


if __name__ == "__main__":
    main()
