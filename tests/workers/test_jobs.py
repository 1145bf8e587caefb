"""What a maintainer asks for over REST is done by a real worker: imports, generation; cancelled, handed back, begun again."""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.core.settings import Settings
from tests.support.planted_secrets import make_key
from tests.support.processes import Workers, query, scalar, wait_until
from tests.support.service import serving
from tests.support.town import make_town

EXTRACT = "town.osm"


@pytest.fixture
def client(quick: Settings) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {make_key(quick, 'maintainer')}"}
    with serving(quick) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        yield client


@pytest.fixture
def keepers(quick: Settings, tmp_path: Path) -> Iterator[Workers]:
    """Workers with the owner's password, whose folder of extracts holds the town."""
    folder = quick.local_dir / "extracts"
    folder.mkdir(parents=True)
    make_town().write(folder / EXTRACT)
    made = Workers(quick, tmp_path, imports=True)
    try:
        yield made
    finally:
        made.kill_all()


def ended(client: httpx.Client, where: str) -> Callable[[], dict[str, Any] | None]:
    def look() -> dict[str, Any] | None:
        job: dict[str, Any] = client.get(where).json()
        return job if job["state"] in ("done", "failed", "cancelled") else None

    return look


def ask(client: httpx.Client, where: str, **body: Any) -> str:
    answer = client.post(where, json=body)
    assert answer.status_code == 202, answer.text
    return answer.headers["location"]


def test_from_a_file_to_a_data_set(client: httpx.Client, keepers: Workers) -> None:
    keepers.start()
    imported = wait_until(
        ended(client, ask(client, "/v1/snapshots", file=EXTRACT, name="town")), "the import"
    )
    assert imported["state"] == "done", imported["error"]
    assert (imported["result"]["name"], imported["result"]["published"]) == ("town", True)
    assert client.get("/v1/snapshots").json()["snapshots"][0]["name"] == "town"

    wanted = {"benchmark": "gsqa", "name": "town_gsqa", "snapshots": ["town"], "bank": 5, "per_template": 2}
    made = wait_until(ended(client, ask(client, "/v1/datasets", **wanted)), "the data set")
    assert (made["state"], made["result"]["version"]) == ("done", 1), made["error"]
    again = wait_until(ended(client, ask(client, "/v1/datasets", **wanted)), "the same again")
    assert again["result"]["version"] == 1, "the same recipe makes no second version"

    wanted["snapshots"] = ["nowhere"]
    failed = wait_until(ended(client, ask(client, "/v1/datasets", **wanted)), "a data set of no map")
    assert failed["state"] == "failed"
    assert "nowhere" in failed["error"]
    actions = [entry["action"] for entry in client.get("/v1/audit").json()["entries"]]
    assert actions.count("dataset.generate") == 3
    assert client.post(f"/v1/jobs/{made['job']}/cancel").status_code == 409


def test_a_job_that_waits_is_cancelled(client: httpx.Client) -> None:
    where = ask(client, "/v1/snapshots", region="europe/liechtenstein")
    cancelled = client.post(f"{where}/cancel")
    assert (cancelled.status_code, cancelled.json()["state"]) == (202, "cancelled")
    assert client.post(f"{where}/cancel").json() == cancelled.json()
    assert client.post("/v1/jobs/999/cancel").status_code == 404


@pytest.fixture
def large(keepers: Workers, quick: Settings, extracts: Path) -> str:
    """A map whose import takes longer than a lease."""
    name = "liechtenstein.osm.pbf"
    shutil.copyfile(extracts / "liechtenstein-2022-07-24.osm.pbf", quick.local_dir / "extracts" / name)
    return name


def running(client: httpx.Client, where: str) -> Callable[[], bool]:
    return lambda: client.get(where).json()["progress"] is not None


def test_a_job_that_runs_is_cancelled(
    client: httpx.Client, keepers: Workers, large: str, quick: Settings
) -> None:
    keepers.start()
    where = ask(client, "/v1/snapshots", file=large)
    wait_until(running(client, where), "its progress")
    client.post(f"{where}/cancel")
    assert wait_until(ended(client, where), "its end")["state"] == "cancelled"
    assert client.get("/v1/snapshots").json()["snapshots"] == []
    assert query(quick, "select nspname from pg_namespace where nspname like 'osm%'") == []


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(signal.SIGKILL, id="killed"),
        pytest.param(signal.SIGTERM, id="stopped", marks=pytest.mark.long),
    ],
)
def test_a_job_goes_on_with_another_worker(
    client: httpx.Client, keepers: Workers, large: str, quick: Settings, sent: signal.Signals
) -> None:
    worker = keepers.start()
    where = ask(client, "/v1/snapshots", file=large)
    wait_until(running(client, where), "its progress")
    worker.process.send_signal(sent)
    worker.process.wait()
    keepers.start()
    job = wait_until(ended(client, where), "its end", patience=120)
    assert job["state"] == "done", job["error"]
    assert job["attempt"] == (2 if sent == signal.SIGKILL else 1), "who hands it back has not begun it"
    assert scalar(quick, "select count(*) from trigpoint.snapshot where published_at is not null") == 1
