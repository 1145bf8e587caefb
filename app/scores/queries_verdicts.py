"""The statements that read verdicts beside what they are of, and what a judge's run came to."""

from sqlalchemy import text

VERDICTS = text("""
select
    verdict.id,
    verdict.question_id,
    verdict.rotation,
    verdict.state,
    verdict.answer,
    judged.id as judged_id,
    judged.answer as judged_answer
from prediction as verdict
inner join question
    on verdict.version_id = question.version_id
    and verdict.question_id = question.id
left join prediction as judged
    on
        judged.run_id = :judged_run
        and verdict.question_id = judged.question_id
        and verdict.rotation = judged.rotation
        and verdict.repeat = judged.repeat
where verdict.run_id = :run_id
order by question.position, verdict.rotation, verdict.repeat
""")

OVERALL = text("""
select
    board_aggregate.profile,
    board_aggregate.n,
    board_aggregate.score,
    board_aggregate.low,
    board_aggregate.high,
    made.hidden,
    made.questions
from board_aggregate
cross join lateral (
    select
        count(*) as questions,
        count(*) filter (where question.split = 'hidden') as hidden
    from question
    where question.version_id = board_aggregate.version_id
) as made
where
    board_aggregate.run_id = :run_id
    and board_aggregate.scope = 'all'
order by board_aggregate.profile
""")

# Answers that are none count 0 points, as they do in the score.

MEAN_POINTS = text("""
select
    gold.value -> 'judge' ->> 'rubric' as rubric,
    score_profile.name as profile,
    count(*) as n,
    sum(coalesce(cast(score.components -> 'reason' ->> 'value' as double precision), 0)) / count(*) as reason,
    sum(coalesce(cast(score.components -> 'answer' ->> 'value' as double precision), 0)) / count(*) as answer
from prediction
inner join question
    on prediction.version_id = question.version_id
    and prediction.question_id = question.id
    and question.split = 'public'
inner join gold
    on prediction.version_id = gold.version_id
    and prediction.question_id = gold.question_id
    and gold.is_default
cross join unnest(cast(:profiles as text[]), cast(:versions as int[])) as score_profile (name, version)
left join score
    on
        prediction.id = score.prediction_id
        and score_profile.name = score.profile
        and score_profile.version = score.scorer_version
where
    prediction.run_id = :run_id
    and prediction.state <> 'error'
group by gold.value -> 'judge' ->> 'rubric', score_profile.name
order by rubric, profile
""")

ASKED = text("""
select
    count(*) as requests,
    count(*) filter (where step.ordinal = 1) as asked_twice,
    (
        select count(*)
        from prediction
        where
            prediction.run_id = :run_id
            and prediction.detail ? 'reused_step'
    ) as reused
from step
where
    step.run_id = :run_id
    and step.kind = 'chat'
""")
