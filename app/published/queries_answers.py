"""What a run answered to public questions, with the prompts as sent; row-level security leaves out the hidden ones."""

from sqlalchemy import text

OF_RUN = text("""
select
    prediction.question_id as question,
    question.template,
    prediction.repeat,
    prediction.rotation,
    called.request -> 'messages' as prompt,
    prediction.state,
    prediction.answer,
    judged.parsed as read,
    gold.value as gold,
    judged.outcome,
    judged.value as score,
    called.prompt_tokens,
    called.completion_tokens,
    called.milliseconds
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
left join gold
    on
        prediction.version_id = gold.version_id
        and prediction.question_id = gold.question_id
        and gold.is_default
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
left join lateral (
    select
        (array_agg(step.request order by step.ordinal desc, step.attempt desc) filter (where step.kind = 'chat'))[1]
            as request,
        sum(counted.prompt) as prompt_tokens,
        sum(counted.completion) as completion_tokens,
        round(1000 * sum(extract(epoch from step.answered_at - step.sent_at))) as milliseconds
    from step
    cross join lateral (
        select
            case
                when jsonb_typeof(step.usage -> 'prompt_tokens') = 'number'
                    then greatest(0, least(1e9, round(cast(step.usage ->> 'prompt_tokens' as numeric))))
            end as prompt,
            case
                when jsonb_typeof(step.usage -> 'completion_tokens') = 'number'
                    then greatest(0, least(1e9, round(cast(step.usage ->> 'completion_tokens' as numeric))))
            end as completion
    ) as counted
    where
        step.run_id = prediction.run_id
        and step.question_id = prediction.question_id
        and step.presentation_key = prediction.presentation_key
        and step.repeat = prediction.repeat
        and step.state = 'done'
) as called on true
where prediction.run_id = :run_id
order by question.position, prediction.repeat, prediction.rotation
""")
