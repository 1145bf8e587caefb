"""One chat call over HTTP: what goes out, what comes back, and every way in which it can fail, as values.

Reads an OpenAI-compatible endpoint; writes nothing. Invariant: a key never appears in a reply or a failure.
"""

import asyncio
import json
import math
import re
import socket
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

import aiohttp

from app.core.identity import canonical_json
from app.inference.prompt_request import PromptRequest

BODY_LIMIT = 4 * 1024 * 1024
EXCERPT = 160
JSON = {"Content-Type": "application/json"}
LONGEST_ENGINE = 120
LONGEST_PAUSE = 300.0
SILENT_SECONDS = 60
"""After so long, a connection whose other host does not even say that it lives counts as broken …"""
ASK_EVERY = 15
"""… and so often it is asked. An answer may take far longer than that."""


@dataclass(frozen=True)
class Endpoint:
    """Where calls go. `url` is the base up to and without /chat/completions; `key` is never stored."""

    url: str
    model: str
    key: str | None = field(default=None, repr=False)

    def headers(self) -> dict[str, str]:
        """The headers that carry the key, if there is one."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


@dataclass(frozen=True)
class Reply:
    """A chat completion: `content` is None where the model gave none; `raw` is the answer as sent."""

    content: str | None
    finish_reason: str | None
    usage: dict[str, Any] | None
    raw: dict[str, Any]
    http_status: int = 200
    latency_ms: int | None = field(default=None, compare=False)

    @property
    def engine(self) -> str | None:
        """What the answer says of the engine that made it (`system_fingerprint`)."""
        said = self.raw.get("system_fingerprint")
        return said[:LONGEST_ENGINE] if isinstance(said, str) and said else None


@dataclass(frozen=True)
class Failure:
    """A call without a completion; `heals` says whether the same call may succeed later."""

    reason: str
    heals: bool
    http_status: int | None = None
    retry_after: float | None = None
    limited: bool = False
    latency_ms: int | None = field(default=None, compare=False)


def read_completion(raw: Any) -> Reply | None:
    """The completion in a parsed answer, or None where it is none. Pure: a stored answer reads the same again."""
    if not isinstance(raw, dict):
        return None
    choices = raw.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    message = choices[0].get("message")
    if not isinstance(message, dict):
        return None
    content = message.get("content")
    if content is not None and not isinstance(content, str):
        return None
    finish = choices[0].get("finish_reason")
    usage = raw.get("usage")
    return Reply(
        content,
        finish if isinstance(finish, str) else None,
        usage if isinstance(usage, dict) else None,
        raw,
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is no number that can be stored")
    return number


def _storable(value: Any) -> Any:
    """`value` without what PostgreSQL's jsonb cannot hold: NUL characters and lone surrogates."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    return value


_READER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_NOT_STORABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|[\ud800-\udfff]")
"""How a NUL or a surrogate, which may be alone, is written in JSON."""


def parse_json(text: str) -> Any:
    """The JSON in an endpoint's answer, made storable; raises ValueError for anything else."""
    try:
        value = _READER.decode(text)
        return _storable(value) if _NOT_STORABLE.search(text) else value
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def read_retry_after(value: str | None, date: str | None = None) -> float | None:
    """Seconds of a Retry-After header, at most 300; None where it is absent, past or cannot be read.

    A point in time is taken against the answer's own `date`, so that the two clocks need not agree.
    """
    try:
        seconds = float(value) if value else None
    except ValueError:
        seconds = _seconds_between(date, value)
    return None if seconds is None or not 0 <= seconds < float("inf") else min(seconds, LONGEST_PAUSE)


def _seconds_between(earlier: str | None, later: str | None) -> float | None:
    """Seconds between two dates as HTTP writes them; None where one is none."""
    try:
        start, end = parsedate_to_datetime(earlier or ""), parsedate_to_datetime(later or "")
        return (end - start).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return None


def excerpt(text: str) -> str:
    """The beginning of a text on one line, for a message."""
    line = " ".join(text.replace("\0", " ").split())
    return line[:EXCERPT] + ("…" if len(line) > EXCERPT else "")


def looks_like_html(content_type: str, text: str) -> bool:
    """Whether an answer is a web page."""
    return "html" in content_type.lower() or text.lstrip()[:1] == "<"


def read_json(status: int, content_type: str, text: str, retry_after: float | None) -> Any | Failure:
    """The JSON of an HTTP answer, or a failure with its reason."""
    if status != 200:
        said = "a web page" if looks_like_html(content_type, text) else f"“{excerpt(text)}”"
        heals = status in (408, 425, 429) or status >= 500
        reason = f"the endpoint answered HTTP {status}: {said}"
        return Failure(reason, heals, status, retry_after, limited=status in (429, 503))
    if looks_like_html(content_type, text):
        return Failure(f"the endpoint answered with a web page, not JSON: “{excerpt(text)}”", False, status)
    try:
        return parse_json(text)
    except ValueError:
        return Failure(f"the endpoint's answer is not JSON: “{excerpt(text)}”", False, status)


def read_answer(status: int, content_type: str, text: str, retry_after: float | None) -> Reply | Failure:
    """What an HTTP answer means: a completion, or a failure with its reason."""
    raw = read_json(status, content_type, text, retry_after)
    if isinstance(raw, Failure):
        return raw
    reply = read_completion(raw)
    if reply is None:
        return Failure(
            f"the endpoint's answer is JSON, but no chat completion: “{excerpt(text)}”", False, status
        )
    return reply


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

    def __init__(self, timeout_seconds: float) -> None:
        self._timeout = timeout_seconds
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

    async def complete(self, endpoint: Endpoint, body: dict[str, Any] | str) -> Reply | Failure:
        """Ask for one chat completion; never raises for what the endpoint does.

        A `body` that is text leaves as it is: whoever stores calls as JSON has it at hand.
        """
        loop = asyncio.get_running_loop()
        start = loop.time()
        request = body if isinstance(body, str) else canonical_json(body)
        fetched = await self._fetch("POST", endpoint, "/chat/completions", request)
        outcome = fetched if isinstance(fetched, Failure) else read_answer(*fetched)
        return replace(outcome, latency_ms=round((loop.time() - start) * 1000))

    async def embeddings(self, endpoint: Endpoint, texts: list[str]) -> Any | Failure:
        """Ask for the embeddings of texts: the JSON as sent; never raises for what the endpoint does."""
        body = {"model": endpoint.model, "input": texts, "encoding_format": "float"}
        outcome = await self._fetch("POST", endpoint, "/embeddings", canonical_json(body))
        return outcome if isinstance(outcome, Failure) else read_json(*outcome)

    async def models(self, endpoint: Endpoint) -> list[str] | Failure:
        """The names of the models that the endpoint lists; a Failure with status 404 where it has no list."""
        outcome = await self._fetch("GET", endpoint, "/models", None)
        if isinstance(outcome, Failure):
            return outcome
        status, content_type, text, _ = outcome
        if status != 200 or looks_like_html(content_type, text):
            answer = read_answer(status, content_type, text, None)
            return answer if isinstance(answer, Failure) else Failure("no list of models", False, status)
        try:
            listed = parse_json(text)["data"]
            return [str(model["id"]) for model in listed]
        except (ValueError, KeyError, TypeError):
            return Failure(f"the endpoint's list of models cannot be read: “{excerpt(text)}”", False, status)

    async def engine(self, endpoint: Endpoint) -> str | None:
        """What serves the models and in which version, as far as the server tells (`owned_by`, vLLM's /version)."""
        root = replace(endpoint, url=endpoint.url.rstrip("/").removesuffix("/v1"))
        version = await self._told(root, "/version")
        listed = await self._told(endpoint, "/models")
        models = listed.get("data") if isinstance(listed.get("data"), list) else []
        owners = [
            one.get("owned_by")
            for one in models or []
            if isinstance(one, dict) and one.get("id") == endpoint.model
        ]
        words = [word for word in (*owners[:1], version.get("version")) if isinstance(word, str) and word]
        return excerpt(" ".join(words))[:LONGEST_ENGINE] if isinstance(version.get("version"), str) else None

    async def _told(self, endpoint: Endpoint, path: str) -> dict[str, Any]:
        """The JSON object at a path; an empty one where there is none."""
        outcome = await self._fetch("GET", endpoint, path, None)
        said = outcome if isinstance(outcome, Failure) else read_json(*outcome)
        return said if isinstance(said, dict) else {}

    async def _fetch(
        self, method: str, endpoint: Endpoint, path: str, body: str | None
    ) -> tuple[int, str, str, float | None] | Failure:
        try:
            async with self._session.request(
                method,
                endpoint.url.rstrip("/") + path,
                data=None if body is None else body.encode(),
                headers=endpoint.headers() if body is None else endpoint.headers() | JSON,
                allow_redirects=False,
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
                if response.status == 200 and "\ufffd" in text and not _is_utf8(data):
                    # Read with replacements it could pass for an answer, or for silence, of the model.
                    return Failure("the endpoint's answer is not UTF-8", False, response.status)
                if endpoint.key:
                    text = text.replace(endpoint.key, "[key]")
                headers = response.headers
                pause = read_retry_after(headers.get("Retry-After"), headers.get("Date"))
                return response.status, response.content_type, text, pause
        except TimeoutError:
            return Failure(f"the endpoint did not answer within {self._timeout:g} s", True)
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return Failure(f"{endpoint.url!r} is not a URL", False)
        except (aiohttp.ClientError, OSError) as error:
            return Failure(
                f"the endpoint cannot be reached: {excerpt(str(error)) or type(error).__name__}", True
            )
