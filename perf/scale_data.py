"""Benchmarks: a database with so many steps, predictions and scores; what they say is of no matter.

The data set `bench` is the same whatever the number of rows: five runs over 2,000 option questions, written by COPY and
scored by the product itself, and a second version that asks all of them again. All other rows belong to runs of
other data sets, 25 each, and are copied from the first run, inside the server and without indexes, which are built
afterwards.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.presentations import presentations
from app.scores.rescoring import Servers, rescore
from perf import api_data

QUESTIONS, RUNS, RUNS_OF_OTHERS, BATCH = 2_000, 5, 25, 50
OWN = QUESTIONS * RUNS
"""Rows of `bench` in each of the tables step, prediction and score."""
SMALLEST = QUESTIONS * RUNS_OF_OTHERS
"""Rows of the smaller database: of `bench`, and of another data set that lacks as many runs as `bench` has."""
PRESENTATION = presentations({}, None)[0].key
SWEPT, WRITTEN = "swept", "written"
"""Labels of two more runs of `bench`: one whose worker was lost, and one that is being written."""

_ENDPOINT = """
insert into trigpoint.endpoint (name, url, model, limits, created_at)
values ('bench', 'http://127.0.0.1:1/v1', 'bench', '{}', now())
"""
_SECOND_VERSION = """
insert into trigpoint.dataset_version (
    dataset_id, number, seed, hidden_fraction, recipe, templates, engine_versions, licence, canary, created_at, state,
    published_at
)
select dataset_id, 2, seed, hidden_fraction, recipe, templates, engine_versions, licence, gen_random_uuid(), now(),
    'published', now()
from trigpoint.dataset_version;
insert into trigpoint.dataset_snapshot (version_id, position, snapshot_id) values (2, 0, 1);
insert into trigpoint.question (
    version_id, id, position, template_id, template, template_version, snapshot_id, prompt, options, answer_type,
    scorer, split, locale, phrasing, prompt_hash, revision
)
select 2, id, position, template_id, template, template_version, snapshot_id, prompt, options, answer_type,
    scorer, split, locale, phrasing, prompt_hash, revision
from trigpoint.question;
insert into trigpoint.gold (version_id, question_id, is_default, value)
select 2, question_id, is_default, value from trigpoint.gold;
insert into trigpoint.proof (
    version_id, question_id, kind, sql, binds, derive, parameters, snapshots, evidence, margin, distractors, second_path
)
select 2, question_id, kind, sql, binds, derive, parameters, snapshots, evidence, margin, distractors, second_path
from trigpoint.proof;
insert into trigpoint.lineage (to_version_id, to_question_id, from_version_id, from_question_id, outcome)
select 2, id, 1, id, 'kept' from trigpoint.question where version_id = 1;
"""
_OTHERS = """
insert into trigpoint.dataset (name, benchmark, created_at)
select 'other_' || number, 'urban_knowledge', now() from generate_series(1, %(count)s) as number;
insert into trigpoint.dataset_version (
    dataset_id, number, seed, hidden_fraction, recipe, templates, engine_versions, licence, canary, created_at, state,
    published_at
)
select dataset.id, 1, 1, 0.1, '{}', '{}', '{}', first.licence, gen_random_uuid(), now(), 'published', now()
from trigpoint.dataset
cross join trigpoint.dataset_version as first
where dataset.name like 'other%%' and first.id = 1
order by dataset.id;
insert into trigpoint.question (
    version_id, id, position, template_id, template, template_version, snapshot_id, prompt, options, answer_type,
    scorer, split, locale, phrasing, prompt_hash, revision
)
select
    version.id, md5(version.id || question.id), question.position, question.template_id, question.template,
    question.template_version, question.snapshot_id, question.prompt, question.options, question.answer_type,
    question.scorer, question.split, question.locale, question.phrasing, md5('prompt' || version.id || question.id),
    md5('revision' || version.id || question.id)
from trigpoint.question
cross join trigpoint.dataset_version as version
where question.version_id = 1 and version.id > 2
order by version.id, question.position;
"""
_RUNS = """
insert into trigpoint.run (
    version_id, solver, solver_version, endpoint_id, label, seed, sampling, presentation, status, total, created_at,
    finished_at
)
select
    version.id, 'direct', 1, endpoint.id, 'model ' || model.number, 0, '{}', '{}', 'complete', %(questions)s, now(),
    now()
from trigpoint.dataset_version as version
cross join trigpoint.endpoint
cross join generate_series(1, case version.id when 1 then %(own)s when 3 then %(others)s - %(own)s else %(others)s end)
    as model (number)
where version.id >= %(first)s and version.id <> 2
order by version.id, model.number;
"""
_BATCHES = """
insert into trigpoint.batch (run_id, number, question_ids, state, fencing_token)
select run.id, number, '{}', 'done', 1
from trigpoint.run
cross join generate_series(0, %(batches)s - 1) as number
where run.id >= %(first)s
order by run.id, number;
"""
_MORE_RUNS = """
insert into trigpoint.run (
    version_id, solver, solver_version, endpoint_id, label, seed, sampling, presentation, status, total, created_at
)
select 1, 'direct', 1, endpoint.id, label, 0, '{}', '{}', 'running', %(questions)s, now()
from trigpoint.endpoint
cross join unnest(array['swept', 'written']) as label;
insert into trigpoint.batch (run_id, number, question_ids, state, owner, fencing_token, deadline)
select run.id, 0, asked.ids, 'leased', 'bench', 1, '2100-01-01Z'
from trigpoint.run
cross join (
    select array_agg(id order by position) as ids from trigpoint.question where version_id = 1 and position < %(batch)s
) as asked
where run.status = 'running';
"""
_BOARDS = """
insert into trigpoint.board_aggregate (
    run_id, version_id, profile, scope, scorer_version, n, score, low, high, interval, states, components
)
select run.id, run.version_id, one.profile, one.scope, one.scorer_version, one.n, one.score, one.low, one.high,
    one.interval, one.states, one.components
from trigpoint.board_aggregate as one
cross join trigpoint.run
where one.run_id = 1 and run.version_id > 2
order by run.id;
insert into trigpoint.run_standing (
    run_id, profile, version_id, layout, digest, calls, prompt_tokens, completion_tokens
)
select run.id, one.profile, run.version_id, one.layout, md5(run.id::text), one.calls, one.prompt_tokens,
    one.completion_tokens
from trigpoint.run_standing as one
cross join trigpoint.run
where one.run_id = 1 and run.version_id > 2
order by run.id;
"""
_SEQUENCES = """
select setval(pg_get_serial_sequence('trigpoint.' || name, 'id'), %(rows)s)
from unnest(array['step', 'prediction']) as name
"""
_STEP = """
copy trigpoint.step (
    id, run_id, batch_id, question_id, question_revision, request_hash, request, response, fencing_token, version_id,
    presentation_key, repeat, ordinal, attempt, kind, state, http_status, usage, sent_at, answered_at, latency_ms,
    finish_reason
) from stdin
"""
_PREDICTION = """
copy trigpoint.prediction (
    id, run_id, question_id, question_revision, answer, version_id, presentation_key, repeat, state, fencing_token,
    created_at
) from stdin
"""
_FIRST_RUN = """
create temporary table first_run as
select
    question.position, step.request_hash, step.request, step.response, step.http_status, step.usage, step.sent_at,
    step.answered_at, step.latency_ms, step.finish_reason, prediction.answer, prediction.created_at, score.profile,
    score.gold_key, score.scorer, score.scorer_version, score.outcome, score.value, score.components, score.parsed
from trigpoint.question
inner join trigpoint.step on step.run_id = 1 and step.question_id = question.id
inner join trigpoint.prediction on prediction.run_id = 1 and prediction.question_id = question.id
inner join trigpoint.score on score.prediction_id = prediction.id and score.profile = 'trigpoint'
where question.version_id = 1;
analyze first_run;
"""
_OF_VERSION = """
from trigpoint.run
inner join trigpoint.batch on batch.run_id = run.id and batch.number = 0
inner join trigpoint.question on question.version_id = run.version_id
inner join first_run as one on one.position = question.position
where run.version_id = %(version)s
"""
_OF_OTHERS = {
    "step": """
insert into trigpoint.step (
    id, run_id, batch_id, question_id, question_revision, request_hash, request, response, fencing_token, version_id,
    presentation_key, repeat, ordinal, attempt, kind, state, http_status, usage, sent_at, answered_at, latency_ms,
    finish_reason
)
overriding system value
select
    %(done)s + row_number() over (order by run.id, question.position),
    run.id, batch.id + question.position / %(batch)s, question.id, question.revision, one.request_hash, one.request,
    one.response, 1, question.version_id, %(presentation)s, 0, 0, 0, 'chat', 'done', one.http_status, one.usage,
    one.sent_at, one.answered_at, one.latency_ms, one.finish_reason
""",
    "prediction": """
insert into trigpoint.prediction (
    id, run_id, question_id, question_revision, answer, version_id, presentation_key, repeat, state, fencing_token,
    created_at
)
overriding system value
select
    %(done)s + row_number() over (order by run.id, question.position),
    run.id, question.id, question.revision, one.answer, question.version_id, %(presentation)s, 0, 'answered', 1,
    one.created_at
""",
    "score": """
insert into trigpoint.score (
    prediction_id, profile, gold_key, scorer, scorer_version, outcome, value, components, parsed
)
select
    %(done)s + row_number() over (order by run.id, question.position),
    one.profile, one.gold_key, one.scorer, one.scorer_version, one.outcome, one.value, one.components, one.parsed
""",
}
# Of a superuser alone; `reindex table` builds and switches on again what this switches off.
_INDEXES_OFF = """
update pg_index set indisready = false, indisvalid = false where indrelid = cast(%(table)s as regclass)
"""
_SENT = "2026-01-01 00:00:00Z\t2026-01-01 00:00:00.2Z\t200\tstop"
_USAGE = json.dumps({"prompt_tokens": 96, "completion_tokens": 24, "total_tokens": 120})


class Question(NamedTuple):
    """What rows say of a question."""

    id: str
    revision: str
    position: int
    text: str


def make_bench(url: str, settings: Settings) -> None:
    """Write `bench` to an empty database, and score its runs; `url` is the superuser's."""
    with psycopg.connect(url) as connection:
        _make_bench(connection)
        _copy_runs(connection)
        connection.execute(_SEQUENCES, {"rows": OWN})
        connection.execute(_script(_MORE_RUNS, {"questions": QUESTIONS, "batch": BATCH}))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("analyze")
    _score(settings)


def add_others(url: str, rows: int) -> None:
    """Add other data sets until there are `rows` steps, and as many predictions and scores; a multiple of SMALLEST.

    `url` is the superuser's: triggers and foreign keys are not checked, row by row, while so much is written.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        _add_others(connection, rows)
        connection.execute("vacuum (analyze) trigpoint.step, trigpoint.prediction, trigpoint.score")
        connection.execute("analyze")
        connection.execute("checkpoint")


def _make_bench(connection: psycopg.Connection[Any]) -> None:
    connection.execute(api_data.MADE)
    for statement in (api_data.QUESTIONS, api_data.GOLD, api_data.PROOFS):
        connection.execute(statement, {"count": QUESTIONS})
    connection.execute(api_data.PUBLISH)
    connection.execute(_ENDPOINT)
    connection.execute("set local session_replication_role = replica")
    connection.execute(_SECOND_VERSION)
    connection.execute(
        _script(_RUNS, {"questions": QUESTIONS, "own": RUNS, "others": RUNS_OF_OTHERS, "first": 1})
    )
    connection.execute(_script(_BATCHES, {"batches": QUESTIONS // BATCH, "first": 1}))


def _score(settings: Settings) -> None:
    """Score the runs of `bench` as workers do, boards and comparisons included."""
    with connect(settings, Role.WORKER) as connection:
        for run in range(1, RUNS + 1):
            rescore(connection, run, Servers(), SystemClock(), lambda *progress: None)


def _add_others(connection: psycopg.Connection[Any], rows: int) -> None:
    """More data sets, with runs, until there are so many rows in all."""
    connection.execute("set session_replication_role = replica")
    connection.execute(_script(_OTHERS, {"count": rows // SMALLEST}))
    more = {"questions": QUESTIONS, "own": RUNS, "others": RUNS_OF_OTHERS, "first": 3}
    connection.execute(_script(_RUNS, more))
    first = _one(connection, "select min(id) from trigpoint.run where version_id > 2")
    connection.execute(_script(_BATCHES, {"batches": QUESTIONS // BATCH, "first": first}))
    connection.execute(_BOARDS)
    connection.execute("analyze trigpoint.run, trigpoint.batch, trigpoint.question")
    connection.execute(_FIRST_RUN)
    for table in _OF_OTHERS:
        connection.execute(_INDEXES_OFF, {"table": f"trigpoint.{table}"})
    done = OWN
    for version in range(3, 3 + rows // SMALLEST):
        binds = {"version": version, "done": done, "batch": BATCH, "presentation": PRESENTATION}
        for statement in _OF_OTHERS.values():
            added = connection.execute((statement + _OF_VERSION).encode(), binds).rowcount
        done += added
    for table in _OF_OTHERS:
        connection.execute(f"reindex table trigpoint.{table}".encode())
    connection.execute(_SEQUENCES, {"rows": done})


def _questions(connection: psycopg.Connection[Any]) -> list[Question]:
    found = connection.execute(
        "select id, revision, position, prompt -> 0 ->> 'text' from trigpoint.question where version_id = 1"
        " order by position"
    )
    return [Question(*row) for row in found]


def _copy_runs(connection: psycopg.Connection[Any]) -> None:
    """Steps and predictions of the runs of `bench`, with ids from 1 on."""
    questions = _questions(connection)
    steps = [_step_columns(one) for one in questions]
    predictions = [_prediction_columns(one) for one in questions]
    rows = [(run, place) for run in range(RUNS) for place in range(QUESTIONS)]
    _copy(
        connection,
        _STEP,
        (
            f"{id_}\t{run + 1}\t{run * (QUESTIONS // BATCH) + place // BATCH + 1}\t{steps[place]}\n"
            for id_, (run, place) in enumerate(rows, 1)
        ),
    )
    _copy(
        connection,
        _PREDICTION,
        (f"{id_}\t{run + 1}\t{predictions[place]}\n" for id_, (run, place) in enumerate(rows, 1)),
    )


def _step_columns(one: Question) -> str:
    request = json.dumps(
        {
            "model": "bench",
            "messages": [
                {"role": "system", "content": "Answer with the letter of the right option. " * 4},
                {"role": "user", "content": f"{one.text}\nA. Adler\nB. Krone\nC. Linde\nD. Bohne"},
            ],
            "max_tokens": 512,
            "temperature": 0,
        }
    ).replace("\\", "\\\\")
    content = f"The places lie close to one another; I compare their distances. The answer is {_letter(one)}."
    response = json.dumps(
        {
            "id": f"chatcmpl-{one.revision}",
            "object": "chat.completion",
            "model": "bench",
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
            ],
            "usage": json.loads(_USAGE),
        }
    )
    sent, answered, status, finish = _SENT.split("\t")
    return (
        f"{one.id}\t{one.revision}\t{one.revision}{one.revision}\t{request}\t{response}\t1\t1\t{PRESENTATION}"
        f"\t0\t0\t0\tchat\tdone\t{status}\t{_USAGE}\t{sent}\t{answered}\t200\t{finish}"
    )


def _prediction_columns(one: Question) -> str:
    answer = f"The places lie close to one another; I compare their distances. The answer is {_letter(one)}."
    return f"{one.id}\t{one.revision}\t{answer}\t1\t{PRESENTATION}\t0\tanswered\t1\t2026-01-01 00:00:00Z"


def _letter(one: Question) -> str:
    return "ABCD"[(one.position + (one.position % 5 == 0)) % 4]


def _copy(connection: psycopg.Connection[Any], statement: str, lines: Iterator[str]) -> None:
    with connection.cursor().copy(statement) as copy:
        block: list[str] = []
        for line in lines:
            block.append(line)
            if len(block) == QUESTIONS:
                copy.write("".join(block))
                block.clear()
        copy.write("".join(block))


def _script(statements: str, values: dict[str, int]) -> bytes:
    """Several statements with numbers filled in: the driver sends binds with one statement only."""
    return (statements % values).encode()


def _one(connection: psycopg.Connection[Any], statement: str) -> int:
    row = connection.execute(statement.encode()).fetchone()
    assert row is not None
    return int(row[0])
