"""JSON from HTTP services of others, politely: one request at a time, who asks is said, waits as asked.

Every way in which a service fails is an error of app.core.errors; what is too large or too slow is not waited for.
"""

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from app.core.errors import EndpointRefused, EndpointUnavailable, SettingsError
from app.core.log import get_logger
from app.core.waiting import seconds_to_wait

log = get_logger(__name__)

WAITS = 5
"""How often one request is repeated after a wait that the server asked for."""
LEAST_WAIT, LONGEST_WAIT = 1.0, 120.0
TIMEOUT_SECONDS = 60
"""For each wait on the socket, and for the answer as a whole."""
BUSY = (429, 502, 503, 504)
CHUNK = 1 << 16

Find = Callable[[Any], str | None]
"""Why an answer that is JSON asks to wait; None where it does not."""


class Busy(EndpointUnavailable):
    """The service asks to wait."""


@dataclass(frozen=True)
class Service:
    """Whom we ask. `setting` and `page` are where its address is set and described."""

    name: str
    setting: str
    page: str
    largest_answer: int
    usual_wait: float
    seconds_between: float = 0.0
    """The least time between two requests, where the service's policy asks for one."""


class PoliteClient:
    """Asks one service; not for threads. Raises SettingsError where nobody says who asks, or of whom.

    `requests` counts what was sent. `sleep` and `monotonic` are the machine's, in seconds.
    """

    def __init__(
        self,
        service: Service,
        base: str,
        contact: str | None,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        if not contact:
            raise SettingsError(
                f"TRIGPOINT_CONTACT is not set: {service.name} wants to know whom to write to (an address or a "
                f"URL). Set it, see {service.page}."
            )
        parts = urllib.parse.urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(f"{service.setting} must look like https://HOST, not {base!r}.")
        self.requests = 0
        self._service = service
        self._agent = f"trigpoint/{_version()} ({contact})"
        self._sleep = sleep
        self._monotonic = monotonic
        self._next_at: float | None = None

    def get(self, url: str, query: Mapping[str, str], busy: Find = lambda answer: None) -> Any:
        """The JSON at `url`; where the service is busy, the request waits as long as it asks and is repeated.

        Raises EndpointUnavailable where it does not answer or stays busy, EndpointRefused where it answers
        something that is no JSON, too large, or a refusal.
        """
        for waits_left in reversed(range(WAITS + 1)):
            try:
                return self._request(url, query, busy)
            except Busy as asked:
                wait = asked.retry_after if asked.retry_after is not None else self._service.usual_wait
                if not waits_left or wait > LONGEST_WAIT:
                    raise
                log.warning("a service is busy; waiting as it asks", service=self._service.name, seconds=wait)
                self._sleep(max(LEAST_WAIT, wait))
        raise AssertionError("the loop returns or raises")

    def _request(self, url: str, query: Mapping[str, str], busy: Find) -> Any:
        self._keep_apart()
        self.requests += 1
        request = urllib.request.Request(
            f"{url}?{urllib.parse.urlencode(query)}",
            headers={"User-Agent": self._agent, "Accept-Encoding": "gzip"},
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                body = self._read(response)
                wait = seconds_to_wait(response.headers.get("Retry-After"))
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in BUSY:
                raise Busy(
                    f"{url} answers HTTP {error.code} and stays busy. Run the same command again later: it goes "
                    "on where it stopped.",
                    seconds_to_wait(error.headers.get("Retry-After")),
                ) from error
            raise EndpointRefused(
                f"{url} answers HTTP {error.code}. Check {self._service.setting}."
            ) from error
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise EndpointUnavailable(
                f"{url} cannot be reached, or its answer broke off ({error}). Run the same command again: "
                "it goes on where it stopped."
            ) from error
        return _parsed(url, body, busy, wait)

    def _keep_apart(self) -> None:
        if self._next_at is not None and (left := self._next_at - self._monotonic()) > 0:
            self._sleep(left)
        self._next_at = self._monotonic() + self._service.seconds_between

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        """The body, unpacked. Raises EndpointRefused for one that is too large, TimeoutError for one that drips."""
        largest, until = self._service.largest_answer, self._monotonic() + TIMEOUT_SECONDS
        raw = bytearray()
        while len(raw) <= largest and (chunk := response.read1(CHUNK)):
            raw += chunk
            if self._monotonic() > until:
                raise TimeoutError(f"no whole answer within {TIMEOUT_SECONDS} s")
        if len(raw) <= largest and response.length:
            raise http.client.IncompleteRead(bytes(raw), response.length)
        if len(raw) <= largest and response.headers.get("Content-Encoding") == "gzip":
            raw = bytearray(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(bytes(raw), largest + 1))
        if len(raw) > largest:
            raise _too_large(self._service)
        return bytes(raw)


def _too_large(service: Service) -> EndpointRefused:
    return EndpointRefused(f"{service.name}'s answer is larger than {service.largest_answer >> 20} MB.")


def _parsed(url: str, body: bytes, busy: Find, wait: float | None) -> Any:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise EndpointRefused(f"{url} answers something that is not JSON.") from error
    reason = busy(answer)
    if reason is not None:
        raise Busy(f"{url} stays busy ({reason}). Run the same command again later.", wait)
    return answer


def _version() -> str:
    try:
        return version("trigpoint")
    except PackageNotFoundError:
        return "dev"
