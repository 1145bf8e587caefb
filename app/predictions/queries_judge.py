"""The statements about verdicts that could not be read: asked for again when their run is, not replayed."""

from sqlalchemy import text

FORGET_UNREAD_VERDICTS = text("""
update step
set
    state = 'failed',
    error = 'no verdict could be read in it'
from run
inner join prediction
    on
        run.id = prediction.run_id
        and prediction.state = 'error'
inner join step as last_step
    on
        prediction.run_id = last_step.run_id
        and prediction.question_revision = last_step.question_revision
        and prediction.presentation_key = last_step.presentation_key
        and prediction.repeat = last_step.repeat
        and last_step.ordinal = 1
        and last_step.state = 'done'
where
    run.id = :run_id
    and run.kind = 'judgement'
    and step.run_id = run.id
    and step.question_revision = prediction.question_revision
    and step.presentation_key = prediction.presentation_key
    and step.repeat = prediction.repeat
    and step.state = 'done'
""")
