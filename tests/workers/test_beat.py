"""The schedule works with the broker alone, as its container does, and outlives it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from app.core.settings import PROJECT_ROOT
from tests.support.processes import PrivateRedis, Worker, start_beat, wait_until


@pytest.fixture
def environment(broker: PrivateRedis, tmp_path: Path) -> dict[str, str]:
    """No password of the database."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TRIGPOINT_")}
    changes = {"ENV_FILE": str(tmp_path / "none"), "REDIS_URL": broker.url, "SWEEP_SECONDS": "0.5"}
    return inherited | {f"TRIGPOINT_{name}": value for name, value in changes.items()}


@pytest.fixture
def beat(environment: dict[str, str], tmp_path: Path) -> Iterator[Worker]:
    beat = start_beat(environment, tmp_path / "beat.log")
    yield beat
    beat.kill()


def wait_for_message(broker: PrivateRedis, beat: Worker) -> None:
    with redis.Redis(port=broker.port) as client:
        wait_until(lambda: beat.process.poll() is not None or client.llen("sweep"), "a message")
    assert beat.process.poll() is None, beat.log.read_text()


def is_well(environment: dict[str, str]) -> bool:
    """What the health check of its container says."""
    command = [sys.executable, "scripts/lib/health.py", "beat"]
    return not subprocess.run(
        command, cwd=PROJECT_ROOT, env=environment, stderr=subprocess.DEVNULL
    ).returncode


def test_no_password_of_the_database_is_needed(
    broker: PrivateRedis, beat: Worker, environment: dict[str, str]
) -> None:
    wait_for_message(broker, beat)
    wait_until(lambda: is_well(environment), "its health")
    beat.process.terminate()
    assert beat.process.wait(20) == 0
    wait_until(lambda: not is_well(environment), "the end of its health")


def test_it_goes_on_when_redis_was_emptied_and_when_it_was_away(broker: PrivateRedis, beat: Worker) -> None:
    wait_for_message(broker, beat)
    with redis.Redis(port=broker.port) as client:
        client.flushall()
    wait_for_message(broker, beat)
    broker.kill()
    wait_until(lambda: "a message is not sent" in beat.log.read_text(), "a word of it")
    broker.start()
    wait_for_message(broker, beat)
    assert "Traceback" not in beat.log.read_text()
