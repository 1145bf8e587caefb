"""Published questions answered again from a map that is imported here: what has changed since they were published.

A benchmark's package registers how. Reads the layers of one snapshot; writes question_on_map.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.core.registers import Register
from app.db.copying import copy_rows
from app.db.engine import use_schema, use_service_tables
from app.questions.rechecking import queries
from app.questions.rechecking.checks import KeyedQuestion
from app.questions.rechecking.rechecking import read_keyed_questions
from app.questions.records import SnapshotRef
from app.questions.snapshots import find_snapshots, refuse_old_layers
from app.questions.versions import PublishedVersion

OutcomeName = Literal["agrees still", "changed", "object gone", "not matched"]
STILL: OutcomeName = "agrees still"
CHANGED: OutcomeName = "changed"
GONE: OutcomeName = "object gone"
UNMATCHED: OutcomeName = "not matched"
OUTCOMES: tuple[OutcomeName, ...] = (STILL, CHANGED, GONE, UNMATCHED)


class MapFinding(NamedTuple):
    """What a map says of one question now; `working` shows it, or says why there is no answer.

    `is_elsewhere`: none of its places lies where the map is.
    """

    outcome: OutcomeName
    working: str
    is_elsewhere: bool = False


MapAnswerer = Callable[[Connection, Sequence[KeyedQuestion], str | None], Mapping[str, MapFinding]]
"""Answers questions from the layers of a snapshot, whose schema is in use; the third is its outline, hexadecimal WKB.

Every query of it is about all questions.
"""
MAP_ANSWERERS = Register[MapAnswerer]("rechecks", "answers of maps to published questions")


def answer_on_map(
    connection: Connection, version: PublishedVersion, snapshot_name: str
) -> tuple[SnapshotRef, dict[str, MapFinding]]:
    """The map of that name and its finding for each question by its id, in their order; nothing is stored.

    Needs a role that sees gold. Raises NotFound for a map that there is not, Conflict where questions of this format
    cannot be answered from maps, or none of them is about a place of this map.
    """
    form, questions = read_keyed_questions(connection, version)
    answer = MAP_ANSWERERS.find(version.benchmark, form)
    if answer is None:
        raise Conflict(
            f"Questions of the format {form} cannot be answered from a map of OpenStreetMap. Leave --map out."
        )
    (snapshot,) = find_snapshots(connection, [snapshot_name])
    refuse_old_layers([snapshot])
    use_schema(connection, snapshot.schema)
    found = answer(connection, questions, snapshot.outline)
    use_service_tables(connection)
    if all(one.is_elsewhere for one in found.values()):
        raise Conflict(
            f"None of the {len(questions):,} questions of {version.reference} is about a place on the map "
            f"{snapshot.reference}, so nothing was stored. Import a map of their region, and name it with --map."
        )
    return snapshot, {one.id: found[one.id] for one in questions}


def store_on_map(
    connection: Connection,
    version: PublishedVersion,
    snapshot: SnapshotRef,
    findings: Mapping[str, MapFinding],
    now: datetime,
) -> None:
    """Write what the map says in the place of what it said before, as the worker role. The caller commits."""
    which = {"version_id": version.id, "snapshot": snapshot.reference}
    connection.exec_driver_sql(queries.FORGET_ON_MAP, which)
    columns = ["version_id", "snapshot", "question_id", "outcome", "working", "checked_at"]
    rows = (
        (version.id, snapshot.reference, id_, one.outcome, one.working, now) for id_, one in findings.items()
    )
    copy_rows(connection, "trigpoint", "question_on_map", columns, rows)
