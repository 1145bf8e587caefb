"""Signing in on pages: a cookie for a maintainer's key, forms that only their own session may send, a record of it."""

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.service import client_of_another_address, serving
from tests.support.tool_maps import bearing

SIGN_IN = "/workbench/sign-in"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    return make_database()


@pytest.fixture(scope="module")
def address(settings: Settings) -> Iterator[str]:
    with serving(settings) as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with client_of_another_address(address) as client:
        yield client


def key_of(settings: Settings, role: str = "maintainer", days: float = 1.0) -> str:
    return bearing(settings, role, 100_000, days)["Authorization"].removeprefix("Bearer ")  # type: ignore[arg-type]


def form_token(client: httpx.Client) -> str:
    (found,) = set(re.findall(r'name="form_token" value="([^"]+)"', client.get("/workbench").text))
    return str(found)


def sessions(settings: Settings) -> list[tuple[bool, float]]:
    """Of every session, whether it was ended, and its hours."""
    asked = "select ended_at is not null, extract(epoch from ends_at - opened_at) / 3600 from page_session order by id"
    with connect(settings, Role.MAINTAINER) as connection:
        return [(row[0], float(row[1])) for row in connection.execute(text(asked))]


def actions(settings: Settings) -> list[str]:
    with connect(settings, Role.MAINTAINER) as connection:
        return list(connection.execute(text("select action from audit order by id")).scalars())


def test_the_cookie_is_for_the_server_alone(settings: Settings, client: httpx.Client) -> None:
    key = key_of(settings)
    answer = client.post(SIGN_IN, data={"key": key})
    assert (answer.status_code, answer.headers["location"]) == (303, "/workbench")
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "Path=/workbench", "SameSite=strict"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert key not in cookie
    with connect(settings, Role.OWNER) as connection:
        (stored,) = connection.execute(
            text("select token_hash from trigpoint.page_session order by id desc limit 1")
        )
    assert stored[0] not in cookie
    page = client.get("/workbench")
    assert page.status_code == 200
    assert "Signed in as <bdi>Ada</bdi>" in page.text
    assert key not in page.text
    assert page.headers["cache-control"] == "private, no-store"
    assert "script-src 'self'" in page.headers["content-security-policy"]


def test_over_https_the_cookie_is_sent_over_https_alone(settings: Settings, address: str) -> None:
    proxied = {"X-Forwarded-Proto": "https"}
    answer = httpx.post(f"{address}{SIGN_IN}", data={"key": key_of(settings)}, headers=proxied, timeout=60)
    assert "Secure" in answer.headers["set-cookie"].split("; ")


@pytest.mark.parametrize(("role", "status"), [("reader", 403), ("submitter", 403)])
def test_only_maintainers_sign_in(settings: Settings, client: httpx.Client, role: str, status: int) -> None:
    before = sessions(settings)
    answer = client.post(SIGN_IN, data={"key": key_of(settings, role)})
    assert answer.status_code == status
    assert "Only maintainers sign in here" in answer.text
    assert "set-cookie" not in answer.headers
    assert sessions(settings) == before


def test_what_is_no_key_signs_nobody_in(client: httpx.Client) -> None:
    for key in ("", "trig_00000000_" + "x" * 43, "\u202etrig"):
        answer = client.post(SIGN_IN, data={"key": key})
        assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)


def test_a_page_of_another_server_signs_nobody_in(settings: Settings, client: httpx.Client) -> None:
    answer = client.post(SIGN_IN, data={"key": key_of(settings)}, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_who_is_not_signed_in_is_sent_to_sign_in(client: httpx.Client) -> None:
    page = client.get("/workbench")
    assert (page.status_code, page.headers["location"]) == (303, SIGN_IN)
    assert client.post("/workbench/sign-out", data={}).status_code == 401


def test_a_form_of_another_session_changes_nothing(settings: Settings, address: str) -> None:
    with client_of_another_address(address) as mine, client_of_another_address(address) as other:
        for client in (mine, other):
            client.post(SIGN_IN, data={"key": key_of(settings)})
        before, noted = sessions(settings), actions(settings)
        for token in (None, "", "0" * 64, form_token(other), form_token(mine)[:-1]):
            sent = {} if token is None else {"form_token": token}
            assert mine.post("/workbench/sign-out", data=sent).status_code == 403, token
        assert (sessions(settings), actions(settings)) == (before, noted)
        assert mine.post("/workbench/sign-out", data={"form_token": form_token(mine)}).status_code == 303


def test_signing_out_ends_the_session(settings: Settings, client: httpx.Client) -> None:
    client.post(SIGN_IN, data={"key": key_of(settings)})
    cookie = client.cookies["trigpoint_session"]
    client.post("/workbench/sign-out", data={"form_token": form_token(client)})
    assert actions(settings)[-2:] == ["page_session.open", "page_session.end"]
    assert sessions(settings)[-1] == (True, 8.0)
    client.cookies.set("trigpoint_session", cookie)
    assert client.get("/workbench").status_code == 303


@pytest.mark.parametrize(
    "ending",
    [
        "update page_session set ends_at = now() - interval '1 second'",
        "update api_key set revoked_at = now()",
        "update api_key set expires_at = now() - interval '1 second'",
    ],
)
def test_a_session_ends_with_its_time_and_with_its_key(
    settings: Settings, client: httpx.Client, ending: str
) -> None:
    client.post(SIGN_IN, data={"key": key_of(settings)})
    assert client.get("/workbench").status_code == 200
    with connect(settings, Role.OWNER) as connection:
        connection.execute(text(ending.replace("update ", "update trigpoint.")))
        connection.commit()
    assert client.get("/workbench").status_code == 303


def test_tries_are_counted(settings: Settings, address: str) -> None:
    """The last test of this file: the address may try no more for a minute."""
    with client_of_another_address(address) as client:
        answers = [client.post(SIGN_IN, data={"key": "x"}) for _ in range(21)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
