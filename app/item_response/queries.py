"""The statements of item response; of the api role, so that row-level security leaves out what is hidden."""

from sqlalchemy import text

RUNS = text("""
select
    run.id,
    run.label,
    run.solver,
    run.kind,
    run.status,
    run.version_id,
    run.sample is not null as is_sample,
    coalesce(endpoint_card.model, run.label) as model,
    board_aggregate.run_id is not null as is_scored
from run
left join endpoint_card on run.endpoint_id = endpoint_card.id
left join board_aggregate
    on
        run.id = board_aggregate.run_id
        and board_aggregate.profile = :profile
        and board_aggregate.scorer_version = :profile_version
        and board_aggregate.scope = 'all'
        and board_aggregate.score is not null
where
    (cast(:version_id as bigint) is null or run.version_id = :version_id)
    and (cast(:runs as bigint []) is null or run.id = any(:runs))
order by run.id
""")

ITEMS = text("""
select
    question.id,
    question.template,
    question.position
from question
where
    question.version_id = :version_id
    and question.split = 'public'
    and cast(:scorers as jsonb) ->> question.scorer is not null
order by question.position
""")
