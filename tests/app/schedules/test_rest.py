"""Schedules over REST: maintainers add, pause and run them, each change is recorded; nobody else sees any."""

from collections.abc import Iterator

import httpx
import pytest

from app.core.settings import Settings
from tests.support.planted_secrets import make_key
from tests.support.service import serving

WANTED = {"name": "daily", "dataset": "town_gsqa", "region": "europe/toyland", "window": "22-04"}


@pytest.fixture
def client(settings: Settings) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {make_key(settings, 'maintainer')}"}
    with serving(settings) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        yield client


def test_from_the_first_word_to_a_job(client: httpx.Client, settings: Settings) -> None:
    made = client.post("/v1/schedules", json=WANTED)
    assert (made.status_code, made.headers["location"]) == (201, "/v1/schedules/daily"), made.text
    assert (made.json()["snapshot"], made.json()["window"]) == ("toyland", "22-04")
    assert client.post("/v1/schedules", json=WANTED).status_code == 409
    assert client.post("/v1/schedules", json=WANTED | {"name": "x", "dataset": "nothing"}).status_code == 404
    assert client.post("/v1/schedules", json=WANTED | {"name": "x", "window": "9-5"}).status_code == 422
    assert client.post("/v1/schedules/daily/pause").json()["paused"] is True
    assert client.post("/v1/schedules/daily/pause").json()["paused"] is True
    assert client.post("/v1/schedules/daily/resume").json()["paused"] is False
    asked = client.post("/v1/schedules/daily/run")
    assert (asked.status_code, asked.json()["kind"]) == (202, "refresh_schedule")
    assert client.post("/v1/schedules/other/run").status_code == 404
    assert [one["name"] for one in client.get("/v1/schedules").json()["schedules"]] == ["daily"]
    assert client.get("/v1/schedules/daily").json() == made.json()
    actions = [entry["action"] for entry in client.get("/v1/audit").json()["entries"]]
    assert actions == ["schedule.run", "schedule.resume", "schedule.pause", "schedule.add"]

    submitter = {"Authorization": f"Bearer {make_key(settings, 'submitter')}"}
    for method, path in (("GET", ""), ("GET", "/daily"), ("POST", "/daily/pause"), ("POST", "/daily/run")):
        assert client.request(method, f"/v1/schedules{path}", headers=submitter).status_code == 403
        assert (
            client.request(method, f"/v1/schedules{path}", headers={"Authorization": ""}).status_code == 401
        )
