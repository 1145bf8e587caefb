"""The statements of report cards, for many runs at once. They read public questions alone, as the api role."""

from sqlalchemy import text

from app.scores.queries_grouping import PLACE

RUNS = text("""
select
    run.id,
    run.version_id,
    run.kind,
    run.label,
    run.endpoint_id,
    run.solver,
    run.solver_version,
    run.status,
    run.seed,
    run.sampling,
    run.repeats,
    run.presentation,
    run.sample,
    run.created_at,
    run.finished_at,
    dataset.name || '@' || dataset_version.number as reference,
    dataset.benchmark
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
where run.id = any(:runs)
order by run.id
""")

QUESTIONS = text(f"""
select
    question.version_id,
    question.id,
    question.template,
    question.scorer,
    coalesce(jsonb_array_length(question.options), 0) as options,
    template.benchmark,
    template.header ->> 'title' as title,
    snapshot.name as city,
    {PLACE}
from question
inner join template on question.template_id = template.id
left join snapshot on question.snapshot_id = snapshot.id
left join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where
    question.version_id = any(:versions)
    and question.split = 'public'
order by question.version_id, question.position
""")

MARKS = text("""
select
    prediction.run_id,
    prediction.question_id,
    coalesce(score.outcome, nullif(prediction.state, 'answered')) as state,
    coalesce(score.value, 0) as value,
    coalesce(prediction.detail @> '{"truncated": true}', false) as truncated
from prediction
left join score
    on
        prediction.id = score.prediction_id
        and prediction.state in ('answered', 'no_answer')
        and score.profile = :profile
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> score.scorer as int)
where prediction.run_id = any(:runs)
order by prediction.id
""")

SPENT = text("""
select
    run_standing.run_id,
    run_standing.calls,
    run_standing.prompt_tokens,
    run_standing.completion_tokens,
    run_standing.cost,
    run_standing.currency,
    run_standing.latency_median_ms
from run_standing
where
    run_standing.run_id = any(:runs)
    and run_standing.profile = :profile
order by run_standing.run_id
""")

DIAGNOSES = text("""
select
    score.components,
    score.parsed
from score
inner join prediction on score.prediction_id = prediction.id
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
where
    prediction.run_id = any(:runs)
    and question.split = 'public'
    and score.profile = :diagnosis
    and score.scorer_version = :version
order by prediction.id
""")

# A judge's run over versions without hidden questions: its aggregate speaks of public ones alone.

JUDGEMENTS = text("""
select
    run.id,
    run.label,
    cast(run.presentation -> 'judging' ->> 'run' as bigint) as judged,
    dataset.name || '@' || dataset_version.number as reference,
    board_aggregate.n,
    board_aggregate.score,
    board_aggregate.low,
    board_aggregate.high
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
inner join board_aggregate
    on
        run.id = board_aggregate.run_id
        and board_aggregate.profile = :profile
        and board_aggregate.scorer_version = :profile_version
        and board_aggregate.scope = 'all'
where
    run.version_id = any(:versions)
    and run.kind = 'judgement'
    and run.status = 'complete'
    and board_aggregate.score is not null
    and cast(run.presentation -> 'judging' ->> 'run' as bigint) = any(:runs)
    and not exists (
        select 1
        from question
        where
            question.version_id = run.version_id
            and question.split = 'hidden'
    )
order by run.id
""")

MAPS = text("""
select distinct
    snapshot.name,
    snapshot.data_timestamp,
    snapshot.checksum,
    snapshot.planted
from dataset_snapshot
inner join snapshot on dataset_snapshot.snapshot_id = snapshot.id
where dataset_snapshot.version_id = any(:versions)
order by snapshot.name, snapshot.data_timestamp, snapshot.checksum
""")

ANSWER = text("""
select
    wanted.run_id,
    wanted.question_id,
    answered.answer,
    answered.outcome
from unnest(cast(:runs as bigint []), cast(:questions as text [])) as wanted (run_id, question_id)
inner join lateral (
    select
        prediction.answer,
        coalesce(score.outcome, prediction.state) as outcome
    from prediction
    inner join question
        on
            prediction.version_id = question.version_id
            and prediction.question_id = question.id
            and question.split = 'public'
    left join score
        on
            prediction.id = score.prediction_id
            and score.profile = :profile
            and score.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
    where
        prediction.run_id = wanted.run_id
        and prediction.question_id = wanted.question_id
    order by prediction.repeat, prediction.rotation
    limit 1
) as answered on true
""")

RUNS_BESIDE = text("""
select
    run.id,
    run.version_id,
    run.label,
    run.endpoint_id,
    run.solver,
    run.presentation,
    run.sample,
    dataset.benchmark
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
where
    run.version_id = any(:versions)
    and run.id <> all(:runs)
    and run.status = 'complete'
    and run.kind = 'answers'
order by run.id
""")
