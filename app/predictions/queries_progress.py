"""The statement that says where a run stands, in one look at it. The time is always the bind `now`."""

from sqlalchemy import text

# `seconds` is the time that the newest answers took, a minute at most; the pace is theirs.

RUN_PROGRESS = text("""
select
    run.id,
    run.status,
    run.pause_reason,
    run.total,
    run.reasked,
    run.label,
    run.solver,
    run.presentation,
    cardinality(run.sample) as sample,
    run.finished_at,
    run.budget,
    run.prices,
    run.spent_prompt,
    run.spent_completion,
    dataset.name || '@' || dataset_version.number as dataset,
    answers.answered,
    answers.no_answer,
    answers.error,
    answers.lately,
    answers.seconds,
    calls.asked,
    calls.in_flight,
    calls.reused,
    calls.retrying,
    exists (select 1 from board_aggregate where board_aggregate.run_id = run.id) as scored
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
cross join lateral (
    select
        count(*) filter (where prediction.state = 'answered') as answered,
        count(*) filter (where prediction.state = 'no_answer') as no_answer,
        count(*) filter (where prediction.state = 'error') as error,
        count(*) filter (where prediction.created_at > cast(:now as timestamptz) - interval '60 seconds') as lately,
        least(60, extract(epoch from cast(:now as timestamptz) - min(prediction.created_at))) as seconds
    from prediction
    where prediction.run_id = run.id
) as answers
cross join lateral (
    select
        count(*) filter (where step.reused_from is null) as asked,
        count(*) filter (where step.state = 'sent') as in_flight,
        count(*) filter (where step.reused_from is not null) as reused,
        count(distinct (step.question_revision, step.presentation_key, step.repeat)) filter (
            where
            step.state in ('failed', 'lost')
            and not exists (
                select 1
                from prediction
                where
                    prediction.run_id = step.run_id
                    and prediction.question_revision = step.question_revision
                    and prediction.presentation_key = step.presentation_key
                    and prediction.repeat = step.repeat
            )
        ) as retrying
    from step
    where
        step.run_id = run.id
        and step.kind = 'chat'
) as calls
where run.id = :run_id
""")
