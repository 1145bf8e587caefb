"""Around every request: an id, security headers, bounds on its body, one line of log (no body, no query string)."""

import asyncio
import re
from collections.abc import Callable
from secrets import token_hex
from time import perf_counter
from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.metrics import Watch
from app.core.log import get_logger

logger = get_logger(__name__)

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self';"
    " connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
MOST_BYTES = 1_000_000
BODY_SECONDS = 20.0
"""How large a body may be, and how long it may take to come."""


ANSWERS = re.compile(r"/v1/datasets/[^/]+/submissions")
MOST_BYTES_OF_ANSWERS = 200_000_000
SECONDS_OF_ANSWERS = 600.0
"""The same for submitted answers; only a submitter's are read at all."""
LEAST_BYTES_A_SECOND = 20_000
"""As slow as answers may come, after their first 20 s: who sends less holds room that others need."""


def bounds_of(path: str) -> tuple[int, float]:
    """The most bytes, and the most seconds, that the body of a request to `path` may take."""
    is_large = ANSWERS.fullmatch(path) is not None
    return (MOST_BYTES_OF_ANSWERS, SECONDS_OF_ANSWERS) if is_large else (MOST_BYTES, BODY_SECONDS)


def bounded(receive: Receive, most: int, seconds: float) -> Receive:
    """`receive` that ends a body which is too large, or too slow, with a 413 or a 408.

    A body may pause for 20 s at most, and must have come at its least rate on the whole.
    """
    received = 0
    began: float | None = None
    is_whole = False

    async def receive_bounded() -> Message:
        nonlocal received, began, is_whole
        if is_whole:  # what comes now is the client's leaving, in its own time
            return await receive()
        now = asyncio.get_running_loop().time()
        began = now if began is None else began
        at_this_rate = began + BODY_SECONDS + received / LEAST_BYTES_A_SECOND
        try:
            async with asyncio.timeout_at(min(began + seconds, now + BODY_SECONDS, at_this_rate)):
                message = await receive()
        except TimeoutError as error:
            raise HTTPException(
                408,
                f"The body came too slowly: whole within {seconds:g} s, {LEAST_BYTES_A_SECOND:,} bytes a second, and no"
                f" pause longer than {BODY_SECONDS:g} s.",
            ) from error
        received += len(message.get("body", b""))
        if received > most:
            raise HTTPException(413, f"The body is larger than {most:,} bytes.")
        is_whole = not message.get("more_body", False)
        return message

    return receive_bounded


def on_this_server(location: str) -> str:
    """An address without scheme and host: those come from the client's Host header, and all that we send to is ours."""
    parts = urlsplit(location)
    return urlunsplit(("", "", "/" + parts.path.lstrip("/\\"), parts.query, parts.fragment))


class Surroundings:
    """Pure ASGI, so that it costs no task and no buffering; `on_error` answers what nobody foresaw, `watch` counts."""

    def __init__(
        self, app: ASGIApp, on_error: Callable[[Request, Exception], Response], watch: Watch
    ) -> None:
        self.app = app
        self.on_error = on_error
        self.watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        started = perf_counter()
        self.watch.began()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                if "location" in headers:
                    headers["Location"] = on_this_server(headers["location"])
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, bounded(receive, *bounds_of(scope["path"])), send_with_headers)
        except ClientDisconnect:
            pass  # nobody is there to be answered; the status 0 tells so
        except Exception as error:
            answer = self.on_error(Request(scope), error)
            if status:
                raise
            await answer(scope, receive, send_with_headers)
        finally:
            seconds = perf_counter() - started
            self.watch.ended(scope, status, seconds)
            logger.info(
                "request",
                id=request_id,
                method=scope["method"],
                path=scope["path"],
                key=scope["state"].get("key"),
                status=status,
                milliseconds=round(1000 * seconds, 1),
            )
