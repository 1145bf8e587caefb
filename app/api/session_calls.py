"""Calls tools in a session: as over REST and MCP, and stored with their outcomes before the answers leave."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.access.keys import Caller
from app.agent_tools.calling import ToolAnswer
from app.agent_tools.errors import ToolError
from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.running import BUSY
from app.api.service import Service
from app.api.tool_calls import ToolCalls
from app.core.identity import canonical_json
from app.questions.records import SnapshotRef
from app.sessions.opening import begin_writing, find_callable, find_session
from app.sessions.records import SessionState
from app.sessions.storing import MadeCall, refuse_long_call, store_call


@dataclass(frozen=True)
class SessionCalls:
    """Calls of tools that belong to sessions, under the limits of all calls of tools."""

    tool_calls: ToolCalls

    def find(self, caller: Caller, session_id: str) -> SessionState:
        """A session of the caller, ended or not. Raises NotFound, and a 501 where this server calls no tools."""
        self.tool_calls.require_reader()
        with self._service.engine.connect() as connection:
            return find_session(connection, session_id, caller.first_id, self._service.clock.now())

    async def call(
        self, caller: Caller, session_id: str, tool: str, arguments: Mapping[str, Any]
    ) -> ToolAnswer:
        """The answer of a tool, which is stored as a call of the session by then.

        Raises what `ToolCalls.call` raises, where a ToolError is stored like an answer unless it is ours; NotFound for
        a session that is not the caller's, Conflict for one that has ended.
        """
        return await self.tool_calls.hold_place(lambda: self._call(caller, session_id, tool, arguments))

    @property
    def _service(self) -> Service:
        return self.tool_calls.service

    def _call(self, caller: Caller, session_id: str, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        self.tool_calls.require_reader()
        began = self._service.clock.now()
        with self._service.engine.connect() as connection:
            session, snapshot = find_callable(connection, session_id, caller.first_id, began)
        refuse_long_call(tool, arguments)
        said = self._ask(caller, session, snapshot, tool, arguments)
        self._store(
            caller,
            session,
            MadeCall(snapshot, tool, arguments, *_outcome_of(said), began, self._service.clock.now()),
        )
        if isinstance(said, ToolError):
            raise said
        return said

    def _ask(
        self,
        caller: Caller,
        session: SessionState,
        snapshot: SnapshotRef,
        tool: str,
        arguments: Mapping[str, Any],
    ) -> ToolAnswer | ToolError:
        try:
            return self.tool_calls.answer(caller, snapshot, session.tool_set, tool, arguments)
        except ToolError as error:
            if error.kind == BUSY:  # ours: it is no outcome of the call, which the agent may make again
                raise
            return error

    def _store(self, caller: Caller, session: SessionState, call: MadeCall) -> None:
        """Store and commit. Raises Conflict, and ToolError where the session has no room for the answer."""
        with self._service.engine.connect() as connection:
            begin_writing(connection)
            refusal = store_call(connection, session, caller.first_id, call)
            connection.commit()
        if refusal is not None:
            raise refusal


def _outcome_of(said: ToolAnswer | ToolError) -> tuple[ToolOutcome, int]:
    """What a tool said as it is stored, and its bytes as it leaves."""
    if isinstance(said, ToolError):
        outcome = ToolOutcome.of_error(said)
        return outcome, len(canonical_json(outcome.as_json()).encode())
    return ToolOutcome.of_answer(said), len(canonical_json(said.as_json()).encode())
