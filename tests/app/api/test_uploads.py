"""Bodies that never end: they hold neither room nor connections that others need."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import SecretStr

from app.api import middleware, serving, uploads
from app.core.settings import Settings
from tests.support.factories import MadeVersion, make_version, option_question
from tests.support.planted_secrets import make_key
from tests.support.service import serving as served

SUBMISSIONS = "/v1/datasets/toy@1/submissions"
ROOM = 8_000_000
PATIENCE = 30


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    away = SecretStr("redis://127.0.0.1:9/0")
    return make_database().model_copy(update={"redis_url": away, "upload_bytes": ROOM})


@pytest.fixture(scope="module")
def version(settings: Settings) -> MadeVersion:
    return make_version(settings, [option_question(i, key=0) for i in range(3)], name="toy")


@pytest.fixture(scope="module")
def keys(settings: Settings) -> list[str]:
    return [make_key(settings, "submitter") for _ in range(4)]


@pytest.fixture(scope="module")
def address(settings: Settings, version: MadeVersion) -> Iterator[str]:
    with served(settings) as address:
        yield address


@pytest.fixture
def answers(version: MadeVersion) -> bytes:
    return "\n".join(json.dumps({"id": name, "answer": "A"}) for name in version.questions).encode()


def connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)


@contextmanager
def unfinished(address: str, key: str, sent: int) -> Iterator[socket.socket]:
    """An upload of which so many bytes came, and which goes on for ever."""
    with closing(connected(address)) as connection:
        head = f"POST {SUBMISSIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
        connection.sendall(f"{head}Content-Length: 150000000\r\n\r\n".encode())
        connection.sendall(b" " * sent)
        yield connection


def submit(address: str, key: str, body: bytes) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.post(f"{address}{SUBMISSIONS}?name={key[5:13]}", content=body, headers=headers, timeout=60)


def until_it_is(status: int, ask: Callable[[], httpx.Response]) -> httpx.Response:
    """What `ask` gives once it has that status: an upload that was begun is counted a moment later."""
    deadline = time.monotonic() + PATIENCE
    while (answer := ask()).status_code != status:
        assert time.monotonic() < deadline, (answer.status_code, answer.text)
        time.sleep(0.02)
    return answer


def ended(connection: socket.socket) -> bytes:
    """All that the server says until it ends the connection."""
    said = b""
    while piece := connection.recv(65536):
        said += piece
    return said


def test_a_key_sends_one_at_a_time(address: str, keys: list[str], answers: bytes) -> None:
    with ExitStack() as open_one:

        def beside_another() -> httpx.Response:
            """Of two that begin at once either may be the one that is refused: then both are sent again."""
            open_one.close()
            open_one.enter_context(unfinished(address, keys[0], 10))
            return submit(address, keys[0], b"nonsense")

        told = until_it_is(429, beside_another)
        assert "one after the other" in told.json()["detail"]
        assert int(told.headers["retry-after"]) > 0
        assert submit(address, keys[1], answers).status_code == 202, "another key is not kept waiting"
    until_it_is(202, lambda: submit(address, keys[0], answers))


def test_unfinished_uploads_take_no_room_from_others(address: str, keys: list[str], answers: bytes) -> None:
    large = b" " * (uploads.IN_MEMORY + 1)
    with ExitStack() as open_ones:
        for key in keys[:2]:
            open_ones.enter_context(unfinished(address, key, 3_000_000))
        told = until_it_is(503, lambda: submit(address, keys[2], large))
        assert (told.headers["content-type"], int(told.headers["retry-after"])) == (
            "application/problem+json",
            30,
        )
        assert submit(address, keys[3], answers).status_code == 202, "a small one needs no room on disk"
    assert until_it_is(422, lambda: submit(address, keys[2], large)).json()["code"] == "bad_submission"


def test_a_full_disk_is_a_503(
    address: str, keys: list[str], answers: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "KEPT_FREE", 10**18)
    told = submit(address, keys[2], b" " * (uploads.IN_MEMORY + 1))
    assert (told.status_code, told.headers["retry-after"]) == (503, "30")
    assert submit(address, keys[2], answers).status_code == 202


def test_a_body_that_pauses_is_ended(
    address: str, keys: list[str], answers: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(serving, "SECONDS_TO_NEXT_HEAD", 0.3)
    with unfinished(address, keys[0], 1000) as connection:
        said = ended(connection)
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b"too slowly" in said
    assert submit(address, keys[0], answers).status_code == 202


def test_a_body_that_drips_is_ended(address: str, keys: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(serving, "SECONDS_TO_NEXT_HEAD", 0.5)
    with unfinished(address, keys[0], 10) as connection:
        assert drip(connection, b"x").startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    "begun", [b"", b"GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: "], ids=["silent", "half"]
)
def test_a_connection_without_a_whole_head_is_ended(
    address: str, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "SECONDS_TO_NEXT_HEAD", 0.5)
    with closing(connected(address)) as connection:
        connection.sendall(begun)
        assert ended(connection) == b""
    with closing(connected(address)) as connection:
        connection.sendall(begun)
        assert drip(connection, b"x") == b""


def test_a_body_that_nobody_reads_holds_no_connection(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "SECONDS_TO_NEXT_HEAD", 0.5)
    with unfinished(address, "trig_0_0", 10) as connection:
        assert drip(connection, b"x").startswith(b"HTTP/1.1 401 ")


def test_requests_one_after_the_other_keep_their_connection(address: str) -> None:
    with closing(connected(address)) as connection:
        for _ in range(3):
            connection.sendall(b"GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")


def drip(connection: socket.socket, piece: bytes) -> bytes:
    """What the server says while a byte comes every now and then, until it ends the connection."""
    said = b""
    connection.settimeout(0.05)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            connection.sendall(piece)
            got = connection.recv(65536)
        except TimeoutError:
            continue
        except OSError:
            return said
        if not got:
            return said
        said += got
    raise AssertionError(f"the connection is still open after {PATIENCE} s: {said!r}")
