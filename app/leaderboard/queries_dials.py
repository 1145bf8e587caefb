"""The statement of what makes questions hard, as numbers; of the api role, and of public questions alone."""

from sqlalchemy import text

# Of a context, which is no text, the letters of its JSON count: a model reads them all.

DIALS = text("""
select
    question.id as question,
    cast(
        case cast(:dial as text)
            when 'options' then jsonb_array_length(question.options)
            when 'letters' then prompt.letters
            when 'distance' then coalesce(cast(gold.value ->> 'distance' as double precision), nearest.metres)
            when 'answers' then
                case when jsonb_typeof(gold.value -> 'objects') = 'array'
                    then jsonb_array_length(gold.value -> 'objects')
                end
        end as double precision
    ) as amount
from question
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
cross join lateral (
    select sum(length(coalesce(part.value ->> 'text', cast(part.value as text)))) as letters
    from jsonb_array_elements(question.prompt) as part
) as prompt
cross join lateral (
    select min(cast(object.value ->> 'distance' as double precision)) as metres
    from jsonb_array_elements(
        case when jsonb_typeof(gold.value -> 'objects') = 'array' then gold.value -> 'objects' else '[]' end
    ) as object
    where jsonb_typeof(object.value) = 'object'
) as nearest
where
    question.version_id = :version_id
    and question.split = 'public'
order by question.position
""")
