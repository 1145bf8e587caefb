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
