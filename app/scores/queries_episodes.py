"""The statement that reads the steps of predictions, and how the steps of a prediction are found."""

from sqlalchemy import text

# A run that was carried over has no steps: they are of the run that was asked, whose question had the same prompt.
# Calls that parse answers came after the episode. Steps are looked up for each answer: a join by a hash would read the
# steps of all runs that there are.

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
cross join lateral (
    select found.*
    from step as found
    where
        found.run_id = coalesce(origin.id, run.id)
        and found.question_revision = coalesce(asked.revision, prediction.question_revision)
        and found.presentation_key = prediction.presentation_key
        and found.repeat = prediction.repeat
        and found.state = 'done'
        and found.kind <> 'parse'
    offset 0
) as step
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
