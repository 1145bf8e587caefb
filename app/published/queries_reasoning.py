"""The statements that count checked reasoning; row-level security leaves out hidden questions."""

from sqlalchemy import text

# Of each run the checker that checked all its answers; there are none while that is still being done.

COUNTED = text("""
select
    run.id as run,
    run.label as name,
    run_standing.reasoning_version as checker_version,
    reasoning_figures.task,
    reasoning_figures.broken_step,
    reasoning_figures.broken_class,
    count(*) as answers,
    count(*) filter (where reasoning_figures.checked > 0) as checked,
    count(*) filter (where reasoning_figures.checked is null) as failed,
    coalesce(sum(reasoning_figures.checked), 0) as checked_steps,
    sum(reasoning_figures.unchecked) as unchecked_steps
from run
inner join run_standing
    on
        run.id = run_standing.run_id
        and run_standing.profile = :profile
inner join reasoning_figures
    on
        run.id = reasoning_figures.run_id
        and run_standing.reasoning_version = reasoning_figures.checker_version
where
    run.id = any(:runs)
    and run.status <> 'cancelled'
group by
    run.id,
    run_standing.reasoning_version,
    reasoning_figures.task,
    reasoning_figures.broken_step,
    reasoning_figures.broken_class
order by run.id, reasoning_figures.task, reasoning_figures.broken_step, reasoning_figures.broken_class
""")

# A judge finds reasoning broken where a criterion other than clarity has less than its maximum.

BY_JUDGES = text("""
with verdict as (
    select
        reasoning_figures.run_id,
        judge.id as judge_id,
        reasoning_figures.broken_step is not null as is_broken,
        exists (
            select 1
            from jsonb_each(score.components) as mark
            where
                mark.key not in ('reason', 'answer', :clarity)
                and cast(mark.value ->> 'value' as double precision)
                < cast(mark.value ->> 'maximum' as double precision)
        ) as is_marked_broken
    from reasoning_figures
    inner join run_standing
        on
            reasoning_figures.run_id = run_standing.run_id
            and run_standing.profile = :profile
            and reasoning_figures.checker_version = run_standing.reasoning_version
    inner join prediction on reasoning_figures.prediction_id = prediction.id
    inner join run as judge
        on
            judge.kind = :kind
            and judge.status = 'complete'
            and cast(judge.presentation -> 'judging' ->> 'run' as bigint) = reasoning_figures.run_id
    inner join prediction as marking
        on
            judge.id = marking.run_id
            and prediction.question_id = marking.question_id
            and prediction.rotation = marking.rotation
            and prediction.repeat = marking.repeat
    inner join score
        on
            marking.id = score.prediction_id
            and score.profile = :judged_by
            and score.scorer_version = :judged_by_version
    where
        reasoning_figures.run_id = any(:runs)
        and reasoning_figures.checked > 0
)

select
    verdict.run_id as run,
    verdict.judge_id,
    judge.label,
    endpoint_card.model,
    verdict.is_broken,
    verdict.is_marked_broken,
    count(*) as answers
from verdict
inner join run as judge on verdict.judge_id = judge.id
left join endpoint_card on judge.endpoint_id = endpoint_card.id
group by
    verdict.run_id, verdict.judge_id, judge.label, endpoint_card.model, verdict.is_broken, verdict.is_marked_broken
order by verdict.run_id, verdict.judge_id
""")

RUNS_OF_VERSION = text("""
select run.id
from run
inner join run_standing
    on
        run.id = run_standing.run_id
        and run_standing.profile = :profile
where
    run.version_id = :version_id
    and run.status <> 'cancelled'
    and run_standing.reasoning_version is not null
order by run.id desc
limit :most
""")
