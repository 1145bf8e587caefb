"""Calls tools for whoever works on an event loop: a few at once, each in a thread, over connections that are kept."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from sqlalchemy import Connection

from app.agent_tools.calling import answer_call, read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.sets import find_set
from app.core.errors import NotFound
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.db.pools import WORKER_TOOLS
from app.questions.records import SnapshotRef
from app.questions.snapshots import published_snapshots
from app.routing.routers import Routers

BUSY: Final = "try_again"
"""The kind of an error that is ours: a router that does not answer just now."""
TRIES_IN_TIME = 2
"""Tries of a call before it counts as too slow for a tool: a server that was busy is no fault of the call."""


class ToolRunner:
    """Calls tools as the role worker. To be made and closed on one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._engine = make_engine(settings, Role.WORKER, WORKER_TOOLS)
        self._threads = ThreadPoolExecutor(WORKER_TOOLS, "tool")
        self._routers = Routers(settings)
        self._snapshots: dict[tuple[str, str], SnapshotRef] = {}

    async def call(self, body: Mapping[str, Any]) -> ToolOutcome:
        """What the tool of a call says: `tool`, `arguments`, `set`, `snapshot` and its `checksum`.

        Raises NotFound where there is no such snapshot any more, DBAPIError and ServiceUnavailable in an outage.
        """
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._call, body)

    async def close(self) -> None:
        """Let the calls that run come to their end, and close the connections."""
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    def _call(self, body: Mapping[str, Any]) -> ToolOutcome:
        try:
            call = read_call(body["tool"], body["arguments"], find_set(body["set"]).tools)
        except ToolError as error:
            return ToolOutcome.of_error(error)
        for number in range(1, TRIES_IN_TIME + 1):
            with self._engine.connect() as connection:
                try:
                    snapshot = self._find(connection, body["snapshot"], body["checksum"])
                    return ToolOutcome.of_answer(answer_call(connection, snapshot, self._routers, call))
                except ToolError as error:
                    if number == TRIES_IN_TIME or error.kind != "too_slow":
                        return ToolOutcome.of_error(error)
        raise AssertionError("the last try answers")

    def _find(self, connection: Connection, reference: str, checksum: str) -> SnapshotRef:
        key = (reference, checksum)
        if key not in self._snapshots:
            published = published_snapshots(connection)
            found = next((one for one in published if (one.reference, one.checksum) == key), None)
            if found is None:
                raise NotFound(f"The snapshot {reference} of the run's questions is not there any more.")
            self._snapshots[key] = found
        return self._snapshots[key]
