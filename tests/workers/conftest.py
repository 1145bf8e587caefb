"""Fixtures of the worker tests: a private broker, settings with short leases, workers, endpoints."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.core.settings import Settings
from tests.support.processes import (
    PrivateRedis,
    Scripted,
    Workers,
    private_redis,
    scripted_endpoint,
    with_short_leases,
)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[PrivateRedis]:
    with private_redis(tmp_path) as server:
        yield server


@pytest.fixture
def quick(database: Settings, broker: PrivateRedis, tmp_path: Path) -> Settings:
    """Settings of a fresh database and broker, with leases of two seconds."""
    return with_short_leases(database, broker, tmp_path)


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
