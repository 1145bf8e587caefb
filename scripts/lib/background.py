"""Set-up stage: programs of this checkout that run in the background (dashboard, workers, scripted endpoint).

Reads and writes .local/run/NAME.pid and .local/run/NAME.log. Invariant: a process is stopped only if its command line
shows a program of this checkout's .venv.
usage: background.py start NAME PROGRAM ARGUMENTS… | stop NAME | stop-all | alive NAME
"""

import subprocess
import sys
import time
from pathlib import Path

import processes

CHECKOUT = Path(__file__).resolve().parents[2]
RUN = CHECKOUT / ".local" / "run"


def is_ours(words: list[str]) -> bool:
    """Whether a command line shows a program of this checkout's .venv."""
    return any(word.startswith(f"{CHECKOUT}/.venv/") for word in words[:2])


def live_pid(name: str) -> int:
    """The pid in NAME.pid when that process is ours and alive, else 0."""
    return processes.pid_in(RUN / f"{name}.pid", is_ours)


def start(name: str, command: list[str]) -> int:
    """Starts a program in a session of its own, its output in NAME.log; the pid of the one that runs already if any."""
    if pid := live_pid(name):
        return pid
    RUN.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(RUN / f"{name}.log", "a") as log:
        process = subprocess.Popen(
            command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    (RUN / f"{name}.pid").write_text(f"{process.pid}\n")
    time.sleep(0.2)
    if process.poll() is not None:
        tail = (RUN / f"{name}.log").read_text().strip().splitlines()[-1:]
        sys.stderr.write(
            f"error: {name} ended at once: {' '.join(tail)}\n  what to do: read {RUN / f'{name}.log'}\n"
        )
        sys.exit(1)
    return process.pid


def stop(name: str) -> None:
    """Stops NAME and its pid file; a stale file is only removed."""
    if processes.stop(live_pid(name), is_ours):
        sys.stderr.write(f"==> stopped {name}\n")
    (RUN / f"{name}.pid").unlink(missing_ok=True)


def main(arguments: list[str]) -> int:
    """Runs one command."""
    match arguments:
        case ["start", name, *command] if command:
            sys.stdout.write(f"{start(name, command)}\n")
        case ["stop", name]:
            stop(name)
        case ["stop-all"]:
            for file in sorted(RUN.glob("*.pid")):
                stop(file.stem)
        case ["alive", name]:
            return 0 if live_pid(name) else 1
        case _:
            sys.stderr.write((__doc__ or "").strip().splitlines()[-1] + "\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
