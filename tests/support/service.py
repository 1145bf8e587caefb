"""The real service on a free port, for tests of REST and pages."""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import uvicorn

from app.api.main import create_app
from app.api.serving import server_config
from app.cli.serve import listen
from app.core.settings import Settings
from tests.support.processes import PATIENCE


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """The address of a uvicorn that serves `settings`' database; it stops with the block."""
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(server_config(create_app(settings)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        assert not thread.is_alive(), "the server did not stop"


def patient_client(address: str) -> httpx.Client:
    """A client of that server which waits long enough for a first answer on a busy machine."""
    return httpx.Client(base_url=address, timeout=PATIENCE)


def client_of_another_address(address: str) -> httpx.Client:
    """A patient client that calls from a loopback address of its own, since tries to sign in are counted by address."""
    own = f"127.{'.'.join(str(1 + byte % 254) for byte in secrets.token_bytes(3))}"
    return httpx.Client(base_url=address, timeout=PATIENCE, transport=httpx.HTTPTransport(local_address=own))
