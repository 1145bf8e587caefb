"""Keys over real HTTP: who is let in, who is not and why, how often; bounds on bodies; what is logged and recorded."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from app.access.audit import AT_THE_COMMAND_LINE, note
from app.access.keys import KeyRole, Wanted, create_key, revoke_key
from app.api import middleware
from app.api.limiting import Limiter
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.processes import PrivateRedis, private_redis
from tests.support.service import patient_client, serving


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateRedis]:
    with private_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], redis: PrivateRedis) -> Settings:
    return make_database().model_copy(update={"redis_url": SecretStr(redis.url)})


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[httpx.Client]:
    with serving(settings) as address, patient_client(address) as client:
        yield client


def make(settings: Settings, role: KeyRole = "reader", rate: int = 600, days: float = 1.0) -> str:
    with connect(settings, Role.MAINTAINER) as connection:
        token, _ = create_key(connection, Wanted("Ada", role, rate, days), SystemClock().now())
        connection.commit()
    return token


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_key_is_let_in(client: httpx.Client, settings: Settings) -> None:
    token = make(settings)
    answer = client.get("/v1/key", headers=bearing(token)).raise_for_status()
    assert answer.json()["prefix"] == token.split("_")[1]
    assert answer.headers["cache-control"].startswith("private")
    assert token not in answer.text


def test_without_a_key(client: httpx.Client) -> None:
    answer = client.get("/v1/key")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_known")
    assert answer.headers["www-authenticate"] == 'Bearer realm="trigpoint"'
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer\tx", "Bearer nonsense", "Basic dXNlcjpwYXNz", "Bearer " + "x" * 5000, "Bearer trig_ü"],
    ids=["bare", "tab", "nonsense", "basic", "long", "umlaut"],
)
@pytest.mark.parametrize("path", ["/v1/key", "/v1/datasets"])
def test_a_bad_key_is_never_no_key(client: httpx.Client, path: str, header: str) -> None:
    answer = client.get(path, headers={"Authorization": header.encode()})
    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_two_keys_are_none(client: httpx.Client, settings: Settings) -> None:
    both = [("Authorization", f"Bearer {make(settings)}") for _ in range(2)]
    assert client.get("/v1/key", headers=both).status_code == 401


def test_revoked_and_expired(client: httpx.Client, settings: Settings) -> None:
    token = make(settings)
    assert client.get("/v1/key", headers=bearing(token)).status_code == 200
    with connect(settings, Role.MAINTAINER) as connection:
        revoke_key(connection, token.split("_")[1], SystemClock().now())
        connection.commit()
    assert "revoked" in client.get("/v1/key", headers=bearing(token)).json()["detail"]
    assert "expired" in client.get("/v1/key", headers=bearing(make(settings, days=-1))).json()["detail"]


def test_a_role_that_does_not_suffice(client: httpx.Client, settings: Settings) -> None:
    for role in ("reader", "submitter"):
        answer = client.get("/v1/audit", headers=bearing(make(settings, role)))
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
        assert 'scope="maintainer"' in answer.headers["www-authenticate"]
    assert client.get("/v1/audit", headers=bearing(make(settings, "maintainer"))).status_code == 200


def test_a_server_without_the_maintainers_password_only_reads(settings: Settings) -> None:
    token = make(settings, "maintainer")
    with serving(settings.model_copy(update={"password_maintainer": None})) as address:
        answer = httpx.get(f"{address}/v1/audit", headers=bearing(token))
        assert (answer.status_code, answer.json()["code"]) == (501, "not_implemented")
        assert httpx.get(f"{address}/v1/key", headers=bearing(token)).status_code == 200


def test_a_key_asks_no_more_often_than_it_may(client: httpx.Client, settings: Settings) -> None:
    token = make(settings, rate=3)
    statuses = [client.get("/v1/key", headers=bearing(token)).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    refused = client.get("/v1/datasets", headers=bearing(token))
    assert refused.json()["code"] == "too_many"
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert client.get("/v1/datasets").status_code == 200
    assert client.get("/v1/key", headers=bearing(make(settings, rate=3))).status_code == 200
    with serving(settings) as other:
        assert httpx.get(f"{other}/v1/key", headers=bearing(token)).status_code == 429, "windows are shared"


def test_while_redis_is_away_each_server_counts_alone(settings: Settings) -> None:
    nowhere = settings.model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:9/0")})
    token = make(settings, rate=2)
    with serving(nowhere) as address:
        statuses = [httpx.get(f"{address}/v1/key", headers=bearing(token)).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_redis_that_hangs_holds_nobody_up(settings: Settings) -> None:
    from app.access.keys import Caller

    with socket.create_server(("127.0.0.1", 0)) as listener:
        limiter = Limiter(f"redis://127.0.0.1:{listener.getsockname()[1]}/0")
        started = time.monotonic()
        for _ in range(50):
            limiter.admit(Caller(1, 1, "x", "x", "reader", 600))
        assert time.monotonic() - started < 10


def record_five(settings: Settings) -> None:
    """Five entries in the record of what was changed: `run 0` to `run 4`."""
    with connect(settings, Role.MAINTAINER) as connection:
        for number in range(5):
            note(connection, AT_THE_COMMAND_LINE, "run.pause", f"run {number}", SystemClock().now())
        connection.commit()


def test_the_record_is_paged(client: httpx.Client, settings: Settings) -> None:
    record_five(settings)
    headers = bearing(make(settings, "maintainer"))
    first = client.get("/v1/audit?limit=2", headers=headers).json()
    assert [one["subject"] for one in first["entries"]] == ["run 4", "run 3"]
    second = client.get("/v1/audit", params={"limit": 2, "cursor": first["next"]}, headers=headers)
    assert [one["subject"] for one in second.json()["entries"]] == ["run 2", "run 1"]
    assert 'rel="next"' in second.headers["link"]


@pytest.mark.parametrize("place", range(0, 40, 3))
def test_a_tampered_cursor_is_refused(client: httpx.Client, settings: Settings, place: int) -> None:
    record_five(settings)
    headers = bearing(make(settings, "maintainer"))
    cursor = client.get("/v1/audit?limit=1", headers=headers).json()["next"]
    changed = cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]
    answer = client.get("/v1/audit", params={"cursor": changed}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "usage_error")


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "=", "ü", "A" * 5000, "bnVsbA", "\x00", "' or 1=1"],
    ids=lambda cursor: cursor[:9].encode().hex(),
)
def test_what_was_never_a_cursor(client: httpx.Client, settings: Settings, cursor: str) -> None:
    answer = client.get("/v1/audit", params={"cursor": cursor}, headers=bearing(make(settings, "maintainer")))
    assert answer.status_code == 400


def test_nothing_of_a_key_is_logged(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[dict[str, object]] = []
    monkeypatch.setattr(middleware.logger, "info", lambda _, **told: lines.append(told))
    token = make(settings)
    with serving(settings) as address:
        asked = [
            httpx.get(f"{address}/v1/key", headers=bearing(tried)).headers["x-request-id"]
            for tried in (token, token[:-1])
        ]
    # a line is written after its answer has gone, so a test before this one may write here, too
    keys = {line["id"]: line["key"] for line in lines}
    assert [keys[one] for one in asked] == [token.split("_")[1], None]
    assert token.split("_", 2)[2][:20] not in json.dumps(lines)
    assert Path(middleware.__file__).read_text().count("query_string") == 0
