"""The statements of runs and endpoints as REST lists them; they keep to what the api role is granted."""

from sqlalchemy import text

_RUN = """
select
    run.id,
    dataset.name || '@' || dataset_version.number as dataset,
    run.kind,
    run.solver,
    run.solver_version,
    run.label,
    run.status,
    run.total,
    run.repeats,
    run.seed,
    run.sampling,
    run.presentation,
    cardinality(run.sample) as sample,
    run.reuse,
    run.reasked,
    run.carried_from,
    run.created_at,
    run.finished_at,
    endpoint_card.name as endpoint,
    endpoint_card.model,
    endpoint_card.revision
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join endpoint_card on run.endpoint_id = endpoint_card.id
"""

RUNS = text(
    _RUN
    + """
where
    run.id < :before
    and (cast(:version_id as bigint) is null or run.version_id = :version_id)
    and (cast(:status as text) is null or run.status = :status)
    and (cast(:solver as text) is null or run.solver = :solver)
order by run.id desc
limit :limit
"""
)

RUN = text(
    _RUN
    + """
where run.id = :run_id
"""
)

_CARD = """
select
    name,
    model,
    revision,
    limits,
    prices,
    state,
    engine,
    latency_ms,
    guides,
    checked_at,
    runs,
    body,
    abilities,
    context
from endpoint_card
"""

CARDS = text(
    _CARD
    + """
where
    current
    and (cast(:after as text) is null or name > :after)
order by name
limit :limit
"""
)

CARD = text(
    _CARD
    + """
where
    current
    and name = :name
"""
)
