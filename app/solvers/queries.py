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
    and (gold.kind = 'value' or gold.value ? 'index')
order by question.position
""")

PUBLIC_GOLD = text("""
select
    question.id,
    question.template,
    question.answer_type,
    gold.value,
    gold.kind
from question
inner join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
where
    question.version_id = :version_id
    and question.split = 'public'
    and gold.is_default
order by question.position
""")

OPTIONS_WITH_KEYS = text("""
select
    question.id,
    question.template,
    question.prompt,
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

COUNT_ON_SEVERAL_MAPS = text("""
select count(distinct question_id)
from question_snapshot
where version_id = :version_id
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
    question.template,
    question.answer_type,
    question.options,
    dataset.benchmark,
    snapshot.id as snapshot_id,
    snapshot.schema_name,
    proof.parameters ->> 'category' as category,
    proof.parameters ->> 'region' as region,
    proof.parameters ->> 'anchor' as anchor,
    cast(proof.parameters ->> 'distance' as double precision) as distance,
    coalesce(proof.binds ->> 'ground', proof.binds ->> 'line') as kind,
    proof.parameters ->> 'attribute' as attribute,
    proof.binds ->> 'facts' as facts
from question
inner join dataset_version on question.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
inner join snapshot on question.snapshot_id = snapshot.id
left join proof
    on question.version_id = proof.version_id
    and question.id = proof.question_id
where question.version_id = :version_id
order by question.position
""")

PROMPTS_OF_TEMPLATES = text("""
select
    question.id,
    question.template,
    question.prompt
from question
where
    question.version_id = :version_id
    and question.options is null
    and question.template = any(:templates)
order by question.position
""")

FACTS_OF_CLASS = """
select concat_ws(' ', told.value, nullif(told.unit, '')) as fact
from trigpoint.map_fact as told
inner join {schema}.poi_class on told.osm_key = poi_class.osm_key
where
    told.set_id = :facts
    and told.topic = :attribute
    and told.chosen
    and poi_class.class = :category
order by told.osm_key
"""

NAMES_OF_CLASSES = """
select poi.name
from {schema}.poi
where
    poi.classes && cast(:classes as text[])
    and poi.name is not null
order by poi.osm_key
"""

LOCATIONS_OF_CLASSES = """
select
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from {schema}.poi
where poi.classes && cast(:classes as text[])
order by
    md5(poi.osm_key),
    poi.osm_key
limit :most
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

FARTHEST_OF_CLASSES = """
select
    anchor.osm_key,
    max(st_distance(anchor.geog, poi.geog)) as metres
from {schema}.poi as anchor
inner join {schema}.poi
    on
        poi.classes && cast(:classes as text[])
        and poi.osm_key <> anchor.osm_key
where anchor.osm_key = any(cast(:anchors as text[]))
group by anchor.osm_key
"""

_OF_KIND = """
from (
    select osm_key, name, 'park:' || class as kind, null::double precision as metres from {schema}.park
    where st_dimension(geom) = 2
    union all
    select osm_key, name, 'water:' || class as kind, st_length(geog) as metres from {schema}.water
    union all
    select osm_key, name, 'road:' || class as kind, st_length(geog) as metres from {schema}.road
) as thing
where kind = any(string_to_array(:kind, ','))
"""

NAMES_OF_KIND = f"""
select thing.name
{_OF_KIND}
    and thing.name is not null
order by thing.osm_key
"""

LENGTH_OF_KIND = f"""
select coalesce(sum(thing.metres), 0) as metres
{_OF_KIND}
"""

FACTS_OF_SNAPSHOTS = text("""
select
    dataset_snapshot.snapshot_id,
    dataset_version.recipe #>> array['snapshots', cast(dataset_snapshot.position as text), 'facts'] as facts
from dataset_snapshot
inner join dataset_version on dataset_snapshot.version_id = dataset_version.id
where dataset_snapshot.version_id = :version_id
order by dataset_snapshot.position
""")

# What questions of the answer type `destinations` ask for: the class of the stations, where the user is
# (`LON,LAT,KIND`), and the classes of places of which one is to be near.
STOPS_OF_QUESTIONS = text("""
select
    question.id,
    proof.parameters ->> 'destination' as destination,
    proof.parameters ->> 'user' as place,
    proof.binds ->> 'activity' as classes
from question
inner join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where
    question.version_id = :version_id
    and question.answer_type = 'destinations'
order by question.position
""")

COUNT_OTHERS_THAN_STOPS = text("""
select
    count(*) filter (where answer_type <> 'destinations') as others,
    count(*) as total
from question
where version_id = :version_id
""")

PROMPTS = text("""
select
    id,
    prompt
from question
where version_id = :version_id
order by position
""")

ENDPOINT = text("""
select id
from endpoint
where name = :name
""")

SNAPSHOTS_OF_QUESTIONS = text("""
select
    question.id,
    snapshot.id as snapshot_id,
    snapshot.schema_name,
    snapshot.name,
    snapshot.data_timestamp,
    snapshot.checksum
from question
inner join snapshot on question.snapshot_id = snapshot.id
where question.version_id = :version_id
order by question.position
""")
