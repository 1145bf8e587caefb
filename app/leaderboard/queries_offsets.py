"""The statement of errors against distances; of the api role: public questions alone."""

from sqlalchemy import text

OFFSETS = text("""
select
    prediction.run_id as run,
    question.id as question,
    question.scorer,
    coalesce(cast(gold.value ->> 'distance' as double precision), nearest.metres) as metres,
    cast(part.component ->> 'value' as double precision) as error,
    cast(part.component ->> 'attempted' as boolean) as attempted
from question
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join prediction
    on
        question.version_id = prediction.version_id
        and question.id = prediction.question_id
inner join score
    on
        prediction.id = score.prediction_id
        and gold.key = score.gold_key
        and question.scorer = score.scorer
cross join lateral (
    select min(cast(object.value ->> 'distance' as double precision)) as metres
    from jsonb_array_elements(
        case when jsonb_typeof(gold.value -> 'objects') = 'array' then gold.value -> 'objects' else '[]' end
    ) as object
    where jsonb_typeof(object.value) = 'object'
) as nearest
cross join lateral (
    select score.components -> (cast(:components as jsonb) ->> question.scorer) as component
) as part
where
    question.version_id = :version_id
    and question.split = 'public'
    and question.scorer in (select jsonb_object_keys(cast(:components as jsonb)))
    and prediction.run_id = any(:runs)
    and prediction.state = 'answered'
    and score.profile = :profile
    and score.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as integer)
    and coalesce(cast(gold.value ->> 'distance' as double precision), nearest.metres) is not null
order by prediction.id
""")
