"""The statements of the sweeper: leases that ran out, and runs that wait for somebody.

The time is always the bind `now`, never the database's.
"""

from sqlalchemy import text

SERVER_AGE = text("""
select cast(extract(epoch from clock_timestamp() - pg_postmaster_start_time()) as double precision)
""")

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

# By each question's own key: steps have no index by batch, which every call that is written would have to keep up, and
# a search through all steps, or all of the run, would grow with them.

LOSE_STEPS = text("""
update step
set
    state = 'lost',
    error = 'the worker was lost while this was in flight'
where
    state = 'sent'
    and id = any(array(
        select found.id
        from batch
        inner join run on batch.run_id = run.id
        cross join unnest(batch.question_ids) as asked (id)
        inner join question
            on run.version_id = question.version_id
            and asked.id = question.id
        cross join lateral (
            select in_flight.id
            from step as in_flight
            where
                in_flight.run_id = run.id
                and in_flight.question_revision = question.revision
                and in_flight.batch_id = batch.id
                and in_flight.state = 'sent'
            order by in_flight.presentation_key, in_flight.repeat, in_flight.ordinal, in_flight.attempt
        ) as found
        where batch.id = :batch_id
        order by found.id
    ))
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

MOVED_QUESTIONS = text("""
select question.id
from unnest(cast(:question_ids as text[])) as asked (id)
inner join run on run.id = :run_id
inner join question
    on run.version_id = question.version_id
    and asked.id = question.id
where exists (
    select 1
    from step
    where
        step.run_id = run.id
        and step.question_revision = question.revision
        and step.batch_id = :batch_id
        and step.fencing_token = :token
        and step.state = 'done'
)
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
