"""Which of PostgreSQL's programs are used, and what is said where none fits."""

from pathlib import Path

import pytest

from app.core.errors import SettingsError
from app.core.settings import Settings
from app.db.programs import find_programs
from tests.support.fake_programs import make_programs


def at(folder: Path) -> Settings:
    return Settings.load().model_copy(update={"pg_bin": folder})


def test_older_programs_are_refused(tmp_path: Path) -> None:
    folder = make_programs(tmp_path / "bin", "echo 'pg_dump (PostgreSQL) 14.9'")
    assert find_programs(at(folder), 14) == folder
    with pytest.raises(
        SettingsError, match=r"bin has version 14\). Install them \(Debian: apt-get install postgre"
    ):
        find_programs(at(folder), 15)


def test_no_programs(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"version 15 or newer are needed here \(none was found\)"):
        find_programs(at(tmp_path), 15)
