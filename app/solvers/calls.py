"""The protocol of calls: what a solver asks for next, and what came of it.

A call is a value. Who makes it, and what that takes, is known to the run's toolbox (app.predictions.toolbox) alone, so
that solvers stay pure functions whose episodes can be replayed from stored steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from app.agent_tools.calling import TOOLS_VERSION
from app.inference.tokens import Tokens
from app.map_tools.fact_lookup import Wanted

T = TypeVar("T")
CHAT: Final = "chat"
"""A request to the run's chat endpoint; its result holds an `app.inference.outcomes.Reply`."""
SQL: Final = "sql"
"""SQL of a model over the reference views of one snapshot; its result holds a `SqlOutcome`."""
FACTS: Final = "facts"
"""A look-up of facts for one question; its result holds a `FactsOutcome`."""
TOOL: Final = "tool"
"""A call of a tool of a set on one snapshot; its result holds an `app.agent_tools.outcomes.ToolOutcome`."""


@dataclass(frozen=True)
class Call:
    """A call to make. `kind` says which tool makes it, and what the call needs follows from that.

    `body` is the request as it leaves, is stored and is hashed: the same body is the same call.
    """

    kind: str
    body: dict[str, Any]


def sql_call(schema: str, relations: Sequence[str], sql: str) -> Call:
    """The call that runs `sql` over the views `relations` in `schema`."""
    return Call(SQL, {"tool": "sql", "schema": schema, "relations": list(relations), "sql": sql})


def facts_call(version_id: int, question_id: str, asked: Sequence[Wanted]) -> Call:
    """The call that looks facts up for a question of a version; which of them it may see, the executor decides."""
    body = {"tool": "facts", "version": version_id, "question": question_id}
    return Call(FACTS, {**body, "asked": [one._asdict() for one in asked]})


class AskedSnapshot(NamedTuple):
    """The map that a tool is called on: its reference, such as `Liechtenstein@2026-01-01`, and its file's checksum."""

    reference: str
    checksum: str


def tool_call(snapshot: AskedSnapshot, tool_set: str, tool: str, arguments: Mapping[str, Any]) -> Call:
    """The call of a tool of a set on a snapshot.

    The arguments are as the model gave them: the executor checks them, and what is wrong with them is an outcome.
    """
    body = {"tool": tool, "arguments": dict(arguments), "set": tool_set, "tools_version": TOOLS_VERSION}
    return Call(TOOL, {**body, "snapshot": snapshot.reference, "checksum": snapshot.checksum})


@dataclass(frozen=True)
class CallFailure:
    """Why a call gave nothing. It is never the fault of the model that is evaluated.

    `retryable` says whether the same call may succeed later, and `retry_after` in how many seconds whoever answers it
    wants to be asked again. `counts` is how much of the tries this one uses up. `timed_out`: no answer came in time.
    """

    reason: str
    retryable: bool
    retry_after: float | None = None
    counts: float = 1.0
    timed_out: bool = False


@dataclass(frozen=True)
class CallResult:
    """What came of a call: a value, or a failure; and what it took.

    `response` is the value as a step stores it. `spent` counts tokens; the run's prices make money of them. `usage` is
    the count as the endpoint sent it. `latency_ms` is in milliseconds. `http_status`, `finish_reason` and
    `engine` are told by endpoints, and None for other tools.
    """

    value: Any = None
    failure: CallFailure | None = None
    response: dict[str, Any] | None = None
    spent: Tokens = field(default_factory=Tokens)
    usage: dict[str, Any] | None = None
    latency_ms: int | None = field(default=None, compare=False)
    http_status: int | None = None
    finish_reason: str | None = None
    engine: str | None = None

    def expect(self, kind: type[T]) -> T:
        """The value, which is to be of that class. Raises TypeError where it is not."""
        if not isinstance(self.value, kind):
            raise TypeError(f"a call gave {type(self.value).__name__} where {kind.__name__} was expected")
        return self.value
