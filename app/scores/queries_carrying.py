"""The statement that takes scores over to answers that were carried over."""

from sqlalchemy import text

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
inner join score
    on
        earlier.id = score.prediction_id
        and score.profile = any(cast(:profiles as text[]))
where carried.run_id = :carried
order by carried.id
""")
