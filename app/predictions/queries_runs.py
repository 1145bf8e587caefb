"""The statements that find, make, open again and finish runs."""

from sqlalchemy import text

LOCK_RUN_CREATION = text("""
select pg_advisory_xact_lock(hashtextextended('trigpoint run ' || cast(:version_id as text), 0))
""")

FIND_RUN = text("""
select
    run.id,
    run.status,
    run.pause_reason
from run
where
    run.version_id = :version_id
    and run.kind = :kind
    and run.solver = :solver
    and run.solver_version = :solver_version
    and run.endpoint_id is not distinct from :endpoint_id
    and run.label = :label
    and run.seed = :seed
    and run.sampling = cast(:sampling as jsonb)
    and run.repeats = :repeats
    and run.presentation = cast(:presentation as jsonb)
    and run.sample is not distinct from cast(:sample as text[])
    and run.status <> 'cancelled'
order by run.id desc
limit 1
""")

DISTINCT_QUESTIONS = text("""
select distinct on (question.revision)
    question.revision,
    question.id,
    question.template,
    question.split,
    question.position,
    jsonb_array_length(question.options) as options
from question
where question.version_id = :version_id
order by question.revision, question.position
""")

HAS_OPTIONS = text("""
select exists (
    select 1
    from question
    where
        version_id = :version_id
        and options is not null
)
""")

SHOWS_PICTURES = text("""
select exists (
    select 1
    from question
    where
        version_id = :version_id
        and prompt @? '$[*].sha256'
)
""")

TELLS_CONTEXTS = text("""
select exists (
    select 1
    from question
    where
        version_id = :version_id
        and prompt @? '$[*].document'
)
""")

INSERT_RUN = text("""
insert into run (
    version_id, kind, solver, solver_version, endpoint_id, label, seed, sampling, repeats, presentation, total,
    created_at, budget, sample, reuse, prices
)
values (
    :version_id, :kind, :solver, :solver_version, :endpoint_id, :label, :seed, cast(:sampling as jsonb), :repeats,
    cast(:presentation as jsonb), :total, :now, cast(:budget as jsonb), cast(:sample as text[]), :reuse,
    (select nullif(endpoint.prices, '{}') from endpoint where endpoint.id = :endpoint_id)
)
returning id
""")

LIST_RUNS = text("""
select run.id
from run
order by run.id desc
limit :limit
""")

ERROR_REASONS = text("""
select
    prediction.error as reason,
    count(*) as n
from prediction
where
    prediction.run_id = :run_id
    and prediction.state = 'error'
group by prediction.error
order by n desc, reason
limit :limit
""")

FINISH_RUN = text("""
update run
set
    status = case
        when exists (select 1 from prediction where prediction.run_id = run.id and prediction.state = 'error')
            then 'incomplete'
        else 'complete'
    end,
    pause_reason = null,
    finished_at = :now
where
    run.id = :run_id
    and run.status in ('queued', 'running', 'paused')
    and run.total = (select count(*) from prediction where prediction.run_id = run.id)
returning run.id
""")

LOCK_RUN = text("""
select run.status from run where run.id = :run_id for update
""")

DELETE_AGGREGATES = text("""
delete from board_aggregate where run_id = :run_id
""")

DELETE_ERRORS = text("""
delete from prediction
where
    run_id = :run_id
    and state = 'error'
returning question_id
""")

REOPEN_RUN = text("""
update run set status = 'queued', finished_at = null where id = :run_id
""")

TRY_LOCK_SCORING = text("""
select pg_try_advisory_lock(hashtextextended('trigpoint score ' || cast(:run_id as text), 0))
""")

UNLOCK_SCORING = text("""
select pg_advisory_unlock(hashtextextended('trigpoint score ' || cast(:run_id as text), 0))
""")
