"""The statement that reads the steps of predictions, and how the steps of a prediction are found."""

from sqlalchemy import text

# A run that was carried over has no steps: they are of the run that was asked, whose question had the same prompt.
# Calls that parse answers came after the episode.

FROM_STEPS = """
from prediction
inner join run on prediction.run_id = run.id
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
left join run as origin on run.carried_from = origin.id
left join lateral (
    select earlier.revision
    from question as earlier
    where
        earlier.version_id = origin.version_id
        and earlier.prompt_hash = question.prompt_hash
    order by earlier.position
    limit 1
) as asked on true
inner join step
    on
        coalesce(origin.id, run.id) = step.run_id
        and coalesce(asked.revision, prediction.question_revision) = step.question_revision
        and prediction.presentation_key = step.presentation_key
        and prediction.repeat = step.repeat
        and step.state = 'done'
        and step.kind <> 'parse'
"""

STEPS_OF_PREDICTIONS = text(
    """
select
    prediction.id as prediction_id,
    step.kind,
    step.request,
    step.response
"""
    + FROM_STEPS
    + """
where prediction.id = any(cast(:ids as bigint[]))
order by prediction.id, step.ordinal, step.attempt
"""
)
