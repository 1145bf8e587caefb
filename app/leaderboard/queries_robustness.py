"""The statements about runs on the same questions in several forms of their texts."""

from sqlalchemy import text

RUNS = text("""
select
    run.id as run,
    run.label as name,
    run.solver,
    run.status,
    run.version_id,
    run.presentation,
    run.sampling,
    endpoint.model,
    dataset.name || '@' || dataset_version.number as dataset,
    dataset.benchmark,
    dataset_version.recipe
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join endpoint on run.endpoint_id = endpoint.id
where
    run.id = any(:runs)
    and run.kind = 'answers'
order by run.id
""")

QUESTIONS = text("""
select
    question.id,
    question.position,
    question.prompt_hash
from question
where
    question.version_id = :version_id
    and question.split = 'public'
order by question.position
""")

# By question: whether it is right wherever the key is shown, and whether it is somewhere; of rotated runs.
ROTATIONS = text("""
with by_rotation as (
    select
        prediction.run_id,
        prediction.question_id,
        prediction.rotation,
        avg(coalesce(score.value, 0)) as mean
    from prediction
    inner join question
        on
            prediction.version_id = question.version_id
            and prediction.question_id = question.id
            and question.split = 'public'
    left join score
        on
            prediction.id = score.prediction_id
            and prediction.state in ('answered', 'no_answer')
            and score.profile = :profile
            and score.scorer_version = cast(cast(:scorers as jsonb) ->> score.scorer as int)
    where prediction.run_id = any(:runs)
    group by prediction.run_id, prediction.question_id, prediction.rotation
),

by_question as (
    select
        by_rotation.run_id,
        by_rotation.question_id,
        min(by_rotation.mean) as least,
        max(by_rotation.mean) as most
    from by_rotation
    group by by_rotation.run_id, by_rotation.question_id
    having count(*) > 1
)

select
    by_question.run_id as run,
    count(*) as n,
    count(*) filter (where by_question.least >= 0.5) as right_in_all,
    count(*) filter (where by_question.most >= 0.5) as right_in_any
from by_question
group by by_question.run_id
order by by_question.run_id
""")
