"""The statements of contamination; of the api role, so of public questions alone."""

from sqlalchemy import text

VERSIONS = text("""
select
    run.id as run,
    run.version_id,
    dataset_version.recipe,
    dataset_version.canary,
    exists (
        select
        from dataset_snapshot
        inner join snapshot on dataset_snapshot.snapshot_id = snapshot.id
        where
            dataset_snapshot.version_id = run.version_id
            and snapshot.permuted
    ) as is_permuted
from run
inner join dataset_version on run.version_id = dataset_version.id
where run.id = any(:runs)
""")

# A model writes an identifier in either case, and a word before it.

CANARIES = text("""
with completion as (
    select
        step.run_id,
        step.question_id,
        cast(step.response as text) as words
    from step
    where
        step.run_id = any(:runs)
        and step.kind = 'chat'
        and step.response is not null
    union all
    select
        prediction.run_id,
        prediction.question_id,
        prediction.answer
    from prediction
    where
        prediction.run_id = any(:runs)
        and prediction.answer is not null
),

found as (
    select
        completion.run_id,
        completion.question_id,
        cast(identifier.parts[1] as uuid) as canary
    from completion
    cross join lateral regexp_matches(
        lower(completion.words), '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})', 'g'
    ) as identifier (parts)
)

select
    found.run_id as run,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset_version.canary,
    count(distinct found.question_id) as questions
from found
inner join dataset_version on found.canary = dataset_version.canary
inner join dataset on dataset_version.dataset_id = dataset.id
where dataset_version.state = 'published'
group by found.run_id, dataset.name, dataset_version.number, dataset_version.canary
order by found.run_id, dataset.name, dataset_version.number
""")
