"""A PostgreSQL of a test's own, set as in production: it may be killed, stopped, started again, and run out of disk."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg
from pydantic import SecretStr

from app.core.settings import PROJECT_ROOT, Settings
from perf import cluster
from tests.support.processes import wait_until

sys.path.insert(0, str(PROJECT_ROOT / "scripts" / "lib"))
import instances
import localenv

REFUSALS = (OSError, instances.SetupError)
"""What its start raises where it does not start."""


@dataclass(frozen=True)
class OwnPostgres:
    """A running server, its data folder, and one migrated database in it."""

    place: instances.Place
    values: dict[str, str]

    @property
    def superuser(self) -> str:
        """The superuser's URL of the database."""
        return self._to_database(self.values["TRIGPOINT_SUPERUSER_URL"])

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.place.postgres / "server.log"

    def settings(self) -> Settings:
        """Settings that lead to the database."""
        passwords = {
            key.removeprefix("TRIGPOINT_").lower(): SecretStr(value)
            for key, value in self.values.items()
            if key.startswith("TRIGPOINT_PASSWORD_")
        }
        changes = {name: value for name, value in passwords.items() if name in Settings.model_fields}
        address = self._to_database(self.values["TRIGPOINT_DATABASE_URL"])
        return Settings.load().model_copy(update=changes | {"database_url": address})

    def kill(self) -> None:
        """SIGKILL to the postmaster; its children end of themselves when they find it gone."""
        postmaster = psutil.Process(instances.postgres_pid(self.place))
        children = postmaster.children(recursive=True)
        postmaster.kill()
        wait_until(lambda: not any(map(_lives, [postmaster, *children])), "the server's processes to end")

    def kill_session(self, pid: int) -> None:
        """SIGKILL to one session's process: the server ends all others, recovers, and takes new ones."""
        os.kill(pid, signal.SIGKILL)
        # While it is a zombie the server may not know yet.
        wait_until(lambda: not psutil.pid_exists(pid) and self._takes_sessions(), "the server to recover")

    def stop(self) -> None:
        """The fast shutdown: sessions end, committed work is kept."""
        assert instances.stop_postgres(self.place)

    def start(self) -> None:
        """Start it on its data and its port; it recovers what it must."""
        port = localenv.port_of(self.values["TRIGPOINT_DATABASE_URL"])
        instances.start_postgres(self.place, port, self.values["TRIGPOINT_PASSWORD_SUPERUSER"])

    def restart_at_once(self) -> None:
        """`pg_ctl restart -m immediate`: no session is waited for, nothing is written to the end."""
        restart = [
            "restart",
            "-m",
            "immediate",
            "-w",
            "-s",
            "-D",
            str(self.place.postgres),
            "-l",
            str(self.log),
        ]
        command = [instances.postgres_program("pg_ctl"), *restart]
        quiet = subprocess.DEVNULL
        assert not instances.run_as(self.place.postgres_user, command, stdout=quiet, stderr=quiet).returncode

    def _takes_sessions(self) -> bool:
        try:
            psycopg.connect(self.superuser).close()
        except psycopg.OperationalError:
            return False
        return True

    def _to_database(self, url: str) -> str:
        return urlunsplit(urlsplit(url)._replace(path=f"/{cluster.TEMPLATE}"))


def _lives(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


@contextmanager
def own_postgres(folder: Path, disk_megabytes: int = 0) -> Iterator[OwnPostgres]:
    """A new server with one migrated database; on a disk of its own where its size is given, which only root can."""
    place = instances.place_of(folder, folder)
    place.data.mkdir(parents=True, exist_ok=True)
    if disk_megabytes:
        size = f"size={disk_megabytes}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(place.data)], check=True)
    try:
        yield OwnPostgres(place, cluster.start(place).values)
    finally:
        cluster.remove(place)
        if disk_megabytes:
            subprocess.run(["umount", str(place.data)], check=True)
        if os.geteuid() == 0:
            place.data.rmdir()
