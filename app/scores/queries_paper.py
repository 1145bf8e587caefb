"""The statement of what boards by a paper's rules are computed from; of the worker, who reads all scores."""

from sqlalchemy import text

# The version and each answer's score are looked up, so that no join reads all questions or all scores that there are.

PAPER_MARKS = text("""
select
    prediction.question_id,
    prediction.repeat,
    coalesce(score.outcome, nullif(prediction.state, 'answered')) as state,
    score.components
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.split = 'public'
left join lateral (
    select
        found.outcome,
        found.components
    from score as found
    where
        prediction.state = 'answered'
        and found.prediction_id = prediction.id
        and found.profile = :profile
        and found.gold_key = 'default'
        and found.scorer_version = cast(cast(:scorers as jsonb) ->> found.scorer as int)
    offset 0
) as score on true
where
    prediction.run_id = :run_id
    and prediction.version_id = (select run.version_id from run where run.id = :run_id)
    and cast(:scorers as jsonb) ->> question.scorer is not null
order by question.position, prediction.rotation, prediction.repeat
""")
