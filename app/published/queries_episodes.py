"""The statements that read episodes as the api role: row-level security leaves out those on hidden questions."""

from sqlalchemy import text

RUN = text("""
select
    run.id,
    run.version_id,
    run.kind,
    run.status,
    run.label,
    run.solver,
    run.solver_version,
    run.presentation,
    run.sampling,
    run.prices,
    dataset.name || '@' || dataset_version.number as dataset,
    endpoint_card.model
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
left join endpoint_card on run.endpoint_id = endpoint_card.id
where run.id = :run_id
""")

QUESTIONS = text("""
select
    question.id,
    question.position,
    question.template,
    question.prompt,
    question.options,
    case
        when gold.kind = 'unanswerable' then gold.value || '{"unanswerable": true}'
        else gold.value
    end as gold
from run
inner join question on run.version_id = question.version_id
left join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
where
    run.id = :run_id
    and question.split = 'public'
    and (cast(:question as text) is null or question.id = :question)
    and (run.sample is null or question.id = any(run.sample))
order by question.position
""")

FIND_QUESTION = text("""
select question.id
from run
inner join question on run.version_id = question.version_id
where
    run.id = :run_id
    and question.split = 'public'
    and starts_with(question.id, :beginning)
order by question.id
limit 2
""")

PREDICTIONS = text("""
select
    prediction.question_id,
    prediction.presentation_key,
    prediction.repeat,
    prediction.rotation,
    prediction.state,
    prediction.answer,
    prediction.error,
    prediction.detail,
    judged.parsed as read,
    judged.outcome,
    case when prediction.state = 'no_answer' then coalesce(judged.value, 0) else judged.value end as score,
    coalesce(episode_figures.errors, '{}') as errors
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
left join episode_figures on prediction.id = episode_figures.prediction_id
left join lateral (
    select
        score.parsed,
        score.outcome,
        score.value
    from score
    where
        score.prediction_id = prediction.id
        and score.profile = :profile
        and score.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
    order by score.gold_key
    limit 1
) as judged on true
where
    prediction.run_id = :run_id
    and (cast(:question as text) is null or prediction.question_id = :question)
order by question.position, prediction.repeat, prediction.rotation
""")

# A run that was carried over has no steps: they are of the run that was asked, whose question had the same prompt.
# Only the first chat call is read with its messages: each later one holds all before it.

STEPS = text("""
with asked as (
    select
        question.position,
        question.id as question_id,
        coalesce(origin.id, run.id) as asked_run,
        coalesce(earlier.id, question.id) as asked_question
    from run
    inner join question on run.version_id = question.version_id
    left join run as origin on run.carried_from = origin.id
    left join lateral (
        select other.id
        from question as other
        where
            other.version_id = origin.version_id
            and other.prompt_hash = question.prompt_hash
        order by other.position
        limit 1
    ) as earlier on true
    where
        run.id = :run_id
        and question.split = 'public'
        and (cast(:question as text) is null or question.id = :question)
)

select
    asked.question_id,
    step.presentation_key,
    step.repeat,
    step.ordinal,
    step.attempt,
    step.kind,
    step.state,
    step.request_hash,
    step.request ->> 'model' as model,
    case when step.kind = 'chat' and step.ordinal = 0 then step.request -> 'messages' end as messages,
    case when step.kind <> 'chat' then step.request end as request,
    step.response,
    counted.prompt_tokens,
    counted.completion_tokens,
    step.error,
    step.finish_reason,
    step.latency_ms,
    step.sent_at,
    step.reused_from is not null as reused
from asked
inner join step
    on
        asked.asked_run = step.run_id
        and asked.asked_question = step.question_id
cross join lateral (
    select
        case
            when jsonb_typeof(step.usage -> 'prompt_tokens') = 'number'
                then cast(greatest(0, least(1e9, round(cast(step.usage ->> 'prompt_tokens' as numeric)))) as bigint)
        end as prompt_tokens,
        case
            when jsonb_typeof(step.usage -> 'completion_tokens') = 'number'
                then cast(greatest(0, least(1e9, round(cast(step.usage ->> 'completion_tokens' as numeric)))) as bigint)
        end as completion_tokens
) as counted
where step.kind <> 'parse'
order by asked.position, step.repeat, step.presentation_key, step.ordinal, step.attempt
""")
