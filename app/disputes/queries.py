"""The statements of disputes. The time is always the bind `now`; the api role makes those of its own part alone."""

from sqlalchemy import text

# The api role only reads, unless a transaction says at its beginning that it does not.

WRITE = text("""
set transaction read write
""")

QUESTION = text("""
select question.id
from question
where
    question.version_id = :version_id
    and question.id = :question_id
""")

OPEN = text("""
select
    id,
    outcome
from open_dispute(
    :version_id, :question_id, cast(:key_id as bigint), :reason, :words, cast(:proposed as text), :most_open,
    :most_a_day, :now
)
""")

WITHDRAW = text("""
select withdraw_dispute(:dispute_id, :key_id, :now)
""")

_SEEN = """
select
    {seen}.id,
    {seen}.key_id,
    dataset.name || '@' || dataset_version.number as dataset,
    {seen}.question_id,
    {seen}.reason,
    {seen}.text,
    {seen}.proposed,
    {seen}.state,
    {seen}.outcome,
    {seen}.decision,
    {seen}.created_at,
    {seen}.closed_at,
    dataset.name || '@' || later.number as erratum
from {seen}
inner join dataset_version on {seen}.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join dataset_version as later on {seen}.erratum_version_id = later.id
"""

READ = text(
    _SEEN.format(seen="dispute_seen")
    + """
where dispute_seen.id = :dispute_id
"""
)

LIST = text(
    _SEEN.format(seen="dispute_seen")
    + """
where
    dispute_seen.id < :before
    and (cast(:key_id as bigint) is null or dispute_seen.key_id = :key_id)
    and (cast(:version_id as bigint) is null or dispute_seen.version_id = :version_id)
    and (cast(:state as text) is null or dispute_seen.state = :state)
order by dispute_seen.id desc
limit :limit
"""
)

# Below: of roles that read gold.

READ_WHOLE = text(
    _SEEN.format(seen="dispute")
    + """
where dispute.id = :dispute_id
"""
)

PROOF = text("""
select
    disputing.prefix as key,
    deciding.prefix as decided_by,
    (
        select count(*)
        from dispute as other
        where
            other.version_id = dispute.version_id
            and other.question_id = dispute.question_id
            and other.state = 'open'
            and other.id <> dispute.id
    ) as others,
    question.template,
    question.template_version,
    question.split,
    question.prompt,
    question.options,
    gold.value as gold,
    gold.kind as gold_kind,
    (
        select jsonb_object_agg(further.key, jsonb_build_object('kind', further.kind, 'value', further.value))
        from gold as further
        where
            further.version_id = question.version_id
            and further.question_id = question.id
            and not further.is_default
    ) as gold_keys,
    proof.sql,
    proof.binds,
    proof.parameters,
    proof.evidence,
    proof.margin,
    proof.distractors,
    proof.second_path
from dispute
inner join question on dispute.version_id = question.version_id and dispute.question_id = question.id
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join proof on question.version_id = proof.version_id and question.id = proof.question_id
left join api_key as disputing on dispute.key_id = disputing.id
left join api_key as deciding on dispute.decided_by = deciding.id
where dispute.id = :dispute_id
""")

ANSWERS = text("""
select
    run.id as run,
    run.label,
    run.solver,
    prediction.repeat,
    prediction.rotation,
    prediction.state,
    prediction.answer,
    score.outcome,
    score.value
from dispute
inner join question on dispute.version_id = question.version_id and dispute.question_id = question.id
inner join run
    on
        question.version_id = run.version_id
        and run.status in ('complete', 'incomplete')
inner join prediction on run.id = prediction.run_id and question.revision = prediction.question_revision
left join lateral (
    select
        score.outcome,
        score.value
    from score
    where
        score.prediction_id = prediction.id
        and score.profile = :profile
    order by score.scorer_version desc
    limit 1
) as score on true
where dispute.id = :dispute_id
order by run.id, prediction.repeat, prediction.rotation
""")

LOCK = text("""
select
    dispute.id,
    dispute.version_id,
    dispute.question_id,
    dispute.reason,
    dispute.state
from dispute
where dispute.id = :dispute_id
for update
""")

DISPUTED = text("""
select version_id
from dispute
where id = :dispute_id
""")

STANDS = text("""
select exists (
    select 1
    from question
    inner join question as today
        on
            question.id = today.id
            and question.revision = today.revision
    where
        question.version_id = :version_id
        and question.id = :question_id
        and today.version_id = :newest_id
)
""")

REJECT = text("""
update dispute
set
    state = 'rejected',
    decision = :words,
    decided_by = :key_id,
    closed_at = :now
where id = :dispute_id
""")

# All that was said against the question is settled by its erratum, whoever said it.

ACCEPT = text("""
update dispute
set
    state = 'accepted',
    decision = :words,
    decided_by = :key_id,
    closed_at = :now,
    outcome = :outcome,
    erratum_version_id = :erratum_id
from question
inner join question as disputed on question.revision = disputed.revision and question.id = disputed.id
inner join dataset_version on question.version_id = dataset_version.id
inner join dataset_version as this on dataset_version.dataset_id = this.dataset_id
where
    disputed.version_id = :version_id
    and disputed.id = :question_id
    and this.id = :version_id
    and dispute.version_id = question.version_id
    and dispute.question_id = question.id
    and dispute.state = 'open'
returning dispute.id
""")

ERRATUM_UNDER_WAY = text("""
select min(job.id) as job
from job
where
    job.kind = 'erratum'
    and job.state in ('waiting', 'running')
    and cast(job.arguments ->> 'dispute' as bigint) = :dispute_id
""")
