"""Copies of a process, made by scripts of their own: pytest's process has threads and connections."""

import signal
import subprocess
import sys

import pytest

from app.core.settings import PROJECT_ROOT

IMPORTS = "import os, signal, socket, subprocess, sys, threading, time; from app.core.copies import Copy, can_be_copied\n"


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", IMPORTS + script], cwd=PROJECT_ROOT, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("work", "status"),
    [
        ("lambda: print('from the copy', 'in its session' * (os.getsid(0) == os.getpid()))", 0),
        ("lambda: sys.exit()", 0),
        ("lambda: sys.exit(3)", 3),
        ("lambda: sys.exit('a word')", 1),
        ("lambda: 1 / 0", 1),
        ("lambda: os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    ],
)
def test_a_copy_ends_with_the_status_of_its_work(work: str, status: int) -> None:
    done = run(f"copy = Copy({work})\nprint(copy.wait(), copy.poll(), copy.returncode)")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"{status} {status} {status}"
    assert ("from the copy in its session" in done.stdout) == ("from the copy" in work)
    assert ("ZeroDivisionError" in done.stderr) == ("1 / 0" in work)


def test_a_copy_does_nothing_that_its_original_would_do_at_its_end() -> None:
    script = "try:\n    copy = Copy(lambda: 1 / 0)\n    copy.wait()\nfinally:\n    print('cleaned up')\n"
    assert run("import atexit; atexit.register(print, 'ended')\n" + script).stdout == "cleaned up\nended\n"


def test_what_was_said_before_is_said_once() -> None:
    assert run("print('before')\nCopy(lambda: print('after')).wait()").stdout == "before\nafter\n"


def test_a_copy_that_lives_is_waited_for_and_can_be_killed() -> None:
    script = (
        "copy = Copy(lambda: signal.pause())\n"
        "assert copy.poll() is None\n"
        "try:\n    copy.wait(0.05)\nexcept subprocess.TimeoutExpired:\n    print('still there')\n"
        "copy.kill(); print(copy.wait(30)); copy.kill()\n"
    )
    done = run(script)
    assert (done.stdout, done.stderr) == ("still there\n-9\n", "")


def test_who_has_a_thread_or_a_connection_is_not_copied() -> None:
    script = (
        "print(can_be_copied())\n"
        "one, other = socket.socketpair(); print(can_be_copied()); one.close(); other.close()\n"
        "ended = threading.Event(); thread = threading.Thread(target=ended.wait); thread.start()\n"
        "print(can_be_copied()); ended.set(); thread.join()\n"
    )
    assert run(script).stdout == "True\nFalse\nFalse\n"
