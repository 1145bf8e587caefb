"""The statements of judge studies. Public questions alone: people are shown what is true of them."""

from sqlalchemy import text

RUN = text("""
select
    run.id,
    run.kind,
    run.status,
    run.label,
    dataset.benchmark,
    dataset.name || '@' || dataset_version.number as dataset
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
where run.id = :run_id
""")

RESPONSES = text("""
select
    prediction.question_id,
    prediction.rotation,
    prediction.repeat,
    prediction.answer,
    question.template,
    question.prompt,
    question.options,
    gold.value -> 'judge' as judge
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.split = 'public'
inner join gold
    on
        prediction.version_id = gold.version_id
        and prediction.question_id = gold.question_id
        and gold.is_default
where
    prediction.run_id = :run_id
    and prediction.state = 'answered'
    and gold.value -> 'judge' ->> 'rubric' is not null
order by question.position, prediction.rotation, prediction.repeat
""")

JUDGES = text("""
select
    run.id,
    run.label,
    endpoint_card.model
from run
left join endpoint_card on run.endpoint_id = endpoint_card.id
where
    run.kind = :kind
    and run.status = 'complete'
    and cast(run.presentation -> 'judging' ->> 'run' as bigint) = :run_id
order by run.id
""")

MARKS = text("""
select
    prediction.run_id,
    prediction.question_id,
    prediction.rotation,
    prediction.repeat,
    score.profile,
    score.value,
    score.components
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.split = 'public'
inner join score on prediction.id = score.prediction_id
cross join unnest(cast(:profiles as text []), cast(:versions as int [])) as known (name, version)
where
    prediction.run_id = any(:runs)
    and score.profile = known.name
    and score.scorer_version = known.version
order by prediction.run_id, question.position, prediction.rotation, prediction.repeat, score.profile
""")

FIGURES = text("""
select
    prediction.question_id,
    prediction.rotation,
    prediction.repeat,
    reasoning_figures.checked,
    reasoning_figures.unchecked,
    reasoning_figures.broken_step,
    reasoning_figures.broken_class,
    reasoning_figures.is_cut
from reasoning_figures
inner join prediction on reasoning_figures.prediction_id = prediction.id
where
    reasoning_figures.run_id = :run_id
    and reasoning_figures.checker_version = :version
""")
