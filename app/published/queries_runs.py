"""What a run's calls took, and why answers are lacking; of errors, those on questions that the role may see."""

from sqlalchemy import text

MOST_REASONS = 20

LATENCY = text("""
select
    calls,
    median_ms,
    slow_ms,
    slowest_ms
from latency_of_run(:run_id)
""")

REASONS = text("""
select
    prediction.error as reason,
    count(*) as answers,
    min(prediction.question_id) as question
from prediction
where
    prediction.run_id = :run_id
    and prediction.state = 'error'
group by prediction.error
order by count(*) desc, prediction.error
limit :most
""")
