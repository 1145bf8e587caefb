"""A backup is one moment: what changes meanwhile is not in it, and no map it needs can go. Real connections."""

import signal
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.backups.archive import DUMP, MANIFEST, open_archive
from app.backups.writing import backup
from app.core.clock import ManualClock
from app.core.errors import Conflict, Held
from app.core.progress import Silent
from app.core.settings import Settings
from osm_import.keeping import drop_snapshot
from tests.app.backups.conftest import At, BackedUp
from tests.support.command_line import TRIGPOINT, environment, generate, trigpoint
from tests.support.factories import MADE_AT, make_map
from tests.support.processes import start_trigpoint, wait_for_stage
from tests.support.town import import_map, make_town

CLOCK = ManualClock(MADE_AT)


def test_what_the_file_holds(backed_up: BackedUp, tmp_path: Path) -> None:
    done = trigpoint(backed_up.settings, "backup", str(tmp_path / "x.backup"), "--json")
    told = done.json
    assert told["snapshots"] == ["town@2024-05-06T07:08:09Z"]
    assert told["versions"] == ["knowledge@1", "toy@1"]
    assert told["bytes"] == (tmp_path / "x.backup").stat().st_size
    with zipfile.ZipFile(tmp_path / "x.backup") as file:
        assert file.namelist() == [DUMP, MANIFEST]
        assert {one.compress_type for one in file.infolist()} == {zipfile.ZIP_STORED}
    with open_archive(tmp_path / "x.backup") as archive:
        manifest = archive.manifest
        assert manifest.measured.tables["trigpoint.dataset_version"].rows == 2
        kinds = {kind for kind, _, _ in manifest.measured.structure}
        assert kinds == {
            *(
                "column",
                "constraint",
                "function",
                "index",
                "policy",
                "right",
                "row security of",
                "trigger",
                "view",
            )
        }
        assert {name for kind, name, _ in manifest.measured.structure if kind == "trigger"} >= {
            "trigpoint.gold published_is_immutable"
        }
    with open_archive(backed_up.file) as archive:
        assert archive.manifest.measured == manifest.measured


def test_a_map_is_not_dropped_meanwhile(database: Settings, tmp_path: Path) -> None:
    made = make_map(database)
    heard: list[str] = []

    def drop() -> None:
        with pytest.raises(Held, match="is being read or changed by somebody else"):
            drop_snapshot(database, made.schema)
        heard.append("refused")

    backup(database, tmp_path / "x.backup", CLOCK, At("writing", drop))
    assert heard == ["refused"]
    assert drop_snapshot(database, made.schema).snapshot.schema == made.schema


def test_a_backup_waits_no_longer_than_a_drop(
    database: Settings, tmp_path: Path, superuser_of: Callable[[Settings], str]
) -> None:
    make_map(database)
    with psycopg.connect(superuser_of(database)) as other:
        other.execute("update trigpoint.snapshot set state = 'dropped'")
        with pytest.raises(Held, match="A map is being dropped or published at the moment"):
            backup(database, tmp_path / "x.backup", CLOCK, Silent())
    assert list(tmp_path.iterdir()) == []


def test_what_changes_meanwhile_is_not_in_it(
    database: Settings,
    make_database: Callable[[], Settings],
    tmp_path: Path,
    ask: Callable[[Settings, str], list[Any]],
) -> None:
    make_map(database)
    insert = "insert into trigpoint.dataset (name, benchmark, created_at) values ('{}', 'gsqa', '2026-01-01')"
    ask(database, insert.format("before"))
    for stage in ("exports", "comparing", "writing"):
        change = At(stage, lambda stage=stage: ask(database, insert.format(stage)))  # type: ignore[misc]
        file = tmp_path / f"{stage}.backup"
        backup(database, file, CLOCK, change)
    target = make_database()
    assert trigpoint(target, "restore", str(tmp_path / "writing.backup")).status == 0
    names = "select name from trigpoint.dataset order by id"
    assert ask(target, names) == [("before",), ("exports",), ("comparing",)]
    assert ask(database, names) == [("before",), ("exports",), ("comparing",), ("writing",)]


@pytest.mark.long
def test_work_goes_on_meanwhile(
    make_database: Callable[[], Settings], tmp_path: Path, ask: Callable[[Settings, str], list[Any]]
) -> None:
    """A map is imported, published and asked about at each stage; none of it is in the file."""
    settings, target = make_database(), make_database()
    town = make_town().write(tmp_path / "town.osm")
    names: list[str] = []

    def work() -> None:
        name = f"town_{len(names)}"
        import_map(settings, town, name)
        made = generate(settings, "urban_knowledge", name, name, "--bank", "2", "--per-template", "1")
        assert made.status == 0, made.err
        names.append(name)

    work()
    backup(settings, tmp_path / "x.backup", CLOCK, At("comparing", work))
    assert trigpoint(target, "restore", str(tmp_path / "x.backup")).status == 0
    for table in ("snapshot", "dataset"):
        query = f"select name from trigpoint.{table} order by id"
        assert ask(settings, query) == [("town_0",), ("town_1",)]
        assert ask(target, query) == [("town_0",)]


def test_a_map_that_lost_its_schema(
    database: Settings, tmp_path: Path, ask: Callable[[Settings, str], list[Any]]
) -> None:
    made = make_map(database)
    ask(database, f"drop schema {made.schema} cascade")
    with pytest.raises(
        Conflict, match=f"has lost its schema {made.schema}: a backup would not hold that map"
    ):
        backup(database, tmp_path / "x.backup", CLOCK, Silent())
    assert list(tmp_path.iterdir()) == []


def test_no_tables(database: Settings, tmp_path: Path, ask: Callable[[Settings, str], list[Any]]) -> None:
    ask(database, "update trigpoint.alembic_version set version_num = '0001'")
    done = trigpoint(database, "backup", str(tmp_path / "x.backup"))
    assert (done.status, "The tables are at revision 0001, and this Trigpoint works at" in done.err) == (
        1,
        True,
    )
    ask(database, "drop schema trigpoint cascade")
    done = trigpoint(database, "backup", str(tmp_path / "x.backup"))
    assert (done.status, "There is nothing to back up" in done.err) == (1, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sent", "status", "stage"),
    [
        (signal.SIGTERM, 143, "comparing"),
        *(
            pytest.param(signal.SIGINT, 130, stage, marks=pytest.mark.long)
            for stage in ("exports", "comparing", "writing")
        ),
    ],
)
def test_who_is_stopped_leaves_nothing(
    backed_up: BackedUp, tmp_path: Path, sent: signal.Signals, status: int, stage: str
) -> None:
    process = start_trigpoint(backed_up.settings, "backup", str(tmp_path / "x.backup"))
    wait_for_stage(process, stage)
    process.send_signal(sent)
    said = process.stderr.read() if process.stderr else ""
    process.wait()
    if process.returncode == 0:  # it was done already
        assert [one.name for one in tmp_path.iterdir()] == ["x.backup"]
    else:
        assert (process.returncode, said.splitlines()[-1:]) == (status, ["trigpoint: stopped."])
        assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_full_disk_is_told(backed_up: BackedUp, tmp_path: Path) -> None:
    """A limit on the size of files, which fails as a full disk does, at whichever write."""
    for kilobytes in (1, backed_up.file.stat().st_size // 1024):
        limited = f"ulimit -f {kilobytes}; exec {TRIGPOINT} backup {tmp_path}/x.backup"
        done = subprocess.run(
            ["bash", "-c", limited], env=environment(backed_up.settings), capture_output=True, text=True
        )
        assert done.returncode == 1
        assert (
            "x.backup.partial cannot be written any further: File too large. Nothing was left" in done.stderr
        )
        assert "Traceback" not in done.stderr
        assert list(tmp_path.iterdir()) == []


def test_one_that_was_killed_is_taken_over(backed_up: BackedUp, tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    process = start_trigpoint(backed_up.settings, "backup", str(file))
    wait_for_stage(process, "comparing")
    process.kill()
    process.communicate()
    assert not file.exists()
    assert trigpoint(backed_up.settings, "backup", str(file)).status == 0
    assert list(tmp_path.iterdir()) == [file]
