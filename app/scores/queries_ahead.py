"""The statements of scoring beside a run, and of what that leaves to its end."""

from sqlalchemy import text

COMMIT_SOON = text("set local synchronous_commit = off")

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

# With what was judged before the run's first scoring, by the very scorers and in their versions: that stands. Answers
# come only where something is still to be judged. Scores are looked up for each answer, and questions by their version:
# where joins are by hashes, as after carrying over, all scores and questions that there are would be read otherwise.

PREDICTIONS_TO_SCORE = text("""
with first_scoring as materialized (
    select
        not exists (
            select 1
            from board_aggregate
            where board_aggregate.run_id = :run_id
        ) as is_it
)

select
    prediction.id,
    prediction.question_id,
    prediction.rotation,
    prediction.repeat,
    prediction.state,
    case
        when ours.prediction_id is null or theirs.prediction_id is null and :is_published then prediction.answer
    end as answer,
    prediction.detail -> 'sql' as sql,
    prediction.detail -> 'parsed' as parsed,
    ours.outcome,
    ours.value,
    theirs.prediction_id is not null as stands_as_published
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
cross join first_scoring
left join lateral (
    select
        score.prediction_id,
        score.outcome,
        score.value
    from score
    where
        first_scoring.is_it
        and prediction.state = 'answered'
        and score.prediction_id = prediction.id
        and score.profile = :profile
        and score.gold_key = :gold_key
        and score.scorer = question.scorer
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
    offset 0
) as ours on true
left join lateral (
    select score.prediction_id
    from score
    where
        first_scoring.is_it
        and prediction.state = 'answered'
        and score.prediction_id = prediction.id
        and score.profile = :published
        and score.gold_key = 'default'
        and score.scorer = question.scorer
        and score.scorer_version = :published_version
    offset 0
) as theirs on true
where
    prediction.run_id = :run_id
    and prediction.version_id = (select run.version_id from run where run.id = :run_id)
order by question.position, prediction.rotation, prediction.repeat
""")
