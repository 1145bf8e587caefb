"""Operations by name: what is asked for comes through JSON unchanged, and a run that nobody would go on with is refused."""

import json
from collections.abc import Callable
from dataclasses import asdict

import pytest

from app.core.errors import Permanent
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.by_name import OPERATIONS
from app.operations.endpoints import EndpointChoice
from app.operations.evaluate import RunRequest
from app.predictions.accounts import Budget
from app.predictions.control import pause
from tests.support.factories import make_version, options_dataset


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    return make_database()


def silent(_: str) -> None:
    pass


def test_a_request_for_a_run_comes_through_json_unchanged() -> None:
    request = RunRequest(
        "toy@2",
        "direct",
        EndpointChoice("local"),
        seed=7,
        temperature=0.25,
        body={"seed": None, "stop": ["\n", "–"]},
        budget=Budget(1000),
        reuse=True,
        pace={"concurrency": 3},
    )
    sent = json.loads(canonical_json(asdict(request)))
    assert OPERATIONS["evaluate"].read(sent) == request


def test_a_run_is_left_to_workers_and_refused_while_it_is_paused(settings: Settings) -> None:
    version = make_version(settings, options_dataset(4))
    request = RunRequest(version.reference, "random")
    work = OPERATIONS["evaluate"].work
    started = work(settings, request, silent)
    assert (started["status"], started["total"]) == ("queued", 4)
    assert work(settings, request, silent)["run"] == started["run"]
    with connect(settings, Role.WORKER) as connection:
        pause(connection, started["run"])
        connection.commit()
    with pytest.raises(
        Permanent, match=f"run {started['run']} is paused: `trigpoint run resume {started['run']}`"
    ):
        work(settings, request, silent)
