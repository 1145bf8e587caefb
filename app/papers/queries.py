"""The statements of papers' tables; of the api role, and of public questions alone."""

from sqlalchemy import text

from app.scores.queries_episodes import FROM_STEPS
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

MOVES = text(
    """
select
    prediction.id as prediction,
    count(*) as moves
"""
    + FROM_STEPS
    + """
where
    prediction.run_id = :run_id
    and step.kind = 'tool'
    and step.request ->> 'tool' = :tool
group by prediction.id
"""
)
