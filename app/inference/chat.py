"""One chat call over HTTP: what goes out, what comes back, and every way in which it can fail, as values.

Reads an OpenAI-compatible endpoint; writes nothing. Invariant: a key never appears in a reply or a failure.
"""

import asyncio
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin

import aiohttp

from app.core.errors import ProofError, ServiceUnavailable
from app.core.identity import canonical_json
from app.inference.completions import (
    Fetched,
    find_failure,
    read_answer,
    read_json,
    read_retry_after,
)
from app.inference.images import ImageBytes, LoadImage, with_images
from app.inference.outcomes import LONGEST_ENGINE, NO_ANSWER, Failure, Reply, excerpt
from app.inference.picture_tokens import Size
from app.inference.prompt_request import PromptRequest

BODY_LIMIT = 4 * 1024 * 1024
JSON = {"Content-Type": "application/json"}
SILENT_SECONDS = 60
"""After so long, a connection whose other host does not even say that it lives counts as broken …"""
ASK_EVERY = 15
"""… and so often it is asked. An answer may take far longer than that."""
SHORTEST_KEY = 8
"""Characters that a key has at least: a shorter word would be taken out of the answers of models, too."""


@dataclass(frozen=True)
class Endpoint:
    """Where calls go. `url` is the base up to and without /chat/completions; `key` is never stored.

    `body` is what whoever makes calls sets in them and leaves away; a run's calls hold it already.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    body: Mapping[str, Any] | None = field(default=None, compare=False)

    def headers(self) -> dict[str, str]:
        """The headers that carry the key, if there is one."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


@lru_cache(maxsize=64)
def _spellings(key: str) -> re.Pattern[str]:
    """A key as a server may write it: as it is, escaped in JSON, or in a URL; in small letters or capitals."""
    return re.compile(
        "".join(rf"(?:{re.escape(one)}|\\{re.escape(one)}|\\u{ord(one):04x}|%{ord(one):02x})" for one in key),
        re.IGNORECASE,
    )


def _without_key(text: str, key: str | None) -> str:
    """A text without the key. One of a few letters, as servers without keys are given, is no secret: it stays."""
    if key is None or len(key) < SHORTEST_KEY:
        return text
    return _spellings(key).sub("[key]", text)


def _is_utf8(data: bytes | bytearray) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _watched_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    """A socket that learns where the other host, or ours, is cut off: no call holds its place until its timeout."""
    family, kind, protocol, _, _ = address
    watched = socket.socket(family, kind, protocol)
    watched.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    watched.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, ASK_EVERY)
    watched.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, ASK_EVERY)
    watched.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_SECONDS * 1000)
    return watched


class ChatClient:
    """Calls endpoints over one pool of connections; made and closed inside one event loop."""

    def __init__(self, timeout_seconds: float, load_image: LoadImage | None = None) -> None:
        self._timeout = timeout_seconds
        self._load_image = load_image
        self._sizes: dict[str, Size | None] = {}
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, socket_factory=_watched_socket),
            timeout=aiohttp.ClientTimeout(total=timeout_seconds),
            auto_decompress=True,
            cookie_jar=aiohttp.DummyCookieJar(),
            request_class=PromptRequest,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()

    async def complete(
        self, endpoint: Endpoint, body: dict[str, Any] | str, timeout_seconds: float | None = None
    ) -> Reply | Failure:
        """Ask for one chat completion; never raises for what the endpoint does.

        A `body` that is text leaves as it is: whoever stores calls as JSON has it at hand, and `with_pictures` puts
        pictures into it. It is waited for as long as for other requests, or for `timeout_seconds`.
        """
        loop = asyncio.get_running_loop()
        start = loop.time()
        request = body if isinstance(body, str) else canonical_json(body)
        fetched = await self._fetch("POST", endpoint, "/chat/completions", request, timeout_seconds)
        outcome = fetched if isinstance(fetched, Failure) else read_answer(fetched)
        return replace(outcome, latency_ms=round((loop.time() - start) * 1000))

    async def with_pictures(self, request: str, public_url: str | None = None) -> str | Failure:
        """The request with its pictures as `with_images` puts them; a failure where one cannot be read."""
        load = self._load_image
        if load is None:
            return request

        async def load_noting_size(sha256: str) -> ImageBytes:
            picture = await load(sha256)
            self._sizes.setdefault(sha256, picture.size)
            return picture

        try:
            return await with_images(request, load_noting_size, public_url)
        except (ProofError, ServiceUnavailable) as error:
            return Failure(str(error), heals=isinstance(error, ServiceUnavailable))

    def picture_size(self, sha256: str) -> Size | None:
        """The size of a picture that a request has shown; None before its first."""
        return self._sizes.get(sha256)

    async def embeddings(self, endpoint: Endpoint, texts: list[str]) -> Any | Failure:
        """Ask for the embeddings of texts: the JSON as sent; never raises for what the endpoint does."""
        body = {"model": endpoint.model, "input": texts, "encoding_format": "float"}
        return await self._listed("POST", endpoint, "/embeddings", canonical_json(body))

    async def models(self, endpoint: Endpoint) -> list[str] | Failure:
        """The names of the models that the endpoint lists; a Failure with status 404 where it has no list."""
        raw = await self._listed("GET", endpoint, "/models", None, may_be_empty=True)
        if isinstance(raw, Failure):
            return raw
        try:
            return [str(model["id"]) for model in raw["data"]]
        except (KeyError, TypeError):
            said = excerpt(canonical_json(raw))
            return Failure(f"the endpoint's list of models cannot be read: “{said}”", False, 200)

    async def _listed(
        self, method: str, endpoint: Endpoint, path: str, body: str | None, *, may_be_empty: bool = False
    ) -> Any | Failure:
        """The JSON of an answer that holds a list called `data`."""
        fetched = await self._fetch(method, endpoint, path, body)
        raw = fetched if isinstance(fetched, Failure) else read_json(fetched)
        if isinstance(fetched, Failure) or isinstance(raw, Failure):
            return raw
        return find_failure(raw, "data", fetched, may_be_empty=may_be_empty) or raw

    async def engine(self, endpoint: Endpoint) -> str | None:
        """What serves the models and in which version, as far as the server tells (`owned_by`, vLLM's /version)."""
        root = replace(endpoint, url=endpoint.url.rstrip("/").removesuffix("/v1"))
        version = await self._told(root, "/version")
        owner = (await self.listed_model(endpoint)).get("owned_by")
        words = [word for word in (owner, version.get("version")) if isinstance(word, str) and word]
        return excerpt(" ".join(words))[:LONGEST_ENGINE] if isinstance(version.get("version"), str) else None

    async def listed_model(self, endpoint: Endpoint) -> dict[str, Any]:
        """What the endpoint's list of models says of its model; nothing where it has no list."""
        listed = (await self._told(endpoint, "/models")).get("data")
        entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        return next((one for one in entries if one.get("id") == endpoint.model), {})

    async def _told(self, endpoint: Endpoint, path: str) -> dict[str, Any]:
        """The JSON object at a path; an empty one where there is none."""
        outcome = await self._fetch("GET", endpoint, path, None)
        said = outcome if isinstance(outcome, Failure) else read_json(outcome)
        return said if isinstance(said, dict) else {}

    async def _fetch(
        self, method: str, endpoint: Endpoint, path: str, body: str | None, patience: float | None = None
    ) -> Fetched | Failure:
        url = endpoint.url.rstrip("/") + path
        longest = patience or self._timeout
        try:
            async with self._session.request(
                method,
                url,
                data=None if body is None else body.encode(),
                headers=endpoint.headers() if body is None else endpoint.headers() | JSON,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=longest),
            ) as response:
                data = bytearray()
                async for chunk in response.content.iter_any():
                    data += chunk
                    if len(data) > BODY_LIMIT:
                        return Failure(
                            f"the endpoint's answer is larger than {BODY_LIMIT >> 20} MB",
                            False,
                            response.status,
                        )
                text = data.decode("utf-8", "replace")
                if response.ok and "\ufffd" in text and not _is_utf8(data):
                    # Read with replacements it could pass for an answer, or for silence, of the model.
                    return Failure("the endpoint's answer is not UTF-8", True, response.status)
                return _fetched(response, url, text, endpoint.key)
        except TimeoutError:
            return Failure(f"{NO_ANSWER} {longest:g} s", True, timed_out=True)
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return Failure(f"{endpoint.url!r} is not a URL", False)
        except (aiohttp.ClientError, OSError) as error:
            # It may quote what the server sent, such as a header that cannot be read and holds our own key.
            said = excerpt(_without_key(str(error), endpoint.key)) or type(error).__name__
            return Failure(f"the endpoint cannot be reached: {said}", True)


def _fetched(response: aiohttp.ClientResponse, url: str, text: str, key: str | None) -> Fetched:
    """An answer as it may be shown and stored: without the key."""
    headers = response.headers
    pause = read_retry_after(headers.get("Retry-After"), headers.get("Date"), headers.get("Retry-After-Ms"))
    location = headers.get("Location")
    if location is not None:
        try:
            location = urljoin(url, location)
        except ValueError:
            location = None
    text = _without_key(text, key)
    location = location and _without_key(location, key)
    return Fetched(response.status, response.content_type, text, pause, location)
