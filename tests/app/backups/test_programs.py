"""PostgreSQL's programs in backups: what is said where they are missing or fail, and that no password is seen."""

from pathlib import Path

import pytest

from app.core.settings import Settings
from app.db.programs import NEEDED, find_programs
from tests.app.backups.conftest import BackedUp
from tests.support.command_line import trigpoint
from tests.support.fake_programs import make_programs


def test_a_command_says_what_to_install(
    backed_up: BackedUp, empty: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("TRIGPOINT_PG_BIN", str(tmp_path / "bin"))
    for settings, command in ((backed_up.settings, "backup"), (empty, "restore")):
        file = str(backed_up.file) if command == "restore" else str(tmp_path / "x.backup")
        done = trigpoint(settings, command, file)
        assert (done.status, "apt-get install postgresql-client-15" in done.err) == (2, True)
    assert [one.name for one in tmp_path.iterdir()] == ["bin"]


def test_passwords_stand_on_no_command_line(
    backed_up: BackedUp, database: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = find_programs(Settings.load(), 15)
    seen = tmp_path / "seen"
    folder = make_programs(tmp_path / "bin", f'echo "$0 $*" >>{seen}\nexec "{real}/$(basename "$0")" "$@"')
    monkeypatch.setenv("TRIGPOINT_PG_BIN", str(folder))
    made = trigpoint(backed_up.settings, "backup", str(tmp_path / "x.backup"))
    back = trigpoint(database, "restore", str(tmp_path / "x.backup"))
    assert (made.status, back.status) == (0, 0)
    said = seen.read_text() + made.err + made.out + back.err + back.out
    assert {line.split()[0].rsplit("/", 1)[1] for line in seen.read_text().splitlines()} == set(NEEDED)
    for role in ("owner", "worker", "maintainer"):
        assert getattr(database, f"password_{role}").get_secret_value() not in said


def test_a_program_that_fails_is_told_in_a_sentence(
    backed_up: BackedUp, empty: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = find_programs(Settings.load(), 15)
    folder = make_programs(tmp_path / "bin", f'exec "{real}/$(basename "$0")" "$@"')
    for name in ("pg_dump", "pg_restore"):
        (folder / name).write_text(
            f'#!/bin/sh\n[ "$1" = --version ] && exec "{real}/{name}" "$1"\n'
            f"echo '{name}: error: the moon is full' >&2; echo 'secret row' >&2; exit 1\n"
        )
    monkeypatch.setenv("TRIGPOINT_PG_BIN", str(folder))
    made = trigpoint(backed_up.settings, "backup", str(tmp_path / "x.backup"))
    assert made.status == 1
    assert "trigpoint: pg_dump stopped: pg_dump: error: the moon is full. No file was left" in made.err
    back = trigpoint(empty, "restore", str(backed_up.file))
    assert back.status == 1
    assert "pg_restore stopped: pg_restore: error: the moon is full. Nothing was restored." in back.err
    assert "secret" not in made.err + back.err
    assert [one.name for one in tmp_path.iterdir()] == ["bin"]
