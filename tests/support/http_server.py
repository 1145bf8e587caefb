"""A small HTTP server on the loopback whose answers a test decides, and which notes what it was asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit


class Request(NamedTuple):
    """One request; `body` is what was posted."""

    path: str
    query: dict[str, str]
    agent: str
    body: bytes


class Answer(NamedTuple):
    """What the server says; `length` stands in for the true Content-Length."""

    status: int
    headers: dict[str, str]
    body: bytes
    length: int | None = None


@contextmanager
def serving_http(answer: Callable[[Request], Answer], port: int = 0) -> Iterator[str]:
    """The address of a server that answers by `answer`, on a free port unless it is named; it stops with the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = answer(Request(parts.path, query, self.headers["User-Agent"] or "", body))
            length = len(given.body) if given.length is None else given.length
            self.send_response(given.status)
            for name, value in {**given.headers, "Content-Length": str(length)}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(given.body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        """Connections that come together wait for a place; with fewer, some would be made again a second later."""

    server = Server(("127.0.0.1", port), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
