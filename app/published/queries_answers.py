"""What a run answered to public questions, with the prompts as sent; row-level security leaves out the hidden ones."""

from sqlalchemy import text

# A page is cut before the calls are looked at: only its own steps are read.

OF_RUN = text("""
with wanted as (
    select
        prediction.version_id,
        prediction.question_id,
        prediction.run_id,
        prediction.presentation_key,
        prediction.repeat,
        prediction.rotation,
        prediction.state,
        prediction.answer,
        prediction.detail -> 'stated' as stated_usage,
        question.position,
        question.template,
        question.prompt as parts,
        question.options,
        judged.parsed,
        judged.outcome,
        judged.value
    from prediction
    inner join question
        on
            prediction.version_id = question.version_id
            and prediction.question_id = question.id
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
        and (question.position, prediction.repeat, prediction.rotation)
        > (cast(:after_position as int), cast(:after_repeat as int), cast(:after_rotation as int))
        and (cast(:template as text) is null or question.template = :template)
        and (cast(:question as text) is null or question.id = :question)
        and (cast(:state as text) is null or prediction.state = :state)
        and (cast(:outcome as text) is null or judged.outcome = :outcome)
    order by question.position, prediction.repeat, prediction.rotation
    limit :most
)

select
    wanted.position,
    wanted.question_id as question,
    wanted.template,
    wanted.parts,
    wanted.options,
    wanted.repeat,
    wanted.rotation,
    called.request -> 'messages' as prompt,
    wanted.state,
    wanted.answer,
    wanted.parsed as read,
    case
        when gold.kind = 'unanswerable' then gold.value || '{"unanswerable": true}'
        else gold.value
    end as gold,
    wanted.outcome,
    case when wanted.state = 'no_answer' then coalesce(wanted.value, 0) else wanted.value end as score,
    called.prompt_tokens,
    called.completion_tokens,
    called.milliseconds,
    wanted.stated_usage
from wanted
left join gold
    on
        wanted.version_id = gold.version_id
        and wanted.question_id = gold.question_id
        and gold.is_default
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
        step.run_id = wanted.run_id
        and step.question_id = wanted.question_id
        and step.presentation_key = wanted.presentation_key
        and step.repeat = wanted.repeat
        and step.state = 'done'
) as called on true
order by wanted.position, wanted.repeat, wanted.rotation
""")
