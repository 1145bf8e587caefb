"""Settings whose routers have a folder of their own, and end with the tests; processes that hang."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.core.settings import Settings
from app.routing.processes import stop_routers


@contextmanager
def own_routers(settings: Settings, folder: Path) -> Iterator[Settings]:
    """The settings with `folder` for local files; its routers are ended with the block."""
    own = settings.model_copy(update={"local_dir": folder})
    try:
        yield own
    finally:
        stop_routers(own)


def hang(pid: int) -> None:
    """Stop a process, and wait until each of its threads has stopped: on a busy machine one may still answer."""
    os.kill(pid, signal.SIGSTOP)
    until = time.monotonic() + 10
    while set(_states(pid)) != {"T"}:
        assert time.monotonic() < until
        time.sleep(0.01)


def _states(pid: int) -> Iterator[str]:
    for thread in Path(f"/proc/{pid}/task").iterdir():
        yield (thread / "stat").read_text().rpartition(") ")[2][0]
