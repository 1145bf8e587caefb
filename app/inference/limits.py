"""What an endpoint allows: calls and tokens a minute, and calls in flight; and what a call is likely to take of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from app.core.identity import canonical_json
from app.inference.picture_tokens import SizeOf, picture_tokens, unknown_size
from app.questions.prompts import ASSET_SCHEME

CHARACTERS_A_TOKEN = 4.0
UNKNOWN_ANSWER = 256.0
"""Tokens that an answer is taken to have while none has been seen."""
NOT_TEXT = frozenset("role type id tool_call_id image_url signature data format index extra_content".split())
"""Fields of messages that no model reads as text."""
SPREAD = 61.0
"""Seconds over which a minute's allowance is spread: with the burst of one second, no minute holds more than it."""


@dataclass(frozen=True)
class Limits:
    """Limits over all workers together; None is no limit.

    `timeout_seconds` is how long one call is waited for at most, and `tries` how often an answer is asked for; None is
    as the settings say.
    """

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int | None = None
    timeout_seconds: int | None = None
    tries: int | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """The limits as an endpoint's row holds them; what it does not name is unlimited."""
        return cls(**{name: stored.get(name) for name in cls.__dataclass_fields__})

    def as_json(self) -> dict[str, int]:
        """The limits there are."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def paced(concurrency: int | None, timeout_seconds: int | None, tries: int | None) -> dict[str, int]:
    """What of these is given, by its name."""
    return Limits(concurrency=concurrency, timeout_seconds=timeout_seconds, tries=tries).as_json()


class Bucket:
    """An allowance a minute that fills evenly and holds one second's worth; empty when new, below zero when in debt.

    A call larger than the bucket waits until it is full.
    """

    def __init__(self, per_minute: float | None, now: float) -> None:
        self._rate = None if per_minute is None else per_minute / SPREAD
        self._holds = max(1.0, self._rate or 0.0)
        self._level = 0.0
        self._at = now

    def wait(self, need: float, now: float) -> float:
        """Seconds until there is room for `need`; 0 where there is."""
        if self._rate is None:
            return 0.0
        self._level = min(self._holds, self._level + max(0.0, now - self._at) * self._rate)
        self._at = now
        return max(0.0, (min(need, self._holds) - self._level) / self._rate)

    def take(self, amount: float) -> None:
        """Take `amount` out; a negative one is put back."""
        self._level -= amount


def tokens_used(usage: Mapping[str, Any] | None) -> float | None:
    """All tokens of a call as the endpoint counted them; None where it gave no usable count."""
    counted = [(usage or {}).get(name) for name in ("prompt_tokens", "completion_tokens")]
    numbers = [float(one) for one in counted if isinstance(one, int | float) and 0 <= one < 1e9]
    return sum(numbers) if numbers else None


class _Described:
    """The lengths of descriptions of tools, of which each run sends the same list with every call."""

    MOST = 64

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, int]] = {}

    def length(self, tools: Any) -> int:
        """Characters of the JSON of a list of tools, which nobody changes once it was sent."""
        known = self._known.get(id(tools))
        if known is None or known[0] is not tools:
            if len(self._known) >= self.MOST:
                self._known.clear()
            # The list is held, so that no other list gets its id.
            known = self._known[id(tools)] = (tools, len(canonical_json(tools)))
        return known[1]


_DESCRIBED = _Described()


def prompt_tokens(body: Mapping[str, Any], size_of: SizeOf = unknown_size) -> float:
    """About how many tokens the prompt of a request has: its messages, the tools that it describes, its pictures.

    Messages count with all that they hold as text: content, tool calls with their arguments, results, thoughts. Tools
    count as the JSON that describes them. Pictures count as `picture_tokens` says.
    """
    messages = body.get("messages") or []
    characters = sum(map(_characters, messages))
    if body.get("tools"):
        characters += _DESCRIBED.length(body["tools"])
    contents = (message.get("content") for message in messages)
    parts = (part for content in contents if isinstance(content, list) for part in content)
    pictures = sum(_picture(part["image_url"], size_of) for part in parts if "image_url" in part)
    return characters / CHARACTERS_A_TOKEN + pictures


def _characters(value: Any) -> int:
    """Characters of all text in a part of a message."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(_characters(one) for name, one in value.items() if name not in NOT_TEXT)
    if isinstance(value, list):
        return sum(map(_characters, value))
    return 0


def _picture(shown: Mapping[str, Any], size_of: SizeOf) -> int:
    """Tokens of one `image_url`; only pictures of ours have a size that is known."""
    url = str(shown.get("url"))
    size = size_of(url.removeprefix(ASSET_SCHEME)) if url.startswith(ASSET_SCHEME) else None
    return picture_tokens(size, shown.get("detail"))
