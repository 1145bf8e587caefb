"""The statements of figures of reasoning; of the worker. Of public questions alone."""

from sqlalchemy import text

BENCHMARKS = text("""
select distinct dataset.benchmark
from dataset
order by dataset.benchmark
""")

# A scored run waits where its answers were not all checked by the checker of today.

RUNS_TO_CHECK = text("""
select run.id
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
inner join jsonb_each(cast(:versions as jsonb)) as checker on dataset.benchmark = checker.key
inner join run_standing
    on
        run.id = run_standing.run_id
        and run_standing.profile = :profile
where
    run.kind = :kind
    and run.status in ('complete', 'incomplete')
    and run_standing.reasoning_version is distinct from cast(checker.value as int)
order by run.id
""")

CHECKED_RUN = text("""
select
    run.id,
    dataset.benchmark
from run
inner join dataset_version on run.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
where
    run.id = :run_id
    and run.kind = :kind
""")

UNCHECKED_ANSWERS = text("""
select
    prediction.id,
    prediction.answer,
    question.template,
    question.prompt,
    coalesce(gold.value -> 'judge' ->> 'rubric', question.template) as task
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.split = 'public'
left join gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
left join reasoning_figures
    on
        prediction.id = reasoning_figures.prediction_id
        and reasoning_figures.checker_version = :version
where
    prediction.run_id = :run_id
    and prediction.state = 'answered'
    and reasoning_figures.prediction_id is null
order by prediction.id
limit :most
""")

INSERT_FIGURES = text("""
insert into reasoning_figures (
    prediction_id, checker_version, run_id, task, checked, unchecked, broken_step, broken_class, is_cut
)
select
    given.prediction_id,
    :version,
    :run_id,
    given.task,
    given.checked,
    given.unchecked,
    given.broken_step,
    given.broken_class,
    given.is_cut
from jsonb_to_recordset(cast(:rows as jsonb)) as given (
    prediction_id bigint,
    task text,
    checked int,
    unchecked int,
    broken_step text,
    broken_class text,
    is_cut boolean
)
order by given.prediction_id
on conflict (prediction_id, checker_version) do nothing
""")

DELETE_FIGURES = text("""
delete from reasoning_figures
where
    reasoning_figures.run_id = :run_id
    and reasoning_figures.checker_version = :version
""")

# Figures of answers that are none any more are of no version.

DELETE_STALE_FIGURES = text("""
delete from reasoning_figures
using prediction
where
    reasoning_figures.run_id = :run_id
    and reasoning_figures.prediction_id = prediction.id
    and prediction.state <> 'answered'
""")

SET_CHECKED = text("""
update run_standing
set reasoning_version = :version
where
    run_standing.run_id = :run_id
    and run_standing.profile = :profile
""")
