"""The statement of what boards by a paper's rules are computed from; of the worker, who reads all scores."""

from sqlalchemy import text

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
left join score
    on
        prediction.id = score.prediction_id
        and prediction.state = 'answered'
        and score.profile = :profile
        and score.gold_key = 'default'
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> score.scorer as int)
where
    prediction.run_id = :run_id
    and cast(:scorers as jsonb) ->> question.scorer is not null
order by question.position, prediction.rotation, prediction.repeat
""")
