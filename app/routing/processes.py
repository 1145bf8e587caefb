"""Finds the process of a router, or starts one; ends processes and removes files."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from app.core.settings import PROJECT_ROOT, Settings
from app.routing.errors import RouterNotBuilt
from app.routing.folders import locked, router_root
from app.routing.keeper import END_S, LOG, PROCESS, START_S, USED
from app.routing.programs import program_folder

_LOOK_S = 0.02


class RouterProcess(NamedTuple):
    """A router that runs: its process, that of its keeper, and the port of 127.0.0.1."""

    pid: int
    port: int
    keeper: int


def find_or_start(settings: Settings, folder: Path) -> RouterProcess:
    """The process of the router in a folder; one is started where none runs.

    Raises RouterNotBuilt where it does not start.
    """
    running = find_process(folder)
    if running is not None:
        return running
    with locked(folder):
        return find_process(folder) or _start(settings, folder)


def find_process(folder: Path) -> RouterProcess | None:
    """The router that runs for a folder, None where none does."""
    try:
        running = RouterProcess(**json.loads((folder / PROCESS).read_text()))
    except (FileNotFoundError, ValueError):
        return None
    return running if _runs_in(running.pid, folder) else None


def _runs_in(pid: int, folder: Path) -> bool:
    """Whether a process works in a folder: a number alone may have passed to another program."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == folder.resolve()
    except OSError:
        return False


def _start(settings: Settings, folder: Path) -> RouterProcess:
    program = program_folder(settings) / "osrm-routed"
    keeper = subprocess.Popen(
        [sys.executable, "-m", "app.routing.keeper", str(folder.resolve()), str(program)],
        cwd=PROJECT_ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    until = time.monotonic() + START_S
    while keeper.poll() is None and time.monotonic() < until:
        running = find_process(folder)
        if running is not None:
            return running
        time.sleep(_LOOK_S)
    keeper.terminate()
    said = (folder / LOG).read_text(errors="replace").strip() if (folder / LOG).is_file() else ""
    raise RouterNotBuilt(
        f"osrm-routed did not start: {said.splitlines()[-1] if said else 'it said nothing'}. See {folder / LOG}."
    )


def note_use(folder: Path) -> None:
    """Tell the keeper that somebody asks."""
    os.utime(folder / USED)


def stop_process(folder: Path) -> bool:
    """End the router of a folder and wait until it is gone; False where none ran."""
    running = find_process(folder)
    if running is None:
        return False
    if not _end(running.pid, folder, signal.SIGTERM):
        _end(running.pid, folder, signal.SIGKILL)
    return True


def kill_process(folder: Path) -> None:
    """End a router that does not answer."""
    running = find_process(folder)
    if running is not None:
        _end(running.pid, folder, signal.SIGKILL)


def _end(pid: int, folder: Path, by: signal.Signals) -> bool:
    """Whether a router is gone some seconds after a signal."""
    with suppress(ProcessLookupError):
        os.kill(pid, by)
    until = time.monotonic() + END_S
    while _runs_in(pid, folder) and time.monotonic() < until:
        time.sleep(_LOOK_S)
    return not _runs_in(pid, folder)


def stop_routers(settings: Settings) -> list[str]:
    """End every router of this database; gives SCHEMA/MODE of each."""
    root = router_root(settings)
    return [
        f"{file.parent.parent.name}/{file.parent.name}"
        for file in sorted(root.glob(f"*/*/{PROCESS}"))
        if stop_process(file.parent)
    ]


def remove_routers(settings: Settings, schema: str) -> None:
    """End the routers of a snapshot that is gone, and remove their files."""
    for file in (router_root(settings) / schema).glob(f"*/{PROCESS}"):
        stop_process(file.parent)
    shutil.rmtree(router_root(settings) / schema, ignore_errors=True)
