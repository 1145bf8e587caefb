"""The statements of papers' tables; of the api role, and of public questions alone."""

from sqlalchemy import text

from app.scores.queries_grouping import PLACE

RUN = text("""
select
    run.id,
    run.version_id,
    run.kind,
    run.solver,
    run.label,
    run.status,
    run.public_only,
    run.presentation,
    run.sample,
    run.finished_at,
    dataset.name || '@' || dataset_version.number as dataset,
    dataset_version.templates,
    dataset_version.recipe ->> 'variant' as variant,
    dataset.benchmark,
    endpoint_card.name as endpoint,
    endpoint_card.model,
    imported_dataset.dataset_id is not null as is_imported
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join endpoint_card on run.endpoint_id = endpoint_card.id
left join imported_dataset on dataset.id = imported_dataset.dataset_id
where run.id = :run_id
""")

HIDDEN = text("""
select count(*)
from question
where
    version_id = :version_id
    and split = 'hidden'
""")

QUESTIONS = text(f"""
select
    question.id,
    question.template,
    question.scorer,
    question.register,
    proof.parameters,
    {PLACE},
    gold.kind as gold_kind,
    gold.value -> 'judge' ->> 'rubric' as rubric,
    gold.value ->> 'tier' as tier,
    jsonb_path_query_array(gold.value, '$.stations[*].osm_key') as stations
from question
inner join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
where
    question.version_id = :version_id
    and question.split = 'public'
    and (cast(:sample as text []) is null or question.id = any(:sample))
order by question.position
""")

ANSWERS = text("""
select
    prediction.question_id,
    prediction.state,
    coalesce(prediction.answer, '') ~ '\\S' as has_text,
    score.outcome,
    coalesce(score.value, 0) as value,
    coalesce(score.components, '{}') as components,
    prediction.detail -> 'sql' as sql,
    prediction.id as prediction
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
left join score
    on
        prediction.id = score.prediction_id
        and score.profile = :profile
        and score.gold_key = :gold_key
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> score.scorer as integer)
where
    prediction.run_id = :run_id
    and question.split = 'public'
order by question.position, prediction.rotation, prediction.repeat
""")

# The calls on the way to answers: the api role may read no revision, so they are found by their question. A run that
# was carried over has none: they are of the run that was asked, whose question had the same prompt.

FROM_CALLS = """
from prediction
inner join run on prediction.run_id = run.id
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
left join run as origin on run.carried_from = origin.id
left join lateral (
    select other.id
    from question as other
    where
        other.version_id = origin.version_id
        and other.prompt_hash = question.prompt_hash
    order by other.position
    limit 1
) as earlier on true
inner join step
    on
        coalesce(origin.id, run.id) = step.run_id
        and coalesce(earlier.id, question.id) = step.question_id
        and prediction.presentation_key = step.presentation_key
        and prediction.repeat = step.repeat
        and step.state = 'done'
        and step.kind <> 'parse'
"""

MOVES = text(
    """
select
    prediction.id as prediction,
    count(*) as moves
"""
    + FROM_CALLS
    + """
where
    prediction.run_id = :run_id
    and step.kind = 'tool'
    and step.request ->> 'tool' = :tool
group by prediction.id
"""
)

# What the calls of answers took; one that an earlier run had paid for took what it took there.

EFFORTS = text(
    """
select
    taken.prediction,
    cast(case when count(*) = count(taken.latency_ms) then sum(taken.latency_ms) end as double precision)
    / 1000 as seconds,
    cast(
        case when count(*) = count(taken.input_tokens) then sum(taken.input_tokens) end as bigint
    ) as input_tokens,
    cast(
        case when count(*) = count(taken.output_tokens) then sum(taken.output_tokens) end as bigint
    ) as output_tokens
from (
    select
        prediction.id as prediction,
        coalesce(paid.latency_ms, step.latency_ms) as latency_ms,
        case
            when step.kind <> 'chat' then 0
            when jsonb_typeof(told.usage -> 'prompt_tokens') = 'number'
                then greatest(0, least(1e9, round(cast(told.usage ->> 'prompt_tokens' as numeric))))
        end as input_tokens,
        case
            when step.kind <> 'chat' then 0
            when jsonb_typeof(told.usage -> 'completion_tokens') = 'number'
                then greatest(0, least(1e9, round(cast(told.usage ->> 'completion_tokens' as numeric))))
        end as output_tokens
"""
    + FROM_CALLS
    + """
    left join step as paid on step.reused_from = paid.id
    cross join lateral (select coalesce(paid.usage, step.usage) as usage) as told
    where prediction.run_id = :run_id
) as taken
group by taken.prediction
"""
)
