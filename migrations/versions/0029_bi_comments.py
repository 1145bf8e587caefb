"""What every column of the views for BI tools means; docs/bi.md shows these words."""

from alembic import op

revision: str = "0029"
down_revision: str | None = "0028"
branch_labels = None
depends_on = None

# What a column means, in every view that has it; below, where a view means more by it.
COMMENTS = {
    "age_days": "from map_utc to now; null without a date",
    "age_seconds": "from created_utc to now",
    "answer_type": "what an answer is: option, name, count, area, azimuth …",
    "answered": "answers that a model gave",
    "answers": "answers that were sent in",
    "attempts": "times that scoring was begun",
    "attribution": "who is to be named",
    "benchmark": "whose templates made the questions",
    "boundary": "for a cut out of another map: of what",
    "calls": "of models, answered for this run; null but for scope all",
    "canary": "a UUID that stands in every export: data that have it are evaluation data",
    "carried_from_run_id": "the run of an earlier version whose answers these are",
    "chance_score": "mean of 1 / number of options; null unless all questions have them",
    "checksum": "SHA-256 of the extract, or of map and boundary",
    "city": "the map's name, with its date where the version has two maps of that name",
    "complete_runs": "of all questions, those of judges left out",
    "completion_tokens": "of all calls of the run; null but for scope all",
    "correct": "answers; those to each repeat and rotation count",
    "cost": "in cost_currency, at the prices the run was made with; null without prices, and but for scope all",
    "cost_currency": "as the endpoint's prices say",
    "created_utc": "when it began, or was sent in",
    "dataset": "the data set's name",
    "dataset_versions": "published versions that stand on it",
    "deadline_utc": "until when it may stay in its state; null once it is done",
    "detectable_difference": "the smallest true difference found four times in five, before the adjustment",
    "difference": "mean of label less that of other_label, in shares of 1",
    "difference_high": "upper end of the 95 % interval",
    "difference_low": "lower end of the 95 % interval; null where nothing can be tested",
    "dimension": "what the template asks about; null where the benchmark has none",
    "elapsed_seconds": "from created_utc to finished_utc, or to now",
    "endpoint": "its name; null for solvers that call no model",
    "error": "failed on our side: such a run has no score",
    "finished_utc": "null while it goes on",
    "found": "objects that the layer's tags name",
    "from_version": "the version before",
    "hidden_questions": "questions whose gold stays hidden",
    "interval_method": "the interval's name and level",
    "kept": "objects in the layer",
    "label": "the name on boards, as its maker wrote it",
    "last_answer_utc": "when the latest answer was written",
    "latency_median_ms": "of a call; null without calls, and but for scope all",
    "latency_p95_ms": "95th percentile of a call",
    "layer": "poi, park, water, road, region, aoi, address or road_node",
    "licence": "its short name",
    "licence_url": "where it can be read",
    "locale": "the language of the texts",
    "map_utc": "the date of the map's data; null where the extract tells none",
    "maps": "that the questions stand on",
    "missing": "not answered, or not scored yet",
    "model": "as the endpoint calls it",
    "newest": "whether it is the newest of its name",
    "no_answer": "says that it does not know, or nothing; counts 0",
    "objects": "that were rejected",
    "open_seconds": "from created_utc to finished_utc, or to now",
    "origin": "what made the version: refresh or erratum",
    "other_label": "the other run's name on boards",
    "other_run_id": "the other run; always the later one",
    "outcome": "kept, updated, replaced, retired, added, voided or corrected",
    "outline_source": "poly, area, box or none",
    "owed_answers": "answers that make the run complete",
    "p": "two-sided, before Holm's adjustment; null where nothing can be tested",
    "pause_reason": "request or budget; null unless it is paused",
    "places": "clusters of questions by place",
    "profile": "whose rules score: trigpoint, judge_hybrid or judge_pure",
    "progress": "share of owed_answers that are there, errors included",
    "prompt_tokens": "of all calls of the run; null but for scope all",
    "public_questions": "questions whose gold may leave",
    "published_utc": "when it could first be used",
    "questions": "how many; those of hidden gold count as they do on boards",
    "random_score": "exact mean of the solver random; null where it is not known for all questions",
    "reason": "why, or what differs; null for kept ones and for all hidden ones",
    "reasked_requests": "in flight when their worker was lost",
    "rejected": "objects that were not kept",
    "repaired": "objects whose shape was mended",
    "repeats": "answers to each question",
    "rotated": "whether each question was asked in every rotation of its options",
    "run_id": "the run",
    "sample_questions": "of a run that asks some questions only; null for all",
    "scope_kind": "all, template, dimension, city or answer_type",
    "scope_name": "which template, dimension …; null for all",
    "score": "mean over questions, in shares of 1; null for a run that is not complete",
    "score_high": "upper end of the 95 % interval",
    "score_low": "lower end of the 95 % interval",
    "scored": "whether boards know it",
    "scorer": "the rule that scores these questions",
    "scorer_version": "of the profile's rules; compare equal ones only",
    "seed": "of the recipe",
    "self_reported": "false: run by whoever keeps this service",
    "shown": "whether the board shows it: the newest complete run of its label and solver, or a newer one beside it",
    "snapshot": "the map's name",
    "snapshot_id": "the map",
    "solver": "how questions are asked: direct, text_to_sql, oracle …",
    "solver_version": "of the solver's code",
    "source": "the extract's file name or address",
    "split": "public or hidden",
    "state": "waiting, scoring, scored, failed, withdrawn or deleted",
    "status": "queued, running, paused, complete, incomplete or cancelled",
    "submission_id": "the submission",
    "template": "the template's name",
    "template_version": "the template's version",
    "templates": "that have questions",
    "unparseable": "answers that no reading fits; count 0",
    "version": "the version's number",
    "version_id": "the version, as the views review_… name it",
    "wrong": "answers that were read and are not right",
}
OF_VIEWS = {
    ("comparison", "questions"): "that both were asked",
    ("comparison", "templates"): "clusters of questions by template",
    ("reject", "reason"): "why they were not kept",
    ("run", "error"): "answers that failed on our side",
    ("submission", "label"): "the name on boards; null once it is withdrawn or deleted",
    ("submission", "source"): "whose form the answers came in: answers, lm-eval or inspect",
}

COLUMNS = """
select
    table_name as view,
    column_name as column
from information_schema.columns
where
    table_schema = 'trigpoint'
    and starts_with(table_name, 'bi_')
order by table_name, ordinal_position
"""


def upgrade() -> None:
    for view, column in op.get_bind().exec_driver_sql(COLUMNS).all():
        about = (OF_VIEWS.get((view.removeprefix("bi_"), column)) or COMMENTS[column]).replace("'", "''")
        op.execute(f"comment on column trigpoint.{view}.{column} is '{about}'")


def downgrade() -> None:
    for view, column in op.get_bind().exec_driver_sql(COLUMNS).all():
        op.execute(f"comment on column trigpoint.{view}.{column} is null")
