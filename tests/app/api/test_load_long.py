"""Twice as many clients as the server has connections to PostgreSQL, for a minute: nothing fails, nobody waits for ever."""

import threading
import time
from collections import Counter
from collections.abc import Callable

import httpx
import pytest

from app.core.settings import Settings
from app.db.pools import SERVER_CONNECTIONS
from tests.support.planted_secrets import make_hidden
from tests.support.service import serving

CLIENTS = 2 * SERVER_CONNECTIONS
SECONDS = 60.0
PATHS = ("/v1/questions", "/v1/leaderboards/half_hidden", "/v1/datasets", "/v1/runs", "/v1/key", "/")


@pytest.mark.long
def test_twice_the_pool_for_a_minute(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    headers = {"Authorization": f"Bearer {make_hidden(settings).keys['reader']}"}
    statuses: Counter[int] = Counter()
    slowest = [0.0] * CLIENTS

    def ask(place: int, address: str) -> None:
        until = time.monotonic() + SECONDS
        with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
            number = place
            while time.monotonic() < until:
                started = time.monotonic()
                answer = client.get(PATHS[number % len(PATHS)])
                slowest[place] = max(slowest[place], time.monotonic() - started)
                statuses[answer.status_code] += 1
                assert answer.status_code != 503 or answer.headers["retry-after"]
                number += 1

    with serving(settings) as address:
        threads = [threading.Thread(target=ask, args=(place, address)) for place in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert set(statuses) <= {200, 503}, statuses
    assert statuses[200] > 1000, statuses
    assert max(slowest) < 35, "the pool's patience is 30 s"
