"""Benchmarks: a PostgreSQL of their own with the settings of production, and fresh databases in it.

Writes .local/bench (as root: a folder under /var/lib/trigpoint, linked from there). Invariant: both sides of a
benchmark get the same server, the same template, and a checkpoint before they start; nothing is left behind.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from app.core.errors import Held, ServiceUnavailable
from app.core.settings import PROJECT_ROOT

sys.path.insert(0, str(PROJECT_ROOT / "scripts" / "lib"))
import instances
import localenv

FOLDER = PROJECT_ROOT / ".local" / "bench"
TEMPLATE = "bench_template"
ROLES = ("owner", "worker", "maintainer", "api", "reader", "dashboard")


@dataclass(frozen=True)
class Cluster:
    """A running PostgreSQL and what leads to it."""

    postmaster: int
    values: dict[str, str]
    """The variables of its env file: passwords and addresses."""

    @property
    def superuser_url(self) -> str:
        """The superuser's URL of the maintenance database."""
        return self.values["TRIGPOINT_SUPERUSER_URL"]

    def superuser_url_of(self, database: str) -> str:
        """The superuser's URL of a database, for measuring what a side made."""
        return urlunsplit(urlsplit(self.superuser_url)._replace(path=f"/{database}"))

    def owner_url_of(self, database: str) -> str:
        """The URL with which both sides load."""
        parts = urlsplit(self.superuser_url)
        place = f"trigpoint_owner:{self.values['TRIGPOINT_PASSWORD_OWNER']}@{parts.hostname}:{parts.port}"
        return urlunsplit(parts._replace(netloc=place, path=f"/{database}"))

    def environment_of(self, database: str) -> dict[str, str]:
        """The environment in which `trigpoint` works on that database."""
        address = urlunsplit(urlsplit(self.values["TRIGPOINT_DATABASE_URL"])._replace(path=f"/{database}"))
        clean = {key: value for key, value in os.environ.items() if not key.startswith("TRIGPOINT_")}
        ours = {key: value for key, value in self.values.items() if key.startswith("TRIGPOINT_")}
        return clean | ours | {"TRIGPOINT_DATABASE_URL": address, "TRIGPOINT_ENV_FILE": os.devnull}

    @contextmanager
    def fresh_database(self, name: str, template: str = TEMPLATE) -> Iterator[str]:
        """A migrated database behind a checkpoint, empty or a copy of `template`; dropped afterwards."""
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            drop = sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name))
            connection.execute(drop)
            connection.execute(
                sql.SQL("create database {} template {} owner trigpoint_owner").format(
                    sql.Identifier(name), sql.Identifier(template)
                )
            )
            connection.execute("checkpoint")
            try:
                yield name
            finally:
                connection.execute(drop)


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A new cluster with a migrated template; stopped and removed when left."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Held("Another benchmark of this checkout is running. Wait for it to end.") from error
        place = instances.place_of(FOLDER, FOLDER)
        remove(place)  # what a killed benchmark left
        try:
            yield start(place)
        finally:
            remove(place)


def remove(place: instances.Place) -> None:
    """Stop the server of a place and remove its data; harmless where there is none."""
    instances.discard_orphans(place)
    link = place.local / place.postgres.name
    if link.is_symlink():
        link.unlink()


def start(place: instances.Place) -> Cluster:
    """A new cluster in that place, with a migrated template. Raises ServiceUnavailable where it does not start."""
    values: dict[str, str] = {}
    localenv.draw_passwords(values)
    localenv.set_addresses(values, localenv.free_port(place.checkout, set()), 0, 0)
    try:
        instances.start_postgres(
            place, localenv.port_of(values["TRIGPOINT_DATABASE_URL"]), values["TRIGPOINT_PASSWORD_SUPERUSER"]
        )
    except instances.SetupError as error:
        raise ServiceUnavailable(f"{error.what} What to do: {error.remedy}.") from error
    cluster = Cluster(instances.postgres_pid(place), values)
    _make_template(cluster)
    return cluster


def _make_template(cluster: Cluster) -> None:
    passwords: list[str] = []
    for role in ROLES:
        passwords += ["-v", f"{role}_password={cluster.values[f'TRIGPOINT_PASSWORD_{role.upper()}']}"]
    bootstrap = ["psql", cluster.superuser_url, "-q", "-X", "-v", f"database={TEMPLATE}", *passwords]
    bootstrap += ["-f", str(PROJECT_ROOT / "app" / "db" / "bootstrap.sql")]
    migrate = [str(Path(sys.executable).with_name("trigpoint")), "migrate"]
    for command in (bootstrap, migrate):
        done = subprocess.run(
            command, env=cluster.environment_of(TEMPLATE), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise ServiceUnavailable(f"{command[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
