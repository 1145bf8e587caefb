"""Calls tools for who asks over the network: as the role reader, a few at once, each for what it costs."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Engine
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from app.access.keys import Caller
from app.agent_tools.calling import ToolAnswer, ToolCall, answer_call, read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.opened import find_open_map
from app.agent_tools.scope import Scope
from app.agent_tools.sets import find_set
from app.api.service import Service
from app.core.errors import TooMany
from app.db.pools import TOOL_POOL
from app.questions.records import SnapshotRef

T = TypeVar("T")
PATIENCE = 10.0
"""Seconds that a call waits for a place."""


class Asked(NamedTuple):
    """The map that a call asks, and the set of tools that it takes the tool from."""

    reference: str
    tool_set: str


@dataclass(frozen=True)
class ToolCalls:
    """The places for calls of tools at one server. Calls that wait for a place hold no thread and no connection."""

    service: Service
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(TOOL_POOL))

    async def call(self, caller: Caller, asked: Asked, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """The answer of a tool of a set on an open map.

        Raises ToolError, NotFound and Conflict for what cannot be asked, such as a call that counts for more than the
        key's rate, TooMany where this rate is used up or no place becomes free, a 501 where this server has no password
        of the role reader.
        """
        return await self.hold_place(lambda: self._call(caller, asked, tool, arguments))

    async def read(self, reference: str, read: Callable[[Scope], T]) -> T:
        """What `read` finds on an open map, under the limits of a tool. It counts for no request of a key.

        Raises as `call` does.
        """
        return await self.hold_place(lambda: self._read(reference, read))

    async def hold_place(self, work: Callable[[], T]) -> T:
        """Do `work` in a thread, once a place is free. Raises TooMany where none becomes free in time."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.places.acquire()
        except TimeoutError:
            raise TooMany("Too many tools are called at the moment; try again in a few seconds.", 5) from None
        try:
            return await run_in_threadpool(work)
        finally:
            self.places.release()

    def find_open(self, reference: str) -> SnapshotRef:
        """A map on which tools may be called. Raises NotFound, Conflict and the 501 as `call` does."""
        self.require_reader()
        with self.service.engine.connect() as connection:
            return find_open_map(connection, reference)

    def require_reader(self) -> Engine:
        """What reads maps. Raises a 501 where this server has no password of the role reader."""
        if self.service.reader is None:
            raise HTTPException(501, "This server calls no tools: it was given no TRIGPOINT_PASSWORD_READER.")
        return self.service.reader

    def answer(
        self, caller: Caller, snapshot: SnapshotRef, tool_set: str, tool: str, arguments: Mapping[str, Any]
    ) -> ToolAnswer:
        """The answer of a tool on a map that is open, in a place that is held. Raises as `call` does."""
        call = read_call(tool, arguments, find_set(tool_set).tools)
        self._admit(caller, call)
        with self.require_reader().connect() as connection:
            return answer_call(connection, snapshot, self.service.routers, call)

    def _call(self, caller: Caller, asked: Asked, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        return self.answer(caller, self.find_open(asked.reference), asked.tool_set, tool, arguments)

    def _admit(self, caller: Caller, call: ToolCall) -> None:
        """Count what a call costs. Raises TooMany, and ToolError where that is more than a minute lets in."""
        cost, most = call.arguments.cost(), caller.requests_per_minute
        if cost > most:
            raise ToolError(
                f"This call of {call.tool.name} counts as {cost} requests, and the key {caller.prefix} may make {most} "
                "a minute. Ask for less, or with a key of a higher rate."
            )
        if cost > 1:  # the request itself was counted when it came
            self.service.limiter.admit(caller, cost - 1)

    def _read(self, reference: str, read: Callable[[Scope], T]) -> T:
        snapshot = self.find_open(reference)
        with self.require_reader().connect() as connection:
            scope = Scope(connection, snapshot, self.service.routers)
            try:
                scope.begin()
                return read(scope)
            finally:
                connection.rollback()
