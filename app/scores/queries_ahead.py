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
# come only where something is still to be judged.

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
left join score as ours
    on
        first_scoring.is_it
        and prediction.state = 'answered'
        and prediction.id = ours.prediction_id
        and ours.profile = :profile
        and ours.gold_key = :gold_key
        and ours.scorer = question.scorer
        and ours.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
left join score as theirs
    on
        first_scoring.is_it
        and prediction.state = 'answered'
        and prediction.id = theirs.prediction_id
        and theirs.profile = :published
        and theirs.gold_key = 'default'
        and theirs.scorer = question.scorer
        and theirs.scorer_version = :published_version
where prediction.run_id = :run_id
order by question.position, prediction.rotation, prediction.repeat
""")
