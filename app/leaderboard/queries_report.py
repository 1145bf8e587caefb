"""The statements of reports; they need a role that reads the scores of hidden questions."""

from sqlalchemy import text

from app.scores.queries_grouping import CONTEXT_RANGE, DENSITY, PLACE, TIER, WITH_CONTEXT, ZOOM

RUN = text("""
select
    run.id,
    run.version_id,
    run.label,
    run.solver,
    run.status,
    run.repeats,
    run.presentation,
    run.sample,
    run.public_only,
    dataset.name || '@' || dataset_version.number as reference,
    answered.answers,
    answered.truncated
from run
cross join lateral (
    select
        count(*) filter (where prediction.state <> 'error') as answers,
        count(*) filter (where prediction.detail @> '{"truncated": true}') as truncated
    from prediction
    where prediction.run_id = run.id
) as answered
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
where run.id = :run_id
""")

QUESTIONS = text(f"""
select
    question.id,
    question.template,
    question.scorer,
    question.answer_type,
    question.register,
    question.split = 'hidden' as hidden,
    gold.kind as gold_kind,
    question.names,
    question.popularity,
    jsonb_array_length(question.options) as options,
    template.header ->> 'dimension' as dimension,
    template.header ->> 'strategy' as strategy,
    question.snapshot_id,
    snapshot.name as city,
    snapshot.data_timestamp,
    template.benchmark,
    {CONTEXT_RANGE} as context_range,
    proof.parameters ->> 'kind' as told_kind,
    {ZOOM} as zoom,
    {TIER} as tier,
    {DENSITY} as density,
    {PLACE}
from question
inner join template on question.template_id = template.id
left join snapshot on question.snapshot_id = snapshot.id
left join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
left join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
{WITH_CONTEXT}
where question.version_id = :version_id
order by question.position
""")

COMPONENTS = text("""
select
    board_aggregate.scope,
    board_aggregate.components
from board_aggregate
where
    board_aggregate.run_id = :run_id
    and board_aggregate.profile = :profile
    and board_aggregate.scorer_version = :profile_version
    and board_aggregate.components is not null
    and split_part(board_aggregate.scope, ':', 1) in ('all', 'answer_type')
""")

MARKS = text("""
select
    prediction.question_id,
    coalesce(score.outcome, nullif(prediction.state, 'answered')) as state,
    coalesce(case when :of_paper then cast(score.outcome = 'correct' as int) else score.value end, 0) as value
from prediction
left join score
    on
        prediction.id = score.prediction_id
        and prediction.state in ('answered', 'no_answer')
        and score.profile = :profile
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> score.scorer as int)
where prediction.run_id = :run_id
order by prediction.id
""")
