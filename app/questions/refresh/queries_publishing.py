"""The statements that write a refreshed version; what is carried over stays within the database."""

TRY_LOCK_NAME = "select pg_try_advisory_xact_lock(hashtext('trigpoint dataset'), hashtext(%(name)s))"
"""The lock of queries_versions.LOCK_NAME, or false."""

MAPS_OF_VERSION = """
select snapshot_id
from trigpoint.dataset_snapshot
where version_id = %(version_id)s
order by position
"""

HELD_MAPS = """
select
    name,
    data_timestamp,
    schema_name
from trigpoint.snapshot
where state = 'held'
order by id desc
"""

COPY_QUESTIONS = """
insert into trigpoint.question (
    version_id, id, position, template_id, template, template_version, variant, snapshot_id, prompt, options,
    answer_type, scorer, split, locale, phrasing, prompt_hash, revision, names, popularity
)
select
    %(new_id)s,
    question.id,
    carried.position,
    question.template_id,
    question.template,
    question.template_version,
    question.variant,
    case when question.snapshot_id = %(old_map)s then %(new_map)s else question.snapshot_id end,
    question.prompt,
    question.options,
    question.answer_type,
    question.scorer,
    question.split,
    question.locale,
    question.phrasing,
    question.prompt_hash,
    question.revision,
    question.names,
    question.popularity
from unnest(%(ids)s::text[], %(positions)s::integer[]) as carried (id, position)
inner join trigpoint.question
    on
        question.version_id = %(version_id)s
        and carried.id = question.id
"""

COPY_GOLD = """
insert into trigpoint.gold (version_id, question_id, key, is_default, kind, value)
select
    %(new_id)s,
    gold.question_id,
    gold.key,
    gold.is_default,
    gold.kind,
    gold.value
from trigpoint.gold
inner join trigpoint.question as carried on gold.question_id = carried.id
where
    gold.version_id = %(version_id)s
    and carried.version_id = %(new_id)s
"""

COPY_PROOFS = """
insert into trigpoint.proof (
    version_id, question_id, kind, sql, binds, derive, parameters, snapshots, evidence, margin, distractors, second_path
)
select
    %(new_id)s,
    proof.question_id,
    proof.kind,
    proof.sql,
    case
        when proof.snapshots = %(old_maps)s::jsonb and proof.binds ? 'facts'
            then jsonb_set(proof.binds, '{facts}', %(facts)s::jsonb)
        else proof.binds
    end,
    proof.derive,
    proof.parameters,
    case when proof.snapshots = %(old_maps)s::jsonb then %(new_maps)s::jsonb else proof.snapshots end,
    proof.evidence,
    proof.margin,
    proof.distractors,
    proof.second_path
from trigpoint.proof
inner join trigpoint.question as carried on proof.question_id = carried.id
where
    proof.version_id = %(version_id)s
    and carried.version_id = %(new_id)s
"""

COPY_FOOTPRINTS = """
insert into trigpoint.footprint (
    version_id, question_id, area, classes, osm_keys, name_keys, fact_ids, uses_outline
)
select
    %(new_id)s,
    footprint.question_id,
    footprint.area,
    footprint.classes,
    footprint.osm_keys,
    footprint.name_keys,
    footprint.fact_ids,
    footprint.uses_outline
from trigpoint.footprint
inner join trigpoint.question as carried on footprint.question_id = carried.id
where
    footprint.version_id = %(version_id)s
    and carried.version_id = %(new_id)s
"""

COPIES = (COPY_QUESTIONS, COPY_GOLD, COPY_PROOFS, COPY_FOOTPRINTS)
"""In the order that foreign keys want: the first carries questions over, the others what belongs to these."""

NEWER_EVIDENCE = """
update trigpoint.proof
set
    evidence = (
        select
            jsonb_agg(
                case
                    when newer.version is null then told.item
                    else told.item || jsonb_build_object('version', newer.version, 'content_hash', newer.content_hash)
                end
                order by told.number
            )
        from jsonb_array_elements(proof.evidence) with ordinality as told (item, number)
        left join
            unnest(%(layers)s::text[], %(osm_keys)s::text[], %(versions)s::integer[], %(hashes)s::text[])
                as newer (layer, osm_key, version, content_hash)
            on
                told.item ->> 'layer' = newer.layer
                and told.item ->> 'osm_key' = newer.osm_key
    )
where
    proof.version_id = %(new_id)s
    and proof.question_id = any(%(ids)s)
"""
"""Evidence of questions that were carried over, with version and content of their objects as they are now."""

RETELL = """
update trigpoint.question
set popularity = cast(told.popularity as jsonb)
from unnest(%(ids)s::text[], %(popularity)s::text[]) as told (id, popularity)
where
    question.version_id = %(new_id)s
    and question.id = told.id
"""
"""How well known the objects are that questions name which were carried over."""

FACTS_USED = """
select distinct fact
from trigpoint.footprint
cross join unnest(fact_ids) as fact
where version_id = %(new_id)s
"""

SET_LICENCE = "update trigpoint.dataset_version set licence = %(licence)s where id = %(new_id)s"

FATES = """
select
    lineage.from_question_id,
    lineage.to_question_id,
    lineage.outcome,
    lineage.reason
from trigpoint.lineage
where
    lineage.to_version_id = %(version_id)s
    and lineage.origin = 'refresh'
order by lineage.id
"""
