"""A run over REST alone: an endpoint stored and checked, a run started, watched, paused, and on the board."""

from collections.abc import Callable

import httpx

from app.core.settings import Settings
from tests.support.factories import make_version, options_dataset
from tests.support.planted_secrets import make_key
from tests.support.processes import Scripted, Workers, wait_until
from tests.support.service import serving

QUESTIONS = 24


def test_from_an_endpoint_to_the_board(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    make_version(quick, options_dataset(QUESTIONS))
    server = endpoint("first_option")
    workers.start()
    headers = {"Authorization": f"Bearer {make_key(quick, 'maintainer')}"}
    with serving(quick) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        local = {"name": "local", "url": server.url, "model": "scripted:first_option"}
        client.post("/v1/endpoints", json=local).raise_for_status()
        job = client.post("/v1/endpoints/local/check").raise_for_status().headers["location"]
        wait_until(lambda: client.get(job).json()["state"] == "done", "the check")
        assert client.get("/v1/endpoints/local").json()["state"] == "ok"

        server.hold()
        asked = {"dataset": "toy", "solver": "direct", "endpoint": "local"}
        run = client.post("/v1/runs", json=asked).raise_for_status().headers["location"]
        wait_until(
            lambda: client.get(run).json()["progress"]["in_flight"] == quick.concurrency, "calls in flight"
        )
        assert client.post(f"{run}/pause").json()["status"] == "paused"
        server.release()
        wait_until(lambda: client.get(run).json()["progress"]["in_flight"] == 0, "what was in flight")
        assert client.get(run).json()["progress"]["done"] == quick.concurrency
        client.post(f"{run}/resume").raise_for_status()
        wait_until(lambda: client.get(run).json()["scored"], "the scores")
        found = client.get(run).json()
        assert (found["status"], found["progress"]["done"]) == ("complete", QUESTIONS)
        (row,) = client.get("/v1/leaderboards/toy").json()["rows"]
        assert (row["name"], row["score"]) == ("scripted:first_option", 0.25)
