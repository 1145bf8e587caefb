"""Fixtures: fresh databases cloned from one migrated template in the tests' own private cluster.

`scripts/test` starts and stops that cluster; for a test alone: `scripts/services start --for-tests`, then pytest.

A test that changes its database takes `database`; one that only reads a map takes a session fixture built on
`make_database`. Nothing here is a stand-in: PostgreSQL and PostGIS are the real ones.
"""

import gc
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import hypothesis
import psycopg
import pytest
from dotenv import dotenv_values
from psycopg import sql
from xdist.scheduler import LoadFileScheduling

from app.core.memory import uncollected
from app.core.settings import PROJECT_ROOT, Settings
from app.db.migrating import migrate
from tests.support.town import Fill, Imported, import_map, make_town

# As app/db/bootstrap.sql gives them; a test compares.
DATABASE_RIGHTS = (
    "revoke all on database {} from public",
    "grant connect on database {} to"
    " trigpoint_worker, trigpoint_maintainer, trigpoint_api, trigpoint_reader, trigpoint_dashboard",
    "grant create, temporary on database {} to trigpoint_owner",
    "grant temporary on database {} to trigpoint_worker",
)
SHARED = PROJECT_ROOT.parent / "shared"
# A busy machine may take long for one example; tests of speed are in perf/.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a shell: without this, no process of a test could be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.pop("COLUMNS", None)  # or sentences would break where the terminal of whoever runs the tests ends
os.environ.setdefault("TRIGPOINT_ENV_FILE", str(PROJECT_ROOT / ".local" / "test" / "env"))


# Thousands of collected tests stay in memory, and each full search for garbage takes a third of a second over them.
gc.set_threshold(50_000, 10, 50)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """What is collected stays: nothing of it is searched for garbage meanwhile."""
    with uncollected():
        return (yield)


class ByFileOrFolder(LoadFileScheduling):
    """Files go to processes whole, and folders of TOGETHER too: what their session fixtures make, one process needs."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return next((folder for folder in TOGETHER if file.startswith(folder)), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFileOrFolder | None:
    """Where --dist=loadfile asks for it."""
    return ByFileOrFolder(config, log) if config.getoption("dist") == "loadfile" else None


TOGETHER = ("tests/app/backups/", "tests/app/benchmarks/mapeval/test_", "tests/app/report_cards/")
LONGEST = ("docs", "end_to_end", "readers", "workers", "app/backups", "app/questions", "app/scores/parsing")
"""Folders whose files take longest: begun first, so that no process is left with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of LONGEST first; the order within a file, and of the others, stays."""
    here = Path(__file__).parent
    items.sort(key=lambda item: not item.path.relative_to(here).as_posix().startswith(LONGEST))


def _value_of(variable: str) -> str:
    values = {**dotenv_values(os.environ["TRIGPOINT_ENV_FILE"]), **os.environ}
    value = values.get(variable)
    if not value:
        pytest.exit(f"{variable} is not set: run `scripts/services start --for-tests` first.", returncode=2)
    return value


def _with_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


@pytest.fixture(scope="session")
def superuser() -> str:
    """The superuser's URL of the private cluster."""
    return _value_of("TRIGPOINT_SUPERUSER_URL")


@pytest.fixture(scope="session")
def template_database(superuser: str) -> str:
    """The name of a bootstrapped and migrated database that nobody connects to."""
    name = f"trigpoint_template_{os.getpid()}"
    settings = Settings.load()
    passwords = []
    for role in ("owner", "worker", "maintainer", "api", "reader", "dashboard"):
        secret = getattr(settings, f"password_{role}")
        passwords += ["-v", f"{role}_password={secret.get_secret_value()}"]
    bootstrap = ["psql", superuser, "-q", "-X", "-v", f"database={name}", *passwords]
    with psycopg.connect(superuser, autocommit=True) as connection:
        # Roles are the whole cluster's: of two processes that alter one at a time, one would fail.
        connection.execute("select pg_advisory_lock(hashtext('bootstrap'))")
        subprocess.run(
            [*bootstrap, "-f", str(PROJECT_ROOT / "app/db/bootstrap.sql")],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    migrate(settings.model_copy(update={"database_url": _with_database(settings.database_url, name)}))
    return name


@pytest.fixture(scope="session")
def make_database(superuser: str, template_database: str) -> Callable[[], Settings]:
    """A function that makes one more empty, migrated database and gives the settings that lead to it.

    None is dropped: that takes a second each, and the whole cluster goes when `scripts/test` ends.
    """

    def make() -> Settings:
        name = f"trigpoint_test_{uuid4().hex[:12]}"
        # Rights on a database are not cloned with it.
        rights = sql.SQL("; ").join(sql.SQL(one).format(sql.Identifier(name)) for one in DATABASE_RIGHTS)
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute(
                sql.SQL("create database {} template {} owner trigpoint_owner").format(
                    sql.Identifier(name), sql.Identifier(template_database)
                )
            )
            connection.execute(rights)
        settings = Settings.load()
        return settings.model_copy(update={"database_url": _with_database(settings.database_url, name)})

    return make


@pytest.fixture(scope="session")
def fill_once(superuser: str, make_database: Callable[[], Settings]) -> Callable[[str, Fill], Settings]:
    """A function that gives the one database of that name, filled by whichever test process is first; read only."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)[:12]

    def once(name: str, fill: Fill) -> Settings:
        filled = f"trigpoint_{name}_{run}"
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("select pg_advisory_lock(hashtext(%s))", (filled,))
            there = connection.execute("select from pg_database where datname = %s", (filled,)).fetchone()
            if there is None:
                made = make_database()
                fill(made)
                rename = sql.SQL("alter database {} rename to {}")
                given = sql.Identifier(urlsplit(made.database_url).path.strip("/"))
                connection.execute(rename.format(given, sql.Identifier(filled)))
        settings = Settings.load()
        return settings.model_copy(update={"database_url": _with_database(settings.database_url, filled)})

    return once


@pytest.fixture
def database(make_database: Callable[[], Settings]) -> Settings:
    """Settings of a fresh, empty, migrated database."""
    return make_database()


@pytest.fixture(scope="session")
def superuser_of(superuser: str) -> Callable[[Settings], str]:
    """The superuser's URL of the database that settings lead to, for tampering."""
    return lambda settings: _with_database(superuser, urlsplit(settings.database_url).path.strip("/"))


@pytest.fixture(scope="session")
def sandbox_superuser_of() -> Callable[[Settings], str]:
    """The superuser's URL of the sandbox's database for the one that settings lead to."""
    url = _value_of("TRIGPOINT_SANDBOX_SUPERUSER_URL")
    return lambda settings: _with_database(url, urlsplit(settings.database_url).path.strip("/"))


@pytest.fixture(scope="session")
def extracts() -> Path:
    """The folder of real extracts beside the checkout; skips where it is absent."""
    folder = SHARED / "extracts"
    if not folder.is_dir():
        pytest.skip("../shared/extracts is absent: real extracts are not part of the project")
    return folder


@pytest.fixture(scope="session")
def town(fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The toy town, imported into a database of its own; read only."""
    toy = make_town()
    file = toy.write(tmp_path_factory.mktemp("town") / "town.osm")
    settings = fill_once("town", lambda made: import_map(made, file, "town"))
    return Imported(settings, "town", file, toy)


@pytest.fixture(scope="session")
def helsinki(fill_once: Callable[[str, Fill], Settings]) -> Imported:
    """The centre of Helsinki, imported into a database of its own; skips where `scripts/extract` was not run."""
    file = PROJECT_ROOT / ".local" / "extracts" / "Helsinki.osm.pbf"
    if not file.is_file():
        pytest.skip(f"{file} is absent: scripts/extract fetches it")
    settings = fill_once("helsinki", lambda made: import_map(made, file, "helsinki"))
    return Imported(settings, "helsinki", file)


@pytest.fixture(scope="session")
def liechtenstein(fill_once: Callable[[str, Fill], Settings], extracts: Path) -> Imported:
    """Liechtenstein of 2022, imported into a database of its own; skips where the extract is absent."""
    file = extracts / "liechtenstein-2022-07-24.osm.pbf"
    if not file.is_file():
        pytest.skip(f"{file} is absent")
    settings = fill_once("liechtenstein", lambda made: import_map(made, file, "liechtenstein"))
    return Imported(settings, "liechtenstein", file)
