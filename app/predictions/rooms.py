"""What a worker holds of a run while it works it: the run itself as a room, and the questions of a batch as items.

Reads runs and questions; writes nothing.
"""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row

from app.core.errors import TrigpointError
from app.core.log import get_logger
from app.core.settings import Settings
from app.inference.chat import Endpoint
from app.inference.limits import Limits
from app.inference.pacing import Pacer
from app.inference.patience import Patience
from app.inference.retrying import Circuit
from app.map_tools.sandbox import Sandbox
from app.map_tools.sql_running import SqlRunner
from app.predictions import queries_ledger
from app.predictions.leases import Lease
from app.predictions.presentations import Presentation, presentations
from app.predictions.reusing import Reusable, load_reusable
from app.questions.rotations import turned
from app.solvers import Asked, Mover, RunView, find_solver

logger = get_logger(__name__)


@dataclass(frozen=True)
class StoredStep:
    """A step as it was found when the batch was leased."""

    ordinal: int
    attempt: int
    state: str
    batch_id: int
    request_hash: str
    response: dict[str, Any] | None


@dataclass
class Room:
    """A run as one worker works it. `refusal` says why no question of it can be worked at all.

    Once `halt` is set nothing more of it is asked by this worker: the run is paused or cancelled, or the worker ends.
    """

    run_id: int
    version_id: int
    repeats: int
    presentation: dict[str, Any]
    move: Mover | None
    endpoint: Endpoint | None = None
    pacer: Pacer | None = None
    limits: Limits = field(default_factory=Limits)
    patience: Patience | None = None
    engine: str | None = None
    runs_sql: bool = False
    sql: SqlRunner | None = None
    tries: int = 5
    backoff_seconds: float = 1.0
    refusal: str | None = None
    circuit: Circuit = field(default_factory=Circuit)
    halt: asyncio.Event = field(default_factory=asyncio.Event)
    reuses: bool = False


@dataclass(frozen=True)
class Item:
    """One question, one presentation, one repeat, with what is stored of it."""

    room: Room
    lease: Lease
    asked: Asked
    presentation: Presentation
    revision: str
    steps: list[StoredStep]
    reusable: Mapping[str, Reusable] = field(default_factory=dict)
    """What earlier runs were answered, by the hash of the request."""


def open_room(connection: Connection, run_id: int, settings: Settings) -> Room:
    """Everything a worker needs of a run; a solver or key that is missing becomes the room's refusal."""
    row = connection.execute(queries_ledger.RUN_TO_WORK, {"run_id": run_id}).one()
    room = Room(
        row.id,
        row.version_id,
        row.repeats,
        row.presentation,
        None,
        tries=settings.tries,
        backoff_seconds=settings.backoff_seconds,
        reuses=row.reuse,
    )
    key = os.environ.get(row.key_variable) if row.key_variable else None
    if row.key_variable and not key:
        room.refusal = (
            f"the worker's environment lacks the endpoint's key: set {row.key_variable} and start it again"
        )
        return room
    if row.url is not None:
        room.endpoint = Endpoint(row.url, row.model, key)
        room.limits = Limits.of(row.limits)
        room.tries = room.limits.tries or settings.tries
        room.engine = row.engine
    prompt = row.presentation.get("prompt", "trigpoint")
    embeddings = row.presentation.get("embeddings")
    view = RunView(
        row.version_id, row.benchmark, row.seed, row.model, row.sampling, prompt, embeddings, row.id
    )
    try:
        solver = find_solver(row.solver)
        room.move = solver.open(connection, view)
        room.runs_sql = solver.runs_sql
        if solver.runs_sql:
            Sandbox(settings)
    except (TrigpointError, LookupError, ValueError) as error:
        logger.exception("solver did not start", run=run_id, solver=row.solver)
        room.refusal = f"the solver {row.solver} did not start: {error}"
    return room


def load_items(connection: Connection, room: Room, lease: Lease) -> list[Item]:
    """What is still to do of a batch, in the order of its questions, with the steps that are stored."""
    questions = connection.execute(
        queries_ledger.QUESTIONS_OF_BATCH, {"version_id": room.version_id, "question_ids": lease.question_ids}
    ).all()
    binds: dict[str, Any] = {
        "run_id": room.run_id,
        "revisions": [question.revision for question in questions],
    }
    finished = {
        (row.question_revision, row.presentation_key, row.repeat)
        for row in connection.execute(queries_ledger.PREDICTIONS_OF_QUESTIONS, binds)
    }
    steps: dict[tuple[str, str, int], list[StoredStep]] = {}
    for row in connection.execute(queries_ledger.STEPS_OF_QUESTIONS, binds):
        step = StoredStep(row.ordinal, row.attempt, row.state, row.batch_id, row.request_hash, row.response)
        steps.setdefault((row.question_revision, row.presentation_key, row.repeat), []).append(step)
    reusable = load_reusable(connection, room.run_id, lease.question_ids) if room.reuses else {}
    return [
        Item(
            room,
            lease,
            _show(question, shown.rotation, repeat),
            shown,
            question.revision,
            steps.get((question.revision, shown.key, repeat), []),
            reusable.get(question.id, {}),
        )
        for question in questions
        for shown in presentations(room.presentation, question.options and len(question.options))
        for repeat in range(room.repeats)
        if (question.revision, shown.key, repeat) not in finished
    ]


def _show(question: Row[Any], rotation: int, repeat: int) -> Asked:
    """The question as its solver sees it, its options turned."""
    options = question.options and turned(question.options, rotation)
    return Asked(
        question.id,
        question.template,
        question.prompt,
        options,
        question.answer_type,
        repeat,
        rotation,
    )
