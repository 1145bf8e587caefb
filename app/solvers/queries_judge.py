"""The statements of `judge`: what it marks, and verdicts that there are already."""

from sqlalchemy import text

RUN = text("""
select
    run.id,
    run.version_id,
    run.kind,
    run.label,
    run.repeats,
    run.presentation,
    run.sample,
    run.status
from run
where run.id = :run_id
""")

QUESTIONS_WITH_PICTURES = text("""
select count(*)
from question
where
    question.version_id = :version_id
    and question.prompt @? '$[*].sha256'
""")

QUESTIONS_BY_RUBRIC = text("""
select
    gold.value -> 'judge' ->> 'rubric' as rubric,
    count(*) as n
from question
left join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
    and gold.is_default
where question.version_id = :version_id
group by gold.value -> 'judge' ->> 'rubric'
order by rubric nulls first
""")

MARKINGS = text("""
select
    question.id,
    gold.value -> 'judge' ->> 'rubric' as rubric,
    gold.value -> 'judge' ->> 'reference' as reference,
    gold.value -> 'judge' -> 'facts' as facts
from question
inner join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
    and gold.is_default
where question.version_id = :version_id
order by question.position
""")

ANSWERS = text("""
select
    prediction.question_id,
    prediction.rotation,
    prediction.repeat,
    prediction.state,
    prediction.answer
from prediction
where prediction.run_id = :run_id
""")

# First replies that runs of the same judge over the same version got; the newest of a call last.

EARLIER_REPLIES = text("""
select
    step.id,
    step.request_hash,
    step.response
from run as this
inner join run
    on this.version_id = run.version_id
    and this.endpoint_id = run.endpoint_id
    and this.kind = run.kind
    and this.solver = run.solver
    and this.id <> run.id
inner join step on run.id = step.run_id
where
    this.id = :run_id
    and step.kind = 'chat'
    and step.state = 'done'
    and step.ordinal = 0
order by step.id
""")
