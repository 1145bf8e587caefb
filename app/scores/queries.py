"""The statements of the scores stage; sets of rows travel as one JSON bind."""

from sqlalchemy import text

from app.scores.queries_grouping import PLACE

LOCK_RUN = text("""
select
    run.id,
    run.version_id,
    run.kind,
    run.solver,
    run.repeats,
    run.presentation,
    run.sample,
    run.public_only
    or exists (
        select 1
        from run as judged
        where
            judged.id = cast(run.presentation -> 'judging' ->> 'run' as bigint)
            and judged.public_only
    ) as public_only,
    run.status,
    dataset.benchmark
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
where run.id = :run_id
for no key update of run
""")

QUESTIONS = text(f"""
select
    question.id,
    question.template,
    template.benchmark,
    question.scorer,
    question.split = 'hidden' as hidden,
    question.options,
    coalesce(keyed.value, gold.value) as gold,
    coalesce(keyed.kind, gold.kind) as kind,
    {PLACE}
from question
inner join template on question.template_id = template.id
left join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
    and gold.is_default
left join gold as keyed
    on
        question.version_id = keyed.version_id
        and question.id = keyed.question_id
        and keyed.key = :gold_key
left join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where question.version_id = :version_id
order by question.position
""")

GOLD_KEYS = text("""
select distinct gold.key
from gold
where
    gold.version_id = :version_id
    and not gold.is_default
order by gold.key
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
    prediction.rotation,
    prediction.repeat,
    prediction.state,
    prediction.answer,
    prediction.detail -> 'sql' as sql,
    prediction.detail -> 'parsed' as parsed
from prediction
inner join question
    on prediction.version_id = question.version_id
    and prediction.question_id = question.id
where prediction.run_id = :run_id
order by question.position, prediction.rotation, prediction.repeat
""")

# Calls that parse answers: steps beyond all that a solver may make, of the prediction that they read.

PARSE_STEPS = text("""
select
    prediction.id as prediction_id,
    step.state,
    step.request_hash,
    step.response
from step
inner join prediction
    on step.run_id = prediction.run_id
    and step.question_revision = prediction.question_revision
    and step.presentation_key = prediction.presentation_key
    and step.repeat = prediction.repeat
where
    step.run_id = :run_id
    and step.kind = 'parse'
order by step.id
""")

LOSE_PARSE_STEPS = text("""
update step
set
    state = 'lost',
    error = 'the command was stopped while this was in flight'
where
    run_id = :run_id
    and kind = 'parse'
    and state = 'sent'
""")

INSERT_PARSE_STEP = text("""
insert into step (
    run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat, ordinal,
    attempt, kind, state, request_hash, request, sent_at
)
select
    run_id,
    0,
    0,
    version_id,
    question_id,
    question_revision,
    presentation_key,
    repeat,
    :ordinal,
    :attempt,
    'parse',
    'sent',
    :request_hash,
    cast(:request as jsonb),
    :sent_at
from prediction
where id = :prediction_id
""")

CLOSE_PARSE_STEP = text("""
update step
set
    state = :state,
    response = cast(:response as jsonb),
    http_status = :http_status,
    usage = cast(:usage as jsonb),
    error = :error,
    answered_at = :answered_at
from prediction
where
    prediction.id = :prediction_id
    and step.run_id = prediction.run_id
    and step.question_revision = prediction.question_revision
    and step.presentation_key = prediction.presentation_key
    and step.repeat = prediction.repeat
    and step.kind = 'parse'
    and step.attempt = :attempt
""")

UPSERT_SCORES = text("""
insert into score (
    prediction_id, profile, gold_key, scorer, scorer_version, outcome, value, components, parsed
)
select
    given.prediction_id,
    :profile,
    :gold_key,
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
where
    profile = :profile
    and prediction_id = any(array(
        select prediction.id
        from prediction
        where
            prediction.run_id = :run_id
            and prediction.state <> 'answered'
    ))
""")

UPSERT_AGGREGATES = text("""
insert into board_aggregate (
    run_id, version_id, profile, scope, scorer_version, n, score, low, high, interval, states, sql, components
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
    given.sql,
    given.components
from jsonb_to_recordset(cast(:rows as jsonb)) as given (
    scope text,
    n int,
    score double precision,
    low double precision,
    high double precision,
    interval text,
    states jsonb,
    sql jsonb,
    components jsonb
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
    sql = excluded.sql,
    components = excluded.components
""")

DELETE_OTHER_AGGREGATES = text("""
delete from board_aggregate
where
    run_id = :run_id
    and profile = :profile
    and scope <> all(:scopes)
""")

RUNS_OF_OLD_PROFILE = text("""
select board_aggregate.run_id
from board_aggregate
inner join run on board_aggregate.run_id = run.id
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join run_standing
    on
        board_aggregate.run_id = run_standing.run_id
        and board_aggregate.profile = run_standing.profile
where
    board_aggregate.scope = 'all'
    and board_aggregate.profile = :profile
    and (
        board_aggregate.scorer_version < :profile_version
        or coalesce(run_standing.layout, 0) < :layout
    )
    and run.status in ('complete', 'incomplete')
    and (cast(:benchmark as text) is null or dataset.benchmark = :benchmark)
order by board_aggregate.run_id
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
        and scope like 'answer_type:%'
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
