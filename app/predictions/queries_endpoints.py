"""The statements of endpoints as records, and of what a run has cost. The time is always the bind `now`."""

from sqlalchemy import text

# Endpoints that are given by their URL

FIND_ENDPOINT = text("""
select
    id,
    name,
    url,
    model,
    key_variable,
    revision,
    body
from endpoint
where name = :name
""")

ENDPOINT_NAMES = text("""
select name from endpoint order by name
""")

UPSERT_ENDPOINT = text("""
insert into endpoint (name, url, model, key_variable, created_at)
values (:name, :url, :model, :key_variable, :now)
on conflict (name) do update set url = excluded.url, key_variable = excluded.key_variable
returning id
""")

# Records

_RECORD = """
select
    endpoint.id,
    endpoint.name,
    endpoint.url,
    endpoint.model,
    endpoint.revision,
    endpoint.key_variable,
    endpoint.record,
    endpoint.limits,
    endpoint.prices,
    endpoint.body,
    endpoint.health,
    endpoint.checked_at,
    (select count(*) from run where run.endpoint_id = endpoint.id) as runs
from endpoint
"""

LOCK_RECORD = text("""
select pg_advisory_xact_lock(hashtextextended('trigpoint endpoint ' || cast(:name as text), 0))
""")

READ_RECORD = text(
    _RECORD
    + """
where endpoint.name = :name
"""
)

READ_BY_ID = text(
    _RECORD
    + """
where endpoint.id = :id
"""
)

LIST_RECORDS = text(
    _RECORD
    + """
where endpoint.name = coalesce(endpoint.record, endpoint.name)
order by endpoint.record is null, endpoint.name
"""
)

EARLIER_RECORDS = text("""
select
    id,
    url,
    model,
    revision
from endpoint
where
    record = :name
    and name <> :name
order by id
""")

EMBEDS_FOR_RUNS = text("""
select exists (select 1 from run where presentation ->> 'embeddings' = :name)
""")

RENAME_RECORD = text("""
update endpoint set name = :name where id = :id
""")

INSERT_RECORD = text("""
insert into endpoint (name, record, url, model, revision, key_variable, limits, prices, body, created_at)
values (
    :name, :name, :url, :model, :revision, :key_variable, cast(:limits as jsonb), cast(:prices as jsonb),
    cast(:body as jsonb), :now
)
returning id
""")

CHANGE_RECORD = text("""
update endpoint
set
    key_variable = :key_variable,
    limits = cast(:limits as jsonb),
    prices = cast(:prices as jsonb),
    body = cast(:body as jsonb)
where id = :id
""")

NOTE_HEALTH = text("""
update endpoint
set
    health = cast(:health as jsonb),
    checked_at = :now
where id = :id
""")

NOTE_ABILITY = text("""
update endpoint
set
    health = health || jsonb_build_object(
        'abilities', coalesce(health -> 'abilities', '{}')
        || jsonb_build_object(cast(:name as text), cast(:found as text))
    )
where
    id = :id
    and health is not null
""")

RUN_THAT_ASKS = text("""
select min(run.id)
from run
inner join batch on run.id = batch.run_id
where
    run.endpoint_id = :id
    and batch.state = 'leased'
    and batch.deadline > :now
""")

# What a run has cost

COST_OF_RUN = text("""
select
    run.prices,
    endpoint.name,
    endpoint.url,
    endpoint.model,
    endpoint.revision,
    spent.prompt_tokens,
    spent.completion_tokens,
    spent.without_usage,
    (
        select count(*)
        from prediction
        where
            prediction.run_id = run.id
            and prediction.detail @> '{"truncated": true}'
    ) as truncated
from run
left join endpoint on run.endpoint_id = endpoint.id
cross join lateral (
    select
        coalesce(sum(counted.prompt), 0) as prompt_tokens,
        coalesce(sum(counted.completion), 0) as completion_tokens,
        count(*) filter (
            where step.state in ('done', 'lost') and counted.prompt is null and counted.completion is null
        ) as without_usage
    from step
    cross join lateral (
        select
            case
                when jsonb_typeof(step.usage -> 'prompt_tokens') = 'number'
                    then greatest(0, least(1e9, round(cast(step.usage ->> 'prompt_tokens' as numeric))))
            end as prompt,
            case
                when jsonb_typeof(step.usage -> 'completion_tokens') = 'number'
                    then greatest(0, least(1e9, round(cast(step.usage ->> 'completion_tokens' as numeric))))
            end as completion
    ) as counted
    where
        step.run_id = run.id
        and step.kind = 'chat'
) as spent
where run.id = :run_id
""")

CANARIES = text("""
select
    dataset_version.id,
    dataset_version.canary
from dataset_version
where dataset_version.id = any(:versions)
order by dataset_version.id
""")

KNOWN_CANARIES = text("select canaries from endpoint where id = :id")

NOTE_CANARY = text("update endpoint set canaries = canaries || cast(:told as jsonb) where id = :id")
