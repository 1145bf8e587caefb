"""A worker's settings that let a test end soon, and endpoints that follow a script."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.core.settings import Settings
from tests.support.processes import Scripted, scripted_endpoint


@pytest.fixture
def quick(database: Settings) -> Settings:
    return database.model_copy(
        update={
            "concurrency": 3,
            "batch_size": 2,
            "tries": 2,
            "backoff_seconds": 0.01,
            "request_timeout_seconds": 10.0,
        }
    )


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Callable[..., Scripted]]:
    with ExitStack() as stack:
        yield lambda policy, *more: stack.enter_context(scripted_endpoint(tmp_path, policy, *more))
