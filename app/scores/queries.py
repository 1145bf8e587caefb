"""The statements of the scores stage; sets of rows travel as one JSON bind."""

from sqlalchemy import text

LOCK_RUN = text("""
select
    run.id,
    run.version_id,
    run.solver,
    run.total,
    run.status,
    dataset.benchmark
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
where run.id = :run_id
for no key update of run
""")

QUESTIONS = text("""
select
    question.id,
    question.template,
    question.scorer,
    question.options,
    gold.value as gold,
    gold.kind
from question
left join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
    and gold.is_default
where question.version_id = :version_id
order by question.position
""")

LOCATION_SCHEMAS = text("""
select
    question.id,
    snapshot.schema_name
from question
inner join snapshot on question.snapshot_id = snapshot.id
where
    question.version_id = :version_id
    and question.scorer = 'location'
order by question.position
""")

PREDICTIONS = text("""
select
    prediction.id,
    prediction.question_id,
    prediction.state,
    prediction.answer,
    prediction.detail -> 'sql' as sql
from prediction
inner join question
    on prediction.version_id = question.version_id
    and prediction.question_id = question.id
where prediction.run_id = :run_id
order by question.position, prediction.presentation_key, prediction.repeat
""")

UPSERT_SCORES = text("""
insert into score (
    prediction_id, profile, scorer, scorer_version, outcome, value, components, parsed
)
select
    given.prediction_id,
    :profile,
    given.scorer,
    given.scorer_version,
    given.outcome,
    given.value,
    given.components,
    given.parsed
from jsonb_to_recordset(cast(:rows as jsonb)) as given (
    prediction_id bigint,
    scorer text,
    scorer_version int,
    outcome text,
    value double precision,
    components jsonb,
    parsed jsonb
)
order by given.prediction_id
on conflict (prediction_id, profile, gold_key, scorer_version) do update set
    scorer = excluded.scorer,
    outcome = excluded.outcome,
    value = excluded.value,
    components = excluded.components,
    parsed = excluded.parsed
""")

DELETE_STALE_SCORES = text("""
delete from score
using prediction
where
    score.prediction_id = prediction.id
    and prediction.run_id = :run_id
    and prediction.state <> 'answered'
    and score.profile = :profile
""")

UPSERT_AGGREGATES = text("""
insert into board_aggregate (
    run_id, version_id, profile, scope, scorer_version, n, score, low, high, interval, states, sql
)
select
    :run_id,
    :version_id,
    :profile,
    given.scope,
    :profile_version,
    given.n,
    given.score,
    given.low,
    given.high,
    given.interval,
    given.states,
    given.sql
from jsonb_to_recordset(cast(:rows as jsonb)) as given (
    scope text,
    n int,
    score double precision,
    low double precision,
    high double precision,
    interval text,
    states jsonb,
    sql jsonb
)
order by given.scope
on conflict (run_id, profile, scope) do update set
    scorer_version = excluded.scorer_version,
    n = excluded.n,
    score = excluded.score,
    low = excluded.low,
    high = excluded.high,
    interval = excluded.interval,
    states = excluded.states,
    sql = excluded.sql
""")

HAS_EXPECTATIONS = text("""
select exists(
    select 1
    from expectation
    where
        version_id = :version_id
        and profile = :profile
        and scorer_version = :profile_version
        and kind = 'random'
        and scope = 'all'
)
""")

UPSERT_EXPECTATIONS = text("""
insert into expectation (
    version_id, profile, scorer_version, scope, kind, value, n
)
select
    :version_id,
    :profile,
    :profile_version,
    given.scope,
    given.kind,
    given.value,
    given.n
from jsonb_to_recordset(cast(:rows as jsonb)) as given (
    scope text,
    kind text,
    value double precision,
    n int
)
order by given.scope, given.kind
on conflict (version_id, profile, scorer_version, scope, kind) do update set
    value = excluded.value,
    n = excluded.n
""")
