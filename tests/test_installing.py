"""Installing by pip: a wheel in an environment of its own, `trigpoint init` against servers that somebody else runs."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from dotenv import set_key

from app.core.settings import PROJECT_ROOT
from tests.support.processes import private_redis

sys.path.insert(0, str(PROJECT_ROOT / "scripts" / "lib"))
import instances
import localenv

PASSWORD = "superusers-own"
MAP = PROJECT_ROOT.parent / "shared" / "extracts" / "monaco-2012-07-06.osm.gz"


@dataclass(frozen=True)
class Installed:
    """A `trigpoint` that pip installed, and the home of its user."""

    program: Path
    home: Path

    def __call__(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("TRIGPOINT_", "PYTHON"))
        }
        own = {"HOME": str(self.home), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}
        return subprocess.run(
            [self.program, *words],
            cwd=self.home,
            env=kept | own | variables,
            capture_output=True,
            text=True,
            check=False,
        )


@contextmanager
def bare_postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL with nothing in it but its superuser; the superuser's URL."""
    folder.mkdir()
    place = instances.place_of(folder, folder)
    port = localenv.free_port(folder, set())
    instances.start_postgres(place, port, PASSWORD)
    try:
        yield f"postgresql://postgres:{PASSWORD}@127.0.0.1:{port}/postgres"
    finally:
        instances.discard_orphans(place)


def _copy_checkout(to: Path) -> None:
    """The files that git knows or would add: a build in the checkout itself would leave folders there."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=PROJECT_ROOT,
        check=True,
        capture_output=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (PROJECT_ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT_ROOT / name, to / name)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of this checkout in a new environment, which sees the packages that this one has, but not our code."""
    folder = tmp_path_factory.mktemp("pip")
    source, wheels, environment = folder / "source", folder / "wheels", folder / "venv"
    _copy_checkout(source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, source],
        check=True,
        cwd=folder,
    )
    venv.create(environment, with_pip=False, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (wheel,) = wheels.glob("trigpoint-*.whl")
    subprocess.run([*pip, "--python", environment, "install", "--no-deps", wheel], check=True, cwd=folder)
    # A line of a .pth file adds a folder to the path, but does not read the .pth files in it: there lies our checkout.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (folder / "home").mkdir()
    return Installed(environment / "bin" / "trigpoint", folder / "home")


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """The variables that name a bare PostgreSQL server and a Redis."""
    with bare_postgres(tmp_path / "service") as service, private_redis(tmp_path) as redis:
        yield {"TRIGPOINT_SUPERUSER_URL": service, "TRIGPOINT_REDIS_URL": redis.url}


@pytest.mark.long
def test_from_pip_to_a_board(installed: Installed, servers: Mapping[str, str]) -> None:
    """Every part comes with the wheel: templates, migrations, pages, workers. Passwords stay in one private file."""
    made = installed("init", "--json", **servers)
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    kept = installed.home / ".config" / "trigpoint" / "env"
    assert told["settings_file"] == str(kept)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert PASSWORD not in kept.read_text() + made.stdout + made.stderr

    examined = installed("doctor")
    assert examined.returncode == 0, examined.stdout + examined.stderr
    for words in (
        ("import", str(MAP), "--name", "monaco"),
        ("generate", "urban_knowledge", "--snapshot", "monaco", "--per-template", "2", "--out", "first"),
        ("verify", "first"),
        ("reproduce", "first"),
        ("evaluate", "first", "--solver", "oracle"),
    ):
        done = installed(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    board = json.loads(installed("leaderboard", "first", "--json").stdout)
    assert [(row["name"], row["score"]) for row in board["rows"]] == [("oracle", 1.0)]
    assert (installed.home / ".local" / "share" / "trigpoint").is_dir()

    again = installed("init", **servers)
    assert again.returncode == 0, again.stderr
    assert installed("leaderboard", "first", "--json").returncode == 0


def test_what_stands_in_the_way_is_said(
    installed: Installed, servers: Mapping[str, str], tmp_path: Path
) -> None:
    """Nothing is written before both servers are known to suit, and another installation's passwords stay."""
    settings = tmp_path / "env"
    own = {"TRIGPOINT_ENV_FILE": str(settings)}
    unset = installed("init", **own)
    assert unset.returncode == 2
    assert "Set TRIGPOINT_SUPERUSER_URL" in unset.stderr
    other = {"TRIGPOINT_DATABASE_URL": "postgresql://127.0.0.1:1/other"}
    assert "sets TRIGPOINT_DATABASE_URL to another value" in installed("init", **servers | own | other).stderr
    assert "belongs to postgres" in installed("init", "--database", "postgres", **servers | own).stderr
    wrong = {"TRIGPOINT_SUPERUSER_URL": servers["TRIGPOINT_SUPERUSER_URL"].replace(PASSWORD, "wrong")}
    refused = installed("init", **servers | own | wrong)
    assert "does not let postgres in" in refused.stderr
    assert "wrong" not in refused.stderr
    assert "small letters" in installed("init", "--database", "a b", **servers | own).stderr
    assert not settings.exists()
    with psycopg.connect(servers["TRIGPOINT_SUPERUSER_URL"], autocommit=True) as connection:
        connection.execute("create role trigpoint_owner")
    taken = installed("init", **servers | own)
    assert "another installation of Trigpoint uses it" in taken.stderr
    assert not settings.exists()
    assert "Run `trigpoint init`" in installed("snapshots", **own).stderr


def test_passwords_of_ones_own_reach_the_roles_as_they_are(
    installed: Installed, servers: Mapping[str, str], tmp_path: Path
) -> None:
    """psql would run what stands in back quotes, and drop blanks and quotes, if the values were not quoted."""
    settings, witness = tmp_path / "env", tmp_path / "witness"
    password = f"it's a \\ `touch {witness}` :database"
    set_key(settings, "TRIGPOINT_PASSWORD_WORKER", password)
    made = installed("init", **servers, TRIGPOINT_ENV_FILE=str(settings))
    assert made.returncode == 0, made.stderr
    assert not witness.exists()
    place = urlsplit(servers["TRIGPOINT_SUPERUSER_URL"])
    psycopg.connect(
        host=place.hostname, port=place.port, user="trigpoint_worker", password=password, dbname="trigpoint"
    ).close()
