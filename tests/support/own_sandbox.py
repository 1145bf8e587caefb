"""A sandbox server of a test's own: it may be attacked, killed, emptied and started again."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
from pydantic import SecretStr

from app.core.settings import PROJECT_ROOT, Settings

sys.path.insert(0, str(PROJECT_ROOT / "scripts" / "lib"))
import instances
import keeper
import localenv
import sandbox


@dataclass
class OwnSandbox:
    """A running sandbox server, and the settings that lead to it."""

    place: instances.Place
    values: dict[str, str]
    settings: Settings
    megabytes: int
    largest: int = field(default=0)
    """The most bytes that its processes held when somebody looked."""

    @property
    def port(self) -> int:
        """Where it listens."""
        return localenv.port_of(self.settings.sandbox_url)

    def start(self) -> None:
        """Start it on its data, or on new ones."""
        sandbox.start(self.place, self.port, self.values)

    def server(self) -> int:
        """The pid of the server under its keeper; 0 while there is none."""
        children = (
            keeper.children_of(sandbox.keeper_pid(self.place)) if sandbox.keeper_pid(self.place) else []
        )
        return next((pid for pid in children if b"postgres\0-D" in keeper.read_title(pid)), 0)

    def sessions(self) -> list[int]:
        """The pids of the sessions in which models' SQL runs just now."""
        server = self.server()
        children = keeper.children_of(server) if server else []
        return [pid for pid in children if keeper.read_title(pid).startswith(keeper.MODEL)]

    def weigh(self) -> int:
        """Bytes that its processes hold, shared buffers in full; the largest is kept."""
        server = self.server()
        children = [server, *keeper.children_of(server)] if server else []
        total = sum(map(keeper.private_bytes, children)) + (keeper.shared_megabytes(self.megabytes) << 20)
        self.largest = max(self.largest, total)
        return total

    def look(self, statement: str, database: str | None = None) -> list[Any]:
        """The rows of a statement, as the superuser."""
        name = database or urlsplit(self.settings.database_url).path.strip("/")
        secret = self.values["TRIGPOINT_PASSWORD_SANDBOX_SUPERUSER"]
        url = f"postgresql://postgres:{secret}@127.0.0.1:{self.port}/{name}"
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def answers(self) -> bool:
        """Whether it takes sessions."""
        try:
            self.look("select 1", "postgres")
        except psycopg.OperationalError:
            return False
        return True

    def kill(self, pid: int) -> None:
        """SIGKILL, as the kernel does where memory is short."""
        psutil.Process(pid).kill()


@contextmanager
def own_sandbox(folder: Path, settings: Settings, megabytes: int = 1024) -> Iterator[OwnSandbox]:
    """A new sandbox for the database that `settings` lead to."""
    place = instances.place_of(folder, folder, throwaway=True)
    folder.mkdir(exist_ok=True)
    place.data.mkdir(parents=True, exist_ok=True)
    values: dict[str, str] = {"TRIGPOINT_SANDBOX_MEMORY_MB": str(megabytes)}
    localenv.draw_passwords(values)
    assert settings.password_reader is not None
    values["TRIGPOINT_PASSWORD_READER"] = settings.password_reader.get_secret_value()
    changes = {
        "sandbox_url": f"postgresql://127.0.0.1:{localenv.free_port(folder, set())}",
        "password_sandbox": SecretStr(values["TRIGPOINT_PASSWORD_SANDBOX"]),
    }
    made = OwnSandbox(place, values, settings.model_copy(update=changes), megabytes)
    try:
        made.start()
        yield made
    finally:
        sandbox.remove(place)
