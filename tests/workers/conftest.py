"""Fixtures of the worker tests: a private broker, settings with short leases, workers, endpoints."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.core.settings import Settings
from tests.processes import PrivateRedis, Scripted, Workers, private_redis, scripted_endpoint


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[PrivateRedis]:
    with private_redis(tmp_path) as server:
        yield server


@pytest.fixture
def quick(database: Settings, broker: PrivateRedis, tmp_path: Path) -> Settings:
    """Settings of a fresh database and broker, with leases of two seconds."""
    return database.model_copy(
        update={
            "redis_url": SecretStr(broker.url),
            "lease_seconds": 2.0,
            "sweep_seconds": 0.3,
            "batch_size": 8,
            "concurrency": 4,
            "request_timeout_seconds": 20.0,
            "backoff_seconds": 0.05,
            "local_dir": tmp_path / "local",
        }
    )


@pytest.fixture
def workers(quick: Settings, tmp_path: Path) -> Iterator[Workers]:
    made = Workers(quick, tmp_path)
    try:
        yield made
    finally:
        made.kill_all()


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Callable[..., Scripted]]:
    """Starts scripted endpoints: endpoint(policy, option…)."""
    with ExitStack() as stack:
        yield lambda policy, *more: stack.enter_context(scripted_endpoint(tmp_path, policy, *more))
