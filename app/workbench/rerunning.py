"""The calls of evidence made again: on their own map, to check a version, or on a newer one, to refresh a data set.

Calls are made through a connection of their own, whose transactions they end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.agent_tools.calling import TOOLS_VERSION, call_tool
from app.agent_tools.errors import ToolError
from app.core.clock import Clock
from app.core.errors import Conflict
from app.db.engine import use_service_tables
from app.questions.gold import revision_of
from app.questions.prompts import context_of, hash_prompt
from app.questions.records import SnapshotRef
from app.questions.verification import Failure, Verification
from app.questions.versions import PublishedVersion
from app.routing.routers import Routers
from app.workbench import queries
from app.workbench.forms import WrittenForm, find_form
from app.workbench.records import Draft, Evidence, list_drafts
from app.workbench.writing import Printed, print_answer


@dataclass(frozen=True)
class Again:
    """Makes calls of evidence again."""

    connection: Connection
    routers: Routers
    form: WrittenForm

    def call(self, snapshot: SnapshotRef, tool: str, arguments: Mapping[str, Any]) -> Printed:
        """The result on that map. Raises ToolError where there is none."""
        return print_answer(self.form, call_tool(self.connection, snapshot, self.routers, tool, arguments))


def verify_written(
    connection: Connection, again: Again, version: PublishedVersion, maps: Mapping[int, SnapshotRef]
) -> Verification:
    """Whether each call of a version gives the result that its question was written from, and its hashes are right."""
    rows = connection.exec_driver_sql(queries.WRITTEN, {"version_id": version.id}).all()
    found = Verification(questions=len(rows), written=len(rows))
    for row in rows:
        if row.snapshot_id not in maps:
            raise Conflict(
                f"{version.reference} stands on a map that was dropped, so its calls cannot be made again."
            )
        faults = _faults_of(
            again, maps[row.snapshot_id], row.parameters["calls"], context_of(row.prompt) or ""
        )
        found.evidence["differ" if faults else "agree"] += 1
        prompt_hash = hash_prompt(row.prompt, row.options)
        if (row.prompt_hash, row.revision) != (
            prompt_hash,
            revision_of(prompt_hash, row.gold, row.gold_kind, {}),
        ):
            faults.append(("the hashes of prompt and gold", "others"))
        found.failures += [Failure(row.id, row.template, "evidence", *fault) for fault in faults]
    return found


def _faults_of(
    again: Again, snapshot: SnapshotRef, calls: list[dict[str, Any]], context: str
) -> list[tuple[str, str]]:
    faults = []
    for one in calls:
        said = f"the stored result of {one['tool']} {one['arguments']}"
        try:
            result = again.call(snapshot, one["tool"], one["arguments"])
        except ToolError as error:
            faults.append((said, str(error)))
            continue
        if result.result_hash != one["result_hash"]:
            faults.append(
                (said, f"another result (tools version {one['tools_version']}, now {TOOLS_VERSION})")
            )
        elif "\n".join(result.lines) not in context:
            faults.append((said, "a result that the context does not tell"))
    return faults


class Refreshed(NamedTuple):
    """What a newer map does to the drafts of a data set: those that stay as they are, and those that it flags."""

    kept: list[str]
    flagged: list[str]
    calls: int


def refresh_drafts(
    connection: Connection, again: Again, dataset: str, snapshot: SnapshotRef, clock: Clock
) -> Refreshed:
    """Bring the drafts of a data set to another map; the caller commits.

    Each call is made again. A draft of which a call gives another result, or none, is flagged: it is held back until
    its author has looked at it. What others answered to the rest still counts.
    """
    use_service_tables(connection)
    connection.exec_driver_sql(queries.LOCK_DATASET, {"dataset": dataset})
    done = Refreshed([], [], 0)
    calls = 0
    for draft in list_drafts(connection, dataset):
        changed = [_refresh_evidence(connection, again, one, snapshot) for one in draft.evidence]
        calls += len(changed)
        is_flagged = any(changed) and draft.state != "dropped"
        _move(connection, draft, snapshot, is_flagged, clock)
        if draft.state != "dropped":
            (done.flagged if is_flagged else done.kept).append(draft.id)
    return done._replace(calls=calls)


def _refresh_evidence(connection: Connection, again: Again, one: Evidence, snapshot: SnapshotRef) -> bool:
    """Whether the call gives another result on the map; what it gives is stored."""
    try:
        result = again.call(snapshot, one.tool, one.arguments)
    except ToolError as error:
        newer: dict[str, Any] = {"fault": str(error)}
    else:
        if result.result_hash == one.result_hash:
            same = {"id": one.id, "snapshot_id": snapshot.id, "tools_version": result.tools_version}
            connection.exec_driver_sql(queries.SAME_RESULT, same)
            return False
        newer = {"result_hash": result.result_hash, "lines": list(result.lines)}
    newer |= {"snapshot_id": snapshot.id, "tools_version": TOOLS_VERSION}
    connection.exec_driver_sql(queries.OTHER_RESULT, {"id": one.id, "newer": Jsonb(newer)})
    return True


def _move(
    connection: Connection, draft: Draft, snapshot: SnapshotRef, is_flagged: bool, clock: Clock
) -> None:
    moved = {"id": draft.id, "snapshot_id": snapshot.id, "is_flagged": is_flagged, "now": clock.now()}
    connection.exec_driver_sql(queries.MOVE_DRAFT, moved)


def again_through(connection: Connection, routers: Routers, benchmark: str) -> Again:
    """What makes calls of a benchmark's written questions again. Raises NotFound for a benchmark that has none."""
    return Again(connection, routers, find_form(benchmark))
