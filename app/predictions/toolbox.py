"""The toolbox of a run: for each kind of call, who makes it.

An executor registers by kind. It has the needs of its kind (an endpoint and its pace, a sandbox), and a circuit breaker
and tries of its own: failures of a tool are not counted as the endpoint's. What fails in the end is an error of ours.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from app.core.settings import Settings
from app.inference.chat import Endpoint
from app.inference.limits import Limits
from app.inference.retrying import Circuit
from app.inference.tokens import Tokens
from app.predictions.resources import WorkerResources
from app.solvers.calls import CHAT, FACTS, SQL, TOOL, Call, CallResult


class Stopped(Exception):
    """The worker is to end, or the run is paused; the episode goes on elsewhere, or later."""


class Deferred(Exception):
    """The call may not leave yet, since the lease is to be renewed first. It is tried again soon."""


class CallStep(Protocol):
    """The step of a call that is about to be made; the executor decides when it is committed."""

    request: str
    """The call's body as it is stored: canonical JSON."""

    async def commit(self) -> None:
        """Commit the step as sent. Raises what `Ledger.write` raises; after that the call may leave."""

    async def withdraw(self) -> None:
        """Take the step back: it is committed, and its call never left."""

    def may_leave(self) -> bool:
        """Whether nobody else can have the lease by now, so that the call is surely not made twice."""


@dataclass(frozen=True)
class CallTerms:
    """What the executors of a run may know of it. `halt` is set when nothing more is to be asked."""

    endpoint: Endpoint | None = None
    limits: Limits = field(default_factory=Limits)
    engine: str | None = None
    tries: int = 5
    backoff_seconds: float = 1.0
    halt: asyncio.Event = field(default_factory=asyncio.Event)


class Executor(ABC):
    """Makes the calls of one kind for one run. `circuit` opens when too many of them have failed in a row.

    `commits_first`: the step of a call is committed before the call leaves. A call that costs nothing and changes
    nothing needs none: its step is stored whole when it is answered, and one that is lost is made again.
    """

    commits_first = True

    def __init__(self, tries: int, backoff_seconds: float) -> None:
        self.tries = tries
        self.backoff_seconds = backoff_seconds
        self.circuit = Circuit()

    @abstractmethod
    async def execute(self, call: Call, step: CallStep, timeouts: int) -> CallResult:
        """Make the call once its step is committed; `timeouts` counts the tries of it that timed out before.

        Raises Deferred where it may not leave yet, Stopped where the run is halted before it leaves.
        """

    @abstractmethod
    def replay(self, response: dict[str, Any]) -> CallResult | None:
        """The result that a step stored; None for what cannot be read, which is asked again."""

    def reserve(self, call: Call) -> Tokens:
        """What the call is reckoned to take of the run's budget while it is in flight."""
        return Tokens()


@dataclass(frozen=True)
class Toolbox:
    """The executors of one run, by the kind of their calls."""

    executors: Mapping[str, Executor]

    def executor(self, kind: str) -> Executor:
        """Who makes calls of that kind. Raises LookupError where the run has nobody."""
        if kind not in self.executors:
            raise LookupError(f"the run has nothing that makes calls of kind {kind!r}")
        return self.executors[kind]

    def refusal(self) -> str | None:
        """Why no call is made any more: an episode is not begun that a broken tool cannot end. None if all is well."""
        return next((one.circuit.told for one in self.executors.values() if one.circuit.is_open), None)


Opener = Callable[[CallTerms, WorkerResources], Executor]
Check = Callable[[Settings], None]


@dataclass(frozen=True)
class _Registered:
    open: Opener
    check: Check | None


_REGISTERED: dict[str, _Registered] = {}
_MODULES = {
    CHAT: "app.predictions.chat_calls",
    SQL: "app.predictions.sql_calls",
    FACTS: "app.predictions.fact_calls",
    TOOL: "app.predictions.tool_calls",
}
"""Where the executors of our own kinds of calls register; each is loaded when a run needs it."""


def executor(kind: str, check: Check | None = None) -> Callable[[Opener], Opener]:
    """Register the decorated function as the opener of the executor of a kind of calls.

    `check` raises SettingsError where the worker's settings lack what it needs. Raises ValueError for a kind that has
    an executor.
    """

    def register(opener: Opener) -> Opener:
        if kind in _REGISTERED:
            raise ValueError(f"two executors make calls of kind {kind!r}")
        _REGISTERED[kind] = _Registered(opener, check)
        return opener

    return register


def check_kinds(kinds: Collection[str], settings: Settings) -> None:
    """Raise LookupError for a kind that nobody makes, SettingsError where the settings lack what one needs."""
    for kind in kinds:
        check = _find(kind).check
        if check is not None:
            check(settings)


def open_toolbox(kinds: Collection[str], terms: CallTerms, resources: WorkerResources) -> Toolbox:
    """The toolbox of a run whose solver makes calls of these kinds. To be called on the worker's event loop."""
    return Toolbox({kind: _find(kind).open(terms, resources) for kind in kinds})


def _find(kind: str) -> _Registered:
    if kind in _MODULES:
        import_module(_MODULES[kind])
    if kind not in _REGISTERED:
        raise LookupError(f"nothing makes calls of kind {kind!r}")
    return _REGISTERED[kind]
