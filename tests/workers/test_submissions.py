"""What is submitted over REST is scored by real workers, told by message or found by a sweep, also where one is killed."""

import json
from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.factories import MadeVersion, make_version, options_dataset
from tests.support.planted_secrets import make_key
from tests.support.processes import PrivateRedis, Workers, query, scalar, wait_until
from tests.support.service import serving

COUNT = 600


@pytest.fixture
def version(quick: Settings) -> MadeVersion:
    return make_version(quick, options_dataset(COUNT), name="toy")


@pytest.fixture
def client(quick: Settings) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {make_key(quick, 'submitter')}"}
    with serving(quick) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        yield client


def submit(client: httpx.Client, version: MadeVersion, name: str) -> str:
    lines = [
        json.dumps({"id": one, "answer": "ABCD"[place % 4]}) for place, one in enumerate(version.questions)
    ]
    taken = client.post(f"/v1/datasets/toy/submissions?name={name}", content="\n".join(lines))
    assert taken.status_code == 202, taken.text
    return taken.headers["location"]


def wait_for_score(client: httpx.Client, where: str) -> None:
    wait_until(lambda: client.get(where).json()["state"] == "scored", f"the score of {where}")


def test_told_by_message(
    client: httpx.Client, version: MadeVersion, workers: Workers, broker: PrivateRedis, quick: Settings
) -> None:
    workers.settings = quick.model_copy(update={"sweep_seconds": 3600.0})
    first = submit(client, version, "before any worker lives")
    workers.start()
    wait_for_score(client, first)
    second = submit(client, version, "by message")
    wait_for_score(client, second)
    names = [row["name"] for row in client.get("/v1/leaderboards/toy").json()["rows"]]
    assert sorted(names) == ["before any worker lives", "by message"]


def test_found_by_a_sweep(
    client: httpx.Client, version: MadeVersion, workers: Workers, broker: PrivateRedis
) -> None:
    workers.start()
    broker.kill()
    where = submit(client, version, "while Redis is away")
    broker.start()
    wait_for_score(client, where)


def test_a_worker_is_killed_while_it_scores(
    client: httpx.Client, version: MadeVersion, workers: Workers, quick: Settings
) -> None:
    lost = workers.start()
    with connect(quick, Role.WORKER) as connection:
        connection.execute(text("lock table trigpoint.score in exclusive mode"))  # scoring waits for this
        where = submit(client, version, "twice begun")
        wait_until(lambda: client.get(where).json()["state"] == "scoring", "that scoring begins")
        lost.kill()
    left = scalar(quick, "select extract(epoch from deadline - now()) from trigpoint.submission")
    assert 0 < left <= 600, "its lease runs out by itself"
    query(quick, "update trigpoint.submission set deadline = now() returning id")
    workers.start()
    wait_for_score(client, where)
    assert scalar(quick, "select count(*) from trigpoint.run") == 1
    assert scalar(quick, "select count(*) from trigpoint.prediction") == COUNT
    row = client.get("/v1/leaderboards/toy").json()["rows"][0]
    assert (row["score"], row["n"]) == (1.0, COUNT)
