"""The statements that make a version of the one before it, but for some questions; rows stay within the database."""

LOCK_NAME_OF = """
select
    dataset_version.dataset_id,
    dataset.name,
    dataset.benchmark,
    pg_advisory_xact_lock(hashtext('trigpoint dataset'), hashtext(dataset.name))
from trigpoint.dataset_version
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where dataset_version.id = %(version_id)s
"""

DESCRIPTION = """
select
    recipe,
    templates,
    licence
from trigpoint.dataset_version
where id = %(version_id)s
"""

COPY_VERSION = """
insert into trigpoint.dataset_version (
    dataset_id, number, seed, hidden_fraction, recipe, templates, engine_versions, licence, canary, created_at
)
select
    dataset_id,
    %(number)s,
    seed,
    hidden_fraction,
    %(recipe)s,
    templates,
    engine_versions,
    licence,
    %(canary)s,
    %(now)s
from trigpoint.dataset_version
where id = %(version_id)s
returning id
"""

COPY_SNAPSHOTS = """
insert into trigpoint.dataset_snapshot (version_id, position, snapshot_id)
select
    %(new_id)s,
    position,
    snapshot_id
from trigpoint.dataset_snapshot
where version_id = %(version_id)s
"""

COPY_QUESTIONS = """
insert into trigpoint.question (
    version_id, id, position, template_id, template, template_version, variant, snapshot_id, prompt, options,
    answer_type, scorer, split, locale, phrasing, register, prompt_hash, revision, names,
    popularity
)
select
    %(new_id)s,
    id,
    row_number() over (order by position) - 1,
    template_id,
    template,
    template_version,
    variant,
    snapshot_id,
    prompt,
    options,
    answer_type,
    scorer,
    split,
    locale,
    phrasing,
    register,
    prompt_hash,
    revision,
    names,
    popularity
from trigpoint.question
where
    version_id = %(version_id)s
    and id <> all(%(voided)s::text[])
"""

_COPY_OF_QUESTIONS = """
insert into trigpoint.{table} (version_id, question_id, {columns})
select
    %(new_id)s,
    question_id,
    {columns}
from trigpoint.{table}
where
    version_id = %(version_id)s
    and question_id <> all(%(voided)s::text[])
"""

COPY_GOLD = _COPY_OF_QUESTIONS.format(table="gold", columns="key, is_default, kind, value")

COPY_PROOFS = _COPY_OF_QUESTIONS.format(
    table="proof",
    columns="kind, sql, binds, derive, parameters, snapshots, evidence, margin, distractors, second_path, readings",
)

COPY_FOOTPRINTS = _COPY_OF_QUESTIONS.format(
    table="footprint",
    columns="area, classes, osm_keys, name_keys, fact_ids, uses_outline",
)

COPY_SOLUTIONS = _COPY_OF_QUESTIONS.format(table="solution", columns="kind, value")

COPY_MAPS_OF_QUESTIONS = _COPY_OF_QUESTIONS.format(table="question_snapshot", columns="position, snapshot_id")

COPIES = (
    COPY_SNAPSHOTS,
    COPY_QUESTIONS,
    COPY_GOLD,
    COPY_PROOFS,
    COPY_FOOTPRINTS,
    COPY_SOLUTIONS,
    COPY_MAPS_OF_QUESTIONS,
)
"""In the order that foreign keys want."""

CORRECT_QUESTION = """
update trigpoint.question
set
    template_id = coalesce(%(template_id)s::bigint, template_id),
    template_version = %(template_version)s,
    revision = %(revision)s
where
    version_id = %(new_id)s
    and id = %(id)s
"""

DELETE_GOLD = """
delete from trigpoint.gold
where
    version_id = %(new_id)s
    and question_id = %(id)s
"""

INSERT_GOLD = """
insert into trigpoint.gold (version_id, question_id, key, is_default, kind, value)
select
    %(new_id)s,
    %(id)s,
    corrected.key,
    corrected.is_default,
    corrected.kind,
    corrected.value
from jsonb_to_recordset(%(gold)s) as corrected (key text, is_default boolean, kind text, value jsonb)
"""

DELETE_SOLUTIONS = """
delete from trigpoint.solution
where
    version_id = %(new_id)s
    and question_id = %(id)s
"""

INSERT_SOLUTIONS = """
insert into trigpoint.solution (version_id, question_id, kind, value)
select
    %(new_id)s,
    %(id)s,
    corrected.key,
    corrected.value
from jsonb_each(%(solutions)s) as corrected (key, value)
"""

CORRECT_PROOF = """
update trigpoint.proof
set
    sql = %(sql)s,
    binds = %(binds)s,
    derive = %(derive)s,
    evidence = %(evidence)s,
    margin = %(margin)s,
    distractors = %(distractors)s,
    second_path = %(second_path)s,
    readings = %(readings)s
where
    version_id = %(new_id)s
    and question_id = %(id)s
"""

CORRECT_FOOTPRINT = """
update trigpoint.footprint
set
    osm_keys = %(osm_keys)s,
    name_keys = array(select distinct one from unnest(name_keys || %(names)s::text[]) as one order by one),
    fact_ids = %(fact_ids)s
where
    version_id = %(new_id)s
    and question_id = %(id)s
"""

COUNTS = """
select
    template,
    jsonb_array_length(options) as options,
    count(*) as n
from trigpoint.question
where version_id = %(new_id)s
group by template, jsonb_array_length(options)
order by template, options
"""

FACTS_USED = """
select distinct fact
from trigpoint.footprint
cross join unnest(fact_ids) as fact
where version_id = %(new_id)s
"""

LINEAGE = """
insert into trigpoint.lineage (
    to_version_id, to_question_id, from_version_id, from_question_id, outcome, reason, origin, dispute_id
)
select
    %(new_id)s,
    later.id,
    question.version_id,
    question.id,
    case
        when later.id is null then 'voided'
        when later.revision <> question.revision then 'corrected'
        else 'kept'
    end,
    case when later.revision is distinct from question.revision then %(reason)s::text end,
    'erratum',
    case when later.revision is distinct from question.revision then %(dispute_id)s::bigint end
from trigpoint.question
left join trigpoint.question as later
    on
        question.id = later.id
        and later.version_id = %(new_id)s
where question.version_id = %(version_id)s
order by question.position
"""

ERRATA = """
select
    dataset.name || '@' || earlier.number as earlier,
    dataset.name || '@' || later.number as later,
    erratum.question_id,
    erratum.outcome
from trigpoint.erratum
inner join trigpoint.dataset_version as earlier on erratum.from_version_id = earlier.id
inner join trigpoint.dataset_version as later on erratum.to_version_id = later.id
inner join trigpoint.dataset on later.dataset_id = dataset.id
where
    later.state = 'published'
    and %(version_id)s in (erratum.from_version_id, erratum.to_version_id)
order by later.number, erratum.question_id
"""
