"""The statements of the solvers that read more than the prompt; `{schema}` is a quoted snapshot schema."""

from sqlalchemy import text

GOLD_OF_VERSION = text("""
select
    question.id,
    question.answer_type,
    gold.value
from question
inner join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
where
    question.version_id = :version_id
    and gold.is_default
    and gold.kind = 'value'
order by question.position
""")

OPTIONS_WITH_KEYS = text("""
select
    question.id,
    question.template,
    question.options,
    cast(gold.value ->> 'index' as int) as key
from question
inner join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
where
    question.version_id = :version_id
    and gold.is_default
    and question.options is not null
order by question.position
""")

COUNT_WITHOUT_OPTIONS = text("""
select
    count(*) filter (where options is null) as without,
    count(*) as total
from question
where version_id = :version_id
""")

QUESTIONS_WITH_PARAMETERS = text("""
select
    question.id,
    question.answer_type,
    question.options,
    snapshot.id as snapshot_id,
    snapshot.schema_name,
    proof.parameters ->> 'category' as category,
    proof.parameters ->> 'region' as region
from question
inner join snapshot on question.snapshot_id = snapshot.id
left join proof
    on question.version_id = proof.version_id
    and question.id = proof.question_id
where question.version_id = :version_id
order by question.position
""")

NAMES_OF_CLASSES = """
select poi.name
from {schema}.poi
where
    poi.classes && cast(:classes as text[])
    and poi.name is not null
order by poi.osm_key
"""

COUNT_OF_CLASSES = """
select count(*)
from {schema}.poi
where poi.classes && cast(:classes as text[])
"""

AREAS_OF_REGIONS = """
select
    region.osm_key,
    st_area(region.geog) as area
from {schema}.region
where region.osm_key = any(cast(:regions as text[]))
"""
