"""The statements of what is published; they keep to what the api role is granted. The time is always the bind `now`.

Pages are by keyset: each begins behind the last row of the one before, by an index.
"""

from sqlalchemy import text

SNAPSHOTS = text("""
select
    snapshot.id,
    snapshot.name,
    snapshot.data_timestamp,
    snapshot.published_at,
    snapshot.source,
    snapshot.checksum,
    snapshot.boundary,
    snapshot.outline_source,
    snapshot.layers,
    snapshot.planted,
    snapshot.permuted,
    case
        when snapshot.outline is not null
            then
                array[
                    st_xmin(snapshot.outline), st_ymin(snapshot.outline),
                    st_xmax(snapshot.outline), st_ymax(snapshot.outline)
                ]
    end as box,
    not exists (
        select 1
        from snapshot as newer
        where
            newer.name = snapshot.name
            and newer.state = 'published'
            and (coalesce(newer.data_timestamp, '-infinity'), newer.id)
            > (coalesce(snapshot.data_timestamp, '-infinity'), snapshot.id)
    ) as newest,
    array(
        select dataset.name || '@' || dataset_version.number
        from dataset_snapshot
        inner join dataset_version on dataset_snapshot.version_id = dataset_version.id
        inner join dataset on dataset_version.dataset_id = dataset.id
        where
            dataset_snapshot.snapshot_id = snapshot.id
            and dataset_version.state = 'published'
        order by dataset.name, dataset_version.number
    ) as datasets
from snapshot
where
    snapshot.state = 'published'
    and (cast(:name as text) is null or snapshot.name = :name)
    and snapshot.id < :before
order by snapshot.id desc
limit :limit
""")

DESCRIPTION = text("""
select
    dataset_version.seed,
    dataset_version.hidden_fraction,
    dataset_version.recipe,
    dataset_version.templates,
    dataset_version.engine_versions,
    case
        when imported_dataset.opened_under is null then dataset_version.licence
        else dataset_version.licence || jsonb_build_object('name', imported_dataset.opened_under)
    end as licence,
    dataset_version.canary,
    dataset_version.published_at,
    counted.public,
    counted.hidden,
    counted.hidden_with_options,
    array(
        select other.number
        from dataset_version as other
        where
            other.dataset_id = dataset_version.dataset_id
            and other.state = 'published'
        order by other.number desc
    ) as versions
from dataset_version
left join imported_dataset on dataset_version.dataset_id = imported_dataset.dataset_id
cross join lateral (
    select
        count(*) filter (where question.split = 'public') as public,
        count(*) filter (where question.split = 'hidden') as hidden,
        count(*) filter (where question.split = 'hidden' and question.options is not null) as hidden_with_options
    from question
    where question.version_id = dataset_version.id
) as counted
where dataset_version.id = :version_id
""")

NEWEST_VERSIONS = text("""
select distinct on (dataset.name)
    dataset_version.id,
    dataset.name
from dataset_version
inner join dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and (cast(:benchmark as text) is null or dataset.benchmark = :benchmark)
order by dataset.name asc, dataset_version.number desc
""")

SNAPSHOTS_OF_CITY = text("""
select distinct dataset_snapshot.snapshot_id
from dataset_snapshot
inner join snapshot on dataset_snapshot.snapshot_id = snapshot.id
where
    dataset_snapshot.version_id = any(:versions)
    and snapshot.name = :city
""")

FRESHNESS = text("""
with newest_version as (
    select distinct on (dataset.name)
        dataset_version.id,
        dataset.name || '@' || dataset_version.number as reference
    from dataset_version
    inner join dataset on dataset_version.dataset_id = dataset.id
    where dataset_version.state = 'published'
    order by dataset.name asc, dataset_version.number desc
)

select
    newest_version.reference,
    snapshot.name,
    snapshot.data_timestamp,
    newest.data_timestamp as newest_timestamp,
    extract(epoch from cast(:now as timestamptz) - snapshot.data_timestamp) / 86400 as age,
    extract(epoch from newest.data_timestamp - snapshot.data_timestamp) / 86400 as behind
from newest_version
inner join dataset_snapshot on newest_version.id = dataset_snapshot.version_id
inner join snapshot on dataset_snapshot.snapshot_id = snapshot.id
cross join lateral (
    select other.data_timestamp
    from snapshot as other
    where
        other.name = snapshot.name
        and (other.state = 'published' or other.id = snapshot.id)
    order by other.data_timestamp desc nulls last
    limit 1
) as newest
order by newest_version.reference, dataset_snapshot.position
""")

STORED_TEMPLATES = text("""
select
    template.version,
    template.body_hash,
    template.header,
    template.body
from template
where
    template.benchmark = :benchmark
    and template.name = :name
    and template.version > 0
    and exists (
        select 1
        from question
        inner join dataset_version on question.version_id = dataset_version.id
        where
            question.template_id = template.id
            and question.template = template.name
            and dataset_version.state = 'published'
    )
order by template.id
""")

# Questions: `keys` names the rows of a page, by its filters; `_QUESTIONS` reads them.

_KEYS = """
select
    question.version_id,
    question.id as question_id
from unnest(cast(:versions as bigint[])) as version (id)
cross join lateral (
    select
        question.version_id,
        question.id,
        question.position
    from question
    where
        question.version_id = version.id
        and question.position > case when version.id = :after_version then :after_position else -1 end
        {filters}
    order by question.position
    limit :most
) as question
where version.id >= :after_version
order by question.version_id, question.position
limit :most
"""

_KEYS_ABOUT = """
select
    version_id,
    question_id
from public_questions_about(
    cast(:versions as bigint[]),
    case
        when cast(:west as float8) is not null then st_makeenvelope(:west, :south, :east, :north, 4326)
    end,
    cast(:classes as text[]),
    cast(:template as text),
    cast(:snapshots as bigint[]),
    cast(:after_version as bigint),
    cast(:after_position as integer),
    cast(:most as integer)
)
"""

_ONE = """
select
    cast(:version_id as bigint) as version_id,
    cast(:question_id as text) as question_id
"""

_QUESTIONS = """
with keys as ({keys})

select
    question.version_id,
    question.position,
    dataset.name || '@' || dataset_version.number as dataset,
    question.id,
    question.prompt_hash,
    question.template,
    question.template_version,
    question.variant,
    question.prompt,
    question.options,
    question.answer_type,
    question.split,
    question.locale,
    question.register,
    snapshot.name as city,
    snapshot.data_timestamp,
    (
        select
            jsonb_agg(
                jsonb_build_array(further.name, extract(epoch from further.data_timestamp))
                order by question_snapshot.position
            )
        from question_snapshot
        inner join snapshot as further on question_snapshot.snapshot_id = further.id
        where
            question_snapshot.version_id = question.version_id
            and question_snapshot.question_id = question.id
    ) as further_snapshots{columns}
from keys
inner join question on keys.version_id = question.version_id and keys.question_id = question.id
inner join dataset_version on question.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join snapshot on question.snapshot_id = snapshot.id{joins}
order by question.version_id, question.position
"""

_FILTERS = {
    "template": "and question.template = :template",
    "snapshots": "and question.snapshot_id = any(:snapshots)",
    "split": "and question.split = :split",
    "words": """and (
            strpos(lower(question.prompt -> 0 ->> 'text'), lower(:words)) > 0
            or (
                jsonb_array_length(question.prompt) > 1
                or question.prompt #>> '{0,type}' <> 'text'
            )
            and exists (
                select 1
                from jsonb_array_elements(question.prompt) as part
                cross join lateral concat_ws(
                    ' ', part ->> 'text', part ->> 'title', part ->> 'document', part ->> 'alt'
                ) as said
                where strpos(lower(said), lower(:words)) > 0
            )
        )""",
}
_GOLD = """
left join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
    and gold.is_default"""
_GOLD_COLUMNS = """,
    gold.value as gold,
    gold.kind as gold_kind,
    (
        select jsonb_object_agg(further.key, jsonb_build_object('kind', further.kind, 'value', further.value))
        from gold as further
        where
            further.version_id = question.version_id
            and further.question_id = question.id
            and not further.is_default
    ) as gold_keys"""
_AREA = """
left join footprint
    on question.version_id = footprint.version_id
    and question.id = footprint.question_id"""


def questions(filters: set[str], *, about: bool, gold: bool, area: bool) -> str:
    """The statement of a page; `filters` are those of _FILTERS that are asked for, `about` those of class and box.

    Only what is asked for stands in it, so that each question has a plan of its own.
    """
    keys = _KEYS_ABOUT
    if not about:
        keys = _KEYS.format(filters="\n        ".join(_FILTERS[name] for name in sorted(filters)))
    columns = (_GOLD_COLUMNS if gold else "") + (
        ",\n    st_asgeojson(footprint.area, 6) as area" if area else ""
    )
    return _QUESTIONS.format(
        keys=keys, columns=columns, joins=(_GOLD if gold else "") + (_AREA if area else "")
    )


QUESTION = text(_QUESTIONS.format(keys=_ONE, columns=_GOLD_COLUMNS, joins=_GOLD))
