"""What a run answered to public questions, with the prompts as sent; row-level security leaves out the hidden ones."""

from sqlalchemy import text

# A page is cut before the calls are looked at: only its own steps are read, those of all its questions at once, since
# no index finds the steps of one. Of an agent's requests, each of which holds all messages before it, only the last is
# read: together they can be larger than a row can be.

OF_RUN = text("""
with wanted as (
    select
        prediction.version_id,
        prediction.question_id,
        prediction.presentation_key,
        prediction.repeat,
        prediction.rotation,
        prediction.state,
        prediction.answer,
        prediction.detail -> 'stated' as stated_usage,
        prediction.detail ->> 'outcome' as ended_by,
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
),

called as (
    select
        step.question_id,
        step.presentation_key,
        step.repeat,
        (array_agg(step.id order by step.ordinal desc, step.attempt desc) filter (where step.kind = 'chat'))[1]
            as last_chat,
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
        step.run_id = :run_id
        and step.state = 'done'
        and step.question_id = any(array(select wanted.question_id from wanted))
    group by step.question_id, step.presentation_key, step.repeat
)

select
    wanted.position,
    wanted.question_id as question,
    wanted.template,
    wanted.parts,
    wanted.options,
    wanted.repeat,
    wanted.rotation,
    last_chat.request -> 'messages' as prompt,
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
    wanted.stated_usage,
    wanted.ended_by
from wanted
left join gold
    on
        wanted.version_id = gold.version_id
        and wanted.question_id = gold.question_id
        and gold.is_default
left join called
    on
        wanted.question_id = called.question_id
        and wanted.presentation_key = called.presentation_key
        and wanted.repeat = called.repeat
left join step as last_chat on called.last_chat = last_chat.id
order by wanted.position, wanted.repeat, wanted.rotation
""")
