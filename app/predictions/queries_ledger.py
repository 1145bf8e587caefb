"""The statements of batches, their leases, and what a worker reads of them.

The time is always the bind `now`, never the database's.
"""

from sqlalchemy import text

INSERT_BATCH = text("""
insert into batch (run_id, number, question_ids, attempt)
values (:run_id, :number, cast(:question_ids as text[]), :attempt)
""")

LAST_BATCH_NUMBER = text("""
select coalesce(max(number), -1) from batch where run_id = :run_id
""")

RUN_TO_WORK = text("""
select
    run.id,
    run.version_id,
    run.solver,
    run.solver_version,
    run.seed,
    run.sampling,
    run.repeats,
    run.presentation,
    run.reuse,
    run.prices,
    dataset.benchmark,
    run.endpoint_id is not null as calls_endpoint,
    endpoint.url,
    endpoint.model,
    endpoint.key_variable,
    coalesce(endpoint.limits, '{}') || coalesce(run.pace, '{}') as limits,
    endpoint.health ->> 'engine' as engine
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join endpoint on run.endpoint_id = endpoint.id
where run.id = :run_id
""")

CLAIM_BATCH = text("""
with next as (
    select
        batch.id,
        run.endpoint_id is not null as calls_endpoint
    from batch
    inner join run on batch.run_id = run.id
    where
        batch.state = 'waiting'
        and run.status in ('queued', 'running')
        and (:suspects or batch.attempt < :suspect_from)
        and (run.endpoint_id is not null) = any(cast(:calls_endpoint as boolean[]))
        and (cast(:only_run as bigint) is null or batch.run_id = cast(:only_run as bigint))
    order by run.endpoint_id is not null, batch.run_id, batch.attempt >= :suspect_from, batch.number
    limit 1
    for update of batch skip locked
)
update batch
set
    state = 'leased',
    owner = :owner,
    fencing_token = batch.fencing_token + 1,
    deadline = :deadline
from next
where batch.id = next.id
returning
    batch.id,
    batch.run_id,
    batch.question_ids,
    batch.fencing_token,
    batch.attempt,
    batch.deadline,
    next.calls_endpoint
""")

MARK_RUNNING = text("""
update run set status = 'running' where id = :run_id and status = 'queued'
""")

RENEW_LEASES = text("""
update batch
set deadline = :deadline
from unnest(cast(:ids as bigint[]), cast(:tokens as bigint[])) as held (id, token)
where
    batch.id = held.id
    and batch.fencing_token = held.token
    and batch.state = 'leased'
returning batch.id
""")

GUARD_LEASES = text("""
select
    batch.id,
    batch.fencing_token
from batch
where
    batch.id = any(cast(:ids as bigint[]))
    and batch.state = 'leased'
order by batch.id
for share
""")

QUESTIONS_OF_BATCH = text("""
select
    question.id,
    question.revision,
    question.template,
    question.prompt,
    question.options,
    question.answer_type
from question
where
    question.version_id = :version_id
    and question.id = any(cast(:question_ids as text[]))
order by question.position
""")

# By each question's own key, whatever a planner makes of tables that were filled a moment ago: it could as well read
# all that is stored of the run, for each of its batches.

PREDICTIONS_OF_QUESTIONS = text("""
select
    found.question_revision,
    found.presentation_key,
    found.repeat
from unnest(cast(:revisions as text[])) as wanted (revision)
cross join lateral (
    select
        prediction.question_revision,
        prediction.presentation_key,
        prediction.repeat
    from prediction
    where
        prediction.run_id = :run_id
        and prediction.question_revision = wanted.revision
    order by prediction.presentation_key, prediction.repeat
) as found
""")

STEPS_OF_QUESTIONS = text("""
select
    found.question_revision,
    found.presentation_key,
    found.repeat,
    found.ordinal,
    found.attempt,
    found.state,
    found.batch_id,
    found.request_hash,
    found.response,
    found.latency_ms
from unnest(cast(:revisions as text[])) as wanted (revision)
cross join lateral (
    select
        step.question_revision,
        step.presentation_key,
        step.repeat,
        step.ordinal,
        step.attempt,
        step.state,
        step.batch_id,
        step.request_hash,
        step.response,
        step.latency_ms
    from step
    where
        step.run_id = :run_id
        and step.question_revision = wanted.revision
    order by step.presentation_key, step.repeat, step.ordinal, step.attempt
) as found
order by found.question_revision, found.presentation_key, found.repeat, found.ordinal, found.attempt
""")
