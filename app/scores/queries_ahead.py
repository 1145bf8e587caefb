"""The statements of scoring beside a run, and of what that leaves to its end."""

from sqlalchemy import text

ANSWERS_AFTER = text("""
select
    prediction.id,
    prediction.question_id,
    prediction.rotation,
    prediction.state,
    prediction.answer
from prediction
where
    prediction.run_id = :run_id
    and prediction.id > :after
    and prediction.state = 'answered'
order by prediction.id
""")

SCORED_AHEAD = text("""
select
    score.prediction_id,
    score.profile,
    score.scorer,
    score.scorer_version,
    score.outcome,
    score.value
from score
inner join prediction on score.prediction_id = prediction.id
where
    prediction.run_id = :run_id
    and score.profile = any(cast(:profiles as text[]))
    and not exists (
        select 1
        from board_aggregate
        where board_aggregate.run_id = :run_id
    )
""")
