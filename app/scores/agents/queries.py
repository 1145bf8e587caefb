"""The statements of agents' figures; of the worker, who reads gold and plans. Of public questions alone."""

from sqlalchemy import text

from app.scores.queries_episodes import FROM_STEPS

# The score of a prediction by the default gold. It is looked up for each: a join by a hash would read the scores of all
# runs that there are.

DEFAULT_SCORE = """
left join lateral (
    select found.*
    from score as found
    where
        found.prediction_id = prediction.id
        and found.profile = :profile
        and found.gold_key = 'default'
        and found.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
    offset 0
) as score on true
"""

# Figures are of runs whose episodes call tools, whoever ran them.

IS_AGENT = text("""
select
    run.presentation ? 'agent'
    or exists (
        select 1
        from step
        where
            step.run_id = coalesce(run.carried_from, run.id)
            and step.kind = 'tool'
    )
from run
where run.id = :run_id
""")

DELETE_FIGURES = text("""
delete from episode_figures
where episode_figures.run_id = :run_id
""")

INSERT_FIGURES = text(
    """
with called as (
    select
        prediction.id as prediction_id,
        step.kind,
        step.request ->> 'tool' as tool,
        coalesce(step.response ? 'error', false) as is_failed,
        row_number() over (
            partition by prediction.id, step.kind, step.request_hash
            order by step.ordinal
        ) > 1 as is_repeated,
        case
            when jsonb_typeof(step.usage -> 'prompt_tokens') = 'number'
                then greatest(0, least(1e9, round(cast(step.usage ->> 'prompt_tokens' as numeric))))
        end as prompt_tokens,
        case
            when jsonb_typeof(step.usage -> 'completion_tokens') = 'number'
                then greatest(0, least(1e9, round(cast(step.usage ->> 'completion_tokens' as numeric))))
        end as completion_tokens
"""
    + FROM_STEPS
    + """
    where
        prediction.run_id = :run_id
        and question.split = 'public'
),

by_tool as (
    select
        called.prediction_id,
        called.tool,
        count(*) as calls,
        count(*) filter (where called.is_failed) as failed,
        count(*) filter (where called.is_repeated) as repeated
    from called
    where called.kind = 'tool'
    group by called.prediction_id, called.tool
),

tools as (
    select
        by_tool.prediction_id,
        sum(by_tool.calls) as calls,
        sum(by_tool.failed) as failed,
        sum(by_tool.repeated) as repeated,
        jsonb_object_agg(
            coalesce(by_tool.tool, ''),
            jsonb_build_object('calls', by_tool.calls, 'failed', by_tool.failed, 'repeated', by_tool.repeated)
        ) as by_name
    from by_tool
    group by by_tool.prediction_id
),

chats as (
    select
        called.prediction_id,
        count(*) filter (where called.kind = 'chat') as calls,
        sum(called.prompt_tokens) as prompt_tokens,
        sum(called.completion_tokens) as completion_tokens
    from called
    group by called.prediction_id
)

insert into episode_figures (
    prediction_id, run_id, is_right, ended_by, chat_calls, tool_calls, failed_calls, repeated_calls, format_faults,
    prompt_tokens, completion_tokens, tools
)
select
    prediction.id,
    prediction.run_id,
    coalesce(score.outcome = 'correct', false),
    prediction.detail ->> 'outcome',
    coalesce(chats.calls, 0),
    coalesce(tools.calls, 0),
    coalesce(tools.failed, 0),
    coalesce(tools.repeated, 0),
    coalesce(cast(prediction.detail -> 'agent' ->> 'format_faults' as int), 0),
    coalesce(chats.prompt_tokens, 0),
    coalesce(chats.completion_tokens, 0),
    coalesce(tools.by_name, '{}')
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.split = 'public'
left join tools on prediction.id = tools.prediction_id
left join chats on prediction.id = chats.prediction_id
"""
    + DEFAULT_SCORE
    + """
where
    prediction.run_id = :run_id
    and prediction.state <> 'error'
"""
)

# Episodes that could hold an error: those that are not right.

MISSED = text(
    """
select
    prediction.id,
    prediction.answer,
    prediction.state,
    question.prompt,
    question.options,
    gold.kind as gold_kind,
    gold.value as gold,
    score.outcome,
    score.parsed,
    proof.parameters,
    proof.evidence,
    solution.value as plan
from episode_figures
inner join prediction on episode_figures.prediction_id = prediction.id
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
left join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
left join solution
    on
        question.version_id = solution.version_id
        and question.id = solution.question_id
        and solution.kind = 'tool_plan'
"""
    + DEFAULT_SCORE
    + """
where
    episode_figures.run_id = :run_id
    and not episode_figures.is_right
    and episode_figures.exploration is null
order by prediction.id
"""
)

# Episodes on questions for stations near a place: those that are right, too.

OF_STATIONS = text(
    """
select
    prediction.id,
    episode_figures.is_right,
    episode_figures.ended_by,
    gold.value as gold,
    score.outcome,
    score.components,
    score.parsed,
    proof.parameters ->> 'destination' as destination,
    proof.binds ->> 'activity' as activities
from episode_figures
inner join prediction on episode_figures.prediction_id = prediction.id
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
inner join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
        and gold.kind = 'value'
left join proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
"""
    + DEFAULT_SCORE
    + """
where
    episode_figures.run_id = :run_id
    and question.scorer = 'hits'
order by prediction.id
"""
)

TOOL_STEPS = text(
    """
select
    prediction.id as prediction_id,
    step.request ->> 'tool' as tool,
    step.request -> 'arguments' as arguments,
    step.response
"""
    + FROM_STEPS
    + """
where
    prediction.id = any(cast(:ids as bigint[]))
    and step.kind = 'tool'
order by prediction.id, step.ordinal, step.attempt
"""
)

UPDATE_EXPLORATION = text("""
update episode_figures
set
    errors = given.errors,
    exploration = given.exploration
from jsonb_to_recordset(cast(:rows as jsonb)) as given (prediction_id bigint, errors text[], exploration jsonb)
where episode_figures.prediction_id = given.prediction_id
""")

UPDATE_ERRORS = text("""
update episode_figures
set errors = given.errors
from jsonb_to_recordset(cast(:rows as jsonb)) as given (prediction_id bigint, errors text[])
where episode_figures.prediction_id = given.prediction_id
""")
