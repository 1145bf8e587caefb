"""What an import says of its progress: on a terminal, into a file, and when Ctrl-C ends it."""

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest

from app.cli.bars import Bars
from app.core.progress import describe_count, describe_rate
from app.core.settings import PROJECT_ROOT, Settings
from tests.support.processes import start_import, wait_for_stage, wait_until


@pytest.mark.parametrize(
    ("stage", "done", "total", "said"),
    [
        ("reading", 1_200_000, 2_710_768, "1.2 of 2.7 MB"),
        ("downloading", 1_200_000, None, "1.2 MB"),
        ("indexing", 3, 8, "3 of 8"),
        ("indexing", 0, 8, "0 of 8"),
        ("placing", 12_345, None, "12,345"),
        ("completing", 0, None, ""),
    ],
)
def test_counts(stage: str, done: int, total: int | None, said: str) -> None:
    assert describe_count(stage, done, total) == said


@pytest.mark.parametrize(
    ("stage", "speed", "said"),
    [("checksum", 12_340_000.0, "12.3 MB/s"), ("checking", 1450.2, "1,450/s"), ("checking", None, "")],
)
def test_rates(stage: str, speed: float | None, said: str) -> None:
    assert describe_rate(stage, speed) == said


def test_lines_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    with Bars() as bars:
        bars.start("reading", 3_000_000)
        bars.advance(1_000_000)
        bars.advance(2_000_000)
        bars.start("completing", None)
    lines = capsys.readouterr().err.splitlines()
    assert [lines[0], lines[2]] == ["reading", "completing"]
    assert re.fullmatch(r"reading done: 3\.0 of 3\.0 MB, \d+\.\d s, [\d,]+\.\d MB/s", lines[1])
    assert re.fullmatch(r"completing done: \d+\.\d s", lines[3])
    assert len(lines) == 4


def fail_while_indexing() -> None:
    with Bars() as bars:
        bars.start("indexing", 8)
        raise InterruptedError


def test_a_stage_that_failed_is_not_said_to_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InterruptedError):
        fail_while_indexing()
    assert capsys.readouterr().err.splitlines() == ["indexing"]


def import_on_a_terminal(settings: Settings, path: Path) -> str:
    """What an import draws on a terminal of its own."""
    ours, theirs = pty.openpty()
    environment = os.environ | {
        "TRIGPOINT_DATABASE_URL": settings.database_url,
        "COLUMNS": "150",
        "TERM": "xterm",
    }
    command = [sys.executable, "-c", "from app.cli.main import main; main()", "import", str(path), "--json"]
    with subprocess.Popen(
        command, cwd=PROJECT_ROOT, env=environment, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        drawn = b""
        try:
            while data := os.read(ours, 1 << 16):
                drawn += data
        except OSError:  # the terminal's other end is closed
            pass
        assert process.wait(60) == 0, drawn.decode()
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn.decode())


def test_bars_on_a_terminal(database: Settings, extracts: Path) -> None:
    drawn = import_on_a_terminal(database, extracts / "liechtenstein-2013-08-03.osm.pbf")
    for stage in ("checksum", "reading", "indexing", "checking"):
        assert re.search(rf"{stage} +[━╸╺ ]+.*\d:\d\d:\d\d", drawn), stage
    assert re.search(r"checksum .* 0\.6 of 0\.6 MB +[\d,]+\.\d MB/s +\S+ 0:00:00", drawn)


def test_ctrl_c_leaves_nothing_behind(database: Settings, extracts: Path, superuser_of: object) -> None:
    process = start_import(database, extracts / "liechtenstein-2022-07-24.osm.pbf")
    wait_for_stage(process, "reading")
    wait_until(lambda: schemas(database, superuser_of), "the schema to be there")
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, ""), err
    assert "Traceback" not in err
    assert "reading done" not in err
    assert schemas(database, superuser_of) == []
    assert [
        child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE
    ] == []


def schemas(settings: Settings, superuser_of: object) -> list[str]:
    assert callable(superuser_of)
    with psycopg.connect(superuser_of(settings)) as connection:
        rows = connection.execute("select nspname from pg_namespace where nspname ~ '^(osm|reference)_'")
        return [row[0] for row in rows]
