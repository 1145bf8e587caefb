"""Report cards over REST: maintainers ask for a job and see how far cards are; nobody else does."""

from collections.abc import Iterator

import httpx
import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.runs import EndpointRow
from app.report_cards.stored import begin_card, read_card
from app.report_cards.suites import find_suite
from tests.support.planted_secrets import make_key
from tests.support.service import serving


@pytest.fixture
def client(database: Settings) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {make_key(database, 'maintainer')}"}
    with serving(database) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        yield client


def test_cards_are_listed_and_shown_to_maintainers(client: httpx.Client, database: Settings) -> None:
    with connect(database, Role.WORKER) as connection:
        now = SystemClock().now()
        one, two, renamed = (
            EndpointRow(number, name, "http://127.0.0.1:9/v1", "m", None)
            for number, name in ((1, "one"), (2, "one"), (1, "one#1"))
        )
        cards = [
            begin_card(connection, find_suite("geo-lite"), endpoint, None, "toy@undated", now)
            for endpoint in (one, two, renamed)
        ]
        first = read_card(connection, cards[0]).model_dump(mode="json")
    assert cards[0] == cards[2] != cards[1], "a card is of an endpoint's record, whatever it is called"
    assert first["endpoint"] == "one#1"
    page = client.get("/v1/report-cards", params={"limit": 1}).json()
    assert [one["card"] for one in page["report_cards"]] == [cards[1]]
    rest = client.get("/v1/report-cards", params={"limit": 1, "cursor": page["next"]}).json()
    assert rest == {"report_cards": [first], "next": None}
    assert client.get(f"/v1/report-cards/{cards[0]}").json() == first
    assert client.get("/v1/report-cards/999").status_code == 404
    submitter = {"Authorization": f"Bearer {make_key(database, 'submitter')}"}
    assert client.get("/v1/report-cards", headers=submitter).status_code == 403
    assert client.post("/v1/report-cards", json={}, headers=submitter).status_code == 403


def test_what_there_is_not_is_refused_at_once(client: httpx.Client) -> None:
    asked = {"endpoint": "nowhere", "snapshot": "toy"}
    assert client.post("/v1/report-cards", json=asked).status_code == 404
    assert client.post("/v1/report-cards", json=asked | {"suite": "geo"}).status_code == 404
    assert client.post("/v1/report-cards", json=asked | {"suite": "./x.toml"}).status_code == 422
    assert client.post("/v1/report-cards", json=asked | {"url": "http://x"}).status_code == 422
    assert client.get("/v1/jobs").json()["jobs"] == []
