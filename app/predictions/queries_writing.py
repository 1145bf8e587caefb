"""The statement by which the ledger writes a group of units, and what a run with a budget needs beside it.

Rows travel as one JSON bind a kind, which also brings the time.
"""

from sqlalchemy import text

# For the transaction, or the whole session: the plan of a statement is kept, though its tables were empty at first.

BY_KEYS_ALONE = text("""
select
    set_config('enable_seqscan', 'off', :in_transaction),
    set_config('enable_hashjoin', 'off', :in_transaction),
    set_config('enable_mergejoin', 'off', :in_transaction),
    set_config('plan_cache_mode', 'force_generic_plan', :in_transaction)
""")

STEP_COLUMNS = """run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat,
        ordinal, attempt, kind, request_hash, request"""
STEP_GIVEN = """given.run_id,
        given.batch_id,
        given.token,
        given.version_id,
        given.question_id,
        given.question_revision,
        given.presentation_key,
        given.repeat,
        given.ordinal,
        given.attempt,
        given.kind,
        given.request_hash,
        cast(given.request as jsonb)"""
STEP_TYPES = """run_id bigint,
        batch_id bigint,
        token bigint,
        version_id bigint,
        question_id text,
        question_revision text,
        presentation_key text,
        repeat int,
        ordinal int,
        attempt int,
        kind text,
        request_hash text,
        request text"""
"""What a new step says, be its call to leave or stored whole: its columns, their values, and their types."""

# Under locks of the leases' batches, in shared mode, and of their runs, it writes all that is given for leases that
# hold; but calls only where the run is live, and, unless they are admitted, has no budget. Accounts are moved by the
# rows that were written: whatever was there before counts nothing, so that the statement may be repeated.

WRITE_UNITS = text(f"""
with lease as materialized (
    select
        batch.id,
        batch.run_id,
        batch.fencing_token as token
    from batch
    inner join jsonb_to_recordset(cast(:leases as jsonb)) as given (id bigint, token bigint)
        on
            batch.id = given.id
            and batch.fencing_token = given.token
    where batch.state = 'leased'
    order by batch.id
    for share of batch
),

account as materialized (
    select
        run.id,
        run.status in ('queued', 'running') and (:admitted or run.budget is null) as lets_go
    from run
    where run.id in (select lease.run_id from lease)
    order by run.id
    for no key update of run
),

closed as (
    update step
    set
        state = given.state,
        response = cast(given.response as jsonb),
        http_status = given.http_status,
        usage = cast(given.usage as jsonb),
        error = given.error,
        answered_at = given.answered_at,
        latency_ms = given.latency_ms,
        finish_reason = given.finish_reason,
        engine = given.engine
    from jsonb_to_recordset(cast(:closed as jsonb)) as given (
        run_id bigint,
        batch_id bigint,
        token bigint,
        question_revision text,
        presentation_key text,
        repeat int,
        ordinal int,
        attempt int,
        state text,
        response text,
        http_status int,
        usage text,
        error text,
        answered_at timestamptz,
        latency_ms int,
        finish_reason text,
        engine text,
        spent_prompt bigint,
        spent_completion bigint
    )
    inner join lease
        on
            given.batch_id = lease.id
            and given.token = lease.token
    where
        step.run_id = given.run_id
        and step.question_revision = given.question_revision
        and step.presentation_key = given.presentation_key
        and step.repeat = given.repeat
        and step.ordinal = given.ordinal
        and step.attempt = given.attempt
        and step.fencing_token = given.token
        and step.state = 'sent'
    returning
        step.run_id,
        given.spent_prompt,
        given.spent_completion,
        step.reserved_prompt,
        step.reserved_completion
),

whole as (
    insert into step (
        {STEP_COLUMNS},
        state, response, http_status, usage, finish_reason, engine, sent_at, answered_at, latency_ms, reused_from
    )
    select
        {STEP_GIVEN},
        'done',
        cast(given.response as jsonb),
        given.http_status,
        cast(given.usage as jsonb),
        given.finish_reason,
        given.engine,
        given.sent_at,
        given.answered_at,
        given.latency_ms,
        given.reused_from
    from jsonb_to_recordset(cast(:whole as jsonb)) as given (
        {STEP_TYPES},
        response text,
        http_status int,
        usage text,
        finish_reason text,
        engine text,
        sent_at timestamptz,
        answered_at timestamptz,
        latency_ms int,
        reused_from bigint
    )
    inner join lease
        on
            given.batch_id = lease.id
            and given.token = lease.token
    on conflict do nothing
),

predicted as (
    insert into prediction (
        run_id, version_id, question_id, question_revision, presentation_key, rotation, repeat, state, answer, detail,
        error, fencing_token, created_at
    )
    select
        given.run_id,
        given.version_id,
        given.question_id,
        given.question_revision,
        given.presentation_key,
        given.rotation,
        given.repeat,
        given.state,
        given.answer,
        cast(given.detail as jsonb),
        given.error,
        given.token,
        given.created_at
    from jsonb_to_recordset(cast(:predicted as jsonb)) as given (
        run_id bigint,
        batch_id bigint,
        version_id bigint,
        question_id text,
        question_revision text,
        presentation_key text,
        rotation int,
        repeat int,
        state text,
        answer text,
        detail text,
        error text,
        token bigint,
        created_at timestamptz
    )
    inner join lease
        on
            given.batch_id = lease.id
            and given.token = lease.token
    on conflict do nothing
),

sent as (
    insert into step (
        {STEP_COLUMNS},
        state, sent_at, reserved_prompt, reserved_completion
    )
    select
        {STEP_GIVEN},
        'sent',
        given.sent_at,
        given.reserved_prompt,
        given.reserved_completion
    from jsonb_to_recordset(cast(:sent as jsonb)) as given (
        {STEP_TYPES},
        sent_at timestamptz,
        reserved_prompt int,
        reserved_completion int
    )
    inner join lease
        on
            given.batch_id = lease.id
            and given.token = lease.token
    inner join account on lease.run_id = account.id
    where account.lets_go
    on conflict do nothing
    returning run_id, reserved_prompt, reserved_completion
),

withdrawn as (
    delete from step
    using
        jsonb_to_recordset(cast(:withdrawn as jsonb)) as given (
            run_id bigint,
            batch_id bigint,
            token bigint,
            question_revision text,
            presentation_key text,
            repeat int,
            ordinal int,
            attempt int
        ),
        lease
    where
        given.batch_id = lease.id
        and given.token = lease.token
        and step.run_id = given.run_id
        and step.question_revision = given.question_revision
        and step.presentation_key = given.presentation_key
        and step.repeat = given.repeat
        and step.ordinal = given.ordinal
        and step.attempt = given.attempt
        and step.fencing_token = given.token
        and step.state = 'sent'
    returning step.run_id, step.reserved_prompt, step.reserved_completion
),

moved as (
    select
        closed.run_id,
        closed.spent_prompt,
        closed.spent_completion,
        -coalesce(closed.reserved_prompt, 0) as reserved_prompt,
        -coalesce(closed.reserved_completion, 0) as reserved_completion
    from closed
    union all
    select
        sent.run_id,
        0 as spent_prompt,
        0 as spent_completion,
        sent.reserved_prompt,
        sent.reserved_completion
    from sent
    union all
    select
        withdrawn.run_id,
        0 as spent_prompt,
        0 as spent_completion,
        -coalesce(withdrawn.reserved_prompt, 0) as reserved_prompt,
        -coalesce(withdrawn.reserved_completion, 0) as reserved_completion
    from withdrawn
),

total as (
    select
        run_id,
        sum(spent_prompt) as spent_prompt,
        sum(spent_completion) as spent_completion,
        sum(reserved_prompt) as reserved_prompt,
        sum(reserved_completion) as reserved_completion
    from moved
    group by run_id
),

kept as (
    update run
    set
        spent_prompt = run.spent_prompt + total.spent_prompt,
        spent_completion = run.spent_completion + total.spent_completion,
        reserved_prompt = run.reserved_prompt + total.reserved_prompt,
        reserved_completion = run.reserved_completion + total.reserved_completion
    from total
    where run.id = total.run_id
),

ended as (
    update batch
    set
        state = given.state,
        deadline = null,
        owner = null
    from jsonb_to_recordset(cast(:ended as jsonb)) as given (batch_id bigint, token bigint, state text)
    inner join lease
        on
            given.batch_id = lease.id
            and given.token = lease.token
    where batch.id = given.batch_id
)

select
    lease.id,
    lease.token,
    account.lets_go
from lease
inner join account on lease.run_id = account.id
order by lease.id
""")

LOCK_ACCOUNT = text("""
select
    status,
    budget,
    prices,
    spent_prompt,
    spent_completion,
    reserved_prompt,
    reserved_completion
from run
where id = :run_id
for no key update
""")

# Those of the calls that are to leave that an earlier try has stored.

STORED_CALLS = text("""
select given.place
from jsonb_to_recordset(cast(:sent as jsonb)) as given (
    place int,
    run_id bigint,
    question_revision text,
    presentation_key text,
    repeat int,
    ordinal int,
    attempt int
)
inner join step
    on
        given.run_id = step.run_id
        and given.question_revision = step.question_revision
        and given.presentation_key = step.presentation_key
        and given.repeat = step.repeat
        and given.ordinal = step.ordinal
        and given.attempt = step.attempt
order by given.place
""")
