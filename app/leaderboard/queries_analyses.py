"""The statements of analyses over runs; of the api role, and of public questions alone."""

from sqlalchemy import text

# A judge's run marks the answers of another run: times and lengths are those of that one.

RUNS = text("""
select
    run.id as run,
    answers.id as answers,
    answers.label as name
from run
inner join run as answers on coalesce(cast(run.presentation -> 'judging' ->> 'run' as bigint), run.id) = answers.id
where run.id = any(:runs)
order by array_position(:runs, run.id)
""")

OUTCOMES = text("""
select
    prediction.run_id as run,
    question.id as question,
    question.template,
    coalesce(snapshot.name, 'no map') as city,
    avg(coalesce(score.value, 0)) as value
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.split = 'public'
left join snapshot on question.snapshot_id = snapshot.id
left join score
    on
        prediction.id = score.prediction_id
        and score.profile = :profile
        and score.gold_key = :gold_key
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> score.scorer as integer)
where
    prediction.run_id = any(:runs)
    and prediction.state <> 'error'
group by prediction.run_id, question.version_id, question.id, snapshot.name
order by prediction.run_id, question.position
""")

LENGTHS = text("""
select
    prediction.run_id as run,
    question.id as question,
    count(*) as replies,
    avg(length(coalesce(prediction.answer, ''))) as letters
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.split = 'public'
where prediction.run_id = any(:runs)
group by prediction.run_id, question.version_id, question.id
order by prediction.run_id, question.position
""")

TIMES = text("""
select
    step.run_id as run,
    step.question_id as question,
    sum(step.latency_ms) as milliseconds
from step
where
    step.run_id = any(:runs)
    and step.state = 'done'
    and step.kind = 'chat'
    and step.reused_from is null
    and step.latency_ms is not null
group by step.run_id, step.question_id
order by step.run_id, step.question_id
""")
