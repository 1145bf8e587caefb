"""Two runs of one version side by side, as stored when they were scored; of questions, those that the role may see."""

from sqlalchemy import text

MOST_QUESTIONS = 60
"""Questions that are listed."""

RUNS = text("""
select
    run.id as run,
    run.label as name,
    run.solver,
    whole.score,
    whole.n
from run
left join board_aggregate as whole
    on
        run.id = whole.run_id
        and whole.scope = 'all'
        and whole.profile = :profile
        and whole.scorer_version = :profile_version
where
    run.version_id = :version_id
    and run.id = any(array[cast(:first as bigint), cast(:second as bigint)])
    and run.status <> 'cancelled'
    and run.kind = 'answers'
""")

SCOPES = text("""
select
    compared.scope,
    compared.n,
    mine.score as first_score,
    theirs.score as second_score,
    compared.difference * turn.sign as difference,
    case when turn.sign = 1 then compared.low else - compared.high end as low,
    case when turn.sign = 1 then compared.high else - compared.low end as high,
    compared.p,
    case when turn.sign = 1 then compared.new_low else - compared.new_high end as new_low,
    case when turn.sign = 1 then compared.new_high else - compared.new_low end as new_high,
    compared.new_p,
    compared.test
from run_comparison as compared
cross join (select case when cast(:first as bigint) < cast(:second as bigint) then 1 else -1 end as sign) as turn
left join board_aggregate as mine
    on
        mine.run_id = :first
        and mine.scope = compared.scope
        and mine.profile = compared.profile
        and mine.scorer_version = compared.scorer_version
left join board_aggregate as theirs
    on
        theirs.run_id = :second
        and theirs.scope = compared.scope
        and theirs.profile = compared.profile
        and theirs.scorer_version = compared.scorer_version
where
    compared.run_id = least(cast(:first as bigint), cast(:second as bigint))
    and compared.other_id = greatest(cast(:first as bigint), cast(:second as bigint))
    and compared.profile = :profile
    and compared.scorer_version = :profile_version
order by compared.scope
""")

_VALUES = """
with judged as (
    select
        prediction.run_id,
        prediction.question_id,
        avg(
            coalesce(case when :of_paper then cast(score.outcome = 'correct' as int) else score.value end, 0)
        ) as value,
        (array_agg(prediction.answer order by prediction.repeat, prediction.rotation))[1] as answer
    from prediction
    inner join question
        on
            prediction.version_id = question.version_id
            and prediction.question_id = question.id
    left join score
        on
            prediction.id = score.prediction_id
            and prediction.state in ('answered', 'no_answer')
            and score.gold_key = 'default'
            and score.profile = :profile
            and score.scorer_version = cast(cast(:scorers as jsonb) ->> question.scorer as int)
    where
        prediction.version_id = :version_id
        and prediction.run_id = any(array[cast(:first as bigint), cast(:second as bigint)])
        and prediction.state <> 'error'
        and (not :of_paper or cast(:scorers as jsonb) ->> question.scorer is not null)
    group by prediction.run_id, prediction.question_id
),

both_judged as (
    select
        mine.question_id,
        mine.value as first_value,
        theirs.value as second_value,
        mine.answer as first_answer,
        theirs.answer as second_answer
    from judged as mine
    inner join judged as theirs on mine.question_id = theirs.question_id
    where
        mine.run_id = :first
        and theirs.run_id = :second
)
"""

TALLY = text(
    _VALUES
    + """
select
    count(*) filter (where both_judged.first_value > both_judged.second_value) as first_better,
    count(*) filter (where both_judged.first_value < both_judged.second_value) as second_better,
    count(*) filter (where both_judged.first_value = both_judged.second_value) as alike
from both_judged
"""
)

QUESTIONS = text(
    _VALUES
    + """
select
    question.id,
    question.template,
    question.prompt,
    both_judged.first_value,
    both_judged.second_value,
    both_judged.first_answer,
    both_judged.second_answer
from both_judged
inner join question
    on
        question.version_id = :version_id
        and both_judged.question_id = question.id
where both_judged.first_value <> both_judged.second_value
order by abs(both_judged.first_value - both_judged.second_value) desc, question.position
limit :most
"""
)
