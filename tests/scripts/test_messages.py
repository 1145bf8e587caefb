"""What the set-up says when it cannot go on: one sentence, what to do, exit status not 0. Each runs the real scripts."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from app.core.settings import PROJECT_ROOT

TOOLS = "sh dirname basename id awk ls printf head tail tr cat sed grep env df mkdir chmod rm cut mktemp sort".split()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the scripts in a folder with a space in its name, with nothing set up."""
    copy = tmp_path / "a checkout"
    shutil.copytree(PROJECT_ROOT / "scripts", copy / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PROJECT_ROOT / "requirements", copy / "requirements")
    return copy


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """A PATH with the plain tools only: no Python, no apt-get, no sudo, no servers."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        (folder / tool).symlink_to(str(shutil.which(tool)))
    return folder


def run(script: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """The exit status and what was said."""
    done = subprocess.run(
        ["/bin/sh", script, *arguments],
        env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_without_python_the_person_is_told_which_to_install(checkout: Path, bare_path: Path) -> None:
    status, said = run(checkout / "scripts" / "up", PATH=str(bare_path))
    assert status == 1
    assert "Python 3.11 or newer was not found" in said
    assert "what to do: install one" in said
    assert not (checkout / ".local").exists()


def test_without_apt_the_missing_packages_are_named(checkout: Path, bare_path: Path) -> None:
    status, said = run(checkout / "scripts" / "packages", "redis", PATH=str(bare_path))
    assert status == 1
    assert "redis-server are missing, and this machine has no apt-get" in said
    assert "what to do: install PostgreSQL" in said


def test_without_root_and_sudo_somebody_else_is_to_be_asked(checkout: Path, bare_path: Path) -> None:
    (bare_path / "apt-get").symlink_to("/bin/false")
    (bare_path / "id").unlink()
    (bare_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (bare_path / "id").chmod(0o755)
    status, said = run(checkout / "scripts" / "packages", "redis", PATH=str(bare_path))
    assert status == 1
    assert "you are not root, and there is no sudo" in said
    assert "apt-get install redis-server" in said


def test_a_postgresql_without_postgis_is_refused(checkout: Path, tmp_path: Path) -> None:
    status, said = run(checkout / "scripts" / "lib" / "pg-bin", TRIGPOINT_PG_BIN=str(tmp_path))
    assert status == 1
    assert "has no PostgreSQL 15 or newer with PostGIS" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_of_somebody_else_is_left_alone(checkout: Path) -> None:
    (checkout / ".local").mkdir()
    os.chown(checkout / ".local", 65534, 65534)
    status, said = run(checkout / "scripts" / "services", "start")
    assert status == 1
    assert "belongs to nobody, and you are root" in said
    assert list((checkout / ".local").iterdir()) == []


def test_down_without_anything_is_harmless(checkout: Path) -> None:
    status, said = run(checkout / "scripts" / "down")
    assert (status, "nothing to stop" in said) == (0, True)


def test_a_failing_step_names_itself(checkout: Path) -> None:
    """Without a pyproject.toml nothing can be installed."""
    (checkout / "requirements" / "dev.txt").unlink()
    status, said = run(checkout / "scripts" / "up")
    assert status == 1
    assert "set-up stopped at the step 'venv dev'" in said
