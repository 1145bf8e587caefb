"""The statement that takes scores over to answers that were carried over."""

from sqlalchemy import text

# Scores are looked up for each answer: a join by a hash would read those of all runs that there are.

COPY_SCORES = text("""
insert into score (
    prediction_id, profile, gold_key, scorer, scorer_version, outcome, value, components, parsed
)
select
    carried.id,
    score.profile,
    score.gold_key,
    score.scorer,
    score.scorer_version,
    score.outcome,
    score.value,
    score.components,
    score.parsed
from prediction as carried
inner join prediction as earlier
    on
        carried.question_revision = earlier.question_revision
        and carried.presentation_key = earlier.presentation_key
        and carried.repeat = earlier.repeat
        and earlier.run_id = :run_id
cross join lateral (
    select found.*
    from score as found
    where
        found.prediction_id = earlier.id
        and found.profile = any(cast(:profiles as text[]))
    offset 0
) as score
where carried.run_id = :carried
order by carried.id
""")
