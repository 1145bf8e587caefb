"""The statements by which the answers of finished runs are carried over to a later version."""

from sqlalchemy import text

# Locked against whoever withdraws the submission that a run is of.

FINISHED_RUNS = text("""
select
    run.id,
    run.label,
    run.solver,
    run.repeats,
    run.presentation,
    run.sample
from run
where
    run.version_id = :version_id
    and run.status in ('complete', 'incomplete')
    and run.kind = 'answers'
order by run.id
for key share of run
""")

# Where a run was carried over before, the first of them is named: that one was asked.

INSERT_CARRIED_RUN = text("""
insert into run (
    version_id, kind, solver, solver_version, endpoint_id, label, seed, sampling, repeats, presentation, status,
    total, created_at, reuse, prices, carried_from, public_only
)
select
    :new_id,
    kind,
    solver,
    solver_version,
    endpoint_id,
    label,
    seed,
    sampling,
    repeats,
    presentation,
    'running',
    0,
    :now,
    reuse,
    prices,
    coalesce(carried_from, id),
    public_only
from run
where id = :run_id
returning id
""")

# By lineage: what a question was called before, and what it was then asked and answered. Questions that are asked
# alike have one answer, that to the first of them.

COPY_PREDICTIONS = text("""
with asked as (
    select distinct on (question.revision)
        question.revision,
        question.id,
        question.prompt_hash
    from question
    where question.version_id = :new_id
    order by question.revision, question.position
)

insert into prediction (
    run_id, version_id, question_id, question_revision, presentation_key, rotation, repeat, state, answer, detail,
    error, fencing_token, created_at
)
select
    :new_run_id,
    :new_id,
    asked.id,
    asked.revision,
    prediction.presentation_key,
    prediction.rotation,
    prediction.repeat,
    prediction.state,
    prediction.answer,
    prediction.detail,
    prediction.error,
    0,
    prediction.created_at
from asked
inner join lineage
    on
        asked.id = lineage.to_question_id
        and lineage.to_version_id = :new_id
        and lineage.from_version_id = :version_id
inner join question as earlier
    on
        lineage.from_version_id = earlier.version_id
        and lineage.from_question_id = earlier.id
        and asked.prompt_hash = earlier.prompt_hash
inner join prediction
    on
        earlier.revision = prediction.question_revision
        and prediction.run_id = :run_id
order by prediction.id
""")

CARRIED_QUESTIONS = text("""
select distinct prediction.question_id
from prediction
where prediction.run_id = :new_run_id
""")

SET_TOTAL = text("""
update run
set
    total = :total,
    sample = cast(:sample as text[])
where id = :new_run_id
""")
