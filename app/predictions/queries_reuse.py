"""The statements by which a run takes over answers to identical calls of other runs."""

from sqlalchemy import text

# By question, so that every step is found through its run and revision.

ANSWERED_CALLS = text("""
select
    step.question_id,
    step.request_hash,
    step.response,
    step.engine,
    coalesce(step.reused_from, step.id) as origin
from run as this
inner join run as other
    on
        this.endpoint_id = other.endpoint_id
        and this.id <> other.id
inner join question
    on
        other.version_id = question.version_id
        and question.id = any(cast(:question_ids as text[]))
inner join step
    on
        other.id = step.run_id
        and question.revision = step.question_revision
        and step.kind = 'chat'
        and step.state = 'done'
where
    this.id = :run_id
    and not exists (
        select 1
        from prediction
        where
            prediction.run_id = step.run_id
            and prediction.question_revision = step.question_revision
            and prediction.presentation_key = step.presentation_key
            and prediction.repeat = step.repeat
            and prediction.state = 'error'
    )
order by step.id
""")

INSERT_REUSED_STEP = text("""
insert into step (
    run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat, ordinal,
    attempt, kind, state, request_hash, request, response, http_status, usage, finish_reason, engine, sent_at,
    answered_at, reused_from
)
values (
    :run_id, :batch_id, :token, :version_id, :question_id, :question_revision, :presentation_key, :repeat, :ordinal,
    :attempt, :kind, 'done', :request_hash, cast(:request as jsonb), cast(:response as jsonb), 200,
    cast(:usage as jsonb), :finish_reason, :engine, :sent_at, :sent_at, :reused_from
)
on conflict do nothing
""")
