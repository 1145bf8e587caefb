"""The statements of runs, leases, steps and predictions. The time is always the bind `now`, never the database's."""

from sqlalchemy import text

# Runs

LOCK_RUN_CREATION = text("""
select pg_advisory_xact_lock(hashtextextended('trigpoint run ' || cast(:version_id as text), 0))
""")

FIND_RUN = text("""
select
    run.id,
    run.status
from run
where
    run.version_id = :version_id
    and run.solver = :solver
    and run.solver_version = :solver_version
    and run.endpoint_id is not distinct from :endpoint_id
    and run.label = :label
    and run.seed = :seed
    and run.sampling = cast(:sampling as jsonb)
    and run.repeats = :repeats
    and run.presentation = cast(:presentation as jsonb)
    and run.sample is not distinct from cast(:sample as text[])
    and run.status <> 'cancelled'
order by run.id desc
limit 1
""")

DISTINCT_QUESTIONS = text("""
select distinct on (question.revision)
    question.revision,
    question.id,
    question.template,
    question.split,
    question.position,
    jsonb_array_length(question.options) as options
from question
where question.version_id = :version_id
order by question.revision, question.position
""")

HAS_OPTIONS = text("""
select exists (
    select 1
    from question
    where
        version_id = :version_id
        and options is not null
)
""")

INSERT_RUN = text("""
insert into run (
    version_id, solver, solver_version, endpoint_id, label, seed, sampling, repeats, presentation, total, created_at,
    budget, sample, reuse, prices
)
values (
    :version_id, :solver, :solver_version, :endpoint_id, :label, :seed, cast(:sampling as jsonb), :repeats,
    cast(:presentation as jsonb), :total, :now, cast(:budget as jsonb), cast(:sample as text[]), :reuse,
    (select nullif(endpoint.prices, '{}') from endpoint where endpoint.id = :endpoint_id)
)
returning id
""")

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
    run.seed,
    run.sampling,
    run.repeats,
    run.presentation,
    run.reuse,
    dataset.benchmark,
    endpoint.url,
    endpoint.model,
    endpoint.key_variable,
    endpoint.limits,
    endpoint.health ->> 'engine' as engine
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join endpoint on run.endpoint_id = endpoint.id
where run.id = :run_id
""")

LIST_RUNS = text("""
select run.id
from run
order by run.id desc
limit :limit
""")

ERROR_REASONS = text("""
select
    prediction.error as reason,
    count(*) as n
from prediction
where
    prediction.run_id = :run_id
    and prediction.state = 'error'
group by prediction.error
order by n desc, reason
limit :limit
""")

FINISH_RUN = text("""
update run
set
    status = case
        when exists (select 1 from prediction where prediction.run_id = run.id and prediction.state = 'error')
            then 'incomplete'
        else 'complete'
    end,
    pause_reason = null,
    finished_at = :now
where
    run.id = :run_id
    and run.status in ('queued', 'running', 'paused')
    and run.total = (select count(*) from prediction where prediction.run_id = run.id)
returning run.id
""")

LOCK_RUN = text("""
select run.status from run where run.id = :run_id for update
""")

DELETE_AGGREGATES = text("""
delete from board_aggregate where run_id = :run_id
""")

DELETE_ERRORS = text("""
delete from prediction
where
    run_id = :run_id
    and state = 'error'
returning question_id
""")

REOPEN_RUN = text("""
update run set status = 'queued', finished_at = null where id = :run_id
""")

# Leases

CLAIM_BATCH = text("""
with next as (
    select batch.id
    from batch
    inner join run on batch.run_id = run.id
    where
        batch.state = 'waiting'
        and run.status in ('queued', 'running')
        and (:suspects or batch.attempt < :suspect_from)
    order by batch.run_id, batch.attempt >= :suspect_from, batch.number
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
returning batch.id, batch.run_id, batch.question_ids, batch.fencing_token, batch.attempt
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

CLOSE_BATCH = text("""
update batch
set
    state = :state,
    deadline = null,
    owner = null
where
    id = :id
    and fencing_token = :token
    and state = 'leased'
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

PREDICTIONS_OF_QUESTIONS = text("""
select
    prediction.question_revision,
    prediction.presentation_key,
    prediction.repeat
from prediction
where
    prediction.run_id = :run_id
    and prediction.question_revision = any(cast(:revisions as text[]))
""")

STEPS_OF_QUESTIONS = text("""
select
    step.question_revision,
    step.presentation_key,
    step.repeat,
    step.ordinal,
    step.attempt,
    step.state,
    step.batch_id,
    step.request_hash,
    step.response
from step
where
    step.run_id = :run_id
    and step.question_revision = any(cast(:revisions as text[]))
order by step.question_revision, step.presentation_key, step.repeat, step.ordinal, step.attempt
""")

# Writes under a lease

INSERT_SENT_STEP = text("""
insert into step (
    run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat, ordinal,
    attempt, kind, state, request_hash, request, sent_at, reserved_prompt, reserved_completion
)
values (
    :run_id, :batch_id, :token, :version_id, :question_id, :question_revision, :presentation_key, :repeat, :ordinal,
    :attempt, :kind, 'sent', :request_hash, cast(:request as jsonb), :sent_at, :reserved_prompt, :reserved_completion
)
on conflict do nothing
""")

CLOSE_STEP = text("""
update step
set
    state = :state,
    response = cast(:response as jsonb),
    http_status = :http_status,
    usage = cast(:usage as jsonb),
    error = :error,
    answered_at = :answered_at,
    latency_ms = :latency_ms,
    finish_reason = :finish_reason,
    engine = :engine
where
    run_id = :run_id
    and question_revision = :question_revision
    and presentation_key = :presentation_key
    and repeat = :repeat
    and ordinal = :ordinal
    and attempt = :attempt
    and fencing_token = :token
    and state = 'sent'
""")

INSERT_PREDICTION = text("""
insert into prediction (
    run_id, version_id, question_id, question_revision, presentation_key, rotation, repeat, state, answer, detail,
    error, fencing_token, created_at
)
values (
    :run_id, :version_id, :question_id, :question_revision, :presentation_key, :rotation, :repeat, :state, :answer,
    cast(:detail as jsonb), :error, :token, :created_at
)
on conflict do nothing
""")

# The sweeper

EXPIRED_BATCHES = text("""
select
    batch.id,
    batch.run_id,
    batch.question_ids,
    batch.fencing_token,
    batch.attempt,
    batch.owner
from batch
where
    batch.state = 'leased'
    and batch.deadline < :now
order by batch.run_id, batch.id
limit :limit
for update skip locked
""")

LOSE_STEPS = text("""
update step
set
    state = 'lost',
    error = 'the worker was lost while this was in flight'
where
    batch_id = :batch_id
    and state = 'sent'
returning question_id, kind, coalesce(reserved_prompt, 0) as prompt, coalesce(reserved_completion, 0) as completion
""")

UNFINISHED_QUESTIONS = text("""
select asked.id
from unnest(cast(:question_ids as text[])) with ordinality as asked (id, place)
inner join run on run.id = :run_id
inner join question
    on run.version_id = question.version_id
    and asked.id = question.id
where
    run.repeats * case
        when run.presentation @> '{"rotate": true}' then coalesce(jsonb_array_length(question.options), 1)
        else 1
    end > (
        select count(*)
        from prediction
        where
            prediction.run_id = run.id
            and prediction.question_id = asked.id
    )
order by asked.place
""")

HOW_SHOWN = text("""
select
    run.presentation,
    jsonb_array_length(question.options) as options
from run
inner join question on run.version_id = question.version_id
where
    run.id = :run_id
    and question.id = :question_id
""")

RETURN_BATCH = text("""
update batch
set
    state = :state,
    question_ids = cast(:question_ids as text[]),
    attempt = :attempt,
    owner = null,
    deadline = null
where id = :id
""")

GIVE_UP_QUESTION = text("""
insert into prediction (
    run_id, version_id, question_id, question_revision, presentation_key, rotation, repeat, state, detail, error,
    fencing_token, created_at
)
select
    run.id,
    run.version_id,
    question.id,
    question.revision,
    shown.key,
    shown.rotation,
    turn.repeat,
    'error',
    '{}',
    :error,
    :token,
    :now
from run
inner join question on run.version_id = question.version_id
cross join unnest(cast(:presentation_keys as text[]), cast(:rotations as int[])) as shown (key, rotation)
cross join generate_series(0, run.repeats - 1) as turn (repeat)
where
    run.id = :run_id
    and question.id = :question_id
on conflict do nothing
""")

WORK_IS_WAITING = text("""
select exists (
    select 1
    from batch
    inner join run on batch.run_id = run.id
    where
        batch.state = 'waiting'
        and run.status in ('queued', 'running')
)
""")

RUNS_WITHOUT_OPEN_BATCHES = text("""
select run.id
from run
where
    run.status in ('queued', 'running', 'paused')
    and not exists (
        select 1
        from batch
        where
            batch.run_id = run.id
            and batch.state <> 'done'
    )
order by run.id
""")

RUNS_WITHOUT_SCORES = text("""
select run.id
from run
where
    run.status in ('complete', 'incomplete')
    and run.finished_at < :finished_before
    and not exists (
        select 1
        from board_aggregate
        where board_aggregate.run_id = run.id
    )
order by run.id
""")

TRY_LOCK_SCORING = text("""
select pg_try_advisory_lock(hashtextextended('trigpoint score ' || cast(:run_id as text), 0))
""")

UNLOCK_SCORING = text("""
select pg_advisory_unlock(hashtextextended('trigpoint score ' || cast(:run_id as text), 0))
""")
