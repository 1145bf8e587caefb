"""Three workers, PostgreSQL, Redis and the endpoint in containers, as hosts of their own that lose each other in a run."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values
from pydantic import SecretStr

from app.core.settings import Settings
from app.db.pools import WORKER_CONNECTIONS
from app.db.room import room_of
from app.predictions.messages import Messenger, make_celery
from tests.support.containers import Compose, Host, composed
from tests.support.factories import make_version, options_dataset
from tests.support.processes import Scripted, scalar, wait_until
from tests.support.runs import check_whole
from tests.workers.fault_run import Stage
from tests.workers.run_history import History

QUESTIONS, WORKERS, CONCURRENCY = 2000, 3, 16
LEASE_SECONDS, CUT_SECONDS, DELAY = 10, 60, 3
BACK_WITHIN = 30.0
"""Seconds within which a host whose trouble is over works again."""

pytestmark = pytest.mark.long

CHANGES: dict[str, Any] = {
    "lease_seconds": float(LEASE_SECONDS),
    "sweep_seconds": 1.0,
    "batch_size": 32,
    "concurrency": CONCURRENCY,
}


@dataclass
class Hosts(Stage):
    """The stage of this test; `undisturbed` is the board of a run that nothing disturbed."""

    compose: Compose
    undisturbed: list[Any] = field(default_factory=list)

    def workers(self) -> list[Host]:
        """The workers that run."""
        return self.compose.hosts("worker")

    def in_flight(self, host: Host) -> int:
        """How many calls a worker has in flight, by what is stored."""
        count: int = scalar(
            self.settings,
            "select count(*) from step inner join batch on step.batch_id = batch.id"
            " where step.state = 'sent' and batch.state = 'leased' and starts_with(batch.owner, :host)",
            host=f"{host.name}:",
        )
        return count

    def wait_for_work(self, host: Host) -> None:
        """Wait until a worker has calls in flight."""
        wait_until(lambda: self.in_flight(host), f"work of {host.name}", BACK_WITHIN)

    def wait_for_loss(self, host: Host) -> None:
        """Wait until others have taken back what a worker had."""
        wait_until(lambda: not self.in_flight(host), f"the leases of {host.name} to be taken back")

    def reasked(self, run_id: int) -> int:
        """How many calls were lost with their worker."""
        count: int = scalar(self.settings, "select reasked from run where id = :id", id=run_id)
        return count

    def all_listen(self) -> bool:
        """Whether every worker hears what is sent through Redis, and answers."""
        names = Messenger(make_celery(self.settings)).living_workers()
        return {name.partition("@")[2] for name in names} == {worker.name for worker in self.workers()}

    def knows_who_lives(self) -> bool:
        """Whether PostgreSQL keeps places for the workers that live, and for none that are gone."""
        return room_of(self.settings).taken == WORKERS * WORKER_CONNECTIONS


def settings_for(compose: Compose, passwords: Path) -> Settings:
    """Settings that lead from this machine to the containers."""
    (db,), (redis,) = compose.hosts("db"), compose.hosts("redis")
    values = dotenv_values(passwords)
    secret = SecretStr(f"redis://:{values['TRIGPOINT_PASSWORD_REDIS']}@{redis.address()}:6379/0")
    roles = {
        f"password_{role}": SecretStr(values[f"TRIGPOINT_PASSWORD_{role.upper()}"] or "")
        for role in ("owner", "worker")
    }
    database = f"postgresql://{db.address()}:5432/trigpoint"
    return Settings.load().model_copy(
        update=CHANGES | roles | {"database_url": database, "redis_url": secret}
    )


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    folder = tmp_path_factory.mktemp("hosts")
    log = folder / "log"
    log.mkdir()
    log.chmod(0o777)  # the container's user is none of this machine's
    endpoint = "scripted-endpoint --policy slow --host 0.0.0.0 --port 8100 --log /log/requests".split()
    changes = {
        "worker": {
            "environment": {f"TRIGPOINT_{name.upper()}": str(value) for name, value in CHANGES.items()}
        },
        "scripted": {"command": [*endpoint, "--delay", str(DELAY)], "volumes": [f"{log}:/log"]},
    }
    with composed("trigpoint-hosts", folder, changes) as compose:
        compose.run("up", "-d", "db", "redis")
        compose.run("run", "--rm", "-T", "migrate")
        compose.run("up", "-d", "--scale", f"worker={WORKERS}", "worker", "scripted")
        settings = settings_for(compose, folder / "env")
        (scripted,) = compose.hosts("scripted")
        server = Scripted(None, 8100, log / "requests", scripted.address())
        version = make_version(settings, options_dataset(QUESTIONS))
        stage = Hosts(settings, server, version, compose)
        run_id = stage.start(0)
        for worker in stage.workers():
            stage.wait_for_work(worker)
        stage.wait_for_board(run_id)
        stage.undisturbed = stage.board(run_id)
        check_whole(settings, run_id, QUESTIONS)
        assert stage.received() == QUESTIONS
        assert stage.undisturbed
        yield stage


# --- troubles: each of a worker that has calls in flight, and ends when it, or another in its place, has some again ---


def cut_off_for_a_minute(stage: Hosts, host: Host) -> None:
    stored = "select count(*) from prediction"
    before, addresses = scalar(stage.settings, stored), host.addresses()
    with stage.compose.docker.cut_off(host):
        until = time.monotonic() + CUT_SECONDS
        stage.wait_for_loss(host)
        wait_until(lambda: time.monotonic() > until, "the minute to pass", CUT_SECONDS + 10)
        assert scalar(stage.settings, stored) > before, "nobody worked while one was cut off"
    assert not set(host.addresses().items()) & set(addresses.items())
    stage.wait_for_work(host)


def pause_past_its_lease(stage: Hosts, host: Host) -> None:
    with stage.compose.docker.paused(host):
        stage.wait_for_loss(host)
    stage.wait_for_work(host)


def kill(stage: Hosts, host: Host) -> None:
    stage.compose.docker.run("kill", host.id)
    stage.compose.docker.run("rm", "--volumes", host.id)
    others = stage.workers()
    assert len(others) == WORKERS - 1
    stage.compose.run("up", "-d", "--no-recreate", "--scale", f"worker={WORKERS}", "worker")
    (another,) = set(stage.workers()) - set(others)
    stage.wait_for_work(another)


TROUBLES: tuple[Callable[[Hosts, Host], None], ...] = (cut_off_for_a_minute, pause_past_its_lease, kill)


def go_through(stage: Hosts, run_id: int, host: Host, trouble: Callable[[Hosts, Host], None]) -> None:
    """A trouble while everybody works: it costs some calls, and no more than one worker had in flight."""
    for one in stage.workers():
        stage.wait_for_work(one)
    had = stage.reasked(run_id)
    trouble(stage, host)
    wait_until(lambda: stage.reasked(run_id) > had, f"calls lost by {trouble.__name__}")
    wait_until(stage.all_listen, "all workers to listen", BACK_WITHIN)
    wait_until(stage.knows_who_lives, "those that live, and no others, to be known")
    assert stage.reasked(run_id) <= had + CONCURRENCY, trouble.__name__


def test_hosts_that_are_cut_off_stand_still_or_die_cost_what_they_had_in_flight(hosts: Hosts) -> None:
    history = History(CONCURRENCY * len(TROUBLES), hosts.received())
    workers = hosts.workers()
    run_id = hosts.start(1)
    for host, trouble in zip(workers, TROUBLES, strict=True):
        go_through(hosts, run_id, host, trouble)
        history.note(hosts, run_id, trouble.__name__)
    hosts.wait_for_board(run_id)
    history.read(hosts, run_id)
    assert history.faults() == []
    check_whole(hosts.settings, run_id, QUESTIONS)
    assert hosts.board(run_id) == hosts.undisturbed
