"""The statements that write a refreshed version; what is carried over stays within the database."""

TRY_LOCK_NAME = "select pg_try_advisory_xact_lock(hashtext('trigpoint dataset'), hashtext(%(name)s))"
"""The lock of queries_versions.LOCK_NAME, or false."""

MAPS_OF_VERSION = """
select snapshot_id
from trigpoint.dataset_snapshot
where version_id = %(version_id)s
order by position
"""

QUESTIONS_ON_SEVERAL_MAPS = """
select count(distinct question_id)
from trigpoint.question_snapshot
where version_id = %(version_id)s
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

_CARRY_QUESTIONS = """
insert into trigpoint.question (
    version_id, id, position, template_id, template, template_version, variant, snapshot_id, prompt, options,
    answer_type, scorer, split, locale, phrasing, register, prompt_hash, revision, names,
    popularity
)
select
    %(new_id)s,
    question.id,
    question.position,
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
    question.register,
    question.prompt_hash,
    question.revision,
    question.names,
    question.popularity
from trigpoint.question
where
    question.version_id = %(version_id)s
    and question.id = any(%(ids)s::text[])
"""

_TELL_KEPT = """
insert into trigpoint.lineage (to_version_id, to_question_id, from_version_id, from_question_id, outcome, origin)
select
    %(new_id)s,
    carried.id,
    %(version_id)s,
    carried.id,
    'kept',
    'refresh'
from unnest(%(ids)s::text[]) as carried (id)
"""

_COPY_GOLD = """
insert into trigpoint.gold (version_id, question_id, key, is_default, kind, value)
select
    %(new_id)s,
    gold.question_id,
    gold.key,
    gold.is_default,
    gold.kind,
    gold.value
from trigpoint.gold
where
    gold.version_id = %(version_id)s
    and (%(ids)s::text[] is null or gold.question_id = any(%(ids)s::text[]))
"""

_COPY_FOOTPRINTS = """
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
where
    footprint.version_id = %(version_id)s
    and (%(ids)s::text[] is null or footprint.question_id = any(%(ids)s::text[]))
"""

_COPY_SOLUTIONS = """
insert into trigpoint.solution (version_id, question_id, kind, value)
select
    %(new_id)s,
    solution.question_id,
    solution.kind,
    solution.value
from trigpoint.solution
where
    solution.version_id = %(version_id)s
    and (%(ids)s::text[] is null or solution.question_id = any(%(ids)s::text[]))
"""

# Evidence tells version and content of its objects as the newer map has them.
_COPY_PROOFS = """
insert into trigpoint.proof (
    version_id, question_id, kind, sql, binds, derive, parameters, snapshots, evidence, margin, distractors,
    second_path, readings
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
    case
        when
            proof.snapshots <> %(old_maps)s::jsonb
            or proof.question_id not in (
                select footprint.question_id
                from trigpoint.footprint
                cross join unnest(footprint.osm_keys) as osm_key
                where
                    footprint.version_id = %(version_id)s
                    and osm_key = any(%(osm_keys)s::text[])
            )
            then proof.evidence
        else (
            select
                jsonb_agg(
                    case
                        when newer.version is null then told.item
                        else
                            told.item
                            || jsonb_build_object('version', newer.version, 'content_hash', newer.content_hash)
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
    end,
    proof.margin,
    proof.distractors,
    proof.second_path,
    proof.readings
from trigpoint.proof
where
    proof.version_id = %(version_id)s
    and (%(ids)s::text[] is null or proof.question_id = any(%(ids)s::text[]))
"""

CARRY = (_CARRY_QUESTIONS, _TELL_KEPT)
"""Questions that are carried over, and what became of them."""
COPY_TRUTH = (_COPY_GOLD, _COPY_FOOTPRINTS, _COPY_SOLUTIONS, _COPY_PROOFS)
"""What belongs to some questions of the earlier version, or to all."""

TRUTH_FIRST = """
set constraints
    trigpoint.fk_gold_version_id_question_id_question,
    trigpoint.fk_footprint_version_id_question_id_question,
    trigpoint.fk_proof_version_id_question_id_question,
    trigpoint.fk_solution_version_id_question_id_question
    deferred
"""
TRUTH_OF_QUESTIONS = "set constraints all immediate"
"""That each piece of truth has a question is looked at later; looked at now, and from now on."""

DROP_TRUTH = tuple(
    f"delete from trigpoint.{table} where version_id = %(new_id)s and question_id <> all(%(ids)s::text[])"
    for table in ("gold", "footprint", "proof", "solution")
)
"""That of all questions but these."""

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
cross join unnest(footprint.fact_ids) as fact
where
    footprint.version_id = %(version_id)s
    and footprint.question_id = any(%(ids)s::text[])
"""
