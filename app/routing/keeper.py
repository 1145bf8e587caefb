"""Keeps one router's process: starts it, says where it listens, ends it when nobody asks or its files are gone.

A program of its own, run as `python -m app.routing.keeper FOLDER PROGRAM`, so that a router outlives the command that
needed it first. It leaves PROCESS in the folder while the router answers.
"""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from app.core.parent import end_with_parent

PROCESS = f"process-{socket.gethostname()}.json"
"""Numbers of processes and ports hold on one machine; the folder may be shared, as that of containers is."""
USED, LOG = "used", "osrm-routed.log"
IDLE_S = 600.0
START_S = 60.0
END_S = 5.0
_LOOK_S = 0.5
_PROBE_S = 0.02


def keep(folder: Path, program: str, idle_s: float = IDLE_S) -> int:
    """Run the router until it is idle, its folder is gone or it ends by itself; gives its exit status."""
    port, inode = _free_port(), folder.stat().st_ino
    (folder / USED).touch()
    with (folder / LOG).open("wb") as log:
        router = _start(folder, program, port, log.fileno())
    try:
        if _answers(router, port):
            _tell(folder, router.pid, port)
            while router.poll() is None and _is_needed(folder, inode, idle_s):
                time.sleep(_LOOK_S)
    finally:
        _take_back(folder)
        status = _end(router)
    return status


def _end(router: "subprocess.Popen[bytes]") -> int:
    router.terminate()
    try:
        return router.wait(timeout=END_S)
    except subprocess.TimeoutExpired:
        router.kill()
        return router.wait()


def _start(folder: Path, program: str, port: int, log: int) -> "subprocess.Popen[bytes]":
    keeper = os.getpid()
    options = ["--algorithm", "mld", "--ip", "127.0.0.1", "--port", str(port), "--max-table-size", "200"]
    return subprocess.Popen(
        [program, *options, "network.osrm"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        preexec_fn=lambda: end_with_parent(keeper),
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(router: "subprocess.Popen[bytes]", port: int) -> bool:
    """Wait until the router takes connections; False where it ends or takes too long."""
    until = time.monotonic() + START_S
    while router.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(_PROBE_S)
        else:
            return True
    return False


def _tell(folder: Path, pid: int, port: int) -> None:
    """Write where the router listens; whoever reads the file reads all of it."""
    fresh = folder / f"{PROCESS}.new"
    fresh.write_text(json.dumps({"pid": pid, "port": port, "keeper": os.getpid()}))
    fresh.rename(folder / PROCESS)


def _take_back(folder: Path) -> None:
    """Remove what `_tell` wrote, unless another keeper told of its router meanwhile."""
    try:
        told = json.loads((folder / PROCESS).read_text())
    except (FileNotFoundError, ValueError):
        return
    if told["keeper"] == os.getpid():
        (folder / PROCESS).unlink(missing_ok=True)


def _is_needed(folder: Path, inode: int, idle_s: float) -> bool:
    try:
        return _is_same(folder, inode) and time.time() - (folder / USED).stat().st_mtime < idle_s
    except FileNotFoundError:
        return False


def _is_same(folder: Path, inode: int) -> bool:
    """Whether the folder is the one that the router was started for: a router built anew has a process of its own."""
    try:
        return folder.stat().st_ino == inode
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    sys.exit(keep(Path(sys.argv[1]), sys.argv[2], *map(float, sys.argv[3:])))
