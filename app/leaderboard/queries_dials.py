"""The statements of what makes questions hard, as numbers; of the api role, and of public questions alone."""

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
            when 'region' then circle.kilometres
        end as double precision
    ) as amount
from question
left join template on question.template_id = template.id
left join footprint
    on
        question.version_id = footprint.version_id
        and question.id = footprint.question_id
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
left join lateral (
    select
        st_distance(
            st_centroid(footprint.area)::geography, st_startpoint(st_exteriorring(footprint.area))::geography
        ) / 1000 as kilometres
    where
        cast(:dial as text) = 'region'
        and template.header ->> 'search' in ('circle', 'point')
        and geometrytype(footprint.area) = 'POLYGON'
) as circle on true
where
    question.version_id = :version_id
    and question.split = 'public'
order by question.position
""")

CALLS = text("""
select
    solved.question,
    solved.calls
from solution_sizes(:version_id) as solved
where solved.calls is not null
""")

ASKED = text("""
select
    question.id as question,
    question.template,
    gold.value as gold,
    gold.kind as gold_kind,
    proof.binds
from question
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where
    question.version_id = :version_id
    and question.split = 'public'
order by question.position
""")
"""What plans are deduced from."""

PLACES = text("""
select
    place.snapshot_id,
    place.layer,
    place.osm_key,
    place.lon,
    place.lat
from places_of_options(:version_id) as place
""")

OPTIONS = text("""
select
    question.id as question,
    question.template_id,
    question.variant,
    question.snapshot_id,
    template.header,
    gold.value as gold,
    proof.distractors
from question
inner join template on question.template_id = template.id
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where
    question.version_id = :version_id
    and question.split = 'public'
    and question.options is not null
order by question.position
""")

LINES = text("""
select
    solved.question,
    solved.needed_lines,
    printed.lines
from solution_sizes(:version_id) as solved
inner join question
    on
        question.version_id = :version_id
        and solved.question = question.id
cross join lateral (
    select count(*) as lines
    from jsonb_array_elements(question.prompt) as part
    cross join lateral string_to_table(part.value ->> 'document', E'\\n') as line (words)
    where
        part.value ->> 'type' = 'context'
        and line.words <> ''
) as printed
where solved.needed_lines is not null
""")
"""A blank line between two blocks is none."""
