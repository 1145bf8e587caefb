"""Pid files: only a process that proves to be ours is found or stopped."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import processes
import pytest

SLEEPER = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)", "marked"]


def is_marked(words: list[str]) -> bool:
    return words[-1:] == ["marked"]


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(SLEEPER, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_a_live_process_of_ours_is_found_and_stopped(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    (tmp_path / "pid").write_text(f"{sleeper.pid}\nmore\n")
    assert processes.pid_in(tmp_path / "pid", is_marked) == sleeper.pid
    assert processes.stop(sleeper.pid, is_marked)
    assert sleeper.wait(10) != 0


def test_a_stale_pid_file_never_ends_a_stranger(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    (tmp_path / "pid").write_text(f"{sleeper.pid}\n")
    assert processes.pid_in(tmp_path / "pid", lambda words: "trigpoint" in words) == 0
    assert not processes.stop(sleeper.pid, lambda words: "trigpoint" in words)
    assert sleeper.poll() is None


@pytest.mark.parametrize("text", ["", "no number", "0", "99999999"])
def test_a_pid_file_without_a_live_process_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "pid").write_text(text)
    assert processes.pid_in(tmp_path / "pid", lambda words: bool(words)) == 0


def test_a_missing_pid_file_counts_as_none(tmp_path: Path) -> None:
    assert processes.pid_in(tmp_path / "none", lambda words: bool(words)) == 0
