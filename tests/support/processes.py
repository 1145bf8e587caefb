"""Real processes for tests: a private Redis, Celery workers in groups of their own, the scripted endpoint."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import redis
from pydantic import SecretStr
from sqlalchemy import text

from app.cli.local_worker import worker_environment
from app.cli.worker import beat_command, queues_of, worker_command
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from tests.support.forks import TRIGPOINT, Forked

PATIENCE = 40.0


def wait_until(condition: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """The first true value of `condition`; fails naming `what` when it stays false."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited {patience:g} s in vain for {what}")


def query(settings: Settings, statement: str, **binds: Any) -> list[Any]:
    """The rows of a statement, as the worker role."""
    with connect(settings, Role.WORKER) as connection:
        rows = connection.execute(text(statement), binds)
        found = list(rows) if rows.returns_rows else []
        connection.commit()
        return found


def scalar(settings: Settings, statement: str, **binds: Any) -> Any:
    """The one value of a statement."""
    return query(settings, statement, **binds)[0][0]


@dataclass
class PrivateRedis:
    """A Redis server of the test's own that can be killed and started again on its port."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = ["redis-server", *options, "--dir", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with redis.Redis(port=self.port) as client:
            wait_until(lambda: _pings(client), "Redis", 10)

    def kill(self) -> None:
        """Kill it as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def _pings(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def free_port() -> int:
    """A port that nothing listens at just now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def private_redis(folder: Path) -> Iterator[PrivateRedis]:
    """A running private Redis."""
    server = PrivateRedis(folder, free_port())
    server.start()
    try:
        yield server
    finally:
        server.kill()


def with_short_leases(settings: Settings, broker: PrivateRedis, folder: Path) -> Settings:
    """These settings with a broker of the test's own, leases of two seconds, small batches, all calls at once."""
    changes = {
        "redis_url": SecretStr(broker.url),
        "lease_seconds": 2.0,
        "sweep_seconds": 0.3,
        "batch_size": 8,
        "concurrency": 4,
        "first_calls": 4,
        "request_timeout_seconds": 20.0,
        "backoff_seconds": 0.05,
        "local_dir": folder / "local",
    }
    return settings.model_copy(update=changes)


@dataclass
class Worker:
    """A Celery worker, or the schedule's process, in a process group of its own."""

    process: Forked
    log: Path

    def signal(self, number: int) -> None:
        """Send a signal to the whole group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def kill(self) -> None:
        """SIGKILL to the whole group."""
        self.signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Workers:
    """Starts workers for one database and broker, and kills what is left of them."""

    settings: Settings
    folder: Path
    started: list[Worker] = field(default_factory=list)
    program: str = "workers"
    imports: bool = False
    """Whether they have the owner's password, too."""

    def start(self) -> Worker:
        """Start one more; it takes a moment until it works."""
        log = self.folder / f"worker-{len(self.started)}.log"
        owner = self.settings.password_owner if self.imports else None
        queues = queues_of(self.settings.model_copy(update={"password_owner": owner}), imports=False)
        environment = worker_environment(self.settings)
        if owner is not None:
            environment["TRIGPOINT_PASSWORD_OWNER"] = owner.get_secret_value()
        _, _, _, *options = worker_command("info", queues)
        worker = Worker(Forked(self.program, options, environment, log, log), log)
        self.started.append(worker)
        return worker

    def kill_all(self) -> None:
        """Kill every worker."""
        for worker in self.started:
            worker.signal(signal.SIGCONT)
            worker.kill()


def start_beat(environment: dict[str, str], log: Path) -> Worker:
    """The schedule's process."""
    _, _, module, *options = beat_command("info")
    return Worker(Forked(module, options, environment, log, log), log)


@dataclass
class Scripted:
    """A running scripted endpoint and its log; `process` where it is one of ours."""

    process: Forked | None
    port: int
    log: Path
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://{self.host}:{self.port}/v1"

    def requests(self) -> list[dict[str, Any]]:
        """What it was asked, in order."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def hold(self) -> None:
        """Answer nothing from now on."""
        self._control("post", "hold")

    def let_through(self) -> None:
        """Answer what was held back, and hold back all that follows."""
        self._control("post", "let-through")

    def release(self) -> None:
        """Answer what was held back, and all that follows."""
        self._control("post", "release")

    def wait_for(self, received: int) -> None:
        """Wait until so many requests have arrived."""
        self._control("get", f"wait?received={received}")

    def _control(self, method: str, path: str) -> None:
        response = httpx.request(method, f"http://{self.host}:{self.port}/control/{path}", timeout=PATIENCE)
        response.raise_for_status()


@contextmanager
def scripted_endpoint(folder: Path, policy: str, *more: str) -> Iterator[Scripted]:
    """A scripted endpoint in a process of its own."""
    port_file, log = folder / f"{policy}.port", folder / f"{policy}.log"
    port_file.unlink(missing_ok=True)
    options = ["--policy", policy, "--port-file", str(port_file), "--log", str(log), *more]
    told = folder / f"{policy}.err"
    process = Forked(TRIGPOINT, ["scripted-endpoint", *options], os.environ, told, told)
    try:
        wait_until(lambda: port_file.exists() or process.poll() is not None, "the scripted endpoint")
        yield Scripted(process, int(port_file.read_text()), log)
    finally:
        process.kill()
        process.wait()


def start_trigpoint(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    """`trigpoint …` in a process of its own, which says its stages on stderr."""
    return subprocess.Popen(
        [sys.executable, "-c", "from app.cli.main import main; main()", *arguments],
        cwd=PROJECT_ROOT,
        env=os.environ | {"TRIGPOINT_DATABASE_URL": settings.database_url},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def start_import(settings: Settings, path: Path, *more: str) -> subprocess.Popen[str]:
    """`trigpoint import` in a process of its own."""
    return start_trigpoint(settings, "import", str(path), "--json", *more)


def wait_for_stage(process: subprocess.Popen[str], stage: str) -> None:
    """Read a process's stderr up to the line that begins a stage."""
    assert process.stderr is not None
    for line in process.stderr:
        if line.strip() == stage:
            return
    raise AssertionError(f"{stage} never came")
