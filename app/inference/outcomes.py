"""What a call of an endpoint comes to: a reply, or a failure, as values."""

from dataclasses import dataclass, field
from typing import Any

from app.inference.tool_requests import ToolRequest

EXCERPT = 160
LONGEST_ENGINE = 120
NO_ANSWER = "the endpoint did not answer within"
"""How the reason of a call begins that timed out; stored steps are counted by it."""


@dataclass(frozen=True)
class Reply:
    """A chat completion: `content` is None where the model gave none; `raw` is the answer as sent.

    `reasoning` is what the endpoint gave apart from the answer as the model's thoughts. `tool_calls` are the calls that
    the model asks for; where not all of what it asks for was read, `tool_fault` says so in a sentence.
    """

    content: str | None
    finish_reason: str | None
    usage: dict[str, Any] | None
    raw: dict[str, Any]
    http_status: int = 200
    latency_ms: int | None = field(default=None, compare=False)
    reasoning: str | None = None
    tool_calls: tuple[ToolRequest, ...] = ()
    tool_fault: str | None = None

    @property
    def engine(self) -> str | None:
        """What the answer says of the engine that made it (`system_fingerprint`)."""
        said = self.raw.get("system_fingerprint")
        return said[:LONGEST_ENGINE] if isinstance(said, str) and said else None


@dataclass(frozen=True)
class Failure:
    """A call without a completion; `heals` says whether the same call may succeed later.

    `limited`: for its pace. `exhausted`: what was paid for is used up, so no call of this endpoint succeeds.
    `timed_out`: no answer came while we waited, so it may have been paid for.
    `usage` is what the endpoint counted all the same.
    """

    reason: str
    heals: bool
    http_status: int | None = None
    retry_after: float | None = None
    limited: bool = False
    exhausted: bool = False
    timed_out: bool = False
    usage: dict[str, Any] | None = None
    latency_ms: int | None = field(default=None, compare=False)

    @property
    def is_crowded(self) -> bool:
        """Whether fewer calls at once may help: the endpoint refused the pace, or did not keep up with it."""
        return self.limited or self.timed_out


def excerpt(text: str) -> str:
    """The beginning of a text on one line, for a message: what does not print is left out, since others wrote it."""
    line = " ".join(text.split())
    shown = "".join(one if one.isprintable() else " " for one in line[:EXCERPT])
    return shown + ("…" if len(line) > EXCERPT else "")
