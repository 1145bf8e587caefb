"""Ask Wikidata's API for items, politely: one request at a time, a user agent that says who asks, waits as asked.

The API: https://www.wikidata.org/w/api.php (wbgetentities); etiquette: https://www.mediawiki.org/wiki/API:Etiquette.
"""

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from app.core.errors import EndpointRefused, EndpointUnavailable, SettingsError
from app.core.log import get_logger
from app.core.settings import Settings
from app.core.waiting import seconds_to_wait
from app.facts.statements import LANGUAGES

log = get_logger(__name__)

AT_ONCE = 50
"""Items a request, the most that the API gives to everybody."""
MAXLAG = 5
"""Seconds that Wikidata's copies may be behind before it asks us to wait."""
WAITS = 5
"""How often one request is repeated after a wait that the server asked for."""
LEAST_WAIT, LONGEST_WAIT = 1.0, 120.0
TIMEOUT_SECONDS = 60
LARGEST_ANSWER = 64 << 20
BUSY = (429, 502, 503, 504)


class Busy(EndpointUnavailable):
    """Wikidata asks to wait."""


class WikidataClient:
    """Asks for entities; one request at a time. Raises SettingsError where nobody says who asks."""

    def __init__(self, settings: Settings) -> None:
        if not settings.contact:
            raise SettingsError(
                "TRIGPOINT_CONTACT is not set: Wikidata wants to know whom to write to (an address or a URL). "
                "Set it, see docs/facts.md."
            )
        parts = urllib.parse.urlsplit(settings.wikidata_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError("TRIGPOINT_WIKIDATA_URL must look like https://www.wikidata.org.")
        self.api = settings.wikidata_url.rstrip("/") + "/w/api.php"
        self.pages = settings.wikidata_url.rstrip("/") + "/wiki/"
        self.requests = 0
        self._agent = f"trigpoint/{_version()} ({settings.contact})"

    def entities(self, items: Sequence[str], props: str) -> dict[str, dict[str, Any]]:
        """By item: what the API says of it; an item that there is not is absent. At most AT_ONCE at once.

        An item that was merged into another answers as that one. Raises EndpointUnavailable where the server does
        not answer or stays busy, EndpointRefused where it answers something else.
        """
        asked = list(items)
        while asked:
            answer = self._ask(
                {
                    "action": "wbgetentities",
                    "format": "json",
                    "ids": "|".join(asked),
                    "languages": "|".join(LANGUAGES),
                    "maxlag": str(MAXLAG),
                    "props": props,
                }
            )
            error = answer.get("error")
            if error is None:
                return self._found(asked, answer)
            unknown = str(error.get("id")) if isinstance(error, dict) else ""
            if unknown not in asked:
                raise EndpointRefused(f"{self.api} refuses the request: {str(error)[:300]}.")
            asked.remove(unknown)
        return {}

    def _found(self, asked: Sequence[str], answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
        entities = answer.get("entities")
        found: dict[str, dict[str, Any]] = {}
        told = set()
        for key, entity in (entities if isinstance(entities, dict) else {}).items():
            if not isinstance(entity, dict):
                continue
            redirects = entity.get("redirects")
            names = {key, str(entity.get("id")), *(redirects.values() if isinstance(redirects, dict) else ())}
            told |= names
            if "missing" not in entity:
                found |= {name: entity for name in names if name in asked}
        if not told.issuperset(asked):
            raise EndpointRefused(f"{self.api} says nothing of {', '.join(sorted(set(asked) - told)[:5])}.")
        return found

    def _ask(self, query: dict[str, str]) -> dict[str, Any]:
        """One answer; where the server is busy, the request waits as long as it asks and is repeated."""
        for waits_left in reversed(range(WAITS + 1)):
            try:
                return self._request(query)
            except Busy as busy:
                wait = busy.retry_after if busy.retry_after is not None else float(MAXLAG)
                if not waits_left or wait > LONGEST_WAIT:
                    raise
                log.warning("Wikidata is busy; waiting as it asks", seconds=wait)
                time.sleep(max(LEAST_WAIT, wait))
        raise AssertionError("the loop returns or raises")

    def _request(self, query: dict[str, str]) -> dict[str, Any]:
        self.requests += 1
        request = urllib.request.Request(
            f"{self.api}?{urllib.parse.urlencode(query)}",
            headers={"User-Agent": self._agent, "Accept-Encoding": "gzip"},
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                body = _read_body(response)
                wait = seconds_to_wait(response.headers.get("Retry-After"))
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in BUSY:
                raise Busy(
                    f"{self.api} answers HTTP {error.code} and stays busy. Run the same command again later: it goes "
                    "on where it stopped.",
                    seconds_to_wait(error.headers.get("Retry-After")),
                ) from error
            raise EndpointRefused(
                f"{self.api} answers HTTP {error.code}. Check TRIGPOINT_WIKIDATA_URL."
            ) from error
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise EndpointUnavailable(
                f"{self.api} cannot be reached, or its answer broke off ({error}). Run the same command again: "
                "it goes on where it stopped."
            ) from error
        return self._parsed(body, wait)

    def _parsed(self, body: bytes, wait: float | None) -> dict[str, Any]:
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise EndpointRefused(f"{self.api} answers something that is not JSON.") from error
        if not isinstance(answer, dict):
            raise EndpointRefused(f"{self.api} answers something that is not a JSON object.")
        fault = answer.get("error")
        code = fault.get("code") if isinstance(fault, dict) else None
        if code in ("maxlag", "ratelimited"):
            raise Busy(f"{self.api} stays busy ({code}). Run the same command again later.", wait)
        return answer


def _read_body(response: http.client.HTTPResponse) -> bytes:
    raw = response.read(LARGEST_ANSWER + 1)
    if response.headers.get("Content-Encoding") == "gzip":
        raw = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(raw, LARGEST_ANSWER + 1)
    if len(raw) > LARGEST_ANSWER:
        raise EndpointRefused(f"Wikidata's answer is larger than {LARGEST_ANSWER >> 20} MB.")
    return raw


def _version() -> str:
    try:
        return version("trigpoint")
    except PackageNotFoundError:
        return "dev"
