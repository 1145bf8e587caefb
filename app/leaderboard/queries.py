"""The statements of the leaderboard; they keep to the columns that the api role is granted."""

from sqlalchemy import text

VERSION = text("""
select
    dataset.name,
    dataset.benchmark,
    dataset_version.number,
    dataset_version.licence,
    dataset_version.recipe ->> 'variant' as variant,
    dataset_version.published_at
from dataset_version
inner join dataset on dataset_version.dataset_id = dataset.id
where dataset_version.id = :version_id
""")

SNAPSHOTS = text("""
select
    snapshot.name,
    snapshot.data_timestamp as timestamp,
    snapshot.checksum
from dataset_snapshot
inner join snapshot on dataset_snapshot.snapshot_id = snapshot.id
where dataset_snapshot.version_id = :version_id
order by dataset_snapshot.position
""")

TEMPLATES = text("""
select
    question.template,
    question.scorer,
    count(*) as n,
    count(*) filter (where question.split = 'hidden') as hidden,
    sum(coalesce(jsonb_array_length(question.options), 1)) as rotations
from question
where question.version_id = :version_id
group by question.template, question.scorer
order by min(question.position)
""")

RUNS = text("""
select
    run.id,
    run.label,
    run.solver,
    run.status,
    run.repeats,
    run.presentation,
    cardinality(run.sample) as sample,
    run.finished_at
from run
where
    run.version_id = :version_id
    and run.status <> 'cancelled'
    and run.solver <> 'judge'
order by run.id
""")

AGGREGATES = text("""
select
    board_aggregate.run_id,
    board_aggregate.scope,
    board_aggregate.n,
    board_aggregate.score,
    board_aggregate.low,
    board_aggregate.high,
    board_aggregate.states,
    board_aggregate.sql
from board_aggregate
where
    board_aggregate.version_id = :version_id
    and board_aggregate.profile = :profile
    and board_aggregate.scorer_version = :profile_version
""")

EXPECTATIONS = text("""
select
    expectation.scope,
    expectation.kind,
    expectation.value,
    expectation.n
from expectation
where
    expectation.version_id = :version_id
    and expectation.profile = :profile
    and expectation.scorer_version = :profile_version
""")

DATASETS = text("""
with page as (
    select
        dataset.id,
        dataset.name,
        dataset.benchmark
    from dataset
    where
        (cast(:after as text) is null or dataset.name > :after)
        and exists (
            select 1
            from dataset_version
            where
                dataset_version.dataset_id = dataset.id
                and dataset_version.state = 'published'
        )
    order by dataset.name
    limit cast(:limit as bigint)
)

select
    page.name,
    page.benchmark,
    dataset_version.number,
    dataset_version.published_at,
    (
        select count(*)
        from question
        where question.version_id = dataset_version.id
    ) as questions,
    (
        select count(*)
        from run
        where
            run.version_id = dataset_version.id
            and run.status = 'complete'
            and run.sample is null
            and run.solver <> 'judge'
    ) as complete_runs
from page
inner join dataset_version on page.id = dataset_version.dataset_id
where dataset_version.state = 'published'
order by page.name asc, dataset_version.number desc
""")

# Of the worker: it reads gold.

SCORED_CHOICES = text("""
select
    question.id as question_id,
    jsonb_array_length(question.options) as options,
    cast(gold.value ->> 'index' as int) as key,
    prediction.rotation,
    prediction.state,
    score.outcome,
    score.value,
    cast(score.parsed ->> 'index' as int) as chosen
from run
inner join question
    on
        run.version_id = question.version_id
        and question.scorer = 'option'
        and question.split = 'public'
inner join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
    and gold.is_default
left join prediction
    on
        run.id = prediction.run_id
        and question.id = prediction.question_id
left join score
    on
        prediction.id = score.prediction_id
        and prediction.state = 'answered'
        and score.profile = :profile
        and score.scorer_version = :scorer_version
where
    run.id = :run_id
    and (run.sample is null or question.id = any(run.sample))
order by question.position, prediction.rotation, prediction.repeat
""")

RUN = text("""
select
    run.repeats,
    run.presentation
from run
where run.id = :run_id
""")

STATES_OF_RUN = text("""
select board_aggregate.states
from board_aggregate
where
    board_aggregate.run_id = :run_id
    and board_aggregate.scope = 'all'
    and board_aggregate.profile = :profile
    and board_aggregate.scorer_version = :profile_version
""")

ALIVE = text("select 1")
