"""A database with a map and two data sets that are partly hidden, its backup, and ways to look at databases and files."""

import json
import re
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from app.backups.archive import DUMP, MANIFEST
from app.core.progress import Silent
from app.core.settings import Settings
from app.db.programs import find_programs
from tests.support.command_line import generate, trigpoint
from tests.support.processes import wait_until
from tests.support.town import import_map, make_town

POLICY_ROLES = re.compile(r"(?<= TO )trigpoint_\w+(?:, trigpoint_\w+)+(?= USING)")
"""pg_dump names them in the order in which they lie in the catalogue, which changes with every ALTER ROLE."""


class BackedUp(NamedTuple):
    """What was backed up, and the file; both are only to be read."""

    settings: Settings
    file: Path


@pytest.fixture(scope="session")
def town_with_data_sets(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    """The toy town with two published data sets of which a part is hidden, one of them reviewed."""
    settings = make_database()
    import_map(settings, make_town().write(tmp_path_factory.mktemp("backed-up") / "town.osm"), "town")
    for benchmark, name in (("gsqa", "toy"), ("urban_knowledge", "knowledge")):
        done = generate(
            settings, benchmark, "town", name, "--bank", "3", "--per-template", "3", "--hidden", "0.4"
        )
        assert done.status == 0, done.err
    sheet = tmp_path_factory.mktemp("review") / "sheet.csv"
    done = trigpoint(settings, "review", "sample", "knowledge", "--size", "20", "--to", str(sheet))
    assert done.status == 0, done.err
    sheet.write_text(sheet.read_text().replace(",,\n", ",wrong,closed\n"))
    done = trigpoint(settings, "review", "load", "knowledge", str(sheet), "--reviewer", "Ada")
    assert done.status == 0, done.err
    return settings


@pytest.fixture(scope="session")
def backed_up(town_with_data_sets: Settings, tmp_path_factory: pytest.TempPathFactory) -> BackedUp:
    """The town's backup."""
    file = tmp_path_factory.mktemp("backup") / "town.backup"
    done = trigpoint(town_with_data_sets, "backup", str(file))
    assert done.status == 0, done.err
    return BackedUp(town_with_data_sets, file)


@pytest.fixture(scope="session")
def script_of(superuser_of: Callable[[Settings], str]) -> Callable[[Settings], list[str]]:
    """Everything of the service and its maps as the superuser's pg_dump words it, line by line, without its token."""

    def dump(settings: Settings) -> list[str]:
        schemas = [f"--schema={pattern}" for pattern in ("trigpoint", "osm_*", "reference_*")]
        command = [find_programs(settings, 15) / "pg_dump", *schemas, superuser_of(settings)]
        script = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        lines = [line for line in script.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]
        return sorted(
            POLICY_ROLES.sub(lambda roles: ", ".join(sorted(roles[0].split(", "))), line) for line in lines
        )

    return dump


@pytest.fixture
def ask(superuser_of: Callable[[Settings], str]) -> Callable[[Settings, str], list[Any]]:
    """A statement run by the superuser; gives its rows."""

    def run(settings: Settings, statement: str) -> list[Any]:
        with psycopg.connect(superuser_of(settings), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    return run


@pytest.fixture
def empty(database: Settings, script_of: Callable[[Settings], list[str]]) -> Iterator[Settings]:
    """A migrated database without rows, which must be as it was when the test ends."""
    before = script_of(database)
    yield database
    assert script_of(database) == before


class At(Silent):
    """Does something when a stage begins."""

    def __init__(self, stage: str, what: Callable[[], object]) -> None:
        self._stage, self._what = stage, what

    def start(self, stage: str, total: int | None) -> None:
        if stage == self._stage:
            self._what()


def wait_for_nobody(settings: Settings, ask: Callable[[Settings, str], list[Any]]) -> None:
    """Wait until the server has noticed that a killed restore is gone."""
    sessions = (
        "select pid from pg_stat_activity where datname = current_database() and usename = 'trigpoint_owner'"
    )
    wait_until(lambda: not ask(settings, sessions), "the killed restore's session to end")


def rewrite(source: Path, target: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The same backup with another manifest."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        manifest = json.loads(old.read(MANIFEST))
        change(manifest)
        new.writestr(DUMP, old.read(DUMP))
        new.writestr(MANIFEST, json.dumps(manifest))
    return target
