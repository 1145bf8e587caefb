"""The statements that find, write and publish data set versions. Values by binds."""

RECIPE = "select recipe from trigpoint.dataset_version where id = %(version_id)s"

COUNT_QUESTIONS = "select count(*) from trigpoint.question where version_id = %(version_id)s"

DESCRIPTION = """
select
    recipe,
    templates,
    canary,
    licence
from trigpoint.dataset_version
where id = %(version_id)s
"""

PUBLISHED = """
select
    dataset_version.id,
    dataset.name,
    dataset_version.number,
    dataset.benchmark
from trigpoint.dataset_version
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and dataset.name = %(name)s
    and (%(number)s::bigint is null or dataset_version.number = %(number)s)
order by dataset_version.number desc
limit 1
"""

ALL_PUBLISHED = """
select
    dataset.name,
    dataset_version.number
from trigpoint.dataset_version
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where dataset_version.state = 'published'
"""

LOCK_NAME = "select pg_advisory_xact_lock(hashtext('trigpoint dataset'), hashtext(%(name)s))"

NEWEST = """
select
    dataset_version.id,
    dataset_version.number,
    dataset_version.recipe,
    dataset.benchmark
from trigpoint.dataset_version
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where dataset.name = %(name)s
order by dataset_version.number desc
limit 1
"""

INSERT_DATASET = """
insert into trigpoint.dataset (name, benchmark, created_at)
values (%(name)s, %(benchmark)s, %(now)s)
on conflict (name) do nothing
"""

INSERT_VERSION = """
insert into trigpoint.dataset_version (
    dataset_id, number, seed, hidden_fraction, recipe, templates, engine_versions, licence, canary, created_at
)
select
    dataset.id,
    %(number)s,
    %(seed)s,
    %(hidden_fraction)s,
    %(recipe)s,
    %(templates)s,
    %(engine_versions)s,
    %(licence)s,
    %(canary)s,
    %(now)s
from trigpoint.dataset
where dataset.name = %(name)s
returning id
"""

SNAPSHOTS_OF_VERSION = """
select dataset_snapshot.snapshot_id
from trigpoint.dataset_snapshot
where dataset_snapshot.version_id = %(version_id)s
"""

INSERT_SNAPSHOTS = """
insert into trigpoint.dataset_snapshot (version_id, position, snapshot_id)
select
    %(version_id)s,
    given.ordinality - 1,
    given.snapshot_id
from unnest(%(snapshot_ids)s::bigint[]) with ordinality as given (snapshot_id, ordinality)
"""

DESCRIBE = """
update trigpoint.dataset_version
set
    templates = %(templates)s,
    licence = %(licence)s
where id = %(new_id)s
"""

SPLIT_OTHERWISE = """
select
    dataset.name || '@' || version.number as reference,
    count(*) filter (where mine.split = 'hidden') as public_there,
    count(*) filter (where mine.split = 'public') as hidden_there
from trigpoint.question as mine
inner join trigpoint.dataset_version as version
    on
        mine.version_id <> version.id
        and version.state = 'published'
inner join trigpoint.dataset as dataset on version.dataset_id = dataset.id
inner join trigpoint.question as other
    on
        version.id = other.version_id
        and mine.id = other.id
where
    mine.version_id = %(version_id)s
    and mine.split <> other.split
group by dataset.name, version.number
order by dataset.name, version.number
"""

PUBLISH = """
update trigpoint.dataset_version
set
    state = 'published',
    published_at = %(now)s
where id = %(version_id)s
"""

INSERT_TEMPLATE = """
insert into trigpoint.template (benchmark, name, version, body_hash, header, body)
values (%(benchmark)s, %(name)s, %(version)s, %(body_hash)s, %(header)s, %(body)s)
on conflict (benchmark, name, version, body_hash) do nothing
"""

TEMPLATE_IDS = """
select
    template.name,
    template.id
from trigpoint.template
inner join unnest(%(names)s::text[], %(versions)s::integer[], %(hashes)s::text[]) as wanted (name, version, body_hash)
    on
        template.name = wanted.name
        and template.version = wanted.version
        and template.body_hash = wanted.body_hash
where template.benchmark = %(benchmark)s
"""
