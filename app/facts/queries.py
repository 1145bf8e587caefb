"""Statements of the facts; unqualified layers are those of the snapshot in the path."""

WITHHELD_TAGS = """
select
    poi.osm_key,
    tag.key,
    tag.value
from poi
cross join lateral jsonb_each_text(poi.tags) as tag (key, value)
where
    poi.tags ?| %(keys)s::text[]
    and tag.key = any(%(keys)s::text[])
order by poi.osm_key, tag.key
"""
"""Tags of places that are facts, and absent from the reference views."""

FACTS_OF_PLACES = """
with subject (osm_key, subject) as (
    select poi.osm_key, poi.osm_key from poi
    union all
    select poi.osm_key, poi.wikidata from poi where poi.wikidata is not null
)

select
    subject.osm_key,
    fact.subject,
    fact.attribute,
    fact.value,
    fact.key,
    fact.unit,
    fact.names,
    fact.source,
    fact.credit,
    fact.source_url,
    fact.licence,
    fact.retrieved_at
from trigpoint.fact
inner join subject on fact.subject = subject.subject
where fact.snapshot_name is null or fact.snapshot_name = %(snapshot)s
order by subject.osm_key, fact.fact_id
"""
"""What files and Wikidata say about the places of a map."""

SET_EXISTS = "select exists (select from trigpoint.map_fact where set_id = %(set_id)s)"

ITEMS_OF_PLACES = """
select
    poi.wikidata as item,
    wikidata_item.retrieved_at
from poi
left join trigpoint.wikidata_item on poi.wikidata = wikidata_item.id
where poi.wikidata is not null
group by poi.wikidata, wikidata_item.retrieved_at
order by poi.wikidata
"""
"""The items that a map's places name, and when each was asked for."""

REMEMBER_ITEM = """
insert into trigpoint.wikidata_item (id, retrieved_at, source_url, found, revision, refused)
values (%(id)s, %(retrieved_at)s, %(source_url)s, %(found)s, %(revision)s, %(refused)s)
on conflict (id) do update set
    retrieved_at = excluded.retrieved_at,
    source_url = excluded.source_url,
    found = excluded.found,
    revision = excluded.revision,
    refused = excluded.refused
"""

FORGET_FACTS_OF_ITEMS = """
delete from trigpoint.fact
where fact.source = 'wikidata' and fact.subject = any(%(items)s)
"""

FACTS_OF_FILES = """
select
    fact.snapshot_name,
    fact.subject,
    fact.attribute,
    fact.fact_id
from trigpoint.fact
where fact.source = 'file'
"""

WRITE_FACT = """
insert into trigpoint.fact (
    fact_id, snapshot_name, subject, attribute, kind, value, key, unit, names, source, credit, source_url,
    retrieved_at, licence
)
values (
    %(fact_id)s, %(snapshot_name)s, %(subject)s, %(attribute)s, %(kind)s, %(value)s, %(key)s, %(unit)s, %(names)s,
    %(source)s, %(credit)s, %(source_url)s, %(retrieved_at)s, %(licence)s
)
on conflict (source, snapshot_name, subject, attribute) do update set
    fact_id = excluded.fact_id,
    kind = excluded.kind,
    value = excluded.value,
    key = excluded.key,
    unit = excluded.unit,
    names = excluded.names,
    credit = excluded.credit,
    source_url = excluded.source_url,
    retrieved_at = excluded.retrieved_at,
    licence = excluded.licence
"""

COUNTS = """
select
    fact.source,
    fact.attribute,
    fact.credit,
    fact.snapshot_name,
    count(*) as facts,
    min(fact.retrieved_at) as oldest,
    max(fact.retrieved_at) as newest
from trigpoint.fact
group by fact.source, fact.attribute, fact.credit, fact.snapshot_name
order by fact.source, fact.credit, fact.attribute, fact.snapshot_name
"""
"""How many facts are stored, by source and attribute."""

LOCK_FACTS = "select pg_advisory_xact_lock(hashtextextended('trigpoint facts', 0))"
"""One load, or fetch of a batch, at a time: the unique keys would let one of two fail."""

LOCK_SET = "select pg_advisory_xact_lock(hashtextextended('trigpoint facts ' || %(set_id)s, 0))"
"""One making of a set at a time."""

SOURCES_OF_FACTS = """
select distinct
    map_fact.source,
    map_fact.credit,
    map_fact.licence
from trigpoint.map_fact
where
    map_fact.set_id = any(%(sets)s)
    and map_fact.fact_id = any(%(facts)s)
    and map_fact.source <> 'osm'
order by map_fact.source, map_fact.credit, map_fact.licence
"""
"""Who, beside the map itself, said the facts that questions stand on, and under which licence."""
