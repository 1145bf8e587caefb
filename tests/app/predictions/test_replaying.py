"""Steps as the release before stored them are replayed: nothing is asked again. The rows and hashes are literal."""

from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, text

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.map_tools.sql_running import SqlOutcome
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import SQL, Call, CallResult, sql_call
from tests.app.predictions.test_worker import work
from tests.support.factories import QuestionSpec, make_version
from tests.support.processes import query, scalar

NOWHERE = "http://127.0.0.1:9/v1"
OPTIONS = ["red", "green", "blue", "white"]
CHAT_HASH = "d65b9240120183d9b26212c043719d01"
CHAT_RESPONSE = (
    '{"choices": [{"index": 0, "message": {"role": "assistant", "content": "B"}, "finish_reason": "stop"}],'
    ' "usage": {"prompt_tokens": 40, "completion_tokens": 1}}'
)
NOT_ROTATED = "e10808d43975dc400731053386849f86"
"""The key of the one presentation of a run that does not rotate options."""
SQL_HASH = "12f5f2b9d44ef2fd56cae26a062db741"
SQL_RESPONSE = (
    '{"state": "rows", "rows": ["{\\"name\\": \\"Adler\\"}"], "more": false, "withheld": 0, "kind": null,'
    ' "message": null}'
)
STORED = """
insert into step (
    run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat, ordinal,
    attempt, kind, state, request_hash, request, response, http_status, finish_reason, sent_at, answered_at, latency_ms
)
select
    run.id, batch.id, 1, question.version_id, question.id, question.revision, :presentation, 0, 0,
    0, :kind, 'done', :hash, '{}', cast(:response as jsonb), :http_status, :finish_reason, now(), now(), 12
from run
inner join batch on run.id = batch.run_id
inner join question on run.version_id = question.version_id
"""


@solver("test_stored_sql", version=1, calls=(SQL,))
def open_stored_sql(connection: Connection, run: RunView) -> NextStep:
    """Runs one statement, and answers with the first row that it gives."""

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        if not results:
            return sql_call("reference_1", ("parks", "pois"), "select name from pois")
        return Answer("answered", results[0].expect(SqlOutcome).rows[0])

    return next_step


@pytest.mark.parametrize(
    ("solver_name", "kind", "request_hash", "response", "http_status", "answer"),
    [
        ("direct", "chat", CHAT_HASH, CHAT_RESPONSE, 200, "B"),
        ("test_stored_sql", "sql", SQL_HASH, SQL_RESPONSE, None, '{"name": "Adler"}'),
    ],
)
def test_what_the_release_before_stored_is_replayed(
    quick: Settings,
    solver_name: str,
    kind: str,
    request_hash: str,
    response: str,
    http_status: int | None,
    answer: str,
) -> None:
    gold = {"index": 1, "text": "green", "objects": ["n2"]}
    wrong = [{"text": one, "osm_key": None} for one in OPTIONS if one != "green"]
    version = make_version(
        quick, [QuestionSpec("T5", "option", "Which one?", gold, {"poi": "n1"}, OPTIONS, wrong)]
    )
    now = SystemClock().now()
    with connect(quick, Role.WORKER) as connection:
        stored = store_endpoint(connection, NOWHERE, "scripted:first_option", None, now)
        plan = RunPlan(
            version.id, solver_name, 1, "m", 7, stored.id, {"temperature": 0.0} if kind == "chat" else {}
        )
        run_id = plan_run(connection, plan, now, quick.batch_size).id
        binds = {"kind": kind, "hash": request_hash, "response": response, "http_status": http_status}
        said = {"finish_reason": "stop" if kind == "chat" else None, "presentation": NOT_ROTATED}
        connection.execute(text(STORED), binds | said)
        connection.commit()
    assert work(quick) == [run_id]
    assert [tuple(row) for row in query(quick, "select state, answer from prediction")] == [
        ("answered", answer)
    ]
    assert scalar(quick, "select count(*) from step") == 1
