"""The statements of the leaderboard; they keep to the columns that the api role is granted."""

from sqlalchemy import text

from app.scores.queries_grouping import CONTEXT_RANGE, DENSITY, TIER, WITH_CONTEXT, ZOOM

_LICENCE = """case
        when imported_dataset.opened_under is null then dataset_version.licence
        else dataset_version.licence || jsonb_build_object('name', imported_dataset.opened_under)
    end as licence"""

LICENCES = text(f"""
select
    {_LICENCE}
from unnest(cast(:version_ids as bigint [])) with ordinality as wanted (id, place)
inner join dataset_version on wanted.id = dataset_version.id
left join imported_dataset on dataset_version.dataset_id = imported_dataset.dataset_id
order by wanted.place
""")

VERSION = text(f"""
select
    dataset.name,
    dataset.benchmark,
    dataset_version.number,
    {_LICENCE},
    dataset_version.canary,
    dataset_version.templates,
    dataset_version.recipe ->> 'variant' as variant,
    dataset_version.recipe ? 'written' as written_by_hand,
    dataset_version.published_at,
    (
        select max(question_recheck.checked_at)
        from question_recheck
        where question_recheck.version_id = dataset_version.id
    ) as rechecked_at
from dataset_version
inner join dataset on dataset_version.dataset_id = dataset.id
left join imported_dataset on dataset.id = imported_dataset.dataset_id
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

MAKE_UP = text(f"""
select
    question.template,
    question.scorer,
    question.answer_type,
    question.register,
    question.split = 'hidden' as hidden,
    template.header ->> 'dimension' as dimension,
    template.header ->> 'strategy' as strategy,
    snapshot.name as city,
    snapshot.data_timestamp,
    gold.kind as gold_kind,
    question_recheck.is_flagged,
    template.benchmark,
    jsonb_array_length(question.options) as options,
    {CONTEXT_RANGE} as context_range,
    proof.parameters ->> 'kind' as told_kind,
    {ZOOM} as zoom,
    {TIER} as tier,
    {DENSITY} as density,
    count(*) as n,
    sum(coalesce(jsonb_array_length(question.options), 1)) as rotations
from question
inner join template on question.template_id = template.id
left join snapshot on question.snapshot_id = snapshot.id
left join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
        and question.split = 'public'
left join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
        and question.split = 'public'
left join question_recheck
    on
        question.version_id = question_recheck.version_id
        and question.id = question_recheck.question_id
{WITH_CONTEXT}
where question.version_id = :version_id
group by
    question.template,
    question.scorer,
    question.answer_type,
    question.register,
    question.split,
    template.header ->> 'dimension',
    template.header ->> 'strategy',
    snapshot.name,
    snapshot.data_timestamp,
    gold.kind,
    question_recheck.is_flagged,
    template.benchmark,
    jsonb_array_length(question.options),
    {CONTEXT_RANGE},
    proof.parameters ->> 'kind',
    {ZOOM},
    {TIER},
    {DENSITY}
order by min(question.position)
""")

RUNS = text("""
select
    run.id,
    run.label,
    run.kind,
    run.solver,
    run.status,
    run.repeats,
    run.presentation,
    run.sampling,
    endpoint.model,
    cardinality(run.sample) as sample,
    run.carried_from,
    run.public_only,
    run.finished_at,
    submission.card,
    submission.self_reported
from run
left join endpoint on run.endpoint_id = endpoint.id
left join submission
    on
        coalesce(run.carried_from, run.id) = submission.run_id
        and submission.state = 'scored'
where
    run.version_id = :version_id
    and run.status <> 'cancelled'
    and run.kind = :run_kind
order by run.id
""")

# The digest goes with the aggregate: answers that are asked again take it away before the run is scored anew.

STANDINGS = text("""
select
    run_standing.run_id,
    run_standing.digest,
    run_standing.calls,
    run_standing.prompt_tokens,
    run_standing.completion_tokens,
    run_standing.cost,
    run_standing.currency,
    run_standing.latency_median_ms,
    run_standing.latency_p95_ms,
    run_standing.truncated,
    run_standing.repeat_scores,
    run.total
from run_standing
inner join run on run_standing.run_id = run.id
inner join board_aggregate
    on
        run_standing.run_id = board_aggregate.run_id
        and run_standing.profile = board_aggregate.profile
        and board_aggregate.scope = 'all'
where
    run_standing.version_id = :version_id
    and run_standing.profile = :profile
    and board_aggregate.scorer_version = :profile_version
order by run_standing.run_id
""")

_AMONG_RUNS = """
from run_comparison
where
    run_comparison.version_id = :version_id
    and run_comparison.profile = :profile
    and run_comparison.scorer_version = :profile_version
    and run_comparison.run_id = any(:runs)
    and run_comparison.other_id = any(:runs)
"""

COMPARISONS = text(
    """
select
    run_comparison.scope,
    run_comparison.run_id as run,
    run_comparison.other_id as other,
    run_comparison.difference,
    run_comparison.p,
    run_comparison.detectable,
    run_comparison.test
"""
    + _AMONG_RUNS
    + """
    and split_part(run_comparison.scope, ':', 1) = any(:kinds)
"""
)

PAIRS = text(
    """
select
    run_comparison.run_id as run,
    run_comparison.other_id as other,
    run_comparison.n,
    run_comparison.difference,
    run_comparison.low,
    run_comparison.high,
    run_comparison.p,
    run_comparison.detectable,
    run_comparison.templates,
    run_comparison.places,
    run_comparison.new_low,
    run_comparison.new_high,
    run_comparison.new_p,
    run_comparison.test
"""
    + _AMONG_RUNS
    + """
    and run_comparison.scope = :scope
"""
)

RUNS_TO_COMPARE = text("""
select
    run.id as run,
    run.label as name,
    run.solver,
    run.status,
    run.sample is not null as is_sample,
    run.public_only,
    run.presentation,
    run.sampling,
    endpoint.model,
    dataset.name || '@' || dataset_version.number as reference,
    board_aggregate.score
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join endpoint on run.endpoint_id = endpoint.id
left join board_aggregate
    on
        run.id = board_aggregate.run_id
        and board_aggregate.profile = :profile
        and board_aggregate.scorer_version = :profile_version
        and board_aggregate.scope = :scope
where run.id = any(:runs)
order by run.id
""")

POSITIONS = text("""
select question.position
from question
where question.version_id = :version_id
order by question.position
""")

_VERSION = """
    dataset_version.id,
    dataset.name,
    dataset_version.number,
    (
        select count(*)
        from question
        where
            question.version_id = dataset_version.id
            and question.split = 'hidden'
    ) as hidden
from dataset_version
inner join dataset on dataset_version.dataset_id = dataset.id
"""

NEWEST_VERSIONS = text(f"""
select
    {_VERSION}
where
    dataset.name = :name
    and dataset_version.state = 'published'
order by dataset_version.number desc
limit :limit
""")

# What others published is not proved, and so is not averaged with what is.
NEWEST_OF_BENCHMARK = text(f"""
select distinct on (dataset.name)
    {_VERSION}
where
    dataset.benchmark = :benchmark
    and dataset_version.state = 'published'
    and dataset.id not in (select imported_dataset.dataset_id from imported_dataset)
order by dataset.name asc, dataset_version.number desc
limit :limit
""")

RUNS_OF_VERSIONS = text("""
select
    run.id,
    run.version_id,
    run.label,
    run.solver,
    run.status,
    run.presentation,
    cardinality(run.sample) as sample,
    run.public_only,
    board_aggregate.n,
    board_aggregate.score,
    board_aggregate.low,
    board_aggregate.high
from run
left join board_aggregate
    on
        run.id = board_aggregate.run_id
        and board_aggregate.profile = :profile
        and board_aggregate.scorer_version = :profile_version
        and board_aggregate.scope = 'all'
where
    run.version_id = any(:versions)
    and run.status <> 'cancelled'
    and run.kind = :run_kind
order by run.id
""")

COMPARISONS_OF_VERSIONS = text("""
select
    run_comparison.run_id as run,
    run_comparison.other_id as other,
    run_comparison.difference,
    run_comparison.p,
    run_comparison.detectable
from run_comparison
where
    run_comparison.version_id = any(:versions)
    and run_comparison.profile = :profile
    and run_comparison.scorer_version = :profile_version
    and run_comparison.scope = 'all'
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
    board_aggregate.sql,
    board_aggregate.components
from board_aggregate
where
    board_aggregate.version_id = :version_id
    and board_aggregate.profile = :profile
    and board_aggregate.scorer_version = :profile_version
    and split_part(board_aggregate.scope, ':', 1) = any(:kinds)
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
            and run.kind = 'answers'
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
    and gold.value ->> 'index' is not null
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

RESULT_OF_RUN = text("""
select
    board_aggregate.states,
    board_aggregate.score,
    board_aggregate.low,
    board_aggregate.high,
    board_aggregate.n,
    run_standing.truncated,
    asked.questions,
    asked.hidden
from board_aggregate
left join run_standing
    on
        board_aggregate.run_id = run_standing.run_id
        and board_aggregate.profile = run_standing.profile
cross join lateral (
    select
        count(*) as questions,
        count(*) filter (where question.split = 'hidden') as hidden
    from question
    where question.version_id = board_aggregate.version_id
) as asked
where
    board_aggregate.run_id = :run_id
    and board_aggregate.scope = 'all'
    and board_aggregate.profile = :profile
    and board_aggregate.scorer_version = :profile_version
""")

ALIVE = text("select 1")
