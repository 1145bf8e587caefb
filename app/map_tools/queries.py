"""The statements of the map tools. `{asked}` is SQL that a model wrote, as it wrote it: see sql_running.py."""

from sqlalchemy import text

# offset 0 keeps the planner from copying what was asked into both uses of `answer`.
ASK = """declare answer no scroll cursor for
select
    pg_catalog.pg_column_size(answer) as bytes,
    case
        when pg_catalog.pg_column_size(answer) <= {limit} then pg_catalog.row_to_json(answer)::pg_catalog.text
    end as line
from (
    select asked.*
    from (
{asked}
) as asked
    offset 0
) as answer
"""

FETCH = "fetch forward {rows} from answer"

VIEWS = text("""
select
    pg_class.relname as view,
    pg_attribute.attname as column,
    format_type(pg_attribute.atttypid, pg_attribute.atttypmod) as type
from pg_class
inner join pg_namespace on pg_class.relnamespace = pg_namespace.oid
inner join pg_attribute on pg_class.oid = pg_attribute.attrelid
where
    pg_namespace.nspname = :schema
    and pg_class.relkind = 'v'
    and pg_attribute.attnum > 0
order by pg_class.relname, pg_attribute.attnum
""")

# The columns are those of the reference views. A value of a key that takes any value (`is_open`) must stand on two
# objects.
VALUES = """
with held as (
    select
        'lakes' as view,
        'subcategory' as field,
        water.class as value,
        false as is_open,
        count(*) as objects
    from {schema}.water
    group by water.class
    union all
    select
        'parks' as view,
        'subcategory' as field,
        park.class as value,
        false as is_open,
        count(*) as objects
    from {schema}.park
    group by park.class
    union all
    select
        'pois' as view,
        'category' as field,
        poi.category as value,
        false as is_open,
        count(*) as objects
    from {schema}.poi
    group by poi.category
    union all
    select
        'pois' as view,
        'subcategory' as field,
        poi.class as value,
        bool_and(poi.category in ('craft', 'healthcare', 'office', 'shop')) as is_open,
        count(*) as objects
    from {schema}.poi
    group by poi.class
    union all
    select
        'pois' as view,
        filter.key as field,
        word.value,
        true as is_open,
        count(*) as objects
    from (
        values
        ('cuisine'),
        ('delivery'),
        ('drive_through'),
        ('emergency'),
        ('museum'),
        ('outdoor_seating'),
        ('takeaway'),
        ('wheelchair')
    ) as filter (key)
    inner join {schema}.poi on jsonb_exists(poi.tags, filter.key)
    cross join lateral regexp_split_to_table(btrim(poi.tags ->> filter.key), '\\s*;\\s*') as word (value)
    group by filter.key, word.value
    union all
    select
        'regions' as view,
        said.field,
        said.value,
        said.is_open,
        count(*) as objects
    from {schema}.region
    cross join lateral (
        values
        ('admin_level', cast(region.admin_level as text), false),
        ('border_type', region.border_type, true),
        ('place', region.place, true),
        ('subcategory', region.class, false)
    ) as said (field, value, is_open)
    group by said.field, said.value, said.is_open
    union all
    select
        'roads' as view,
        said.field,
        said.value,
        said.is_open,
        count(*) as objects
    from {schema}.road
    cross join lateral (
        values
        ('subcategory', road.class, false),
        ('surface', road.surface, true)
    ) as said (field, value, is_open)
    group by said.field, said.value, said.is_open
)

select
    held.view,
    held.field,
    held.value
from held
where
    held.value ~ :plain
    and length(held.value) <= :longest
    and (held.objects >= 2 or not held.is_open)
    and not exists (
        select 1
        from {schema}.fact_key
        where fact_key.key = held.field
    )
order by held.view, held.field, held.is_open, held.objects desc, held.value
"""

LAYER_IS_THERE = text("""
select to_regclass(:relation) is not null
""")

KEPT_PLACES = text("""
select
    geocoded_address.address,
    geocoded_address.lon,
    geocoded_address.lat
from geocoded_address
where
    geocoded_address.source_url = :source_url
    and geocoded_address.address = any(cast(:addresses as text[]))
""")

KEEP_PLACE = text("""
insert into geocoded_address (source_url, address, request_url, retrieved_at, lon, lat, result, licence)
values (:source_url, :address, :request_url, :retrieved_at, :lon, :lat, cast(:result as jsonb), :licence)
on conflict do nothing
""")

TRY_LOCK_GEOCODER = text("""
select pg_try_advisory_lock(hashtextextended('trigpoint geocoder ' || cast(:source_url as text), 0))
""")

UNLOCK_GEOCODER = text("""
select pg_advisory_unlock(hashtextextended('trigpoint geocoder ' || cast(:source_url as text), 0))
""")

# Only what the reference views show, too: no coordinates, no tags, nothing that is gold. An empty string is no part.
PLACES = """
select distinct
    place.name,
    place.class as kind,
    concat_ws(
        ', ', nullif(concat_ws(' ', place.street, place.housenumber), ''), place.postcode, place.city, place.state
    ) as address
from {schema}.poi as place
order by name, kind, address
"""

NAMED = """
select distinct
    thing.name,
    thing.class as kind,
    cast('' as text) as address
from {schema}.{layer} as thing
order by name, kind
"""

# What external sources say of a map's places; of contradicting ones nothing is chosen.
FACT_PAGES = """
select
    place.osm_key,
    place.name,
    place.class as kind,
    concat_ws(
        ', ', nullif(concat_ws(' ', place.street, place.housenumber), ''), place.postcode, place.city, place.state
    ) as address,
    array_agg(
        told.words || ': ' || concat_ws(' ', told.value, nullif(told.unit, '')) || ' (' || told.credit || ')'
        order by told.words, told.fact_id
    ) as facts
from trigpoint.map_fact as told
inner join {schema}.poi as place on told.osm_key = place.osm_key
where
    told.set_id = :facts
    and told.chosen
group by place.osm_key, place.name, place.class, address
order by place.osm_key
"""

# `withheld` is the attribute that the question asks for; `own` the fact by which its text names the anchor.
FACTS_OF_QUESTION = text("""
select
    snapshot.schema_name,
    dataset_version.recipe #>> array['snapshots', cast(dataset_snapshot.position as text), 'facts'] as set_id,
    case when question.answer_type = 'fact' then gold.value #>> '{fact,attribute}' end as withheld,
    case when question.answer_type <> 'fact' then gold.value #>> '{fact,id}' end as own
from question
inner join snapshot on question.snapshot_id = snapshot.id
inner join dataset_version on question.version_id = dataset_version.id
inner join dataset_snapshot
    on
        question.version_id = dataset_snapshot.version_id
        and question.snapshot_id = dataset_snapshot.snapshot_id
left join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
where
    question.version_id = :version_id
    and question.id = :question_id
""")

# A fact that a hidden question asks for is told to nobody but a question whose text names its anchor by it.
FACTS_ASKED = """
select
    given.number,
    place.name as place,
    concat_ws(' ', told.value, nullif(told.unit, '')) as value,
    told.credit
from jsonb_to_recordset(cast(:wanted as jsonb)) as given (number int, osm_key text, form text, attribute text)
inner join lateral (
    select given.osm_key as osm_key
    union
    select place_name.osm_key
    from {schema}.place_name
    where place_name.form = given.form
) as bearer on true
inner join trigpoint.map_fact as told
    on
        told.set_id = :set_id
        and bearer.osm_key = told.osm_key
        and given.attribute = told.attribute
        and told.chosen
inner join {schema}.poi as place on told.osm_key = place.osm_key
where
    told.fact_id = :own
    or not exists (
        select 1
        from trigpoint.question
        inner join trigpoint.gold
            on
                question.version_id = gold.version_id
                and question.id = gold.question_id
        where
            question.version_id = :version_id
            and question.split = 'hidden'
            and question.answer_type = 'fact'
            and gold.value #>> '{{fact,id}}' = told.fact_id
    )
order by given.number, told.osm_key, told.fact_id
limit :most
"""

LOCK_EMBEDDINGS = text("""
select pg_advisory_lock(hashtextextended('trigpoint embeddings ' || cast(:endpoint_id as text), 0))
""")

EMBEDDED = text("""
select text_hash
from trigpoint.embedding
where
    endpoint_id = :endpoint_id
    and text_hash = any(:hashes)
""")

EMBEDDINGS = text("""
select
    text_hash,
    vector
from trigpoint.embedding
where
    endpoint_id = :endpoint_id
    and text_hash = any(:hashes)
""")

ADD_EMBEDDING = text("""
insert into trigpoint.embedding (endpoint_id, text_hash, vector, created_at)
values (:endpoint_id, :hash, :vector, :now)
on conflict (endpoint_id, text_hash) do nothing
""")

# One place for each address sought that has any, out of the candidates that the layers there give (PLACE_BY).
PLACE = """
with sought as (
    select
        given.number,
        lower(given.street) as street,
        lower(given.housenumber) as housenumber,
        lower(given.city) as city,
        given.name
    from jsonb_to_recordset(cast(:rows as jsonb)) as given (
        number int, street text, housenumber text, city text, name text
    )
),

candidates as (
{candidates}
)

select distinct on (number)
    number,
    st_x(geom) as lon,
    st_y(geom) as lat
from candidates
order by number, rank, likeness desc, osm_key
"""

# By layer: a door before a name, a name before the street, the street before the town.
PLACE_BY = {
    "address": """
select
    sought.number,
    case when lower(address.housenumber) = sought.housenumber then 1 else 3 end as rank,
    case when lower(address.city) = sought.city then 1.0 else 0.0 end as likeness,
    address.osm_key,
    address.geom
from sought
inner join {schema}.address as address on lower(address.street) = sought.street
""",
    "poi": """
select
    sought.number,
    2 as rank,
    similarity(place.name, sought.name) as likeness,
    place.osm_key,
    place.geom
from sought
inner join {schema}.poi as place on place.name % sought.name
where similarity(place.name, sought.name) >= :least
""",
    "region": """
select
    sought.number,
    4 as rank,
    0.0 as likeness,
    region.osm_key,
    st_centroid(region.geom) as geom
from sought
inner join {schema}.region as region on lower(region.name) = sought.city
""",
}
