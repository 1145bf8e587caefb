"""What monitors are told: requests by route, counts of the database; to whom, and never a name of what is hidden."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr
from sqlalchemy import text

from app.api.metrics import Watch, route_of
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.counts import Count, Counts, MapAge, read_counts
from tests.support.planted_secrets import PLANTED, Hidden, make_hidden
from tests.support.service import patient_client, serving

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(told: str) -> Samples:
    return {
        (one.name, frozenset(one.labels.items())): one.value
        for family in text_string_to_metric_families(told)
        for one in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, Hidden]:
    settings = make_database()
    return settings, make_hidden(settings)


@pytest.fixture(scope="module")
def client(made: tuple[Settings, Hidden]) -> Iterator[httpx.Client]:
    with serving(made[0]) as address, patient_client(address) as client:
        yield client


def metrics(client: httpx.Client) -> Samples:
    answer = client.get("/metrics").raise_for_status()
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert answer.headers["cache-control"] == "no-store"
    return samples(answer.text)


def test_requests_by_route_and_status(client: httpx.Client) -> None:
    before = metrics(client)
    for path in (
        "/v1/health",
        "/v1/datasets/half_hidden",
        "/v1/datasets/nope",
        "/v1/made/up",
        "/made-up?x=1",
        "/",
    ):
        client.get(path)
    client.request("BREW", "/v1/health")
    found = metrics(client)
    counted = {
        (dict(labels)["method"], dict(labels)["route"], dict(labels)["status"]): number
        - before.get((name, labels), 0)
        for (name, labels), number in found.items()
        if name == "trigpoint_http_requests_total"
    }
    assert counted == {
        ("GET", "/v1/health", "200"): 1,
        ("GET", "/v1/datasets/{dataset}", "200"): 1,
        ("GET", "/v1/datasets/{dataset}", "404"): 1,
        ("GET", "unmatched", "404"): 2,
        ("GET", "/", "200"): 1,
        ("other", "/v1/health", "405"): 1,
        ("GET", "/metrics", "200"): 1,
    }
    assert value(found, "trigpoint_http_requests_in_flight") == 1, "this one"
    assert value(found, "trigpoint_http_request_seconds_count", method="GET", route="/v1/health") == 1
    assert value(found, "trigpoint_http_request_seconds_bucket", method="GET", route="/", le="+Inf") == 1


def test_what_the_database_counts(client: httpx.Client) -> None:
    found = metrics(client)
    assert value(found, "trigpoint_database_up") == 1
    assert value(found, "trigpoint_runs", state="complete") == 1
    assert value(found, "trigpoint_prediction_errors", state="error") == 0
    assert value(found, "trigpoint_map_age_seconds", map="village") > 86400
    assert [name for name, _ in found if name.startswith("trigpoint_build")] == ["trigpoint_build_info"]


def test_from_elsewhere_a_maintainers_key_is_needed(
    client: httpx.Client, made: tuple[Settings, Hidden]
) -> None:
    through = {"X-Forwarded-For": "127.0.0.1"}
    assert client.get("/metrics", headers=through).status_code == 401
    for role, status in (("reader", 403), ("submitter", 403), ("maintainer", 200)):
        key = {"Authorization": f"Bearer {made[1].keys[role]}"}
        assert client.get("/metrics", headers={**through, **key}).status_code == status, role
        assert client.get("/metrics", headers=key).status_code == status, role
    assert client.get("/metrics", headers={"Authorization": "Bearer nonsense"}).status_code == 401


def test_nothing_that_was_planted_is_told(client: httpx.Client, made: tuple[Settings, Hidden]) -> None:
    client.get(f"/v1/leaderboards/{PLANTED}")
    client.get(f"/{PLANTED}")
    told = client.get("/metrics").text
    assert PLANTED not in told
    assert "half_hidden" not in told
    assert not re.search(r"trigpoint_[0-9a-f]{8}_", told), "no key"


def test_where_the_database_is_away_that_is_told(made: tuple[Settings, Hidden]) -> None:
    settings = made[0].model_copy(update={"password_api": SecretStr("wrong")})
    with serving(settings) as address:
        found = samples(httpx.get(f"{address}/metrics").raise_for_status().text)
    assert value(found, "trigpoint_database_up") == 0
    assert not any(name == "trigpoint_runs" for name, _ in found)


def test_the_database_is_asked_once_in_a_while() -> None:
    asked = []

    def read() -> Counts:
        asked.append(1)
        return Counts([Count("job", "waiting", 3, 12.5)], [MapAge("village", 60.0)])

    watch = Watch(read)
    assert asked == []
    told = [samples(watch.text().decode()) for _ in range(3)]
    assert asked == [1]
    assert value(told[-1], "trigpoint_jobs", state="waiting") == 3
    assert value(told[-1], "trigpoint_job_oldest_seconds", state="waiting") == 12.5


def test_open_work_and_its_age(database: Settings) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    hidden = make_hidden(database)
    with connect(database, Role.OWNER) as connection:
        connection.execute(text("set search_path = trigpoint"))
        for number, (state, deadline) in enumerate(
            (
                ("waiting", None),
                ("leased", now + timedelta(hours=1)),
                ("leased", now - timedelta(hours=1)),
                ("done", None),
            )
        ):
            connection.execute(
                text(
                    "insert into batch (run_id, number, question_ids, state, deadline)"
                    " values (:run, :number, array['a', 'b'], :state, :deadline)"
                ),
                {"run": hidden.run, "number": 100 + number, "state": state, "deadline": deadline},
            )
        connection.execute(
            text(
                "insert into submission (version_id, label, card, self_reported, source, digest, answers, repeats, state,"
                " deadline, created_at) values (:version, 'x', '{}', true, 'answers', 'x', 1, 1, 'waiting', :now, :made)"
            ),
            {"version": hidden.version.id, "now": now, "made": now - timedelta(minutes=5)},
        )
        connection.commit()
    with connect(database, Role.API) as connection:
        found = {(one.what, one.state): one for one in read_counts(connection, now).states}
    assert [found["batch", state].number for state in ("waiting", "leased", "expired")] == [1, 1, 1]
    assert ("batch", "done") not in found
    assert (found["question", "waiting"].number, found["question", "leased"].number) == (2, 4)
    assert found["submission", "waiting"].oldest_seconds == 300
    assert found["run", "complete"] == Count("run", "complete", 1, None)


def test_addresses_that_were_made_up_have_one_name() -> None:
    assert route_of({"type": "http", "path": "/anything"}) == "unmatched"
    assert route_of({"type": "http", "path": "/static/x.css"}) == "unmatched"
    assert route_of({"type": "http", "path": "/static/x.css", "endpoint": object()}) == "/static"
