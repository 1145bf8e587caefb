"""What a worker reads of a batch: by the keys of its questions, however much of the run is stored already."""

from typing import Any

import pytest
from sqlalchemy import Connection, TextClause, text

from app.core.clock import ManualClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions import queries_ledger, queries_sweeping
from tests.app.predictions.test_leases import START, new_run, predict, take

QUESTIONS = 120
BATCH = 60
SENT = text("""
insert into step (
    run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat, ordinal,
    attempt, kind, request_hash, request, state, sent_at
)
select
    run_id, :batch_id, 1, version_id, question_id, question_revision, presentation_key, repeat, 0,
    0, 'chat', 'hash', '{}', 'sent', created_at
from prediction
where run_id = :run_id
""")


def index_conditions(connection: Connection, statement: TextClause, binds: dict[str, Any]) -> list[str]:
    (found,) = connection.execute(text(f"explain (format json) {statement.text}"), binds).scalars()
    waiting, conditions = [found[0]["Plan"]], []
    while waiting:
        node = waiting.pop()
        waiting += node.get("Plans", [])
        conditions += [node["Index Cond"]] if "Index Cond" in node else []
    return conditions


@pytest.mark.parametrize(
    "statement", [queries_ledger.PREDICTIONS_OF_QUESTIONS, queries_ledger.STEPS_OF_QUESTIONS]
)
def test_what_is_stored_of_a_batch_is_found_by_its_questions(
    database: Settings, statement: TextClause
) -> None:
    """Rows that were written a moment ago are in no statistics: the plan must not read all of the run for a batch."""
    run_id, questions = new_run(database, QUESTIONS, BATCH)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        lease = take(connection, clock)
        assert lease is not None
        for question in lease.question_ids:
            assert predict(connection, lease, question, clock)
        connection.execute(SENT, {"batch_id": lease.batch_id, "run_id": run_id})
        binds = {"run_id": run_id, "revisions": questions[BATCH:]}
        conditions = index_conditions(connection, statement, binds)
    assert [condition for condition in conditions if "run_id" in condition]
    assert all("question_revision" in condition for condition in conditions)


def test_calls_of_a_lost_worker_are_found_by_their_run_and_questions(database: Settings) -> None:
    """Not by a search through the steps of all runs."""
    new_run(database, QUESTIONS, BATCH)
    with connect(database, Role.WORKER) as connection:
        lease = take(connection, ManualClock(START))
        assert lease is not None
        conditions = index_conditions(connection, queries_sweeping.LOSE_STEPS, {"batch_id": lease.batch_id})
    of_steps = [one for one in conditions if "question_revision" in one]
    assert len(of_steps) == 1
    assert "run_id" in of_steps[0]
